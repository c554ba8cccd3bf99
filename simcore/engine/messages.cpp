// SPDX-License-Identifier: MIT
//
// See messages.hpp.
#include "simcore/engine/messages.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "simcore/notice.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::engine {

Messages::Messages(RunState& run, ActorTable& actors, Agenda& agenda, Polls& polls, Pool<Message>& pool,
                   Requests& requests)
    : run_(run), actors_(actors), agenda_(agenda), polls_(polls), pool_(pool), requests_(requests) {
  for (const auto& [receive, message] : run_.options.forced.matches) reserved_[message] = receive;
}

Inbox& Messages::inbox(ActorId destination, ContextId context) {
  REHEARSE_ASSERT(destination.value < actors_.size(), "a message goes to an actor of the program");
  ActorState& actor = actors_[destination];
  Mail& mail = actor.own_mail();
  if (mail.last_inbox == nullptr || mail.last_context != context.value) {
    mail.last_inbox = &mail.inboxes[context.value];
    mail.last_context = context.value;
  }
  return *mail.last_inbox;
}

Channel& Messages::channel(ActorId source, ActorState& actor, const Send& operation) {
  auto& known_channels = actor.own_mail().known_channels;
  KnownChannel& known = known_channels[operation.destination.value % known_channels.size()];
  if (known.channel == nullptr || known.destination != operation.destination || known.context != operation.context) {
    Inbox& to = inbox(operation.destination, operation.context);
    Channel& channel = to.channels[source.value];
    channel.inbox = &to;
    known = {operation.destination, operation.context, &channel};
  }
  return *known.channel;
}

bool Messages::may_be_buffered(const Message& message) const {
  if (!message.is_eager || message.mode == SendMode::synchronous) return false;
  const auto& waits = run_.options.forced.waits;
  return waits.empty() || !waits.contains({message.envelope.source, message.sent_by});
}

// The new message is the last one of its channel.
Message& Messages::make_message(ActorId id, ActorState& actor, const Send& operation) {
  Message& message = pool_.take();
  message.envelope.context = operation.context;
  message.envelope.source = id;
  message.envelope.destination = operation.destination;
  message.envelope.tag = operation.tag;
  message.sent_by = operation.request;
  message.mode = operation.mode;
  message.is_notice = is_notice_tag(operation.tag);
  message.origin = operation.origin;
  message.category = run_.category_of(id);
  message.signature = operation.signature;
  message.data.assign(operation.data);
  message.is_eager = is_notice_tag(operation.tag) || run_.is_eager(operation.data.size());
  message.has_arrived = false;
  message.is_reserved = !reserved_.empty() && reserved_.contains({id, operation.request});
  message.is_released = false;
  message.place.reset();
  message.send = nullptr;
  message.receive = nullptr;
  message.sent = agenda_.now();
  Channel& to = channel(id, actor, operation);
  message.channel = &to;
  message.next = nullptr;
  (to.first == nullptr ? to.first : to.last->next) = &message;
  to.last = &message;
  return message;
}

static MessageLabel label_of(const Message& message) {
  return {static_cast<std::uint32_t>(message.envelope.context.value),
          message.envelope.tag,
          message.data.size(),
          message.origin.address,
          !message.is_eager,
          false,
          message.category};
}

// An eager message leaves; a large one sends only its announcement.
void Messages::travel(Message& message) {
  const Envelope& envelope = message.envelope;
  if (message.is_eager)
    return agenda_.start_transfer(envelope.source, envelope.destination, label_of(message),
                                  {Continuation::Kind::arrival, message.index, 0});
  if (agenda_.carries_envelopes())
    return agenda_.start_envelope(TransferKind::announcement, envelope.source, envelope.destination, label_of(message),
                                  {Continuation::Kind::arrival, message.index, 0});
  agenda_.set_message_timer(Timer::Kind::announcement, message.index,
                            agenda_.latency(envelope.source, envelope.destination));
}

Request* Messages::send(ActorId id, ActorState& actor, const Send& operation) {
  actors_.note_interaction(actor);
  Message& message = make_message(id, actor, operation);
  run_.used_decisions += run_.options.forced.waits.count({id, operation.request});
  if (is_notice_tag(operation.tag)) arrive(message);
  else travel(message);
  const bool is_bounded = run_.has_bounded_buffers();
  const bool is_done = operation.mode == SendMode::buffered ||
                       (!is_bounded && message.is_eager && operation.mode != SendMode::synchronous);
  if (is_bounded) buffers_[{id, operation.destination}].push_back(&message);
  if (is_done && operation.blocking) return nullptr;
  Request& request = requests_.make(id, operation.request, Request::Kind::send);
  request.is_done = is_done;
  if (!is_done) {
    message.send = &request;
    request.message = &message;
    if (is_bounded) make_room(id, operation.destination);
  }
  return &request;
}

