// SPDX-License-Identifier: MIT
//
// See communicator.hpp.
#include "smpi/communicator/communicator.hpp"

#include <algorithm>
#include <utility>

#include "simcore/actor.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/random.hpp"
#include "smpi/communicator/parent.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/environment/error_handlers.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/heap.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::uint64_t world_context = 2;
constexpr std::uint64_t self_context_root = 4;

// The members of both groups of an intercommunicator. The group whose first actor is smaller comes first.
std::vector<ActorId> both_sides(const RankMap& first, const RankMap& second) {
  std::vector<ActorId> all = first.actors();
  all.insert(all.end(), second.actors().begin(), second.actors().end());
  return all;
}

RankMap unite(const RankMap& local, const RankMap& remote) {
  if (remote.size() == 0) return local;
  const bool local_first = local.actor_of(0) < remote.actor_of(0);
  return local_first ? both_sides(local, remote) : both_sides(remote, local);
}

}  // namespace

RankMap::RankMap(std::span<const ActorId> actors) : list_(nullptr) {
  const HostAllocation host;  // the table does not belong to the rank
  list_ = &actor_lists().share(actors);
}

RankMap RankMap::first(std::uint32_t count) {
  const HostAllocation host;
  return RankMap(actor_lists().first(count));
}

int RankMap::rank_of(ActorId actor) const {
  if (list_->places.empty()) return actor.value < list_->actors.size() ? static_cast<int>(actor.value) : MPI_UNDEFINED;
  const auto found = std::lower_bound(list_->places.begin(), list_->places.end(), std::pair(actor, std::uint32_t{0}));
  return found != list_->places.end() && found->first == actor ? static_cast<int>(found->second) : MPI_UNDEFINED;
}

Communicator::Communicator(std::uint64_t context, RankMap members, std::string origin, RankMap remote)
    : SharedObject(Lifetime::counted),
      context_(context),
      local_(members),
      remote_(remote),
      all_members_(unite(members, remote)),
      origin_(std::move(origin)) {
  rank_ = rank_of(current_actor());
  if (is_inter() && all_members_.actor_of(0) == local_.actor_of(0)) first_peer_ = this->members().size();
}

std::string Communicator::description() const {
  return name.empty() ? fmt::format("{} ({})", short_description(), origin_) : name;
}

std::string Communicator::short_description() const { return name.empty() ? fmt::format("comm#{}", number) : name; }

Communicators::Communicators() {
  const ActorId me = current_actor();
  world_ =
      CommunicatorRef(new Communicator(is_started() ? own_birth().world_context : world_context, world_members(), ""));
  world_->handle = MPI_COMM_WORLD;
  world_->name = "MPI_COMM_WORLD";
  const std::uint64_t own = derive_context(self_context_root, me.value, 0);
  self_ = CommunicatorRef(new Communicator(own, std::span(&me, 1), ""));
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
  const auto mix = [](std::uint64_t x) { return SplitMix(x).next(); };
  const std::uint64_t mixed = mix(mix(mix(parent) ^ child) ^ part);
  return mixed & ~std::uint64_t{1};
}

}  // namespace rehearse::smpi
