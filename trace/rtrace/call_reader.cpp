// SPDX-License-Identifier: MIT
//
// See call_reader.hpp.
#include "trace/rtrace/call_reader.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "trace/rtrace/action_text.hpp"

namespace rehearse::trace::rtrace {

namespace {

// Numbers that mean any tag in time-independent traces.
constexpr bool means_any(Tag tag) { return tag == -1 || tag == -444; }

std::int32_t as_name(std::uint32_t rank) { return static_cast<std::int32_t>(rank); }

}  // namespace

CallReader::CallReader(const RecordedTrace& trace, std::uint32_t rank)
    : trace_(trace), rank_(rank), reader_(trace.file(), rank) {}

std::string CallReader::text() const {
  const Tables& tables = trace_.file().tables();
  if (!is_repeated_) return text_of(asked_, tables);
  Event event;
  Asked asked;
  reader_.block().repeat(event);
  std::uint32_t next_request = request_before_;
  to_operation(event, next_request, tables, reader_.caller(), asked);
  return text_of(asked, tables);
}

std::string CallReader::place() const { return file() + ": action " + std::to_string(reader_.number()); }

void CallReader::refuse(const std::string& why) {
  unsupported_ = text() + " in a trace of calls (" + place() + ": " + why + ")";
}

bool CallReader::next(Action& action) {
  if (waiting() == 0) {
    pending_.clear();
    given_ = 0;
  }
  while (waiting() == 0 || may_be_exchange())
    if (unsupported_ || problem() || !take_event()) break;
  if (waiting() == 0) return false;
  action = pending_[given_++];
  return true;
}

// A receive and a send with tag 0, or so far only the receive. If a wait for both comes next, they are one call.
bool CallReader::may_be_exchange() const {
  if (waiting() > 2) return false;
  const Action& first = pending_[given_];
  const auto* receive = std::get_if<ReceiveAction>(&first.what);
  if (receive == nullptr || receive->blocking || receive->tag != Tag{0}) return false;
  if (waiting() == 1) return true;
  const auto* send = std::get_if<SendAction>(&pending_.back().what);
  return send != nullptr && !send->blocking && send->tag == 0 && send->mode == SendMode::standard &&
         first.communicator == pending_.back().communicator;
}

// Requires: an event is read, so whatever waits may be an exchange.
bool CallReader::make_exchange(std::span<const RequestId> requests) {
  if (waiting() != 2 || requests.size() != 2) return false;
  const OpenRequest& receive = open_[open_.size() - 2];
  if (requests[0] != receive.request || requests[1] != open_.back().request) return false;
  AnyAction& what = pending_[given_].what;
  what = ExchangeAction{std::get<SendAction>(pending_.back().what), std::get<ReceiveAction>(what)};
  open_.resize(open_.size() - 2);
  pending_.pop_back();
  return true;
}

// False: there are no more, or something is wrong.
bool CallReader::take_event() {
  if (is_finished_) return false;
  const Repeated* repeated = repeated_.next(reader_);
  is_repeated_ = repeated != nullptr && repeated->what.is_possible(reader_.next_request());
  if (is_repeated_) return repeat(*repeated);
  if (!reader_.next(event_)) {
    if (problem()) return false;
    if (trace_.file().cut_off()) losses_.add(Loss::cut_off);
    finish();
    return true;
  }
  const File& file = trace_.file();
  const char* wrong = to_operation(event_, reader_.next_request(), file.tables(), reader_.caller(), asked_);
  if (wrong == nullptr && asked_.site >= file.tables().sites().size()) wrong = "unknown site";
  if (wrong != nullptr) {
    asked_ = {};
    reader_.fail(wrong);
    return false;
  }
  if (asked_.site != 0) losses_.add(Loss::call_places);
  is_stopped_ = is_stopped_ || asked_.is_unanswered;
  const std::size_t before = waiting();
  std::visit([this](const auto& operation) { convert(operation); }, asked_.operation);
  note_repetition(before);
  return true;
}

// Of the event at hand, which has just been converted; so many actions waited before.
void CallReader::note_repetition(std::size_t before) {
  Repeated* repeated = repeated_.last(reader_);
  if (repeated == nullptr) return;
  repeated->what = {};
  if (unsupported_ || !trace_.file().index().ranks[rank_].withdrawn.empty()) return;
  const Repetition what(event_, asked_.operation);
  const bool is_wait = what.kind() == Repetition::Kind::wait;
  if (!is_wait && waiting() != before + 1) return;
  repeated->what = what;
  if (is_wait) repeated->action.site = asked_.site;
  else repeated->action = pending_.back();
  if (what.kind() == Repetition::Kind::send) repeated->name = std::get<SendAction>(repeated->action.what).name;
  if (what.kind() == Repetition::Kind::receive) repeated->name = std::get<ReceiveAction>(repeated->action.what).name;
}

// False: something is wrong with its volume.
bool CallReader::repeat(const Repeated& repeated) {
  std::uint32_t& next_request = reader_.next_request();
  request_before_ = next_request;
  if (!reader_.skip()) return false;
  asked_.site = repeated.action.site;
  if (asked_.site != 0) losses_.add(Loss::call_places);
  switch (repeated.what.kind()) {
    case Repetition::Kind::none: break;
    case Repetition::Kind::send:
    case Repetition::Kind::receive: {
      const RequestId request{next_request++};
      if (!repeated.what.is_blocking()) open_.push_back({repeated.name, request});
      pending_.push_back(repeated.action);
      break;
    }
    case Repetition::Kind::wait:
      asked_.requests.clear();
      for (const std::uint32_t back : repeated.what.back()) asked_.requests.push_back({next_request - back});
      wait_for_all_of(asked_.requests);
      break;
    case Repetition::Kind::compute: {
      Compute compute;
      if (!repeated.what.make_compute(reader_.block().last_volume(), compute)) {
        reader_.fail(no_volume);
        return false;
      }
      convert(compute);
      break;
    }
  }
  return true;
}

void CallReader::add(AnyAction what, std::size_t context) {
  Action& action = pending_.emplace_back();
  action.what = std::move(what);
  action.site = asked_.site;
  action.communicator = context == no_context ? 0 : trace_.communicator_of(context);
  action.member = action.communicator == 0 ? rank_ : member_in(action.communicator);
}

std::uint32_t CallReader::member_in(std::uint32_t communicator) {
  if (member_.size() <= communicator) member_.resize(communicator + 1);
  std::optional<std::uint32_t>& member = member_[communicator];
  if (!member) {
    const auto members = trace_.communicators().members(communicator);
    const auto found = std::ranges::find(members, ActorId{rank_});
    member = found == members.end() ? 0 : static_cast<std::uint32_t>(found - members.begin());
    if (found == members.end()) refuse("the rank is no member of the communicator");
  }
  return *member;
}

void CallReader::convert(const Send& send) {
  SendAction action;
  action.destination = send.destination.value;
  action.tag = send.tag;
  action.bytes = send.data.size();
  action.mode = send.mode;
  action.blocking = send.blocking;
  action.name = {as_name(rank_), as_name(send.destination.value), send.tag};
  if (action.bytes > most_contribution) return refuse("more than 9e15 bytes");
  if (!send.blocking) open_.push_back({action.name, send.request});
  add(action, static_cast<std::size_t>(event_.numbers[place::context]));
}

// The message of a receive, as far as it is known. False: it takes none.
bool CallReader::find_message(const Post& post, Pattern& pattern) {
  const RankIndex& facts = trace_.file().index().ranks[rank_];
  if (std::ranges::binary_search(facts.withdrawn, post.request.value)) {
    losses_.add(Loss::cancelled_receives);
    return false;
  }
  const bool is_free = asked_.is_undecided || trace_.wildcards() == Wildcards::free || asked_.is_unanswered;
  if (!is_wildcard(event_.kind, event_.flags) || is_free) return true;
  const Took* took = event_.took.state == Took::State::message ? &event_.took : nullptr;
  if (took == nullptr) {
    const auto late = std::ranges::lower_bound(facts.late, post.request.value, {}, &LateTook::request);
    if (late != facts.late.end() && late->request == post.request.value) took = &late->took;
  }
  if (took != nullptr) {
    losses_.add(Loss::wildcards);
    pattern.source = ActorId{took->source};
    pattern.tag = took->tag;
    return true;
  }
  if (post.blocking || trace_.file().cut_off()) return true;
  losses_.add(Loss::unmatched_receives);
  return false;
}

void CallReader::convert(const Post& post) {
  Pattern pattern = post.pattern;
  if (!find_message(post, pattern)) return;
  if (pattern.tag && means_any(*pattern.tag))
    return refuse("tag " + std::to_string(*pattern.tag) + " means any tag there");
  ReceiveAction action;
  if (pattern.source) action.source = pattern.source->value;
  action.tag = pattern.tag;
  if (post.capacity_bytes <= most_contribution) action.bytes = post.capacity_bytes;
  action.blocking = post.blocking;
  action.name = {pattern.source ? as_name(pattern.source->value) : any, as_name(rank_), pattern.tag.value_or(any)};
  if (!post.blocking) open_.push_back({action.name, post.request});
  add(action, static_cast<std::size_t>(event_.numbers[place::context]));
}

void CallReader::convert(const Observe& observe) {
  if (asked_.is_undecided) return convert_undecided(observe);
  if (asked_.is_unanswered) {
    if (!observe.blocking) return losses_.add(Loss::failed_tests);
    if (observe.quantifier == Quantifier::all) return wait_for_all_of(observe.requests);
    return add(WaitAnyAction{});
  }
  if (!asked_.yes && observe.withdraws) return;  // the receive is left out
  if (!asked_.yes) return losses_.add(Loss::failed_tests);
  if (observe.quantifier == Quantifier::all) return wait_for_all_of(observe.requests);
  if (observe.requests.size() > 1) losses_.add(Loss::chosen_waits);
  for (const std::uint32_t index : asked_.completed) wait_for(observe.requests[index]);
}

void CallReader::convert_undecided(const Observe& observe) {
  ++undecided_;
  if (observe.quantifier != Quantifier::all) return add(WaitAnyAction{});
  const auto first = std::ranges::find(open_, observe.requests.front(), &OpenRequest::request);
  if (first != open_.end()) add(WaitAction{first->name});
}

void CallReader::wait_for_all_of(std::span<const RequestId> requests) {
  if (make_exchange(requests)) return;
  const auto is_meant_here = [&](const OpenRequest& open) {
    return std::ranges::find(requests, open.request) != requests.end();
  };
  const bool are_all = requests.size() >= open_.size() && std::ranges::all_of(open_, is_meant_here);
  if (are_all && (open_.size() > 1 || undecided_ > 0)) {
    if (undecided_ < open_.size()) add(WaitAllAction{});
    open_.clear();
    undecided_ = 0;
    return;
  }
  for (const RequestId request : requests) wait_for(request);
}

// The first open request with the name of this one ends for a reader of the calls.
void CallReader::wait_for(RequestId request) {
  const auto own = std::ranges::find(open_, request, &OpenRequest::request);
  if (own == open_.end()) return;
  const auto first =
      std::ranges::find_if(open_, [&](const OpenRequest& open) { return is_meant(open.name, own->name); });
  add(WaitAction{own->name});
  if (first != own) {
    losses_.add(Loss::ambiguous_waits);
    own->request = first->request;
    own->is_freed = first->is_freed;
  }
  open_.erase(first);
}

void CallReader::convert(const Release& release) {
  const auto found = std::ranges::find(open_, release.request, &OpenRequest::request);
  if (found == open_.end()) return;
  found->is_freed = true;
  losses_.add(Loss::freed_requests);
}

void CallReader::convert(const Compute& compute) {
  if (compute.flops >= 0) add(ComputeAction{compute.flops});
}

void CallReader::pause(Duration duration) {
  if (duration > Duration{}) add(SleepAction{duration.seconds()});
}

void CallReader::convert(const Clock& clock) {
  losses_.add(Loss::clock_reads);
  if (clock.takes) pause(*clock.takes);
}

void CallReader::convert(const Fail& fail) {
  // The end of a cut file, or of a run that a driver ended, is no failure of the rank.
  if (is_fault(fail.kind) || fail.kind == FailureKind::unsupported) losses_.add(Loss::failures);
  else losses_.add(Loss::stopped_ranks);
  finish();
}

void CallReader::convert(const End& end) {
  if (end.status != 0) losses_.add(Loss::exit_statuses);
  finish();
}

void CallReader::finish() {
  is_finished_ = true;
  if (is_stopped_) losses_.add(Loss::stopped_ranks);
  const auto open = std::ranges::count(open_, false, &OpenRequest::is_freed);
  if (undecided_ < static_cast<std::uint64_t>(open))
    losses_.add(Loss::unfinished_requests, static_cast<std::uint64_t>(open) - undecided_);
}

}  // namespace rehearse::trace::rtrace
