// SPDX-License-Identifier: MIT
//
// The answers to a rank's operations: what it learns from them, and what it gets. See rank_driver.hpp.
#include <algorithm>

#include "smpi/rma/epochs.hpp"
#include "smpi/rma_model/atomic_object.hpp"
#include "smpi/rma_model/news_messages.hpp"
#include "smpi/rma_model/rank_driver.hpp"

namespace rehearse::smpi::model {

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
