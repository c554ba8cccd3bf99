// SPDX-License-Identifier: MIT
//
// Waiting, testing and probing, and what keeps loops of polls from never ending.
//
// Polls:   no costs no time. An actor that polls the same again and again, and does nothing else, spins: then
//          its poll waits, and is answered at the date at which it can be yes, or anything else of the actor
//          changes, or nothing is under way any more. One that also looks at the clock may have a deadline:
//          its polls wait, too, but each no longer than about 6 % of the time that the row of polls has taken,
//          and a second at most: a second of polling is a few hundred polls.
// Clock:   an actor that does nothing but look at the clock waits for a date. Each look costs a little time; those of a
//          long row, all from the same chain of calls, grow as such polls do, to a millisecond at most. A second loop
//          has another look before it, from elsewhere, with which a new row begins. An actor that works between its
//          looks, between most of them, waits for nothing: its looks do not grow. Between looks of a loop that
//          waits at leisure (a pause of the processor, a yield) is as little as between those of one that works a
//          little: a very long row of either is taken for waiting.
// Hanging: nothing is under way, and every actor is blocked, ended, or has polled in vain many times
//          since anything happened.
#include <algorithm>
#include <bit>

#include "simcore/engine/core.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse {

namespace {

constexpr double steps_per_row = 16;
constexpr double longest_step = 1;  // in seconds: a loop without end is known as such before time ends
constexpr std::uint32_t free_rounds_max = 16;    // before a row of polls counts as spinning
constexpr std::uint32_t polls_at_one_date = 65536;
constexpr std::uint32_t plain_looks = 4096;  // of a row: programs that measure the clock, or little things with it
constexpr std::uint32_t many_looks = 1 << 20;    // of a row, about a second of this machine's time
constexpr double leisurely_seconds = 2e-7;       // of own code between two looks, on average, in so long a row
constexpr double longest_look = 1e-3;            // in seconds

// How long an actor waits that may have a deadline, after a row of vain attempts that took so long.
double step_after(Duration row, double shortest, double longest) {
  return std::clamp(row.seconds() / steps_per_row, shortest, std::max(longest, shortest));
}

// Whether an actor that looks at the clock again and again does nothing else.
bool waits_for_a_date(const engine::ClockRow& row) {
  if (row.length < plain_looks) return false;
  if (row.busy_looks < row.length / 2) return true;  // not by the average: some are interrupted
  return row.length >= many_looks && row.own_seconds < leisurely_seconds * row.length;
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15;
  return hash ^ hash >> 32;
}

// What is polled; different for different questions.
std::uint64_t key_of(const Operation& operation) {
  std::uint64_t key = operation.index();
  if (const auto* observe = std::get_if<Observe>(&operation)) {
    key = mix(key, static_cast<std::uint64_t>(observe->quantifier));
    for (const RequestId request : observe->requests) key = mix(key, request.value);
  } else if (const auto* probe = std::get_if<Probe>(&operation)) {
    const auto tag = probe->pattern.tag ? static_cast<std::uint64_t>(static_cast<std::uint32_t>(*probe->pattern.tag))
                                        : ~std::uint64_t{0};
    key = mix(mix(key, static_cast<std::uint64_t>(probe->pattern.context.value)), tag);
    key = mix(key, probe->pattern.source ? probe->pattern.source->value : ~std::uint64_t{0});
  }
  return key;
}

}  // namespace

const Answer* Engine::Core::find_forced(ActorId id, const ActorState& actor) const {
  if (options_.forced.answers.empty()) return nullptr;
  const auto forced = options_.forced.answers.find({id, actor.operations});
  return forced == options_.forced.answers.end() ? nullptr : &forced->second;
}

