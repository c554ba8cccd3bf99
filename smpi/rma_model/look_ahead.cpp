// SPDX-License-Identifier: MIT
//
// See look_ahead.hpp.
#include "smpi/rma_model/look_ahead.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "simcore/observation.hpp"
#include "simcore/operation.hpp"
#include "smpi/abi/call_scope.hpp"
#include "smpi/library.hpp"
#include "smpi/process/rank_slot.hpp"
#include "smpi/rma/window.hpp"

namespace rehearse::smpi::model {
namespace {

class PollRounds {
 public:
  PollRounds(LoadedProgram& program, ActorId rank) : program_(program), rank_(rank) {}

  // Whether a round ends in the state in which it began. The first ones may still change memory that nothing reads.
  bool close(std::span<const std::byte> answer) {
    constexpr int most_rounds = 3;
    const auto* poll = std::get_if<RemoteAccess>(&program_.next(rank_));
    if (poll == nullptr || poll->blocking || library() == nullptr) return false;
    number_ = poll->request;
    context_ = poll->context;
    data_.assign(poll->data.begin(), poll->data.end());
    const std::unique_ptr<Snapshot> before = program_.save(rank_);
    const bool is_comparable = before != nullptr && before->is_same_as(*before);  // not if the memory is large
    if (!is_comparable || !note_counts()) return false;
    bool is_closed = false;
    std::unique_ptr<Snapshot> last;
    for (int round = 0; round < most_rounds && !is_closed && run(answer) && reset_counts(); ++round) {
      std::unique_ptr<Snapshot> now = program_.save(rank_);
      is_closed = last != nullptr && last->is_same_as(*now);
      last = std::move(now);
    }
    program_.restore(rank_, *before);
    program_.next(rank_);
    return is_closed;
  }

 private:
  // What grows from one poll to the next.
  struct Counts {
    std::uint64_t heard = 0, calls = 0;
    std::vector<std::uint64_t> issued, complete;
  };

  template <class Part>
  Part* part() const {
    return const_cast<Part*>(find_per_rank<Part>(rank_slot(program_, rank_)));
  }
  Library* library() const { return part<Library>(); }

  Window* window() const {
    const auto* windows = part<Windows>();
    return windows == nullptr ? nullptr : const_cast<Window*>(find_window(*windows, context_));
  }

  bool note_counts() {
    const Window* polled = window();
    const auto* chain = part<CallChain>();
    if (polled == nullptr || chain == nullptr || chain->has_threads) return false;
    counts_ = {library()->heard, chain->calls - chain->step, polled->issued, polled->complete};
    return true;
  }

  // Whether the rank waits for the operation alone, and then starts the same one again.
  bool run(std::span<const std::byte> answer) {
    program_.resume(rank_, {});
    const auto* flush = std::get_if<Observe>(&program_.next(rank_));
    if (flush == nullptr || !std::ranges::equal(flush->requests, std::span(&number_, 1))) return false;
    library()->next_request = number_.value;  // the request is complete
    part<CallChain>()->calls = counts_.calls;
    Completion done;
    done.data = answer;
    Observation observation;
    observation.flag = true;
    observation.completions = std::span(&done, 1);
    program_.resume(rank_, observation);
    const auto* again = std::get_if<RemoteAccess>(&program_.next(rank_));
    return again != nullptr && again->request == number_ && std::ranges::equal(again->data, data_);
  }

  // Undoes that operations were counted. False: some are not complete.
  bool reset_counts() {
    Window* polled = window();
    if (polled == nullptr || polled->issued.size() != counts_.issued.size()) return false;
    for (std::size_t target = 0; target < counts_.issued.size(); ++target)
      if (polled->issued[target] - polled->complete[target] != counts_.issued[target] - counts_.complete[target])
        return false;
    std::ranges::copy(counts_.issued, polled->issued.begin());
    std::ranges::copy(counts_.complete, polled->complete.begin());
    library()->heard = counts_.heard;
    return true;
  }

  LoadedProgram& program_;
  ActorId rank_;
  RequestId number_;
  ContextId context_;
  std::vector<std::byte> data_;
  Counts counts_;
};

}  // namespace

bool polls_forever(LoadedProgram& program, ActorId rank, std::span<const std::byte> answer) {
  return PollRounds(program, rank).close(answer);
}

}  // namespace rehearse::smpi::model