// Completes the sends whose messages fit into the buffer between the two now.
void Messages::make_room(ActorId source, ActorId destination) {
  std::uint64_t bytes = 0;
  for (Message* message : buffers_[{source, destination}]) {
    bytes += message->data.size();
    if (bytes > run_.options.buffer_bytes) return;
    if (message->send && may_be_buffered(*message)) finish_send(*message);
  }
}

static bool asks_for(const Await& await, const Envelope& envelope) {
  return std::ranges::any_of(await.questions, [&](const Awaited& question) {
    return question.probed && accepts(*question.probed, envelope);
  });
}

// The message is at its destination; it is visible once all before it in its channel are, too.
void Messages::arrive(Message& message) {
  message.has_arrived = true;
  message.arrived = agenda_.now();
  const Tag tag = message.envelope.tag;
  Channel& channel = *message.channel;
  while (channel.first != nullptr && channel.first->has_arrived) {
    Message& first = *channel.first;
    channel.first = first.next;
    make_visible(first);
  }
  if (agenda_.has_streams()) match_early(channel, tag);
}

// Messages of different tags can arrive in another order than they were sent. The first one of its tag in the channel
// need not wait for those before it if they cannot change its receive: the first receive that accepts it names its tag.
void Messages::match_early(Channel& channel, Tag tag) {
  Message* before = nullptr;
  Message* message = channel.first;
  for (; message != nullptr && message->envelope.tag != tag; message = message->next) before = message;
  if (message == nullptr || !message->has_arrived || message->is_reserved) return;
  const auto receive = channel.inbox->mailbox.find_receive(message->envelope.source, tag);
  if (!receive || !requests_[*receive].pattern.tag) return;
  channel.inbox->mailbox.match_message(message->envelope.source, tag);
  (before == nullptr ? channel.first : before->next) = message->next;
  if (channel.last == message) channel.last = before;
  if (Timeline* timeline = run_.options.timeline)
    timeline->on_visible({message->envelope.source, message->sent_by}, message->envelope.destination, agenda_.now());
  match(*message, requests_[*receive]);
}

void Messages::make_visible(Message& message) {
  const Envelope& envelope = message.envelope;
  Mailbox& mailbox = message.channel->inbox->mailbox;
  if (Timeline* timeline = timeline_of(message))
    timeline->on_visible({envelope.source, message.sent_by}, envelope.destination, agenda_.now());
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
  if (!message.is_notice) ++actors_.result(envelope.destination).unexpected;
  message.place = mailbox.keep_message(message.index, envelope.source, envelope.tag, message.is_reserved);
  ActorState& destination = actors_[envelope.destination];
  if (destination.wait == Wait::await || destination.wait == Wait::nap) {
    if (asks_for(std::get<Await>(*destination.operation), envelope)) actors_.make_ready(envelope.destination);
    return;
  }
  if (destination.wait != Wait::probe && destination.wait != Wait::poll) return;
  const auto* probe = std::get_if<Probe>(destination.operation);
  if (probe && find_probed(envelope.destination, destination, *probe)) actors_.make_ready(envelope.destination);
  else polls_.end(envelope.destination);
}

void Messages::match(Message& message, Request& receive) {
  const Envelope& envelope = message.envelope;
  if (message.is_reserved && (envelope.destination != receive.actor || !accepts(receive.pattern, envelope)))
    return run_.fail(fmt::format("the schedule does not fit the program: receive {}:r{} cannot take message {}#{}",
                                 receive.actor.value, receive.id.value, envelope.source.value, message.sent_by.value));
  if (Timeline* timeline = timeline_of(message))
    timeline->on_match(receive.actor, receive.id, {envelope.source, message.sent_by}, agenda_.now());
  if (run_.options.tap && (!receive.pattern.source || !receive.pattern.tag))
    run_.options.tap->on_wildcard_match(receive.actor, receive.id, envelope);
  message.place.reset();
  message.receive = &receive;
  receive.message = &message;
  if (run_.has_bounded_buffers()) {
    std::erase(buffers_[{envelope.source, envelope.destination}], &message);
    make_room(envelope.source, envelope.destination);
  }
  if (message.is_eager) return finish_match(message);
  if (run_.options.handshake == Handshake::announced) return send_data(message);
  if (agenda_.carries_envelopes())
    return agenda_.start_envelope(TransferKind::answer, envelope.destination, envelope.source, label_of(message),
                                  {Continuation::Kind::answer, message.index, 0});
  const Duration way_back = agenda_.latency(envelope.destination, envelope.source);
  if (way_back <= Duration{}) return send_data(message);
  agenda_.set_message_timer(Timer::Kind::answer, message.index, way_back);
}