bool Engine::Core::begin(ActorId id, ActorState& actor, const Observe& operation) {
  if (const Answer* forced = find_forced(id, actor))
    return begin_forced(id, actor, operation, *forced);
  if (choose(actor, operation)) {
    if (!operation.blocking) note_interaction(actor);
    answer_observe(actor, operation);
    return true;
  }
  if (operation.withdraws && actor.requests.find(operation.requests.front()).message == nullptr) {
    withdraw(actor, operation);
    return true;
  }
  if (!operation.blocking && !operation.withdraws && !poll_spins(actor)) {
    answer_no();
    return true;
  }
  await(actor, operation);  // a receive that has its message cannot be withdrawn any more
  return operation.blocking || operation.withdraws ? wait(actor, Wait::observe) : poll(id, actor);
}

void Engine::Core::withdraw(ActorState& actor, const Observe& operation) {
  Request& request = actor.requests.find(operation.requests.front());
  Mailbox& mailbox = inbox(request.actor, request.pattern.context).mailbox;
  if (Message* message = request.message) {  // a schedule says that it came too late
    const Envelope& envelope = message->envelope;
    message->receive = nullptr;
    message->place = mailbox.keep_message(message->index, envelope.source, envelope.tag);
  } else {
    mailbox.remove_receive(request.place);
  }
  note_interaction(actor);
  answer_no();
  actor.requests.remove(request.id);
  requests_.give_back(request);
}

bool Engine::Core::begin_forced(ActorId id, ActorState& actor, const Observe& operation,
                                const Answer& forced) {
  ++used_decisions_;
  note_interaction(actor);
  if (!forced.flag) {
    if (operation.blocking) {
      fail("the schedule does not fit the program: operation " + std::to_string(id.value) + ":o" +
           std::to_string(actor.operations) + " cannot be answered no");
      return false;
    }
    if (!operation.withdraws) {
      answer_no();
      return true;
    }
    const Request& receive = actor.requests.find(operation.requests.front());
    if (receive.message == nullptr || receive.is_done) {
      withdraw(actor, operation);
      return true;
    }
    fail("the schedule does not fit the program: receive " + std::to_string(id.value) + ":r" +
         std::to_string(receive.id.value) + " cannot be withdrawn, its message is on the way");
    return false;
  }
  actor.awaited = 0;
  for (const std::uint32_t index : forced.completed) {
    if (index >= operation.requests.size()) {
      fail("the schedule does not fit the program: operation " + std::to_string(id.value) + ":o" +
           std::to_string(actor.operations) + " has no request " + std::to_string(index));
      return false;
    }
    Request& request = actor.requests.find(operation.requests[index]);
    if (request.is_done) continue;
    request.is_awaited = true;
    ++actor.awaited;
  }
  if (actor.awaited > 0) return wait(actor, Wait::observe);
  chosen_ = forced.completed;
  answer_observe(actor, operation);
  return true;
}

// Fills chosen_ with the requests that a yes reports. False: not yet.
bool Engine::Core::choose(ActorState& actor, const Observe& operation) {
  chosen_.clear();
  for (std::uint32_t i = 0; i < operation.requests.size(); ++i) {
    const bool is_done = actor.requests.find(operation.requests[i]).is_done;
    if (!is_done && operation.quantifier == Quantifier::all) return false;
    if (!is_done) continue;
    chosen_.push_back(i);
    if (operation.quantifier == Quantifier::any) return true;
  }
  return !chosen_.empty();
}

void Engine::Core::await(ActorState& actor, const Observe& operation) {
  actor.awaited = 0;
  for (const RequestId id : operation.requests) {
    Request& request = actor.requests.find(id);
    if (request.is_done) continue;
    request.is_awaited = true;
    ++actor.awaited;
  }
  if (operation.quantifier != Quantifier::all) actor.awaited = 1;
}

void Engine::Core::forget(ActorState& actor, const Observe& operation) {
  // Whoever waited for all of them has been told of each.
  if (std::exchange(actor.awaited, 0) == 0 && operation.quantifier == Quantifier::all) return;
  for (const RequestId id : operation.requests) actor.requests.find(id).is_awaited = false;
}

