// SPDX-License-Identifier: MIT
//
// See player.hpp.
#include "trace/rtrace/player.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace rehearse::trace::rtrace {

namespace {

// Nobody sends in it.
constexpr ContextId silent_context{~std::uint64_t{0} - 1};

bool contains(std::span<const RequestId> requests, RequestId request) {
  return std::ranges::find(requests, request) != requests.end();
}

}  // namespace

Player::Player(const File& file, std::uint32_t rank, Wildcards wildcards, Event& scratch)
    : file_(file), rank_(rank), wildcards_(wildcards), reader_(file, rank), event_(scratch) {
  advance();
}

void Player::go_on(const Observation& observation) {
  switch (std::exchange(stage_, Stage::plain)) {
    case Stage::observe: note_observed(observation); break;
    case Stage::undecided: note_undecided(observation); break;
    case Stage::peek: note_peeked(observation); break;
    case Stage::plain:
    case Stage::repair: break;
  }
  if (stage_ == Stage::plain) advance();
}

// To the next Operation.
void Player::advance() {
  if (repeat()) return;
  while (take_next()) {
    const bool is_asked = prepare();
    note_repetition(is_asked);
    if (is_asked) return;
  }
}

// The next action, if it repeats one of which we have the operation.
bool Player::repeat() {
  is_repeated_ = false;
  const Repetition* found = repetitions_.next(reader_);
  std::uint32_t& next_request = reader_.next_request();
  if (found == nullptr || !found->is_possible(next_request)) return false;
  const Repetition& repetition = *found;
  request_before_ = next_request;
  if (repetition.kind() == Repetition::Kind::compute) return repeat_compute(repetition);
  if (repetition.kind() == Repetition::Kind::wait) {
    if (!repeat_wait(repetition)) return false;
  } else {
    const RequestId request{next_request++};
    if (repetition.kind() == Repetition::Kind::send) repetition.make_send(request, operation_);
    else repetition.make_receive(request, operation_);
    if (!repetition.is_blocking()) open_.add(request);
  }
  reader_.skip();
  is_repeated_ = true;
  return true;
}

// Always returns true: there is an operation, which is Fail if something is wrong with the volume.
bool Player::repeat_compute(const Repetition& compute) {
  if (!reader_.skip()) {
    refuse();
  } else if (!compute.make_compute(reader_.block().last_volume(), operation_.emplace<Compute>())) {
    reader_.fail(no_volume);
    refuse();
  } else {
    is_repeated_ = true;
  }
  return true;
}

// False: the wait is not for all requests that are open, in their order.
bool Player::repeat_wait(const Repetition& wait) {
  if (!early_.empty() || !open_.are_all(wait.back(), request_before_)) return false;
  open_.take_all(observed_);
  operation_.emplace<Observe>().requests = observed_;
  return true;
}

// Of the action at hand, which has just been converted.
void Player::note_repetition(bool is_asked) {
  Repetition* repetition = repetitions_.last(reader_);
  if (repetition == nullptr) return;
  const bool may_repeat = is_asked && file_.index().ranks[rank_].withdrawn.empty();
  *repetition = may_repeat ? Repetition(event_, asked_.operation) : Repetition();
}

void Player::convert_repeated() {
  is_repeated_ = false;
  reader_.block().repeat(event_);
  std::uint32_t next_request = request_before_;
  to_operation(event_, next_request, file_.tables(), reader_.caller(), asked_);
}

// False: there is no next action, and the rank has failed.
bool Player::take_next() {
  if (!reader_.next(event_)) {
    if (reader_.problem()) fail(FailureKind::unsupported, reader_.problem()->text);
    else if (file_.cut_off()) fail(FailureKind::given_up, file_.path() + ": " + *file_.cut_off());
    else
      fail(FailureKind::given_up, "rank " + std::to_string(rank_) + " comes behind its last recorded action, number " +
                                      std::to_string(reader_.number()));
    return false;
  }
  const char* problem = to_operation(event_, reader_.next_request(), file_.tables(), reader_.caller(), asked_);
  if (problem == nullptr) problem = check();
  if (problem == nullptr) return true;
  reader_.fail(problem);
  refuse();
  return false;
}

