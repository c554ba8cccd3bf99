// SPDX-License-Identifier: MIT
//
// See answers.hpp.
#include "simcore/engine/answers.hpp"

#include <algorithm>
#include <utility>

namespace rehearse::engine {

void Answers::say_way(std::uint32_t way) {
  completions_.assign(1, {});
  completions_.front().index = way;
  observation_.completions = completions_;
}

void Answers::say_indices(std::span<const std::uint32_t> indices) {
  completions_.assign(indices.size(), {});
  for (std::size_t i = 0; i < indices.size(); ++i) completions_[i].index = indices[i];
  observation_.completions = completions_;
}

void Answers::say_message(const Message& message) {
  completions_.clear();
  completions_.push_back(
      {0, message.envelope.source, message.envelope.tag, message.data.bytes(), message.signature, {}});
  observation_.completions = completions_;
}

void Answers::note_partner(const Request& request, TimePoint began) {
  ActorState& actor = actors_[request.actor];
  actor.partner = std::max(actor.partner, began);
}

// The members that it needed. Of a prefix, nobody knows the dates.
void Answers::note_partners(const Request& request) {
  const Instance& instance = *request.instance;
  switch (instance.flow) {
    case Flow::all_to_all:
    case Flow::nobody:
    case Flow::optional: return note_partner(request, instance.last_arrival);
    case Flow::root_to_all: return note_partner(request, instance.root_arrival);
    case Flow::all_to_root:
      if (request.member == instance.root) note_partner(request, instance.last_arrival);
      return;
    case Flow::prefix: return;
  }
}

void Answers::add_completion(std::uint32_t index, Request& request) {
  Completion& completion = completions_.emplace_back();
  completion.index = index;
  if (Message* message = request.message) {
    completion.source = message->envelope.source;
    completion.tag = message->envelope.tag;
    completion.data = message->data.bytes();
    completion.signature = message->signature;
    completion.origin = message->origin;
    note_partner(request, message->sent);
    if (message->is_eager && !message->is_notice && message->mode != SendMode::synchronous)
      actors_[request.actor].debt = actors_[request.actor].debt +
                                    run_.options.message_costs.receive.of(message->data.size());
    finished_messages_.push_back(message);
  }
  if (request.kind == Request::Kind::collective) {
    note_partners(request);
    completion.contributions = contributions_.deliver(request);
    completion.shared = Contributions::shared_result(request);
    completion.remarks = Contributions::remarks_for(request);
    finished_collectives_.push_back(&request);
  } else if (request.kind == Request::Kind::access) {
    completion.source = request.access->target;
    completion.data = request.access->answer;
    finished_collectives_.push_back(&request);
  } else {
    requests_.give_back(request);
  }
}

void Answers::say_done(ActorState& actor, const Observe& operation, const std::vector<std::uint32_t>& chosen) {
  completions_.clear();
  for (const std::uint32_t index : chosen) {
    Request& request = actor.requests.take(operation.requests[index]);
    add_completion(index, request);
  }
  observation_.completions = completions_;
}

void Answers::say_all_done(ActorState& actor, const Observe& operation) {
  completions_.clear();
  if (actor.requests.has_just(operation.requests)) {
    for (std::uint32_t i = 0; i < operation.requests.size(); ++i) add_completion(i, actor.requests.at(i));
    actor.requests.clear();
  } else {
    for (std::uint32_t i = 0; i < operation.requests.size(); ++i)
      add_completion(i, actor.requests.take(operation.requests[i]));
  }
  observation_.completions = completions_;
}

void Answers::say_finished(ActorState& actor) {
  Request& request = *std::exchange(actor.request, nullptr);
  completions_.clear();
  if (request.kind == Request::Kind::send) return requests_.give_back(request);
  if (request.kind == Request::Kind::collective) {
    note_partners(request);
    observation_.contributions = contributions_.deliver(request);
    observation_.shared = Contributions::shared_result(request);
    observation_.remarks = Contributions::remarks_for(request);
    finished_collectives_.push_back(&request);
    return;
  }
  add_completion(0, request);
  observation_.completions = completions_;
}

void Answers::recycle_all() {
  for (Message* message : finished_messages_) {
    message->data.trim();
    messages_.give_back(*message);
  }
  finished_messages_.clear();
  for (Request* request : finished_collectives_) requests_.dispose(*request);
  finished_collectives_.clear();
}

}  // namespace rehearse::engine
