// SPDX-License-Identifier: MIT
//
// The calls of one rank as operations of a GOAL schedule, one action after the other. See goal_conversion.hpp.
//
// Shape:  a Sink takes the operations. It has
//           std::uint32_t add(const GoalOperation&, std::uint32_t line)    returns a number for the operation
//           void require(std::uint32_t after, std::uint32_t before, bool begun)
//           void keep(std::uint32_t operation), void drop(std::uint32_t operation)
//           void note_message(std::uint32_t operation, const CollectiveMessage&, bool is_send)
//         An operation that is kept can be named as `before` later; it is kept and dropped equally often.
// Errors: refusal() and unsupported(), with FILE:LINE, rank and action. Nothing may be converted behind one.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "trace/goal.hpp"
#include "trace/goal/conversion_of_all.hpp"
#include "trace/goal/rounds.hpp"
#include "trace/goal_conversion.hpp"

namespace rehearse::trace::goal {

// A message of a collective: its tag and its ends.
struct CollectiveMessage {
  std::uint32_t tag = 0, source = 0, destination = 0;
  auto ends() const { return std::tie(tag, source, destination); }
};

template <class Sink>
class CallConversion final : private Rounds {
 public:
  CallConversion(ConversionOfAll& all, Sink& sink, std::uint32_t rank)
      : all_(all), sink_(sink), rank_(rank), reader_(all.trace().read(rank)) {}
  CallConversion(const CallConversion&) = delete;
  CallConversion& operator=(const CallConversion&) = delete;

  // Converts the next action. False: there is none, or something is wrong.
  bool next() {
    if (!reader_->next(action_)) return false;
    std::visit([this](const auto& what) { convert(what); }, action_.what);
    return refusal_.empty() && unsupported_.empty();
  }
  // Whether the next operation depends on this one, in this way.
  bool depends_on(std::uint32_t operation, bool begun) const {
    for (const Dependency& dependency : last_)
      if (dependency.before == operation && dependency.begun == begun) return true;
    return false;
  }
  // Whether the next operation can begin as far as it depends on the last ones. `is_over`: of an operation that is
  // kept, whether it has begun, or is done.
  template <class IsOver>
  bool is_free(const IsOver& is_over) const {
    for (const Dependency& dependency : last_)
      if (!is_over(dependency.before, dependency.begun)) return false;
    return true;
  }
  void refuse(const std::string& why) {
    if (refusal_.empty()) refusal_ = place() + reader_->text() + ": " + why;
  }

  const ActionReader& reader() const { return *reader_; }
  const std::string& refusal() const { return refusal_; }
  const std::string& unsupported() const { return unsupported_; }

 private:
  struct Dependency {
    std::uint32_t before = 0;
    bool begun = false;
  };
  struct OpenRequest {
    RequestName name;
    std::uint32_t operation = 0;
  };

  std::uint32_t add(GoalKind kind, std::uint64_t size, std::uint32_t peer = 0, std::uint32_t tag = 0) {
    GoalOperation operation;
    operation.kind = kind;
    operation.size = size;
    operation.peer = peer;
    operation.tag = tag;
    return add(operation, last_);
  }
  std::uint32_t add(const GoalOperation& operation, std::span<const Dependency> dependencies) {
    const std::uint32_t number = sink_.add(operation, static_cast<std::uint32_t>(action_.line));
    for (const Dependency& dependency : dependencies) sink_.require(number, dependency.before, dependency.begun);
    return number;
  }

  void go_on_behind(std::uint32_t operation, bool begun) {
    sink_.keep(operation);
    for (const Dependency& dependency : last_) sink_.drop(dependency.before);
    last_.resize(1);
    last_.front() = {operation, begun};
  }

  void open(const RequestName& name, std::uint32_t operation) {
    sink_.keep(operation);
    open_.push_back({name, operation});
  }

  // calc 0 that waits for these.
  void join(std::span<const Dependency> operations) { go_on_behind(add(GoalOperation{}, operations), false); }
  // calc 0 that waits for these, too. They are not open any more.
  void close(std::span<const OpenRequest> requests) {
    const std::uint32_t wait = add(GoalOperation{}, last_);
    for (const OpenRequest& request : requests) sink_.require(wait, request.operation, false);
    for (const OpenRequest& request : requests) sink_.drop(request.operation);
    go_on_behind(wait, false);
  }

  void calculate(double seconds_times_1e9) {
    constexpr double most = 9e18;
    const double whole = std::nearbyint(seconds_times_1e9);
    if (!(whole <= most)) return refuse("more than 9e18 ns");
    go_on_behind(add(GoalKind::calculation, static_cast<std::uint64_t>(whole)), false);
  }