// Null: the driver can be asked. Requests that start and end are noted as in the recording.
const char* Player::check() {
  constexpr const char* not_open = "a request that is not open";
  if (asked_.site >= file_.tables().sites().size()) return "unknown site";
  if (const auto* send = std::get_if<Send>(&asked_.operation)) {
    if (!send->blocking) open_.add(send->request);
  } else if (const auto* post = std::get_if<Post>(&asked_.operation)) {
    if (!post->blocking) open_.add(post->request);
    if (!post->taken) return nullptr;
    if (*post->taken >= received_.size() || received_[*post->taken]) return "a message that no probe took";
    received_[*post->taken] = true;
  } else if (const auto* collective = std::get_if<Collective>(&asked_.operation)) {
    if (!collective->blocking) open_.add(collective->request);
    return check_collective(*collective);
  } else if (const auto* observe = std::get_if<Observe>(&asked_.operation)) {
    if (!open_.are_open(observe->requests)) return not_open;
    if (observe->withdraws && observe->requests.size() != 1) return "a cancelled receive that is not one";
  } else if (const auto* release = std::get_if<Release>(&asked_.operation)) {
    const std::span<const RequestId> one(&release->request, 1);
    if (!open_.are_open(one)) return not_open;
    open_.remove(one);
  } else if (const auto* probe = std::get_if<Probe>(&asked_.operation)) {
    if (probe->takes && asked_.yes) received_.push_back(false);
  }
  return nullptr;
}

const char* Player::check_collective(const Collective& collective) {
  const auto context = static_cast<std::size_t>(event_.numbers[place::context]);
  if (is_member_.size() <= context) is_member_.resize(context + 1);
  if (is_member_[context]) return nullptr;
  if (std::ranges::find(collective.members, ActorId{rank_}) == collective.members.end())
    return "a collective of which the rank is no member";
  is_member_[context] = true;
  return nullptr;
}

// Whether there is something to ask about the action.
bool Player::prepare() {
  if (std::holds_alternative<Post>(asked_.operation)) return prepare_receive();
  if (std::holds_alternative<Observe>(asked_.operation)) return prepare_observe();
  if (std::holds_alternative<Probe>(asked_.operation)) return prepare_probe();
  if (const auto* release = std::get_if<Release>(&asked_.operation)) {
    const auto early = std::ranges::find(early_, release->request);
    if (early != early_.end()) {
      early_.erase(early);
      return false;
    }
  }
  operation_ = asked_.operation;
  if (asked_.is_unanswered && std::holds_alternative<Clock>(operation_)) operation_ = Clock{};
  return true;
}

bool Player::is_withdrawn(RequestId receive) const {
  const auto& withdrawn = file_.index().ranks[rank_].withdrawn;
  return !withdrawn.empty() && std::ranges::binary_search(withdrawn, receive.value);
}

const Took* Player::find_late(RequestId receive) const {
  const auto& late = file_.index().ranks[rank_].late;
  const auto found = std::ranges::lower_bound(late, receive.value, {}, &LateTook::request);
  return found == late.end() || found->request != receive.value ? nullptr : &found->took;
}

bool Player::prepare_receive() {
  Post post = std::get<Post>(asked_.operation);
  const bool is_free = wildcards_ == Wildcards::free || asked_.is_unanswered || asked_.is_undecided;
  if (is_withdrawn(post.request)) {
    post.pattern.context = silent_context;
  } else if (is_wildcard(event_.kind, event_.flags) && !is_free) {
    const Took* took = event_.took.state == Took::State::message ? &event_.took : find_late(post.request);
    if (took != nullptr) {
      ++frozen_.wildcards;
      post.pattern.source = ActorId{took->source};
      post.pattern.tag = took->tag;
    } else if (!file_.cut_off()) {
      post.pattern.context = silent_context;
    }
  }
  operation_ = post;
  return true;
}

