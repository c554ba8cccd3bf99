// SPDX-License-Identifier: MIT
//
// Collects the lines of ranks.
#include "app/cli/rank_output.hpp"

#include "simcore/support/assert.hpp"

namespace rehearse::cli {

RankOutput::RankOutput(std::uint32_t ranks, bool label, std::ostream& out, std::ostream& err)
    : label_(label), streams_{&out, &err}, pending_(ranks) {}

RankOutput::~RankOutput() {
  for (std::uint32_t rank = 0; rank < pending_.size(); ++rank) {
    for (const std::size_t stream : {0, 1}) {
      if (!pending_[rank][stream].empty()) emit(rank, stream, pending_[rank][stream]);
    }
  }
  for (std::ostream* stream : streams_) stream->flush();
}

void RankOutput::write(ActorId actor, int stream, std::string_view text) {
  if (actor.value >= pending_.size()) pending_.resize(actor.value + 1);  // another rank has started it
  REHEARSE_ASSERT(stream == 1 || stream == 2, "output on a stream that does not exist");
  const auto index = static_cast<std::size_t>(stream - 1);
  std::string& line = pending_[actor.value][index];
  for (std::size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
    line += text.substr(0, end + 1);
    emit(actor.value, index, line);
    line.clear();
  }
  line += text;
}

void RankOutput::emit(std::uint32_t rank, std::size_t stream, std::string_view line) {
  if (label_) *streams_[stream] << '[' << rank << "] ";
  *streams_[stream] << line;
}

}  // namespace rehearse::cli
