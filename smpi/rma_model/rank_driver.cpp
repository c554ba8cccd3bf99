// SPDX-License-Identifier: MIT
//
// What a rank does next. See rank_driver.hpp.
#include "smpi/rma_model/rank_driver.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "smpi/process/process_memory.hpp"
#include "smpi/rma/epochs.hpp"
#include "smpi/rma_model/look_ahead.hpp"
#include "smpi/rma_model/news_messages.hpp"
#include "smpi/window_model.hpp"

namespace rehearse::smpi::model {
namespace {

constexpr const char* no_room =
    "a program whose records of window accesses need more memory than it may use (--max-memory)";

// Whether the process may use so many bytes more. Few bytes are not worth the question.
bool has_room_for(std::uint64_t bytes, const StepLimits& limits) {
  constexpr std::uint64_t few_bytes = std::uint64_t{1} << 20;
  if (bytes < few_bytes || limits.process_bytes == std::numeric_limits<std::uint64_t>::max()) return true;
  return process_bytes() + bytes <= limits.process_bytes;
}

// Whether copies of a message fit into the memory. If not, the rank cannot continue, and `shown` says so.
bool fit(std::uint64_t bytes, std::uint64_t copies, const StepLimits& limits, ShownOperation& shown) {
  if (has_room_for(bytes * copies, limits)) return true;
  shown.text = no_room;
  shown.operation = Fail{FailureKind::unsupported, "unsupported.feature", shown.text};
  return false;
}

bool is_own_business(const Operation& operation) {
  return std::holds_alternative<Compute>(operation) || std::holds_alternative<Sleep>(operation) ||
         std::holds_alternative<Clock>(operation) || std::holds_alternative<Log>(operation) ||
         std::holds_alternative<Report>(operation) || std::holds_alternative<Choose>(operation) ||
         std::holds_alternative<Traffic>(operation) || std::holds_alternative<Settle>(operation) ||
         std::holds_alternative<Release>(operation);
}

}  // namespace

RequestId RankModel::number_of(RequestId of_rank) const {
  const Begun* known = begun.find(of_rank.value);
  if (known == nullptr) return of_rank;
  return known->parts.empty() ? known->number : known->parts.front();
}

// The rank's request gets the next number of the driver.
void RankDriver::note_started(RequestId of_rank) {
  Begun& begun = begun_as(of_rank);
  begun = {};
  begun.number = {model_.requests++};
}

void RankDriver::add_barrier(std::uint64_t context, std::vector<ActorId> members, std::string_view name) {
  OwnStep step;
  step.kind = OwnStep::Kind::barrier;
  step.context = {context};
  step.members = std::move(members);
  step.name = name;
  step.data = model_.view.news_for(step.members);
  model_.steps.push_back(std::move(step));
}

// A rank that ends waits for the others; then it ends its objects.
void RankDriver::add_ends() {
  std::vector<ActorId> all;
  const std::uint32_t ranks = program_.actor_count();
  for (std::uint32_t rank = 0; rank < ranks; ++rank) all.push_back({rank});
  add_barrier(end_context, std::move(all), "MPI_Finalize");
  for (std::uint32_t i = 1; i < objects_.size(); ++i) {
    if (objects_.ended_by(i) != rank_.value) continue;
    OwnStep step;
    step.peer = {ranks + i};
    step.context = context_of(step.peer, Channel::requests);
    step.tag = tags::goodbye;
    model_.steps.push_back(std::move(step));
  }
  model_.has_left = true;
}

bool RankDriver::ends_now(const Operation& operation) {
  const auto* end = std::get_if<End>(&operation);
  return end != nullptr && end->status == 0 && !model_.has_left && objects_.size() > 1;
}

// The rank's memory changes only when it learns something. So a row of operations that teach it nothing may go on for
// ever: a loop that waits for an access of another rank that nothing orders.
void RankDriver::stop_polling(const Operation& operation) {
  constexpr std::uint32_t most_in_a_row = 1000;
  const auto* sleep = std::get_if<Sleep>(&operation);
  const bool waits = sleep != nullptr || std::holds_alternative<Compute>(operation);
  const bool is_sync = sleep != nullptr && sleep->duration == time_of_sync;
  model_.waits = waits ? model_.waits + 1 : 0;
  model_.syncs = waits ? model_.syncs + (is_sync ? 1 : 0) : 0;
  const auto is_shared = [](const auto& window) { return window.second.is_shared; };
  if (model_.waits > most_in_a_row && std::ranges::any_of(model_.windows, is_shared))
    model_.missing = "a loop that may poll a shared window by loads";
  else if (model_.syncs > most_in_a_row) model_.missing = "a loop of MPI_Win_sync, which may poll a window by loads";
  else if (model_.reads.count() > most_in_a_row)
    model_.missing = "a loop that reads unchanged values of a window by MPI_Get more than 1000 times in a row";
  if (is_own_business(operation) || std::holds_alternative<Observe>(operation)) return;
  if (std::holds_alternative<RemoteAccess>(operation)) return;
  model_.last_poll.reset();
  model_.reads = {};
}

// If the next operation repeats a poll: whether the rank will poll forever.
void RankDriver::look_ahead() {
  const auto* access = std::get_if<RemoteAccess>(&program_.next(rank_));
  const bool is_repeated = access != nullptr && model_.last_poll && std::ranges::equal(access->data, model_.polled_by);
  model_.polls_forever = is_repeated && polls_forever(program_, rank_, model_.polled_value);
}

// Decides what comes next: a finding, an operation of the model, or the rank's own operation. Accesses that need nobody
// are answered at once.
void RankDriver::decide() {
  while (!model_.is_ready) {
    program_.next(rank_);  // its memory is accessible now
    if (!model_.has_looked) look_at_memory();
    model_.has_looked = true;
    if (!model_.steps.empty() || !model_.missing.empty()) break;
    stop_polling(program_.next(rank_));
    if (!model_.missing.empty()) break;
    look_ahead();
    const Operation& operation = program_.next(rank_);
    model_.gives_up = std::holds_alternative<RemoteAccess>(operation) && limits_.stop.stop_requested();
    if (model_.gives_up) break;
    if (ends_now(operation)) {
      add_ends();
      break;
    }
    const auto* access = std::get_if<RemoteAccess>(&operation);
    if (access != nullptr && !has_room_for(access->data.size(), limits_)) model_.missing = no_room;
    if (access == nullptr || !model_.missing.empty() || !begin_access(*access)) break;
    if (model_.last_poll) model_.polled_by.assign(access->data.begin(), access->data.end());
    if (!model_.steps.empty() || !model_.missing.empty()) break;
    answer_rank({});
  }
  model_.is_ready = true;
}

const Operation& RankDriver::next() {
  decide();
  if (!shown_.is_valid) show();
  return shown_.operation;
}

void RankDriver::show() {
  shown_ = {};
  shown_.is_valid = true;
  if (model_.gives_up) {
    shown_.operation = Fail{FailureKind::given_up, "", "was not waited for"};
  } else if (!model_.findings.empty()) {
    shown_.operation = Report{&model_.findings.front()};
  } else if (!model_.missing.empty()) {
    shown_.text = model_.missing;
    if (model_.polls_endlessly) shown_.operation = Fail{FailureKind::not_meant, endless_poll, shown_.text};
    else shown_.operation = Fail{FailureKind::unsupported, "unsupported.feature", shown_.text};
  } else if (!model_.steps.empty()) {
    show_own(model_.steps.front());
  } else {
    show_mapped(program_.next(rank_));
  }
}

void RankDriver::show_own(const OwnStep& step) {
  switch (step.kind) {
    case OwnStep::Kind::send: {
      if (!fit(step.data.size(), 2, limits_, shown_)) return;
      Send send;
      send.request = {model_.requests};
      send.context = step.context;
      send.destination = step.peer;
      send.tag = step.tag;
      send.mode = SendMode::buffered;
      send.blocking = true;
      send.data = step.data;
      shown_.operation = send;
      return;
    }
    case OwnStep::Kind::receive: {
      Post post;
      post.request = {model_.requests};
      post.pattern = {step.context, step.peer, step.tag};
      post.capacity_bytes = std::numeric_limits<std::uint64_t>::max();
      post.blocking = step.blocking;
      shown_.operation = post;
      return;
    }
    case OwnStep::Kind::barrier: {
      if (!fit(step.data.size(), step.members.size() + 1, limits_, shown_)) return;
      Collective barrier;
      barrier.request = {model_.requests};
      barrier.context = step.context;
      barrier.members = step.members;
      barrier.name = step.name;
      barrier.hints.kind = CollectiveKind::barrier;
      append_news(shown_.data, step.data);
      barrier.remark = shown_.data;
      shown_.operation = barrier;
    }
  }
}

void RankDriver::show_mapped(const Operation& operation) {
  shown_.operation = operation;
  if (auto* send = std::get_if<Send>(&shown_.operation)) {
    const std::vector<std::byte> news = model_.view.news_for({&send->destination, 1});
    if (!fit(news.size(), 2, limits_, shown_)) return;
    send->request = {model_.requests};
    shown_.data.assign(send->data.begin(), send->data.end());
    append_news(shown_.data, news);
    send->data = shown_.data;
  } else if (auto* post = std::get_if<Post>(&shown_.operation)) {
    post->request = {model_.requests};
  } else if (auto* collective = std::get_if<Collective>(&shown_.operation)) {
    if (collective->flow == Flow::nobody) return;
    const WindowState* fenced = fenced_window(*collective);
    const bool is_end = fenced != nullptr && ends_epoch(*collective);
    const std::vector<std::byte> news = is_end ? fence_news(*fenced) : model_.view.news_for(collective->members);
    if (!fit(news.size(), collective->members.size() + 1, limits_, shown_)) return;
    collective->request = {model_.requests};
    shown_.data.assign(collective->remark.begin(), collective->remark.end());
    append_news(shown_.data, news);
    collective->remark = shown_.data;
    collective->places = {};
  } else if (auto* release = std::get_if<Release>(&shown_.operation)) {
    release->request = model_.number_of(release->request);
  } else if (const auto* observe = std::get_if<Observe>(&operation)) {
    show_observe(*observe);
  }
}

// The list of the requests that exist for the driver.
void RankDriver::show_observe(const Observe& observe) {
  std::set<WindowMember> exposures;
  for (std::uint32_t i = 0; i < observe.requests.size(); ++i) {
    const Begun& begun = begun_as(observe.requests[i]);
    if (begun.needs) exposures.insert(*begun.needs);
    if (begun.kind == Begun::Kind::plain) {
      shown_.requests.push_back(begun.number);
      shown_.places.emplace_back(i, 0);
    }
    for (std::uint32_t part = 0; part < begun.parts.size(); ++part) {
      shown_.requests.push_back(begun.parts[part]);
      shown_.places.emplace_back(i, part);
    }
  }
  for (const WindowMember& member : exposures) {
    const std::optional<RequestId>& receive = model_.windows[member.window].started[member.owner].receive;
    if (!receive) continue;
    shown_.places.emplace_back(observe.requests.size(), shown_.exposures.size());
    shown_.requests.push_back(*receive);
    shown_.exposures.push_back(member);
  }
  Observe shown = observe;
  shown.requests = shown_.requests;
  if (shown_.requests.empty()) shown_.operation = Settle{};  // all are complete: any local operation will do
  else shown_.operation = shown;
}

}  // namespace rehearse::smpi::model
