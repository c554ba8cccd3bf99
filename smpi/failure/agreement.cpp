// SPDX-License-Identifier: MIT
//
// See agreement.hpp.
#include "smpi/failure/agreement.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "simcore/actor.hpp"
#include "simcore/support/format.hpp"
#include "smpi/error.hpp"
#include "smpi/failure/failures.hpp"
#include "smpi/library.hpp"
#include "smpi/per_rank.hpp"

namespace rehearse::smpi {
namespace {

// The words of a message: the kind, the flag, and the acknowledged failed members. Empty: the sender has failed.
using Share = std::vector<std::uint32_t>;

struct KnownAgreements {
  std::map<std::uint64_t, std::uint64_t> made;                      // by communicator
  std::set<std::pair<std::uint64_t, std::uint32_t>> has_said_last;  // communicator and member that has failed
};

Share own_share(const Communicator& communicator, FaultAgreement::Kind kind, int flag) {
  Share part{static_cast<std::uint32_t>(kind), static_cast<std::uint32_t>(flag)};
  if (const Failures* known = failures())
    for (const ActorId actor : known->acknowledged_in(communicator)) part.push_back(actor.value);
  return part;
}

Share share_in(std::span<const std::byte> data) {
  Share part(data.size() / sizeof(std::uint32_t));
  if (!data.empty()) std::memcpy(part.data(), data.data(), data.size());
  return part;
}

// The part of a member, or an empty one if it failed before it sent one.
Share receive_share(const Communicator& communicator, ActorId member) {
  std::set<std::pair<std::uint64_t, std::uint32_t>>& silent = per_rank<KnownAgreements>().has_said_last;
  if (silent.contains({communicator.context(), member.value})) return {};
  Operation operation(std::in_place_type<Post>);
  Post& post = *std::get_if<Post>(&operation);
  post.request = {library().next_request++};
  post.pattern = {agreement_context(communicator.context()), member, agreement_tag};
  post.capacity_bytes = (communicator.members().size() + 2) * sizeof(std::uint32_t);
  ask(operation);
  std::vector<RequestId> ids{post.request};
  std::vector<Failures::Notice> watched;
  Failures* known = failures();
  // A rank that is lost inside the creation of a communicator does not know it, and cannot tell its members there.
  if (known != nullptr && !known->are_chosen())
    for (const Failures::Notice& notice : known->notices({communicator, Watch::Who::peer, member}))
      if (notice.dead) {
        watched.push_back(notice);
        ids.push_back(notice.request);
      }
  const Observation& answer = ask(Observe{ids, Quantifier::any, true});
  Share part;
  if (answer.completions[0].index == 0) {
    part = share_in(answer.completions[0].data);
  } else {
    known->take(watched.front());
    ask(Release{post.request});
  }
  if (part.empty()) silent.insert({communicator.context(), member.value});
  return part;
}

const char* function_of(std::uint32_t kind) {
  const bool agrees = static_cast<FaultAgreement::Kind>(kind) == FaultAgreement::Kind::agree;
  return agrees ? "MPIX_Comm_agree" : "MPIX_Comm_shrink";
}

void keep_common(std::vector<std::uint32_t>& common, const Share& part) {
  std::erase_if(common,
                [&](std::uint32_t actor) { return std::find(part.begin() + 2, part.end(), actor) == part.end(); });
}

}  // namespace

std::uint64_t shrunk_context(const Communicator& communicator, std::uint64_t number) {
  return derive_context(communicator.context(), ~std::uint64_t{3}, 3 + number);
}

FaultAgreement agree(const Communicator& communicator, FaultAgreement::Kind kind, int flag) {
  const ActorId self = current_actor();
  const Share own = own_share(communicator, kind, flag);
  FaultAgreement result;
  result.number = per_rank<KnownAgreements>().made[communicator.context()]++;
  Failures* known = failures();
  if (known != nullptr && kind == FaultAgreement::Kind::shrink)
    known->expect(shrunk_context(communicator, result.number), communicator.members());
  for (const ActorId member : communicator.members())
    if (member != self)
      send_notice(agreement_context(communicator.context()), member, agreement_tag, std::as_bytes(std::span(own)));
  std::vector<std::uint32_t> acknowledged(own.begin() + 2, own.end());
  for (const ActorId member : communicator.members()) {
    const Share part = member == self ? own : receive_share(communicator, member);
    if (part.empty()) {
      known->learn_dead(member);
      continue;
    }
    if (part[0] != own[0])
      misuse("collective.operation",
             fmt::format("rank {} of {} calls {} where this rank calls {}", communicator.rank_of(member),
                         communicator.description(), function_of(part[0]), function_of(own[0])));
    result.participants.push_back(member);
    result.flag &= static_cast<int>(part[1]);
    keep_common(acknowledged, part);
  }
  for (const ActorId member : communicator.members())
    if (std::ranges::find(result.participants, member) == result.participants.end())
      result.has_news |= std::ranges::find(acknowledged, member.value) == acknowledged.end();
  return result;
}

}  // namespace rehearse::smpi
