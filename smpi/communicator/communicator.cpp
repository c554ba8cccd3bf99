// SPDX-License-Identifier: MIT
//
// See communicator.hpp.
#include "smpi/communicator/communicator.hpp"

#include <algorithm>
#include <utility>

#include "simcore/actor.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/environment/error_handlers.hpp"
#include "smpi/per_rank.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::uint64_t world_context = 2;
constexpr std::uint64_t self_context_root = 4;

// Finalizer of splitmix64: spreads every bit of x over the result.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

std::vector<ActorId> all_actors() {
  std::vector<ActorId> actors(actor_count());
  for (std::uint32_t i = 0; i < actors.size(); ++i) actors[i] = ActorId{i};
  return actors;
}

bool is_identity(const std::vector<ActorId>& members) {
  for (std::uint32_t i = 0; i < members.size(); ++i)
    if (members[i].value != i) return false;
  return true;
}

}  // namespace

RankMap::RankMap(std::vector<ActorId> actors) : actors_(std::move(actors)) {
  if (is_identity(actors_)) return;
  for (std::size_t r = 0; r < actors_.size(); ++r)
    ranks_.emplace_back(actors_[r], static_cast<int>(r));
  std::sort(ranks_.begin(), ranks_.end());
}

int RankMap::rank_of(ActorId actor) const {
  if (ranks_.empty())
    return actor.value < actors_.size() ? static_cast<int>(actor.value) : MPI_UNDEFINED;
  const auto found = std::lower_bound(ranks_.begin(), ranks_.end(), std::pair(actor, 0));
  return found != ranks_.end() && found->first == actor ? found->second : MPI_UNDEFINED;
}

Communicator::Communicator(std::uint64_t context, std::vector<ActorId> members, std::string origin,
                           std::vector<ActorId> remote)
    : SharedObject(Lifetime::counted),
      context_(context),
      local_(std::move(members)),
      remote_(std::move(remote)),
      origin_(std::move(origin)) {
  rank_ = rank_of(current_actor());
  if (!is_inter()) return;
  const bool local_first = this->members()[0] < remote_members()[0];
  meeting_ = local_first ? this->members() : remote_members();
  first_peer_ = local_first ? meeting_.size() : 0;
  const std::vector<ActorId>& others = local_first ? remote_members() : this->members();
  meeting_.insert(meeting_.end(), others.begin(), others.end());
}

std::string Communicator::description() const {
  if (!name.empty()) return name;
  return "comm#" + std::to_string(number) + " (" + origin_ + ")";
}

Communicators::Communicators() {
  const ActorId me = current_actor();
  world_ = CommunicatorRef(new Communicator(world_context, all_actors(), ""));
  world_->handle = MPI_COMM_WORLD;
  world_->name = "MPI_COMM_WORLD";
  const std::uint64_t own = derive_context(self_context_root, me.value, 0);
  self_ = CommunicatorRef(new Communicator(own, std::vector{me}, ""));
  self_->handle = MPI_COMM_SELF;
  self_->name = "MPI_COMM_SELF";
}

const CommunicatorRef* Communicators::find(MPI_Comm handle) const {
  if (handle == MPI_COMM_WORLD) return &world_;
  if (handle == MPI_COMM_SELF) return &self_;
  return created_.find(handle);
}

MPI_Comm Communicators::add(CommunicatorRef communicator, const Communicator& parent) {
  Communicator& added = *communicator;
  added.number = ++count_;
  added.error_handler = parent.error_handler;
  added.session = parent.session;
  per_rank<ErrorHandlers>().take_for_communicator(added.error_handler);
  added.handle = created_.insert(std::move(communicator), creation_site());
  return added.handle;
}

void Communicators::remove(MPI_Comm handle) {
  const CommunicatorRef communicator = created_.erase(handle);
  per_rank<ErrorHandlers>().release_by_communicator(communicator->error_handler);
  communicator->error_handler = MPI_ERRORS_ARE_FATAL;
}

Communicators& communicators() { return per_rank<Communicators>(); }

Communicator* find_communicator(MPI_Comm handle) {
  const CommunicatorRef* found = communicators().find(handle);
  return found == nullptr ? nullptr : found->get();
}

std::uint64_t derive_context(std::uint64_t parent, std::uint64_t child, std::uint64_t part) {
  const std::uint64_t mixed = mix(mix(mix(parent) ^ child) ^ part);
  return mixed & ~std::uint64_t{1};
}

}  // namespace rehearse::smpi