bool Player::prepare_observe() {
  Observe observe = std::get<Observe>(asked_.operation);
  frozen_.polls += asked_.yes && !observe.blocking && !observe.withdraws;
  if (asked_.is_undecided) return prepare_undecided(observe);
  // A receive that could not be cancelled any more is waited for, wherever its message is here.
  if (asked_.yes) observe.withdraws = false;
  const bool is_early = std::ranges::any_of(early_, [&](RequestId early) { return contains(observe.requests, early); });
  if (!is_early) {
    operation_ = observe;
    stage_ = Stage::observe;
    return true;
  }
  if (!asked_.yes) return false;
  std::vector<RequestId> missing;
  for (const std::uint32_t index : asked_.completed) missing.push_back(observe.requests[index]);
  open_.remove(missing);
  return wait_for_missing(std::move(missing));
}

// The requests stay open until the recording observes them.
bool Player::prepare_undecided(const Observe& observe) {
  observed_.assign(observe.requests.begin(), observe.requests.end());
  std::erase_if(observed_, [&](RequestId request) { return contains(early_, request); });
  if (observed_.empty()) return false;
  if (observe.quantifier == Quantifier::all) observed_.resize(1);
  operation_ = Observe{observed_, observe.quantifier};
  stage_ = Stage::undecided;
  return true;
}

void Player::note_undecided(const Observation& observation) {
  if (observation.completions.empty()) early_.push_back(observed_.front());
  for (const Completion& completion : observation.completions) early_.push_back(observed_[completion.index]);
}

// Of requests that are over in the recording. False: they are over here, too.
bool Player::wait_for_missing(std::vector<RequestId> missing) {
  std::erase_if(missing, [&](RequestId request) { return std::erase(early_, request) > 0; });
  if (missing.empty()) return false;
  observed_ = std::move(missing);
  operation_ = Observe{observed_};
  stage_ = Stage::repair;
  return true;
}

void Player::note_observed(const Observation& observation) {
  const std::span<const RequestId> requests = asked_.requests;
  const Observe& observe = std::get<Observe>(asked_.operation);
  if (observe.withdraws && !asked_.yes) return open_.remove(requests);
  if (!observation.flag && !asked_.yes) return;
  const auto completions = observation.flag ? observation.completions : std::span<const Completion>();
  const bool is_all = observation.flag && observe.quantifier == Quantifier::all;
  const bool is_same = asked_.yes && observation.flag &&
                       (is_all || std::ranges::equal(completions, asked_.completed, {}, &Completion::index));
  if (is_same && is_all) return open_.remove(requests);
  if (is_all) early_.insert(early_.end(), requests.begin(), requests.end());
  else
    for (const Completion& completion : completions) early_.push_back(requests[completion.index]);
  if (!asked_.yes) return;
  std::vector<RequestId> missing;
  for (const std::uint32_t index : asked_.completed) missing.push_back(requests[index]);
  open_.remove(missing);
  wait_for_missing(std::move(missing));
}

bool Player::prepare_probe() {
  Probe probe = std::get<Probe>(asked_.operation);
  frozen_.polls += asked_.yes && !probe.blocking;
  if (asked_.yes && probe.blocking) {
    probe.pattern = asked_.seen;
  } else if (!asked_.is_unanswered) {
    probe.takes = false;
    if (asked_.yes) stage_ = Stage::peek;
  }
  operation_ = probe;
  return true;
}

// The recorded probe found its message at once. Here it may be another one, or come later.
void Player::note_peeked(const Observation& observation) {
  const Probe& probe = std::get<Probe>(asked_.operation);
  const bool is_there = observation.flag && !observation.completions.empty() &&
                        observation.completions.front().source == *asked_.seen.source &&
                        observation.completions.front().tag == *asked_.seen.tag;
  if (is_there && !probe.takes) return;
  operation_ = Probe{asked_.seen, true, probe.takes};
  stage_ = Stage::repair;
}

// What the reader has a problem with.
void Player::refuse() {
  asked_ = {};  // nothing of it can be shown
  fail(FailureKind::unsupported, reader_.problem()->text);
}

void Player::fail(FailureKind kind, std::string what) {
  failure_ = std::move(what);
  operation_ = Fail{kind, {}, failure_};
}

}  // namespace rehearse::trace::rtrace
