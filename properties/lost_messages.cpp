// SPDX-License-Identifier: MIT
//
// message.lost: all ranks ended, and a message was never received. One finding for all messages of one source,
// destination, tag and communicator. A receive that no call observed still takes the first message that it accepts;
// another finding reports that it is never completed. The message of a cancelled send is not lost.
#include <algorithm>
#include <map>
#include <tuple>

#include "properties/judge.hpp"
#include "properties/unwanted_sends.hpp"
#include "properties/words.hpp"
#include "simcore/support/format.hpp"
#include "smpi/ports.hpp"

namespace rehearse::properties {

namespace {

using PendingKind = PendingRequest::Kind;

bool takes(const PendingRequest& receive, const PendingRequest& send) {
  const Pattern& pattern = receive.pattern;
  return receive.actor == send.destination && pattern.context == send.context &&
         (!pattern.source || *pattern.source == send.actor) && (!pattern.tag || *pattern.tag == send.tag);
}

// The pending sends that no receive takes, in the order in which they were started.
std::vector<const PendingRequest*> sends_without_receive(const Outcome& outcome) {
  std::vector<const PendingRequest*> receives, remaining;
  for (const PendingRequest& pending : outcome.pending)
    if (pending.kind == PendingKind::receive) receives.push_back(&pending);
  for (const PendingRequest& pending : outcome.pending) {
    if (pending.kind != PendingKind::send || is_unwanted(outcome, pending) || smpi::is_of_meeting(pending.context))
      continue;
    const auto receive = std::ranges::find_if(receives, [&](const auto* r) { return takes(*r, pending); });
    if (receive == receives.end()) remaining.push_back(&pending);
    else receives.erase(receive);
  }
  return remaining;
}

}  // namespace

std::vector<Finding> judge_lost_messages(const Outcome& outcome, const Describe&) {
  const bool have_all_ended = std::all_of(outcome.actors.begin(), outcome.actors.end(), [](const ActorOutcome& actor) {
    return actor.state == ActorOutcome::State::ended;
  });
  if (!have_all_ended) return {};
  struct Lost {
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
    const PendingRequest* first = nullptr;
  };
  std::map<std::tuple<ActorId, ActorId, Tag, ContextId>, Lost> lost;
  for (const PendingRequest* pending : sends_without_receive(outcome)) {
    Lost& group = lost[{pending->actor, pending->destination, pending->tag, pending->context}];
    ++group.messages;
    if (group.first == nullptr) group.first = pending;
    group.bytes += pending->bytes;
  }
  std::vector<Finding> findings;
  for (const auto& [who, group] : lost) {
    const auto [source, destination, tag, context] = who;
    const std::string what = fmt::format("{} with tag {} ({}) to {}",
                                         group.messages == 1 ? "a message" : fmt::format("{} messages", group.messages),
                                         tag, bytes(group.bytes), rank(destination));
    Finding& finding = findings.emplace_back();
    finding.id = "message.lost";
    finding.actors = {source, destination};
    const Frame& at = group.first->started_at;
    finding.locations = {
        {source, std::string(group.first->origin.call), at.file, at.line, at.function, "sent " + what}};
    const std::string where = finding.locations.front().call.empty() ? "" : call_and_line(finding.locations.front());
    finding.message = rank(source) + " sent " + what + " that " + (group.messages == 1 ? "was" : "were") +
                      " never received" + (where.empty() ? "" : "; sent by " + where);
  }
  return findings;
}

}  // namespace rehearse::properties