Duration Engine::Core::cost_of_look(ActorId id, ActorState& actor) {
  engine::ClockRow& row = actor.looks;
  const bool goes_on = row.length > 0 && row.next == actor.operations;
  const auto begin_row = [&] {
    row = {};
    row.began = now_;
  };
  if (!goes_on) begin_row();
  double seconds = options_.clock_seconds;
  if (waits_for_a_date(row)) {
    const std::uint64_t calls = program_.call_chain(id);
    if (row.calls == calls)
      seconds = step_after(now_ - row.began, seconds, longest_look);
    else if (row.calls)
      begin_row();
    row.calls = calls;
  }
  row.next = actor.operations + 1;
  ++row.length;
  return Duration::from_seconds(seconds);
}

// Whether the actor goes round in a circle of polls in vain. The mark moves to the polls number 1, 2, 4, 8... (R. P.
// Brent, An improved Monte Carlo factorization algorithm, 1980): a circle of any length is found.
bool Engine::Core::poll_spins(ActorState& actor) {
  engine::PollRow& row = actor.polls;
  if (row.length++ == 0) row.began = now_;
  const std::uint64_t key = key_of(*actor.operation);
  const bool comes_again = row.since_wait > 0 && key == row.mark;
  if (comes_again && row.free_rounds >= free_rounds_max) return true;
  if (comes_again) {
    ++row.free_rounds;
    row.since_wait = 0;
  }
  if (std::has_single_bit(++row.since_wait)) row.mark = key;
  return row.since_wait > polls_at_one_date;
}

// Waits until the poll can be answered yes; not for long if the actor may have a deadline.
bool Engine::Core::poll(ActorId id, ActorState& actor) {
  engine::PollRow& row = actor.polls;
  row.since_wait = 0;
  if (is_hanging(actor)) {
    is_stopped_ = true;
  } else if (row.asks_clock) {
    const double step = step_after(now_ - row.began, options_.poll_seconds, longest_step);
    set_timer(id, actor, std::max(Duration{1}, Duration::from_seconds(step)));
  } else {
    actor.idles = true;
    if (!std::exchange(actor.is_listed, true)) idle_.push_back(id);
  }
  return wait(actor, Wait::poll);
}

// Whether anything will happen even if nobody asks for anything any more.
bool Engine::Core::is_under_way() const { return in_flight_ > 0 || sleeping_ > 0 || costs_->is_busy(); }

// Whoever waits in a poll is answered no: nothing will change unless they do something.
void Engine::Core::wake_idle() {
  for (const ActorId id : std::exchange(idle_, {})) {
    ActorState& actor = actors_[id.value];
    actor.is_listed = false;
    if (actor.idles) end_poll(id);
  }
}

// Something that the actor could ask for has changed: if it waits in a poll for something else, that is answered.
void Engine::Core::end_poll(ActorId id) {
  ActorState& actor = actors_[id.value];
  if (actor.wait != Wait::poll || actor.is_ready) return;
  actor.poll_is_over = true;
  make_ready(id);
}

// Counts a poll in vain, and says whether nobody can be helped any more.
bool Engine::Core::is_hanging(ActorState& actor) {
  if (actor.progress_seen != progress_) {
    actor.progress_seen = progress_;
    actor.polls_without_progress = 0;
  }
  if (++actor.polls_without_progress == options_.polls_without_progress) {
    if (hanging_since_ != progress_) hanging_ = 0;
    hanging_since_ = progress_;
    ++hanging_;
  }
  return in_flight_ == 0 && hanging_since_ == progress_ &&
         hanging_ + blocked_ + finished_ == actors_.size();
}

void Engine::Core::answer_no() { observation_.flag = false; }

