// SPDX-License-Identifier: MIT
//
// The operations of a rank as the driver sees them. See rank_model.hpp.
#include "smpi/rma_model/rank_model.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>

#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"
#include "smpi/process/process_memory.hpp"
#include "smpi/rma/epochs.hpp"
#include "smpi/rma_model/atomic_object.hpp"
#include "smpi/window_model.hpp"

namespace rehearse::smpi::model {
namespace {

// Behind the data of messages and remarks: the news, and the size of the data.
void append_news(std::vector<std::byte>& data, std::span<const std::byte> news) {
  const std::uint64_t size = data.size();
  data.insert(data.end(), news.begin(), news.end());
  const auto bytes = std::as_bytes(std::span(&size, 1));
  data.insert(data.end(), bytes.begin(), bytes.end());
}

struct Split {
  std::span<const std::byte> data, news;
};

Split split_news(std::span<const std::byte> whole) {
  std::uint64_t size = 0;
  if (whole.size() < sizeof size) return {whole, {}};
  std::memcpy(&size, whole.data() + whole.size() - sizeof size, sizeof size);
  return {whole.first(size), whole.subspan(size, whole.size() - sizeof size - size)};
}

// Of the collectives of MPI_Win_fence: whether it is the first one of a fence that ends an epoch, whose remarks say
// whether a member needs answers.
bool ends_epoch(const Collective& fence) { return fence.flow == Flow::all_to_all && !fence.remark.empty(); }

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

// ---- The next operation

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

// Decides what comes next: a finding, an operation of the model, or the rank's own operation. Accesses that need nobody
// are answered at once.
void RankDriver::decide() {
  while (!model_.is_ready) {
    const Operation& operation = program_.next(rank_);
    if (!model_.has_looked) look_at_memory();
    model_.has_looked = true;
    if (!model_.steps.empty() || !model_.missing.empty()) break;
    stop_polling(operation);
    if (!model_.missing.empty()) break;
    model_.gives_up = std::holds_alternative<RemoteAccess>(operation) && limits_.stop.stop_requested();
    if (model_.gives_up) break;
    if (ends_now(operation)) {
      add_ends();
      break;
    }
    const auto* access = std::get_if<RemoteAccess>(&operation);
    if (access != nullptr && !has_room_for(access->data.size(), limits_)) model_.missing = no_room;
    if (access == nullptr || !model_.missing.empty() || !begin_access(*access)) break;
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

// ---- Answers

void RankDriver::run_rank(const Observation& observation) {
  write_memory();
  program_.resume(rank_, observation);
  model_.has_looked = model_.is_ready = false;
}

// Answers the rank's access, which is complete or has been started.
void RankDriver::answer_rank(const Observation& observation) {
  const bool blocking = std::get<RemoteAccess>(program_.next(rank_)).blocking;
  const Completion done{};
  Observation answer = observation;
  if (blocking) answer.completions = std::span(&done, 1);
  run_rank(answer);
}

void RankDriver::resume(const Observation& observation) {
  next();
  shown_.is_valid = false;
  if (!model_.findings.empty()) return model_.findings.pop_front();
  if (!model_.steps.empty()) return finish_step(observation);
  finish_mapped(observation);
}

void RankDriver::finish_step(const Observation& observation) {
  const OwnStep step = std::move(model_.steps.front());
  model_.steps.pop_front();
  ++model_.requests;
  if (step.kind == OwnStep::Kind::receive && step.blocking) {
    const std::span<const std::byte> data = observation.completions.front().data;
    if (step.grant) take_grant(*step.grant, step.peer, data);
    else take_settled(data);
  }
  if (step.kind == OwnStep::Kind::barrier)
    for (const Remark& remark : observation.remarks) model_.view.learn(split_news(remark.text).news);
  report_races();
  if (!model_.steps.empty()) return;
  model_.is_ready = false;
  if (std::exchange(model_.answers_rank, false)) answer_rank({});
  if (const auto held = std::exchange(model_.held_answer, std::nullopt)) {
    Observation answer;
    answer.flag = held->flag;
    answer.completions = held->completions;
    run_rank(answer);
  }
}

void RankDriver::take_grant(const WindowMember& lock, ActorId object, std::span<const std::byte> news) {
  HeldLock& held = model_.windows[lock.window].held[lock.owner];
  held.object = object;
  held.is_used = lock.owner == rank_.value || model_.windows[lock.window].is_shared;
  if (held.is_used) learn_from(object, news);
  else held.news.assign(news.begin(), news.end());
}

// The object has the records that it sends.
void RankDriver::learn_from(ActorId object, std::span<const std::byte> news) {
  if (news.empty()) return;
  News read = read_news(news);
  model_.held[object].add(read.records);
  model_.view.learn(std::move(read));
}

// Learns the news behind the data of a received message.
Completion RankDriver::learn_message(Completion completion) {
  const Split split = split_news(completion.data);
  model_.view.learn(split.news);
  completion.data = split.data;
  return completion;
}

void RankDriver::finish_mapped(const Observation& observation) {
  const Operation& operation = program_.next(rank_);
  if (const auto* observe = std::get_if<Observe>(&operation)) return finish_observe(*observe, observation);
  if (const auto* collective = std::get_if<Collective>(&operation)) return finish_collective(*collective, observation);
  Observation answer = observation;
  std::vector<Completion> completions;
  if (const auto* send = std::get_if<Send>(&operation)) {
    note_started(send->request);
  } else if (const auto* post = std::get_if<Post>(&operation)) {
    note_started(post->request);
    const auto window = model_.windows.find(post->pattern.context.value);
    if (window != model_.windows.end()) {
      begun_as(post->request).window = window->first;
      if (post->pattern.tag == complete_tag && post->pattern.source) {
        announce_exposure(window->first, *post->pattern.source);
        begun_as(post->request).exposure = window->second.exposures[post->pattern.source->value];
      }
    }
    for (const Completion& completion : observation.completions) completions.push_back(learn_message(completion));
    answer.completions = completions;
  } else if (std::holds_alternative<Probe>(operation)) {
    for (Completion completion : observation.completions) {
      completion.data = split_news(completion.data).data;
      completions.push_back(completion);
    }
    answer.completions = completions;
  }
  report_races();
  run_rank(answer);
}

// Learns the news of the remarks; `own` gets the texts of the ranks. Whether one of these is not empty.
bool RankDriver::split_remarks(std::span<const Remark> remarks, std::vector<Remark>& own) {
  for (const Remark& remark : remarks) {
    const Split split = split_news(remark.text);
    model_.view.learn(split.news);
    own.push_back({split.data, remark.origin});
  }
  return std::ranges::any_of(own, [](const Remark& remark) { return !remark.text.empty(); });
}

WindowState* RankDriver::fenced_window(const Collective& collective) {
  if (collective.name != fence_name || !collective.blocking) return nullptr;
  const auto state = model_.windows.find(collective.context.value - 1);
  return state == model_.windows.end() ? nullptr : &state->second;
}

void RankDriver::finish_collective(const Collective& collective, const Observation& observation) {
  if (collective.flow == Flow::nobody) return run_rank(observation);
  note_started(collective.request);
  Observation answer = observation;
  std::vector<Remark> remarks;
  const bool is_fence = fenced_window(collective) != nullptr, is_end = is_fence && ends_epoch(collective);
  Opening opening{std::make_shared<const Knowledge>(model_.view.known()), model_.view.lamport()};
  const bool has_text = is_end ? false : split_remarks(observation.remarks, remarks);
  for (const Remark& remark : observation.remarks)
    if (is_end) remarks.push_back({split_news(remark.text).news, remark.origin});
  if (is_end) end_fence_epoch(collective.context.value - 1, remarks);
  if (is_end || (is_fence && collective.flow == Flow::optional))
    begin_fence_epoch(collective.context.value - 1, std::move(opening));
  answer.remarks = has_text ? std::span<const Remark>(remarks) : std::span<const Remark>();
  report_races();
  run_rank(answer);
}

// The effects that the rank knows now: those of operations with an answer, and those on its own window, which its
// memory must show. Only a flush or an unlock waits for an operation without an answer, unless it is a request form.
// Effects elsewhere follow when the call is over (know_complete).
void RankDriver::note_effects(Begun& begun) {
  for (const RecordId id : begun.records) {
    const RecordRef record = model_.view.find(id);
    const bool is_mine = !begun.is_request && record->owner == rank_.value && record->exposure == 0;
    if (begun.returns || begun.is_in_fence || is_mine) model_.view.know_effect(id);
  }
}

// The answers of objects about the elements of an operation: the value for the rank.
std::vector<std::byte> RankDriver::take_parts(Begun& begun, const std::vector<std::span<const std::byte>>& answers) {
  std::vector<std::byte> value;
  if (begun.lock) {
    take_grant(*begun.lock, begun.asked_object, answers.front());
    return value;
  }
  value.push_back(std::byte{0});
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const AtomicAnswer answer = read_answer(answers[i]);
    Record settled = *model_.view.find(begun.asked[i]);
    settled.is_settled = true;
    settled.lamport = answer.lamport;
    model_.view.settle(std::make_shared<const Record>(std::move(settled)));
    model_.view.learn(answer.news);
    value.insert(value.end(), answer.value.begin(), answer.value.end());
  }
  if (value != model_.polled_value) {
    model_.polls = 0;
    model_.polled_value = value;
  }
  return value;
}

void RankDriver::finish_observe(const Observe& observe, const Observation& observation) {
  std::vector<std::vector<std::span<const std::byte>>> parts(observe.requests.size());
  std::vector<std::optional<Completion>> found(observe.requests.size());
  const bool is_local = std::holds_alternative<Settle>(shown_.operation);
  std::vector<std::vector<Remark>> remarks;
  std::vector<Completion> completions;
  if (!is_local) {
    for (const Completion& completion : observation.completions) {
      const auto [index, part] = shown_.places[completion.index];
      if (index == observe.requests.size()) {
        take_exposure(shown_.exposures[part], completion.data);
        continue;
      }
      const Begun& begun = begun_as(observe.requests[index]);
      if (begun.kind == Begun::Kind::parts) parts[index].push_back(completion.data);
      else found[index] = completion;
    }
  }
  const bool says_yes = is_local || observation.flag;
  for (std::uint32_t i = 0; i < observe.requests.size() && says_yes; ++i) {
    Begun& begun = begun_as(observe.requests[i]);
    if (begun.kind == Begun::Kind::plain && !found[i]) continue;
    if (begun.kind == Begun::Kind::parts && parts[i].empty()) continue;
    Completion completion = begun.kind == Begun::Kind::plain ? *found[i] : Completion{};
    completion.index = i;
    if (begun.kind == Begun::Kind::parts) begun.answer = take_parts(begun, parts[i]);
    else if (std::exchange(begun.reads_late, false)) compute_answer(begun);
    if (begun.kind == Begun::Kind::plain && begun.answer.empty()) {
      std::vector<Remark>& own = remarks.emplace_back();
      const bool has_text = split_remarks(completion.remarks, own);
      completion.remarks = has_text ? std::span<const Remark>(own) : std::span<const Remark>();
      if (completion.data.data() != nullptr) completion = learn_message(completion);
      if (begun.exposure > 0) take_complete(begun.window, completion.source, begun.exposure);
    } else {
      completion.data = begun.answer;
    }
    note_effects(begun);
    completions.push_back(completion);
  }
  Observation answer = observation;
  answer.flag = says_yes;
  answer.completions = completions;
  report_races();
  if (model_.steps.empty()) return run_rank(answer);
  for (Completion& completion : completions) completion.data = {};
  model_.held_answer = {says_yes, std::move(completions)};
}

}  // namespace rehearse::smpi::model
