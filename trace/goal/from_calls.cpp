// SPDX-License-Identifier: MIT
//
// From actions to operations, rank after rank.
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "trace/goal/goal_builder.hpp"
#include "trace/goal/rounds.hpp"
#include "trace/goal_conversion.hpp"

namespace rehearse::trace {

namespace goal {
namespace {

constexpr std::uint64_t tags_per_communicator = 10000000, first_collective_tag = 1000000;

class CallConversion final : private Rounds {
 public:
  CallConversion(const Trace& trace, const GoalConversion& options)
      : trace_(trace), options_(options), builder_(converted_.schedule) {}

  Result<ConvertedTrace> convert() {
    GoalSchedule& schedule = converted_.schedule;
    schedule.blocks.resize(trace_.ranks());
    std::uint64_t actions = 0;
    for (rank_ = 0; rank_ < trace_.ranks(); ++rank_) {
      builder_.begin_rank(rank_);
      last_.clear();
      open_.clear();
      collectives_.assign(trace_.communicators().size(), 0);
      reader_ = trace_.read(rank_);
      schedule.files.push_back(reader_->file());
      for (; reader_->next(action_); ++actions) {
        std::visit([this](const auto& what) { convert(what); }, action_.what);
        if (builder_.is_full()) refuse("more than " + std::to_string(GoalSchedule::most_operations) + " operations");
        if (!problem_.empty()) return Error{problem_};
        if (!converted_.unsupported.empty()) return std::move(converted_);
      }
      converted_.losses.add(reader_->losses());
      if (reader_->problem()) return *reader_->problem();
      if (reader_->unsupported()) {
        converted_.unsupported = *reader_->unsupported();
        return std::move(converted_);
      }
      builder_.end_rank();
    }
    set_sizes_of_receives();
    builder_.finish();
    schedule.actions = actions;
    schedule.format = trace_.format();
    if (std::ranges::count(schedule.files, schedule.files.front()) == std::ssize(schedule.files))
      schedule.files.resize(1);
    return std::move(converted_);
  }

 private:
  struct Dependency {
    std::uint32_t before = 0;
    bool begun = false;
  };
  struct OpenRequest {
    RequestName name;
    std::uint32_t operation = 0;
  };
  // A message of a collective: its tag, its ends, and the operation at one of them.
  struct CollectiveMessage {
    std::uint32_t tag = 0, source = 0, destination = 0;
    std::uint32_t operation = 0;
    auto ends() const { return std::tie(tag, source, destination); }
  };

  std::uint32_t add(GoalKind kind, std::uint64_t size, std::uint32_t peer = 0, std::uint32_t tag = 0) {
    GoalOperation operation;
    operation.kind = kind;
    operation.size = size;
    operation.peer = peer;
    operation.tag = tag;
    const std::uint32_t number = builder_.add(operation, static_cast<std::uint32_t>(action_.line));
    for (const Dependency& dependency : last_) builder_.require(number, dependency.before, dependency.begun);
    return number;
  }

  void go_on_behind(std::uint32_t operation, bool begun) { last_.assign(1, {operation, begun}); }

  // calc 0 that waits for these, too.
  void join(std::span<const OpenRequest> requests) {
    for (const OpenRequest& request : requests) last_.push_back({request.operation, false});
    go_on_behind(add(GoalKind::calculation, 0), false);
  }

  void calculate(double seconds_times_1e9) {
    constexpr double most = 9e18;
    const double whole = std::nearbyint(seconds_times_1e9);
    if (!(whole <= most)) return refuse("more than 9e18 ns");
    go_on_behind(add(GoalKind::calculation, static_cast<std::uint64_t>(whole)), false);
  }

  void compute(double flops) {
    if (!options_.flops_per_second) return refuse("a computation needs the speed of a host, in flop/s (--speed)");
    calculate(flops * 1e9 / *options_.flops_per_second);
  }

  void convert(const ComputeAction& action) { compute(action.flops); }
  void convert(const SleepAction& action) { calculate(action.seconds * 1e9); }

  void convert(const SendAction& action) {
    const std::uint32_t send = add(GoalKind::send, action.bytes, action.destination, tag_of(action.tag));
    go_on_behind(send, !action.blocking);
    if (!action.blocking) open_.push_back({action.name, send});
  }

  void convert(const ReceiveAction& action) {
    const std::uint32_t receive = add_receive(action);
    go_on_behind(receive, !action.blocking);
    if (!action.blocking) open_.push_back({action.name, receive});
  }

  void convert(const ExchangeAction& action) {
    const std::uint32_t receive = add_receive(action.receive);
    const std::uint32_t send = add(GoalKind::send, action.send.bytes, action.send.destination, tag_of(action.send.tag));
    last_ = {{receive, false}, {send, false}};
    join({});
  }

  std::uint32_t add_receive(const ReceiveAction& action) {
    const std::uint32_t tag = action.tag ? tag_of(*action.tag) : goal_any;
    return add(GoalKind::receive, action.bytes.value_or(0), action.source.value_or(goal_any), tag);
  }

  void convert(const WaitAction& action) {
    const auto found =
        std::ranges::find_if(open_, [&](const OpenRequest& open) { return is_meant(open.name, action.name); });
    if (found == open_.end()) return refuse("no request of this name is open");
    const OpenRequest request = *found;
    open_.erase(found);
    join({&request, 1});
  }