void Engine::Core::add_completion(std::uint32_t index, Request& request) {
  Completion& completion = completions_.emplace_back();
  completion.index = index;
  if (Message* message = request.message) {
    completion.source = message->envelope.source;
    completion.tag = message->envelope.tag;
    completion.data = message->data.bytes();
    completion.signature = message->signature;
    completion.origin = message->origin;
    if (message->is_eager && message->mode != SendMode::synchronous)
      actors_[request.actor.value].debt =
          actors_[request.actor.value].debt + options_.message_costs.receive.of(message->data.size());
    finished_messages_.push_back(message);
  }
  if (request.kind == Request::Kind::collective) {
    completion.contributions = deliver(request);
    completion.shared = shared_result(request);
    completion.remarks = remarks_for(request);
    finished_collectives_.push_back(&request);
  } else {
    requests_.give_back(request);
  }
}

void Engine::Core::answer_observe(ActorState& actor, const Observe& operation) {
  completions_.clear();
  for (const std::uint32_t index : chosen_) {
    Request& request = actor.requests.take(operation.requests[index]);
    add_completion(index, request);
  }
  observation_.completions = completions_;
}

// A blocking send, receive or collective is done.
void Engine::Core::answer_finished(ActorState& actor) {
  Request& request = *std::exchange(actor.request, nullptr);
  completions_.clear();
  if (request.kind == Request::Kind::send) return requests_.give_back(request);
  if (request.kind == Request::Kind::collective) {
    observation_.contributions = deliver(request);
    observation_.shared = shared_result(request);
    observation_.remarks = remarks_for(request);
    finished_collectives_.push_back(&request);
    return;
  }
  add_completion(0, request);
  observation_.completions = completions_;
}

// Nothing here prefers one way to the other: the first, unless a schedule says otherwise.
bool Engine::Core::begin(ActorId id, ActorState& actor, const Choose& operation) {
  const Answer* forced = find_forced(id, actor);
  const std::uint32_t way = forced && !forced->completed.empty() ? forced->completed.front() : 0;
  if (forced) ++used_decisions_;
  if (way >= operation.count) {
    fail("the schedule does not fit the program: operation " + std::to_string(id.value) + ":o" +
         std::to_string(actor.operations) + " has only " + std::to_string(operation.count) + " ways to go on");
    return false;
  }
  note_interaction(actor);
  completions_.assign(1, {});
  completions_.front().index = way;
  observation_.completions = completions_;
  return true;
}

bool Engine::Core::begin(ActorId id, ActorState& actor, const Probe& operation) {
  const Answer* forced = find_forced(id, actor);
  if (forced) ++used_decisions_;
  if (forced && !forced->flag) {
    note_interaction(actor);
    answer_no();
    return true;
  }
  if (Message* message = find_probed(id, actor, operation)) {
    if (!operation.blocking) note_interaction(actor);
    answer_probe(actor, operation, *message);
    return true;
  }
  if (operation.blocking || forced) return wait(actor, Wait::probe);
  if (poll_spins(actor)) return poll(id, actor);
  answer_no();
  return true;
}

// The message that the actor's probe sees, if it sees one now.
Engine::Core::Message* Engine::Core::find_probed(ActorId id, ActorState& actor,
                                                 const Probe& operation) {
  Mailbox& mailbox = inbox(id, operation.pattern.context).mailbox;
  const Answer* forced = find_forced(id, actor);
  if (forced == nullptr) {
    const auto message = mailbox.find_message(operation.pattern);
    return message ? &messages_[*message] : nullptr;
  }
  Message* seen = nullptr;
  messages_.for_each_live([&](Message& message) {
    if (message.place && message.envelope.source == forced->seen.source &&
        message.sent_by == forced->seen.request && message.envelope.destination == id &&
        accepts(operation.pattern, message.envelope))
      seen = &message;
  });
  return seen;
}

void Engine::Core::answer_probe(ActorState& actor, const Probe& operation, Message& message) {
  if (operation.takes) {
    message.channel->inbox->mailbox.remove_message(*message.place);
    message.place.reset();
    actor.taken.push_back(&message);
  }
  completions_.clear();
  completions_.push_back({0, message.envelope.source, message.envelope.tag, message.data.bytes(),
                          message.signature, {}});
  observation_.completions = completions_;
}

}  // namespace rehearse
