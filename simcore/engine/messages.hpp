// SPDX-License-Identifier: MIT
//
// Messages in time: eager ones travel at once, large ones announce themselves; both become visible in
// the order of their channel, and then meet receives in simcore/matching.hpp.
//
// Errors:    an impossible forced match is reported by RunState::fail.
// Ownership: mailboxes and channels belong to the destination's ActorState, messages to the pool.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "simcore/engine/actor_table.hpp"
#include "simcore/engine/agenda.hpp"
#include "simcore/engine/polls.hpp"
#include "simcore/engine/pool.hpp"
#include "simcore/engine/requests.hpp"
#include "simcore/engine/run_state.hpp"
#include "simcore/engine/state.hpp"

namespace rehearse::engine {

class Messages {
 public:
  Messages(RunState& run, ActorTable& actors, Agenda& agenda, Polls& polls, Pool<Message>& pool, Requests& requests);

  // ---- operations of an actor
  // Null: the send is complete, and no operation will ask for it.
  Request* send(ActorId id, ActorState& actor, const Send& operation);
  Request& post(ActorId id, ActorState& actor, const Post& operation);
  // The message that the actor's probe sees, if it sees one now.
  Message* find_probed(ActorId id, ActorState& actor, const Probe& operation);
  // The actor takes a message that it has probed: only a receive that names the message can match it.
  static void take(ActorState& actor, Message& message);
  // A posted receive that is not done will match no message.
  void withdraw(Request& receive);

  // ---- events
  void arrive(std::uint32_t message) { arrive(pool_[message]); }
  void send_data(std::uint32_t message) { send_data(pool_[message]); }
  void finish_match(std::uint32_t message) { finish_match(pool_[message]); }

  std::vector<EarlyMessage>& early() { return early_; }

 private:
  Timeline* timeline_of(const Message& message) const { return message.is_notice ? nullptr : run_.options.timeline; }
  Inbox& inbox(ActorId destination, ContextId context);
  Channel& channel(ActorId source, ActorState& actor, const Send& operation);
  bool may_be_buffered(const Message& message) const;
  Message& make_message(ActorId id, ActorState& actor, const Send& operation);
  void travel(Message& message);
  void make_room(ActorId source, ActorId destination);
  void arrive(Message& message);
  void match_early(Channel& channel, Tag tag);
  void keep(Request& receive, Inbox& inbox);
  void make_visible(Message& message);
  void match(Message& message, Request& receive);
  void send_data(Message& message);
  void finish_match(Message& message);
  void finish_send(Message& message);
  void post_forced(Request& receive, const SendName& name);

  RunState& run_;
  ActorTable& actors_;
  Agenda& agenda_;
  Polls& polls_;
  Pool<Message>& pool_;
  Requests& requests_;

  // Messages that are not matched, in order, by source and destination; only if buffers are bounded.
  std::map<std::pair<ActorId, ActorId>, std::vector<Message*>> buffers_;
  std::map<SendName, std::pair<ActorId, RequestId>> reserved_;  // forced matches, by message
  std::map<SendName, Request*> forced_receives_;                // posted, their message not visible
  std::map<SendName, Message*> forced_messages_;                // visible, their receive not posted
  std::vector<EarlyMessage> early_;
};

}  // namespace rehearse::engine