  void convert(const WaitAllAction&) {
    if (open_.empty()) return;  // as in a recording, which has no action for it
    join(open_);
    open_.clear();
  }

  void convert(const WaitAnyAction&) {
    if (open_.size() > 1) return cannot("GOAL has no choice");
    convert(WaitAllAction{});
  }

  // ---- collectives

  void convert(const CollectiveAction& action) {
    if (!action.blocking) return cannot("nonblocking collectives are not converted");
    const std::span<const ActorId> members = trace_.communicators().members(action_.communicator);
    const std::uint32_t number = ++collectives_[action_.communicator];
    const std::uint64_t tag = base() + first_collective_tag + number;
    if (first_collective_tag + number >= tags_per_communicator || tag >= goal_any)
      return refuse("the trace has too many collectives or communicators for tags of 32 bits");
    check_agreement(action, static_cast<std::uint32_t>(tag));
    members_ = members;
    collective_tag_ = static_cast<std::uint32_t>(tag);
    round_.clear();
    plan_rounds(action, action_.member, static_cast<std::uint32_t>(members.size()), options_, *this);
    if (action.flops != 0) compute(action.flops);
  }

  void receive(std::uint32_t member) override {
    const std::uint32_t source = members_[member].value;
    const std::uint32_t operation = add(GoalKind::receive, 0, source, collective_tag_);
    round_.push_back({operation, false});
    received_.push_back({collective_tag_, source, rank_, index_of(operation)});
  }

  void send(std::uint32_t member, std::uint64_t bytes) override {
    const std::uint32_t destination = members_[member].value;
    const std::uint32_t operation = add(GoalKind::send, bytes, destination, collective_tag_);
    round_.push_back({operation, false});
    sent_.push_back({collective_tag_, rank_, destination, index_of(operation)});
  }

  void end_round() override {
    last_ = round_;
    round_.clear();
    join({});
  }

  std::uint32_t index_of(std::uint32_t operation) const {
    return static_cast<std::uint32_t>(converted_.schedule.operations.size() - builder_.count() + operation);
  }

  // A receive has the size of its message, which its sender names.
  void set_sizes_of_receives() {
    std::ranges::stable_sort(sent_, {}, &CollectiveMessage::ends);
    std::ranges::stable_sort(received_, {}, &CollectiveMessage::ends);
    std::vector<GoalOperation>& operations = converted_.schedule.operations;
    auto sent = sent_.begin();
    for (const CollectiveMessage& receive : received_) {
      while (sent != sent_.end() && sent->ends() < receive.ends()) ++sent;
      if (sent == sent_.end()) break;
      if (sent->ends() == receive.ends()) operations[receive.operation].size = operations[(sent++)->operation].size;
    }
  }

  struct CollectiveCaller {
    std::string_view name;
    std::uint32_t root = 0;
    std::uint32_t rank = 0;
    std::string place;
  };

  // All members call the same collective with the same root.
  void check_agreement(const CollectiveAction& action, std::uint32_t tag) {
    const auto [found, is_first] = callers_.try_emplace(tag);
    CollectiveCaller& first = found->second;
    if (is_first) first = {action.name, action.root, rank_, reader_->place()};
    if (first.name == action.name && first.root == action.root) return;
    refuse("another collective or root than rank " + std::to_string(first.rank) + " at " + first.place + " (" +
           std::string(first.name) + ", root " + std::to_string(first.root) + ")");
  }

  // ---- tags and messages

  std::uint64_t base() {
    const auto [found, is_new] = bases_.try_emplace(action_.communicator, bases_.size());
    return found->second * tags_per_communicator;
  }

  std::uint32_t tag_of(Tag tag) {
    if (tag < 0 || static_cast<std::uint64_t>(tag) > first_collective_tag)
      refuse("GOAL needs a tag from 0 to 1,000,000; greater ones are those of collectives");
    const std::uint64_t all = base() + static_cast<std::uint64_t>(tag);
    if (all >= goal_any) refuse("the trace has too many communicators for tags of 32 bits");
    return static_cast<std::uint32_t>(all);
  }

  std::string place() const { return reader_->place() + ": rank " + std::to_string(rank_) + ": "; }
  void refuse(const std::string& why) {
    if (problem_.empty()) problem_ = place() + reader_->text() + ": " + why;
  }
  void cannot(const std::string& why) {
    converted_.unsupported = reader_->text() + " in a trace for GOAL (" + reader_->place() + ": " + why + ")";
  }

  const Trace& trace_;
  const GoalConversion& options_;
  ConvertedTrace converted_;
  GoalBuilder builder_;
  std::uint32_t rank_ = 0;
  std::unique_ptr<ActionReader> reader_;
  Action action_;
  std::vector<Dependency> last_;  // on which the next operation depends
  std::vector<OpenRequest> open_;
  std::vector<std::uint32_t> collectives_;  // by communicator: calls of the rank
  std::map<std::uint32_t, std::uint64_t> bases_;
  std::span<const ActorId> members_;  // of the collective at hand
  std::uint32_t collective_tag_ = 0;
  std::vector<Dependency> round_;  // its operations
  std::vector<CollectiveMessage> sent_, received_;
  std::map<std::uint32_t, CollectiveCaller> callers_;  // by tag
  std::string problem_;
};

}  // namespace
}  // namespace goal

Result<ConvertedTrace> make_schedule(const Trace& trace, const GoalConversion& options) {
  return goal::CallConversion(trace, options).convert();
}

}  // namespace rehearse::trace
