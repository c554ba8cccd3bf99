// SPDX-License-Identifier: MIT
//
// Sequences of calls from GOAL schedules.
//
// Sequence: each operation of a rank depends on the one before it. If it waits until that one is done, that one is a
//           blocking call; if only until it begins, a nonblocking one. Any other operation for which it waits is an
//           earlier nonblocking call, and becomes a wait.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/action.hpp"
#include "trace/goal_conversion.hpp"

namespace rehearse::trace {

namespace goal {
namespace {

class CallWriter {
 public:
  CallWriter(const GoalSchedule& schedule, const GoalConversion& options, std::ostream& out)
      : schedule_(schedule), options_(options), out_(out) {}

  Result<void> write(std::uint32_t rank) {
    rank_ = rank;
    rank_text_ = std::to_string(rank) + ' ';
    const GoalSchedule::Block& block = schedule_.blocks[rank];
    collect_dependencies(block);
    open_.clear();
    line("init");
    for (std::uint32_t i = 0; i < block.count && problem_.empty(); ++i)
      operation(block.first + i, i + 1 == block.count);
    line("finalize");
    if (!problem_.empty()) return Error{problem_};
    return {};
  }

 private:
  struct Dependency {
    std::uint32_t after = 0, before = 0;
    bool begun = false;
  };
  struct OpenCall {
    RequestName name;
    std::uint32_t operation = 0;
  };

  // By the operation that waits.
  void collect_dependencies(const GoalSchedule::Block& block) {
    dependencies_.clear();
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
      for (const std::uint32_t after : schedule_.after_done(i)) dependencies_.push_back({after, i, false});
      for (const std::uint32_t after : schedule_.after_begun(i)) dependencies_.push_back({after, i, true});
    }
    std::ranges::stable_sort(dependencies_, {}, &Dependency::after);
    next_ = 0;
    first_ = block.first;
  }

  void operation(std::uint32_t number, bool is_last) {
    bool is_behind = number == first_;
    for (; next_ < dependencies_.size() && dependencies_[next_].after == number; ++next_) {
      const Dependency& dependency = dependencies_[next_];
      if (dependency.before >= number) return refuse(number, "it waits for an operation that comes later");
      is_behind = is_behind || dependency.before + 1 == number;
      if (!dependency.begun) wait(dependency.before, number);
    }
    if (!is_behind) return refuse(number, "it does not depend on the operation before it");
    if (!problem_.empty()) return;
    bool is_blocking = is_last;
    for (std::size_t i = next_; i < dependencies_.size() && dependencies_[i].after == number + 1; ++i)
      is_blocking = is_blocking || (dependencies_[i].before == number && !dependencies_[i].begun);
    call(number, schedule_.operations[number], is_blocking);
  }

  void wait(std::uint32_t before, std::uint32_t number) {
    const auto open = std::ranges::find(open_, before, &OpenCall::operation);
    if (open == open_.end()) return;  // it is done already
    const auto meant =
        std::ranges::find_if(open_, [&](const OpenCall& each) { return is_meant(each.name, open->name); });
    if (meant != open) return refuse(number, "it waits for a later one of two open requests with the same name");
    line("wait " + std::to_string(open->name.source) + " " + std::to_string(open->name.destination) + " " +
         std::to_string(open->name.tag));
    open_.erase(open);
  }

  void call(std::uint32_t number, const GoalOperation& operation, bool is_blocking) {
    if (operation.cpu != 0 || operation.nic != 0) return refuse(number, "calls have one processor and one port");
    if (operation.kind == GoalKind::calculation) return calculation(number, operation, is_blocking);
    constexpr std::uint64_t most_bytes = 9'000'000'000'000'000;
    const bool is_send = operation.kind == GoalKind::send;
    const bool is_any_tag = operation.tag == goal_any && !is_send;
    if (operation.size > most_bytes) return refuse(number, "more than 9e15 bytes");
    if (operation.tag > INT32_MAX && !is_any_tag) return refuse(number, "a tag of calls is at most 2,147,483,647");
    const std::int32_t tag = is_any_tag ? any : static_cast<std::int32_t>(operation.tag);
    const std::int32_t peer = operation.peer == goal_any ? any : static_cast<std::int32_t>(operation.peer);
    line(std::string(is_blocking ? "" : "i") + (is_send ? "send " : "recv ") + std::to_string(peer) + " " +
         std::to_string(tag) + " " + std::to_string(operation.size));
    const auto own = static_cast<std::int32_t>(rank_);
    if (!is_blocking) open_.push_back({is_send ? RequestName{own, peer, tag} : RequestName{peer, own, tag}, number});
  }

  void calculation(std::uint32_t number, const GoalOperation& operation, bool is_blocking) {
    if (!is_blocking) return refuse(number, "the next operation begins while it computes");
    if (operation.size == 0) return;
    if (!options_.flops_per_second)
      return refuse(number, "a computation needs the speed of a host, in flop/s (--speed)");
    const double flops = static_cast<double>(operation.size) * *options_.flops_per_second / 1e9;
    std::array<char, 32> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), flops).ptr;
    line("compute " + std::string(text.data(), end));
  }

  void line(std::string_view text) { out_ << rank_text_ << text << '\n'; }

  void refuse(std::uint32_t number, const std::string& why) {
    if (!problem_.empty()) return;
    const std::uint32_t line = schedule_.line(number);
    problem_ = schedule_.file(rank_) + (line == 0 ? "" : ":" + std::to_string(line)) + ": rank " +
               std::to_string(rank_) + ": " + text_of(schedule_.operations[number]) +
               (line == 0 ? " (operation " + std::to_string(number - first_) + ")" : "") +
               ": the rank is no sequence of calls: " + why;
  }

  const GoalSchedule& schedule_;
  const GoalConversion& options_;
  std::ostream& out_;
  std::uint32_t rank_ = 0;
  std::string rank_text_;                 // with a blank
  std::uint32_t first_ = 0;               // operation of the rank
  std::vector<Dependency> dependencies_;  // of the rank
  std::size_t next_ = 0;                  // of those of the next operation
  std::vector<OpenCall> open_;
  std::string problem_;
};

}  // namespace
}  // namespace goal

Result<void> write_calls(const GoalSchedule& schedule, const GoalConversion& options, std::ostream& out) {
  goal::CallWriter writer(schedule, options, out);
  for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank)
    if (const Result<void> written = writer.write(rank); !written) return written.error();
  return {};
}

}  // namespace rehearse::trace