// Called for a message that has announced itself.
void Messages::send_data(Message& message) {
  agenda_.start_transfer(message.envelope.source, message.envelope.destination, label_of(message),
                         {Continuation::Kind::rendezvous, message.index, 0});
}

void Messages::finish_match(Message& message) {
  if (Timeline* timeline = timeline_of(message)) {
    const Envelope& envelope = message.envelope;
    timeline->on_delivery({envelope.source, message.sent_by, envelope.destination, message.receive->id,
                           envelope.context, envelope.tag, message.data.size(), message.sent,
                           message.is_eager ? message.arrived : agenda_.now()});
  }
  if (message.send) finish_send(message);
  requests_.complete(*message.receive);
}

void Messages::finish_send(Message& message) {
  Request& send = *std::exchange(message.send, nullptr);
  send.message = nullptr;
  requests_.complete(send);
}

Request& Messages::post(ActorId id, ActorState& actor, const Post& operation) {
  actors_.note_interaction(actor);
  Request& request = requests_.make(id, operation.request, Request::Kind::receive);
  request.pattern = operation.pattern;
  const auto& forced = run_.options.forced.matches;
  if (operation.taken) {
    match(*actor.own_mail().taken[*operation.taken], request);
  } else if (const auto decision = forced.empty() ? forced.end() : forced.find({id, operation.request});
             decision != forced.end()) {
    post_forced(request, decision->second);
  } else {
    Inbox& own = inbox(id, operation.pattern.context);
    if (const auto message = own.mailbox.match_receive(operation.pattern)) match(pool_[*message], request);
    else keep(request, own);
  }
  return request;
}

// A receive that no visible message matches.
void Messages::keep(Request& receive, Inbox& inbox) {
  const Pattern& pattern = receive.pattern;
  receive.place = inbox.mailbox.keep_receive(receive.index, pattern);
  if (!agenda_.has_streams() || !pattern.tag) return;
  if (pattern.source) {
    const auto channel = inbox.channels.find(pattern.source->value);
    if (channel != inbox.channels.end()) match_early(channel->second, *pattern.tag);
    return;
  }
  std::vector<std::pair<std::uint32_t, Channel*>> channels;
  for (auto& [source, channel] : inbox.channels) channels.emplace_back(source, &channel);
  std::ranges::sort(channels, {}, &std::pair<std::uint32_t, Channel*>::first);
  for (const auto& [source, channel] : channels)
    if (receive.message == nullptr) match_early(*channel, *pattern.tag);
}

void Messages::post_forced(Request& receive, const SendName& name) {
  ++run_.used_decisions;
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

Message* Messages::find_probed(ActorId id, ActorState& actor, const Probe& operation) {
  Mailbox& mailbox = inbox(id, operation.pattern.context).mailbox;
  const Answer* forced = run_.find_forced(id, actor.operations);
  if (forced == nullptr) {
    const auto message = mailbox.find_message(operation.pattern);
    return message ? &pool_[*message] : nullptr;
  }
  Message* probed = nullptr;
  pool_.for_each_live([&](Message& message) {
    if (message.place && message.envelope.source == forced->seen.source && message.sent_by == forced->seen.request &&
        message.envelope.destination == id && accepts(operation.pattern, message.envelope))
      probed = &message;
  });
  return probed;
}

void Messages::take(ActorState& actor, Message& message) {
  message.channel->inbox->mailbox.remove_message(*message.place);
  message.place.reset();
  actor.own_mail().taken.push_back(&message);
}

void Messages::withdraw(Request& receive) {
  Mailbox& mailbox = inbox(receive.actor, receive.pattern.context).mailbox;
  if (Message* message = receive.message) {  // according to the schedule, it came too late
    const Envelope& envelope = message->envelope;
    message->receive = nullptr;
    message->place = mailbox.keep_message(message->index, envelope.source, envelope.tag);
  } else {
    mailbox.remove_receive(receive.place);
  }
}

}  // namespace rehearse::engine
