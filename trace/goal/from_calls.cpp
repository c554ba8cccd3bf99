// SPDX-License-Identifier: MIT
//
// From actions to operations, rank after rank.
#include <algorithm>
#include <utility>

#include "trace/goal/call_conversion.hpp"
#include "trace/goal/goal_builder.hpp"
#include "trace/goal_conversion.hpp"

namespace rehearse::trace {

namespace goal {
namespace {

// The operations of a rank as those of a schedule. All stay, so nothing has to be kept.
class ScheduleSink {
 public:
  explicit ScheduleSink(GoalSchedule& schedule) : schedule_(schedule), builder_(schedule) {}

  GoalBuilder& builder() { return builder_; }

  std::uint32_t add(const GoalOperation& operation, std::uint32_t line) { return builder_.add(operation, line); }
  void require(std::uint32_t after, std::uint32_t before, bool begun) { builder_.require(after, before, begun); }
  void keep(std::uint32_t) {}
  void drop(std::uint32_t) {}
  void note_message(std::uint32_t operation, const CollectiveMessage& message, bool is_send) {
    const std::size_t first = schedule_.operations.size() - builder_.count();
    (is_send ? sent_ : received_).push_back({message, static_cast<std::uint32_t>(first + operation)});
  }

  // A receive has the size of its message, which its sender names.
  void set_sizes_of_receives() {
    const auto ends = [](const Noted& noted) { return noted.message.ends(); };
    std::ranges::stable_sort(sent_, {}, ends);
    std::ranges::stable_sort(received_, {}, ends);
    LargeVector<GoalOperation>& operations = schedule_.operations;
    auto sent = sent_.begin();
    for (const Noted& receive : received_) {
      while (sent != sent_.end() && ends(*sent) < ends(receive)) ++sent;
      if (sent == sent_.end()) break;
      if (ends(*sent) == ends(receive)) operations[receive.operation].size = operations[(sent++)->operation].size;
    }
  }

 private:
  struct Noted {
    CollectiveMessage message;
    std::uint32_t operation = 0;  // of the schedule
  };

  GoalSchedule& schedule_;
  GoalBuilder builder_;
  std::vector<Noted> sent_, received_;
};

}  // namespace
}  // namespace goal

Result<ConvertedTrace> make_schedule(const Trace& trace, const GoalConversion& options) {
  ConvertedTrace converted;
  GoalSchedule& schedule = converted.schedule;
  schedule.blocks.resize(trace.ranks());
  goal::ScheduleSink sink(schedule);
  goal::ConversionOfAll all(trace, options);
  std::uint64_t actions = 0;
  for (std::uint32_t rank = 0; rank < trace.ranks(); ++rank) {
    sink.builder().begin_rank(rank);
    goal::CallConversion conversion(all, sink, rank);
    const ActionReader& reader = conversion.reader();
    schedule.files.push_back(reader.file());
    for (; conversion.next(); ++actions) {
      if (!sink.builder().is_full()) continue;
      conversion.refuse("more than " + std::to_string(GoalSchedule::most_operations) + " operations");
      break;
    }
    if (!conversion.refusal().empty()) return Error{conversion.refusal()};
    converted.unsupported = conversion.unsupported();
    if (!converted.unsupported.empty()) return converted;
    converted.losses.add(reader.losses());
    if (reader.problem()) return *reader.problem();
    if (reader.unsupported()) {
      converted.unsupported = *reader.unsupported();
      return converted;
    }
    sink.builder().end_rank();
  }
  sink.set_sizes_of_receives();
  sink.builder().finish();
  schedule.actions = actions;
  schedule.format = trace.format();
  if (std::ranges::count(schedule.files, schedule.files.front()) == std::ssize(schedule.files))
    schedule.files.resize(1);
  return converted;
}

}  // namespace rehearse::trace
