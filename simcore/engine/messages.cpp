// SPDX-License-Identifier: MIT
//
// Messages in time: eager ones travel at once, large ones announce themselves; both become visible in
// the order of their channel, and then meet receives in simcore/matching.hpp.
#include "simcore/engine/core.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse {

engine::Inbox& Engine::Core::inbox(ActorId destination, ContextId context) {
  REHEARSE_ASSERT(destination.value < actors_.size(), "a message goes to an actor of the program");
  ActorState& actor = actors_[destination.value];
  if (actor.last_inbox == nullptr || actor.last_context != context.value) {
    actor.last_inbox = &actor.inboxes[context.value];
    actor.last_context = context.value;
  }
  return *actor.last_inbox;
}

Engine::Core::Request& Engine::Core::make_request(ActorId id, RequestId number,
                                                  Request::Kind kind) {
  Request& request = requests_.take();
  const std::uint32_t index = request.index;
  request = Request{};
  request.index = index;
  request.is_live = true;
  request.kind = kind;
  request.actor = id;
  request.id = number;
  return request;
}

engine::Channel& Engine::Core::channel(ActorId source, ActorState& actor, const Send& operation) {
  engine::KnownChannel& known =
      actor.known_channels[operation.destination.value % actor.known_channels.size()];
  if (known.channel == nullptr || known.destination != operation.destination ||
      known.context != operation.context) {
    engine::Inbox& to = inbox(operation.destination, operation.context);
    engine::Channel& channel = to.channels[source.value];
    channel.inbox = &to;
    known = {operation.destination, operation.context, &channel};
  }
  return *known.channel;
}

// At the end of its channel.
Engine::Core::Message& Engine::Core::make_message(ActorId id, ActorState& actor,
                                                  const Send& operation) {
  Message& message = messages_.take();
  message.envelope.context = operation.context;
  message.envelope.source = id;
  message.envelope.destination = operation.destination;
  message.envelope.tag = operation.tag;
  message.sent_by = operation.request;
  message.mode = operation.mode;
  message.origin = operation.origin;
  message.signature = operation.signature;
  message.data.assign(operation.data);
  message.is_eager = is_eager(operation.data.size());
  message.has_arrived = false;
  message.is_reserved = !reserved_.empty() && reserved_.contains({id, operation.request});
  message.is_released = false;
  message.place.reset();
  message.send = nullptr;
  message.receive = nullptr;
  message.sent = now_;
  engine::Channel& to = channel(id, actor, operation);
  message.channel = &to;
  message.next = nullptr;
  (to.first == nullptr ? to.first : to.last->next) = &message;
  to.last = &message;
  return message;
}

// A started operation that is not blocking is answered at once; a blocking one when it is done.
bool Engine::Core::finish_start(ActorState& actor, Request& request, bool is_blocking) {
  if (!is_blocking) {
    actor.requests.add(request.id, request);
    return true;
  }
  actor.request = &request;
  if (!request.is_done) return wait(actor, Wait::request);
  answer_finished(actor);
  return true;
}

// An eager message leaves; of a large one only the announcement does.
void Engine::Core::travel(Message& message, HostId from) {
  const Envelope& envelope = message.envelope;
  if (message.is_eager)
    return start_transfer(envelope.source, envelope.destination, message.data.size(),
                          {Continuation::Kind::arrival, message.index, 0});
  const auto latency = costs_->latency(from, actors_[envelope.destination.value].host, now_);
  add_timer({now_ + latency.value_or(Duration{}), 0, Timer::Kind::announcement, message.index, 0});
  ++in_flight_;
}

bool Engine::Core::begin(ActorId id, ActorState& actor, const Send& operation) {
  note_interaction(actor);
  Message& message = make_message(id, actor, operation);
  travel(message, actor.host);
  const bool is_bounded = options_.buffer_bytes != EngineOptions::infinite;
  const bool is_done =
      operation.mode == SendMode::buffered ||
      (!is_bounded && message.is_eager && operation.mode != SendMode::synchronous);
  if (is_bounded) buffers_[{id, operation.destination}].push_back(&message);
  if (is_done && operation.blocking) return true;
  Request& request = make_request(id, operation.request, Request::Kind::send);
  request.is_done = is_done;
  if (!is_done) {
    message.send = &request;
    request.message = &message;
    if (is_bounded) make_room(id, operation.destination);
  }
  return finish_start(actor, request, operation.blocking);
}

// Completes the sends whose messages fit into the buffer between the two now.
void Engine::Core::make_room(ActorId source, ActorId destination) {
  std::uint64_t bytes = 0;
  for (Message* message : buffers_[{source, destination}]) {
    bytes += message->data.size();
    if (bytes > options_.buffer_bytes) return;
    if (message->send && message->is_eager && message->mode != SendMode::synchronous)
      finish_send(*message);
  }
}

// The message is at its destination; it is visible once all before it in its channel are, too.
void Engine::Core::arrive(Message& message) {
  message.has_arrived = true;
  message.arrived = now_;
  engine::Channel& channel = *message.channel;
  while (channel.first != nullptr && channel.first->has_arrived) {
    Message& first = *channel.first;
    channel.first = first.next;
    make_visible(first);
  }
}

