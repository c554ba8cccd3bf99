// SPDX-License-Identifier: MIT
//
// See skeleton_check.hpp. Both sides become the same short words; a rank of a skeleton never looks at data, so it runs
// with answers that are made up.
#include "app/manynode/skeleton_check.hpp"

#include <array>
#include <utility>
#include <vector>

#include "manynode/skeleton_program.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

using manynode::absent;
using manynode::CallKind;
using manynode::RecordedCall;
using manynode::Slot;

std::string word(const std::optional<std::int64_t>& number) { return number ? std::to_string(*number) : "any"; }
std::string recorded_word(std::int64_t number) { return number == manynode::anyone ? "any" : std::to_string(number); }

// The operations of a recorded call.
class RecordedWords {
 public:
  void add(const RecordedCall& call, const manynode::RecordedRuns& runs) {
    switch (call.kind) {
      case CallKind::send: return add_send(call, call.blocking);
      case CallKind::receive: return add_receive(call[Slot::peer], call[Slot::tag], call.blocking);
      case CallKind::exchange:
        add_receive(call[Slot::from], call[Slot::from_tag], false);
        add_send(call, false);
        words_.push_back("wait for 2");
        open_ -= 2;
        return;
      case CallKind::wait:
        words_.push_back("wait for 1");
        --open_;
        return;
      case CallKind::wait_all:
        if (open_ > 0) words_.push_back(fmt::format("wait for {}", open_));
        open_ = 0;
        return;
      case CallKind::wait_any:
        if (open_ > 0) words_.push_back(fmt::format("wait for {}", open_ > 1 ? "any" : "1"));
        open_ -= open_ > 0 ? 1 : 0;
        return;
      case CallKind::collective:
        if (!call.blocking) ++open_;
        words_.push_back(runs.names[call.name].substr(call.blocking ? 0 : 1));
        return;
    }
  }

  const std::vector<std::string>& words() const { return words_; }

 private:
  void add_send(const RecordedCall& call, bool blocking) {
    words_.push_back(fmt::format("{}send to {}, {} bytes, tag {}, mode {}", blocking ? "" : "i", call[Slot::peer],
                                 call[Slot::bytes], call[Slot::tag], call.mode));
    if (!blocking) ++open_;
  }
  void add_receive(std::int64_t from, std::int64_t tag, bool blocking) {
    words_.push_back(
        fmt::format("{}recv from {}, tag {}", blocking ? "" : "i", recorded_word(from), recorded_word(tag)));
    if (!blocking) ++open_;
  }

  std::vector<std::string> words_;
  std::int64_t open_ = 0;
};

// The word of an operation; empty: it takes time only.
struct WordOf {
  std::string operator()(const Send& send) const {
    return fmt::format("{}send to {}, {} bytes, tag {}, mode {}", send.blocking ? "" : "i", send.destination.value,
                       send.data.size(), send.tag, static_cast<int>(send.mode));
  }
  std::string operator()(const Post& post) const {
    const auto source = post.pattern.source ? std::optional<std::int64_t>(post.pattern.source->value) : std::nullopt;
    const auto tag = post.pattern.tag ? std::optional<std::int64_t>(*post.pattern.tag) : std::nullopt;
    return fmt::format("{}recv from {}, tag {}", post.blocking ? "" : "i", word(source), word(tag));
  }
  std::string operator()(const Observe& observe) const {
    if (observe.quantifier == Quantifier::any && observe.requests.size() > 1) return "wait for any";
    return fmt::format("wait for {}", observe.requests.size());
  }
  std::string operator()(const Collective& collective) const { return std::string(collective.name); }
  std::string operator()(const Fail& fail) const { return "failure: " + std::string(fail.what); }
  std::string operator()(const End&) const { return "end"; }
  template <class Other>
  std::string operator()(const Other&) const {
    return {};
  }
};

// A wait for any may stand for a wait for one.
bool agree(const std::string& made, const std::string& recorded) {
  return made == recorded || (made == "wait for any" && recorded == "wait for 1");
}

std::optional<std::string> difference_of_rank(manynode::SkeletonProgram& program, ActorId rank,
                                              const std::vector<std::string>& words) {
  static constexpr std::array<Completion, 1> first = {Completion{}};
  std::size_t at = 0;
  while (true) {
    const Operation& operation = program.next(rank);
    const std::string made = std::visit(WordOf(), operation);
    const bool is_end = std::holds_alternative<End>(operation);
    if (!made.empty()) {
      const std::string recorded = at < words.size() ? words[at] : "end";
      // A rank waits at its end for what it left open.
      const bool is_last_wait = at == words.size() && made.starts_with("wait for");
      if (!is_last_wait && !agree(made, recorded))
        return fmt::format("operation {} is \"{}\", but the skeleton has \"{}\"", at + 1, recorded, made);
      if (!is_last_wait) ++at;
    }
    if (is_end) return std::nullopt;
    Observation answer;
    answer.completions = first;
    program.resume(rank, answer);
  }
}

}  // namespace

std::optional<std::string> find_difference(const std::shared_ptr<const manynode::Skeleton>& skeleton,
                                           const manynode::RecordedRuns& runs, const manynode::RecordedRun& run) {
  manynode::SkeletonRun options;
  options.ranks = run.ranks;
  options.variability = manynode::Variability::mean;
  auto program = manynode::SkeletonProgram::make(skeleton, options);
  if (!program) return program.error().text;
  for (std::uint32_t rank = 0; rank < run.ranks; ++rank) {
    RecordedWords words;
    for (const RecordedCall& call : run.calls[rank]) words.add(call, runs);
    if (const auto difference = difference_of_rank(*program.value(), ActorId{rank}, words.words()))
      return fmt::format("{}: rank {} of {}: {}", run.file, rank, run.ranks, *difference);
  }
  return std::nullopt;
}

}  // namespace rehearse::app
