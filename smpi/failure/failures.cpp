// SPDX-License-Identifier: MIT
//
// See failures.hpp.
#include "smpi/failure/failures.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "simcore/actor.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"
#include "smpi/abi/call_scope.hpp"
#include "smpi/error.hpp"
#include "smpi/library.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/report.hpp"
#include "smpi/request/request.hpp"

namespace rehearse::smpi {
namespace {

// Programs use these contexts for failures only. A rank that knows a failure tells itself again in another context, so
// that later waits hear of it, too.
constexpr ContextId death_context{16}, mortality_context{18};

ContextId known_death_context(ActorId dead) { return {derive_context(death_context.value, dead.value, 1)}; }

ContextId revocation_context(const Communicator& communicator) {
  return {derive_context(communicator.context(), ~std::uint64_t{3}, 1)};
}

std::string name_in(const Communicator& communicator, ActorId actor) {
  return fmt::format("rank {} of {}", communicator.peer_rank_of(actor), communicator.description());
}

}  // namespace

ContextId agreement_context(std::uint64_t communicator) { return {derive_context(communicator, ~std::uint64_t{3}, 2)}; }

Failures* failures() { return library().failures; }

void send_notice(ContextId context, ActorId to, Tag tag, std::span<const std::byte> data) {
  Operation operation(std::in_place_type<Send>);
  Send& send = *std::get_if<Send>(&operation);
  send.request = {library().next_request++};
  send.context = context;
  send.destination = to;
  send.tag = tag;
  send.mode = SendMode::buffered;
  send.blocking = true;
  send.data = data;
  ask(operation);
}

Watch watch_of(const Communicator& communicator, const Transfer& transfer) {
  if (transfer.peer == MPI_ANY_SOURCE) return {communicator, Watch::Who::anybody};
  return {communicator, Watch::Who::peer, communicator.peer(transfer.peer)};
}

Watch watch_of(const Request& request) {
  const bool is_message = request.kind == Request::Kind::send || request.kind == Request::Kind::receive;
  return is_message ? watch_of(*request.communicator, request.transfer) : Watch{*request.communicator};
}

// Before MPI_Init and after MPI_Finalize no other rank can notice.
void leave_lost(std::string_view why) {
  Library& mpi = library();
  if (mpi.failures != nullptr && mpi.phase == Phase::running) mpi.failures->die(why);
  report(process_failure, Severity::note, fmt::format("the process fails {}", why));
  ask(End{});
  internal_error(__FILE__, __LINE__, "ask(End)", "a rank was resumed after its failure");
}

// ---- which ranks fail

void Failures::begin() {
  per_rank<CallChain>().is_fallible = plan_.is_possible();
  if (plan_.is_possible() && library().thread_level == MPI_THREAD_MULTIPLE)
    unsupported("MPI_THREAD_MULTIPLE where processes can fail");
  for (const FailurePlan::AtCall& at : plan_.at_calls) mortals_.push_back({at.rank});
  for (const std::uint32_t rank : plan_.mortal) mortals_.push_back({rank});
  if (plan_.chosen > 0) choose_mortals();
  std::ranges::sort(mortals_);
  mortals_.erase(std::unique(mortals_.begin(), mortals_.end()), mortals_.end());
}

// Rank 0 asks the driver, and tells the others.
void Failures::choose_mortals() {
  std::vector<ActorId> chosen;
  const std::uint32_t count = actor_count();
  if (current_actor().value == 0) {
    for (std::uint32_t next = 0; chosen.size() < plan_.chosen && next < count;) {
      const std::uint32_t way = ask(Choose{count - next + 1, choice_of_failing_actor}).completions[0].index;
      if (way == 0) break;
      chosen.push_back({next + way - 1});
      next += way;
    }
    for (std::uint32_t rank = 1; rank < count; ++rank)
      send_notice(mortality_context, {rank}, mortality_tag, std::as_bytes(std::span(chosen)));
  } else {
    Operation operation(std::in_place_type<Post>);
    Post& receive = *std::get_if<Post>(&operation);
    receive.request = {library().next_request++};
    receive.pattern = {mortality_context, ActorId{0}, mortality_tag};
    receive.capacity_bytes = count * sizeof(ActorId);
    receive.blocking = true;
    const std::span<const std::byte> data = ask(operation).completions[0].data;
    chosen.resize(data.size() / sizeof(ActorId));
    if (!data.empty()) std::memcpy(chosen.data(), data.data(), data.size());
  }
  is_chosen_ = std::ranges::find(chosen, current_actor()) != chosen.end();
  mortals_.insert(mortals_.end(), chosen.begin(), chosen.end());
}

bool Failures::can_die(ActorId actor) const { return std::ranges::binary_search(mortals_, actor); }

void Failures::point() {
  ++points_;
  const ActorId self = current_actor();
  for (const FailurePlan::AtCall& at : plan_.at_calls)
    if (at.rank == self.value && at.call == points_) die(fmt::format("at its call {}, as requested", points_));
  if (is_chosen_ && ask(Choose{2, choice_to_fail}).completions[0].index == 1) die("here");
}

// An execution in which no rank fails is one in which none was chosen.
void Failures::last_point() {
  if (is_chosen_) die("here");
  point();
}

// ---- what the rank knows

bool Failures::knows_dead(ActorId actor) const { return std::ranges::find(dead_, actor) != dead_.end(); }

void Failures::learn_dead(ActorId actor) {
  if (!knows_dead(actor)) dead_.push_back(actor);
}

std::vector<ActorId> Failures::dead_in(const Communicator& communicator) const {
  std::vector<ActorId> members;
  for (const ActorId actor : dead_)
    if (communicator.rank_of(actor) != MPI_UNDEFINED) members.push_back(actor);
  return members;
}

std::vector<ActorId> Failures::acknowledged_in(const Communicator& communicator) const {
  std::vector<ActorId> members = dead_in(communicator);
  const auto count = acknowledged_.find(communicator.context());
  members.resize(count == acknowledged_.end() ? 0 : std::min(count->second, members.size()));
  return members;
}

void Failures::acknowledge(const Communicator& communicator, std::size_t count) {
  std::size_t& known = acknowledged_[communicator.context()];
  known = std::max(known, std::min(count, dead_in(communicator).size()));
}

Interruption Failures::known(const Watch& watch) const {
  const Communicator& communicator = watch.communicator;
  if (is_revoked(communicator)) return {MPIX_ERR_REVOKED, communicator.description() + " was revoked"};
  if (watch.who == Watch::Who::peer) {
    if (!knows_dead(watch.peer)) return {};
    return {MPIX_ERR_PROC_FAILED, name_in(communicator, watch.peer) + " has failed"};
  }
  const std::vector<ActorId> dead = dead_in(communicator);
  const std::size_t first = watch.who == Watch::Who::anybody ? acknowledged_in(communicator).size() : 0;
  if (first >= dead.size()) return {};
  return {MPIX_ERR_PROC_FAILED, name_in(communicator, dead[first]) + " has failed"};
}

// ---- notices

RequestId Failures::post(ContextId context, std::optional<ActorId> source, Tag tag) {
  Operation operation(std::in_place_type<Post>);
  Post& receive = *std::get_if<Post>(&operation);
  receive.request = {library().next_request++};
  receive.pattern = {context, source, tag};
  ask(operation);
  return receive.request;
}

RequestId Failures::death_request(ActorId actor) {
  const auto known = death_requests_.find(actor);
  if (known != death_requests_.end()) return known->second;
  return death_requests_[actor] = post(death_context, actor, death_tag);
}

RequestId Failures::revocation_request(const Communicator& communicator) {
  const auto known = revocation_requests_.find(communicator.context());
  if (known != revocation_requests_.end()) return known->second;
  return revocation_requests_[communicator.context()] = post(revocation_context(communicator), {}, revocation_tag);
}

std::vector<Failures::Notice> Failures::notices(const Watch& watch) {
  const Communicator& communicator = watch.communicator;
  std::vector<Notice> all;
  std::vector<ActorId> acknowledged;
  if (watch.who == Watch::Who::anybody) acknowledged = acknowledged_in(communicator);
  for (const ActorId actor : mortals_) {
    if (actor == current_actor() || (watch.who == Watch::Who::peer && actor != watch.peer) ||
        communicator.rank_of(actor) == MPI_UNDEFINED || std::ranges::find(acknowledged, actor) != acknowledged.end())
      continue;
    all.push_back({death_request(actor), actor});
  }
  if (communicator.size() > 1 && plan_.may_revoke)
    all.push_back({revocation_request(communicator), std::nullopt, &communicator});
  return all;
}

void Failures::take(const Notice& notice) {
  const ActorId self = current_actor();
  if (notice.dead) {
    learn_dead(*notice.dead);
    death_requests_[*notice.dead] = post(known_death_context(*notice.dead), self, death_tag);
    return send_notice(known_death_context(*notice.dead), self, death_tag);
  }
  revoked_.insert(notice.revoked->context());
  revocation_requests_.erase(notice.revoked->context());
  send_notice(revocation_context(*notice.revoked), self, revocation_tag);
}

bool Failures::concerns(const Notice& notice, const Watch& watch) const {
  if (!notice.dead) return notice.revoked->context() == watch.communicator.context();
  if (watch.who == Watch::Who::peer) return watch.peer == *notice.dead;
  if (watch.communicator.rank_of(*notice.dead) == MPI_UNDEFINED) return false;
  if (watch.who == Watch::Who::everybody) return true;
  const std::vector<ActorId> acknowledged = acknowledged_in(watch.communicator);
  return std::ranges::find(acknowledged, *notice.dead) == acknowledged.end();
}

Failures::Waited Failures::wait(RequestId request, const Watch& watch) {
  const std::vector<Notice> watched = notices(watch);
  std::vector<RequestId> ids{request};
  for (const Notice& notice : watched) ids.push_back(notice.request);
  const Observation& answer = ask(Observe{ids, Quantifier::any, true});
  const std::uint32_t index = answer.completions[0].index;
  if (index == 0) return {&answer, {}};
  take(watched[index - 1]);
  return {nullptr, known(watch)};
}

void Failures::look(const Communicator& communicator) {
  std::vector<Notice> unknown;
  std::vector<RequestId> ids;
  for (const Notice& notice : notices({communicator})) {
    if (notice.dead ? knows_dead(*notice.dead) : is_revoked(communicator)) continue;
    unknown.push_back(notice);
    ids.push_back(notice.request);
  }
  if (ids.empty()) return;
  std::vector<std::uint32_t> heard;
  for (const Completion& completion : ask(Observe{ids, Quantifier::some, false}).completions)
    heard.push_back(completion.index);
  for (const std::uint32_t index : heard) take(unknown[index]);
}

void Failures::revoke(const Communicator& communicator) {
  if (!revoked_.insert(communicator.context()).second) return;
  for (const ActorId member : communicator.members())
    send_notice(revocation_context(communicator), member, revocation_tag);
}

// ---- the own failure

void Failures::tell_agreements(std::uint64_t context, const std::vector<ActorId>& members) const {
  for (const ActorId member : members)
    if (member != current_actor()) send_notice(agreement_context(context), member, agreement_tag);
}

// Messages between two ranks in one context arrive in the order in which they were sent. So in each agreement, either
// all other members get the part of this rank first, or all hear of its failure.
void Failures::die(std::string_view why) {
  report(is_chosen_ ? chosen_failure : process_failure, Severity::note, fmt::format("the process fails {}", why));
  const Communicators& all = communicators();
  tell_agreements(all.world()->context(), all.world()->members());
  all.created().for_each_live([&](MPI_Comm, const CommunicatorRef& communicator, const CreationSite&) {
    tell_agreements(communicator->context(), communicator->members());
  });
  tell_agreements(expected_.first, expected_.second);
  for (std::uint32_t rank = 0; rank < actor_count(); ++rank)
    if (rank != current_actor().value) send_notice(death_context, {rank}, death_tag);
  ask(End{});
  internal_error(__FILE__, __LINE__, "ask(End)", "a rank was resumed after its failure");
}

}  // namespace rehearse::smpi
