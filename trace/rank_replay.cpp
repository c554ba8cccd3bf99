// SPDX-License-Identifier: MIT
//
// From actions to Operations.
#include "trace/rank_replay.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>

#include "trace/call_operations.hpp"

namespace rehearse::trace {

namespace {

// As the action is called in time-independent text.
std::string_view name_of(const SendAction& send) {
  switch (send.mode) {
    case SendMode::standard: return send.blocking ? "send" : "isend";
    case SendMode::synchronous: return send.blocking ? "ssend" : "issend";
    case SendMode::buffered: return send.blocking ? "bsend" : "ibsend";
    case SendMode::ready: return send.blocking ? "rsend" : "irsend";
  }
  return "send";
}

}  // namespace

RankReplay::RankReplay(const Trace& trace, ActionReader& reader, std::uint32_t rank)
    : trace_(trace), reader_(reader), rank_(rank) {
  advance();
}

void RankReplay::go_on(const Observation& observation) {
  if (observes_any_) {
    observes_any_ = false;
    const std::uint32_t index = observation.completions.empty() ? 0 : observation.completions.front().index;
    volume_ += open_[index].flops;
    open_.erase(open_.begin() + index);
  } else if (observes_one_) {
    observes_one_ = false;
    volume_ += open_[waited_].flops;
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(waited_));
  }
  advance();
}

// To the next Operation.
void RankReplay::advance() {
  if (rest_ != Rest::nothing && go_on_with_rest()) return;
  if (volume_ > 0) {
    operation_ = Compute{std::exchange(volume_, 0)};
    return;
  }
  do {
    if (!reader_.next(action_)) {
      if (reader_.problem()) return fail(reader_.problem()->text);
      if (reader_.unsupported()) return fail(*reader_.unsupported());
      return begin_end();
    }
    ++actions_;
    is_answered_ = false;
    begin_action();
  } while (is_answered_);
}

void RankReplay::begin_action() {
  std::visit([this](const auto& what) { begin(what); }, action_.what);
}

bool RankReplay::go_on_with_rest() {
  const auto* exchange = std::get_if<ExchangeAction>(&action_.what);
  switch (std::exchange(rest_, Rest::nothing)) {
    case Rest::nothing: return false;
    case Rest::exchange_send:
      ask_send(exchange->send, {next_request_++});
      rest_ = Rest::exchange_wait;
      return true;
    case Rest::exchange_wait:
      observed_ = {{next_request_ - 2}, {next_request_ - 1}};
      operation_ = Observe{observed_};
      return true;
  }
  return false;
}

void RankReplay::begin(const ComputeAction& compute) { operation_ = Compute{compute.flops}; }

void RankReplay::begin(const SleepAction& sleep) { operation_ = Sleep{Duration::from_seconds(sleep.seconds)}; }

RequestId RankReplay::start(const RequestName& name, bool blocking, double flops) {
  const RequestId request{next_request_++};
  if (!blocking) open_.push_back({name, request, flops});
  return request;
}

void RankReplay::ask_send(const SendAction& send, RequestId request) {
  Send operation = operation_of(send, request, message_context(action_.communicator));
  operation.origin = {name_of(send), static_cast<std::uintptr_t>(action_.line)};
  operation_ = operation;
}

void RankReplay::ask_receive(const ReceiveAction& receive, RequestId request) {
  operation_ = operation_of(receive, request, message_context(action_.communicator));
}

void RankReplay::begin(const SendAction& send) { ask_send(send, start(send.name, send.blocking)); }

void RankReplay::begin(const ReceiveAction& receive) { ask_receive(receive, start(receive.name, receive.blocking)); }

void RankReplay::begin(const ExchangeAction& exchange) {
  ask_receive(exchange.receive, {next_request_++});
  rest_ = Rest::exchange_send;
}

void RankReplay::begin(const WaitAction& wait) {
  answered_tests_ += wait.is_test;
  const auto found =
      std::ranges::find_if(open_, [&](const OpenRequest& open) { return is_meant(open.name, wait.name); });
  if (found == open_.end())
    return fail(reader_.place() + ": rank " + std::to_string(rank_) + ": " + without_request(wait.name));
  waited_ = static_cast<std::size_t>(found - open_.begin());
  observed_.assign(1, found->request);
  observes_one_ = true;
  operation_ = Observe{observed_};
}

void RankReplay::wait_for_all(Quantifier quantifier) {
  observed_.clear();
  for (const OpenRequest& open : open_) observed_.push_back(open.request);
  operation_ = Observe{observed_, quantifier};
}

void RankReplay::begin(const WaitAllAction&) {
  is_answered_ = open_.empty();
  if (is_answered_) return;
  wait_for_all(Quantifier::all);
  for (const OpenRequest& open : open_) volume_ += open.flops;
  open_.clear();
}

void RankReplay::begin(const WaitAnyAction&) {
  is_answered_ = open_.empty();
  if (is_answered_) return;
  wait_for_all(Quantifier::any);
  observes_any_ = true;
}

void RankReplay::begin(const CollectiveAction& collective) {
  const RequestId request = start(collective_name, collective.blocking, collective.flops);
  operation_ = operation_of(collective, request, action_.communicator, trace_.communicators());
  if (collective.blocking) volume_ = collective.flops;
}

// The rank waits for what it left open.
void RankReplay::begin_end() {
  is_at_end_ = true;
  if (open_.empty()) {
    operation_ = End{};
    return;
  }
  wait_for_all(Quantifier::all);
  open_.clear();
}

void RankReplay::fail(std::string what) {
  failure_ = std::move(what);
  operation_ = Fail{FailureKind::unsupported, {}, failure_};
}

}  // namespace rehearse::trace