void Engine::Core::make_visible(Message& message) {
  const Envelope& envelope = message.envelope;
  Mailbox& mailbox = message.channel->inbox->mailbox;
  if (options_.timeline) options_.timeline->on_visible({envelope.source, message.sent_by}, envelope.destination, now_);
  if (message.is_reserved) {
    const SendName name{envelope.source, message.sent_by};
    const auto receive = forced_receives_.find(name);
    if (receive != forced_receives_.end()) {
      Request& request = *receive->second;
      forced_receives_.erase(receive);
      return match(message, request);
    }
    forced_messages_[name] = &message;
  } else if (const auto receive = mailbox.match_message(envelope.source, envelope.tag)) {
    return match(message, requests_[*receive]);
  }
  if (message.mode == SendMode::ready)
    early_.push_back({envelope.source, envelope.destination, envelope.tag, message.origin, {}});
  message.place =
      mailbox.keep_message(message.index, envelope.source, envelope.tag, message.is_reserved);
  ActorState& destination = actors_[envelope.destination.value];
  if (destination.wait != Wait::probe && destination.wait != Wait::poll) return;
  const auto* probe = std::get_if<Probe>(destination.operation);
  if (probe && find_probed(envelope.destination, destination, *probe))
    make_ready(envelope.destination);
  else
    end_poll(envelope.destination);
}

void Engine::Core::match(Message& message, Request& receive) {
  const Envelope& envelope = message.envelope;
  if (message.is_reserved &&
      (envelope.destination != receive.actor || !accepts(receive.pattern, envelope)))
    return fail("the schedule does not fit the program: receive " +
                std::to_string(receive.actor.value) + ":r" + std::to_string(receive.id.value) +
                " cannot take message " + std::to_string(envelope.source.value) + "#" +
                std::to_string(message.sent_by.value));
  if (options_.timeline)
    options_.timeline->on_match(receive.actor, receive.id, {envelope.source, message.sent_by}, now_);
  message.place.reset();
  message.receive = &receive;
  receive.message = &message;
  if (options_.buffer_bytes != EngineOptions::infinite) {
    std::erase(buffers_[{envelope.source, envelope.destination}], &message);
    make_room(envelope.source, envelope.destination);
  }
  if (message.is_eager) return finish_match(message);
  Duration way_back;
  if (options_.handshake == Handshake::answered)
    way_back = costs_
                   ->latency(actors_[envelope.destination.value].host,
                             actors_[envelope.source.value].host, now_)
                   .value_or(Duration{});
  if (way_back <= Duration{}) return send_data(message);
  add_timer({now_ + way_back, 0, Timer::Kind::answer, message.index, 0});
  ++in_flight_;
}

// Of a message that announced itself.
void Engine::Core::send_data(Message& message) {
  start_transfer(message.envelope.source, message.envelope.destination, message.data.size(),
                 {Continuation::Kind::rendezvous, message.index, 0});
}

void Engine::Core::finish_match(Message& message) {
  if (options_.timeline) {
    const Envelope& envelope = message.envelope;
    options_.timeline->on_delivery({envelope.source, message.sent_by, envelope.destination, message.receive->id,
                                    envelope.context, envelope.tag, message.data.size(), message.sent,
                                    message.is_eager ? message.arrived : now_});
  }
  if (message.send) finish_send(message);
  complete(*message.receive);
}

void Engine::Core::finish_send(Message& message) {
  Request& send = *std::exchange(message.send, nullptr);
  send.message = nullptr;
  complete(send);
}

bool Engine::Core::begin(ActorId id, ActorState& actor, const Post& operation) {
  note_interaction(actor);
  Request& request = make_request(id, operation.request, Request::Kind::receive);
  request.pattern = operation.pattern;
  const auto forced = options_.forced.matches.find({id, operation.request});
  if (operation.taken) {
    match(*actor.taken[*operation.taken], request);
  } else if (forced != options_.forced.matches.end()) {
    post_forced(request, forced->second);
  } else {
    Mailbox& mailbox = inbox(id, operation.pattern.context).mailbox;
    if (const auto message = mailbox.match_receive(operation.pattern))
      match(messages_[*message], request);
    else
      request.place = mailbox.keep_receive(request.index, operation.pattern);
  }
  return finish_start(actor, request, operation.blocking);
}

void Engine::Core::post_forced(Request& receive, const SendName& name) {
  ++used_decisions_;
  const auto known = forced_messages_.find(name);
  if (known == forced_messages_.end()) {
    forced_receives_[name] = &receive;
    return;
  }
  Message& message = *known->second;
  forced_messages_.erase(known);
  message.channel->inbox->mailbox.remove_message(*message.place);
  match(message, receive);
}

bool Engine::Core::begin(ActorId, ActorState& actor, const Release& operation) {
  note_interaction(actor);
  Request& request = actor.requests.find(operation.request);
  actor.requests.remove(operation.request);
  request.is_released = true;
  if (request.kind == Request::Kind::send && request.message) request.message->is_released = true;
  if (request.is_done) dispose(request);
  return true;
}

void Engine::Core::complete(Request& request) {
  request.is_done = true;
  ActorState& actor = actors_[request.actor.value];
  if (actor.request == &request) return make_ready(request.actor);
  if (request.is_awaited) {
    request.is_awaited = false;
    if (actor.awaited > 0 && --actor.awaited == 0) make_ready(request.actor);
  } else if (request.is_released) {
    dispose(request);
  } else {
    end_poll(request.actor);
  }
}

// Of a request that is done and that nobody will look at any more.
void Engine::Core::dispose(Request& request) {
  if (request.kind == Request::Kind::collective) return leave(request);
  if (request.message) messages_.give_back(*request.message);
  requests_.give_back(request);
}

}  // namespace rehearse