  void compute(double flops) {
    const auto& speed = all_.options().flops_per_second;
    if (!speed) return refuse("a computation needs the speed of a host, in flop/s (--speed)");
    calculate(flops * 1e9 / *speed);
  }

  void convert(const ComputeAction& action) { compute(action.flops); }
  void convert(const SleepAction& action) { calculate(action.seconds * 1e9); }

  void convert(const SendAction& action) {
    const std::uint32_t send = add(GoalKind::send, action.bytes, action.destination, tag_of(action.tag));
    go_on_behind(send, !action.blocking);
    if (!action.blocking) open(action.name, send);
  }

  void convert(const ReceiveAction& action) {
    const std::uint32_t receive = add_receive(action);
    go_on_behind(receive, !action.blocking);
    if (!action.blocking) open(action.name, receive);
  }

  void convert(const ExchangeAction& action) {
    const std::uint32_t receive = add_receive(action.receive);
    const std::uint32_t send = add(GoalKind::send, action.send.bytes, action.send.destination, tag_of(action.send.tag));
    join(std::array{Dependency{receive, false}, Dependency{send, false}});
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
    close({&request, 1});
  }

  void convert(const WaitAllAction&) {
    if (open_.empty()) return;  // as in a recording, which has no action for it
    close(open_);
    open_.clear();
  }

  void convert(const WaitAnyAction&) {
    if (open_.size() > 1) return cannot("GOAL has no choice");
    convert(WaitAllAction{});
  }

  // ---- collectives

  void convert(const CollectiveAction& action) {
    if (!action.blocking) return cannot("nonblocking collectives are not converted");
    members_ = all_.trace().communicators().members(action_.communicator);
    if (collectives_.size() <= action_.communicator) collectives_.resize(action_.communicator + 1);
    const std::uint32_t number = ++collectives_[action_.communicator];
    const std::uint64_t tag = all_.first_tag(action_.communicator) + first_collective_tag + number;
    if (first_collective_tag + number >= tags_per_communicator || tag >= goal_any)
      return refuse("the trace has too many collectives or communicators for tags of 32 bits");
    collective_tag_ = static_cast<std::uint32_t>(tag);
    if (const std::string why = all_.agree(action, collective_tag_, members_.size(), rank_, *reader_); !why.empty())
      refuse(why);
    round_.clear();
    plan_rounds(action, action_.member, static_cast<std::uint32_t>(members_.size()), all_.options(), *this);
    if (action.flops != 0) compute(action.flops);
  }

  void receive(std::uint32_t member) override {
    const std::uint32_t source = members_[member].value;
    const std::uint32_t operation = add(GoalKind::receive, 0, source, collective_tag_);
    round_.push_back({operation, false});
    sink_.note_message(operation, {collective_tag_, source, rank_}, false);
  }

  void send(std::uint32_t member, std::uint64_t bytes) override {
    const std::uint32_t destination = members_[member].value;
    const std::uint32_t operation = add(GoalKind::send, bytes, destination, collective_tag_);
    round_.push_back({operation, false});
    sink_.note_message(operation, {collective_tag_, rank_, destination}, true);
  }

  void end_round() override {
    if (round_.empty()) return;  // the rank is alone
    join(round_);
    round_.clear();
  }

  // ---- tags and messages

  std::uint32_t tag_of(Tag tag) {
    if (tag < 0 || static_cast<std::uint64_t>(tag) > first_collective_tag)
      refuse("GOAL needs a tag from 0 to 1,000,000; greater ones are those of collectives");
    const std::uint64_t all = all_.first_tag(action_.communicator) + static_cast<std::uint64_t>(tag);
    if (all >= goal_any) refuse("the trace has too many communicators for tags of 32 bits");
    return static_cast<std::uint32_t>(all);
  }

  std::string place() const { return reader_->place() + ": rank " + std::to_string(rank_) + ": "; }
  void cannot(const std::string& why) {
    unsupported_ = reader_->text() + " in a trace for GOAL (" + reader_->place() + ": " + why + ")";
  }

  ConversionOfAll& all_;
  Sink& sink_;
  std::uint32_t rank_;
  std::unique_ptr<ActionReader> reader_;
  Action action_;
  std::vector<Dependency> last_;  // on which the next operation depends
  std::vector<OpenRequest> open_;
  std::vector<std::uint32_t> collectives_;  // by communicator: calls of the rank
  std::span<const ActorId> members_;        // of the collective at hand
  std::uint32_t collective_tag_ = 0;
  std::vector<Dependency> round_;  // its operations
  std::string refusal_, unsupported_;
};

}  // namespace rehearse::trace::goal
