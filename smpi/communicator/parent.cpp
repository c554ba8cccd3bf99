// SPDX-License-Identifier: MIT
//
// See parent.hpp.
#include "smpi/communicator/parent.hpp"

#include <cstring>
#include <utility>

#include "simcore/actor.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/collective/collective.hpp"
#include "smpi/communicator/create.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/births.hpp"
#include "smpi/process/heap.hpp"

namespace rehearse::smpi {
namespace {

// The intercommunicator with the parents. It gets its handle when the program first asks for it, so a program that does
// not ask need not free it.
struct Parents {
  CommunicatorRef communicator;
  MPI_Comm handle = MPI_COMM_NULL;
  bool is_known = false;  // the program has asked for it
  bool has_met = false;
};

Parents& parents() {
  auto& known = per_rank<Parents>();
  if (known.communicator || !is_started()) return known;
  const Birth birth = own_birth();
  known.communicator =
      make_communicator(birth.parent_context, communicators().world()->local_map(), "the parents", birth.parents);
  known.communicator->name = "MPI_COMM_PARENT";
  return known;
}

}  // namespace

std::vector<std::uint64_t> to_words(const Birth& birth) {
  std::vector<std::uint64_t> words = {birth.world_context, birth.parent_context, birth.first, birth.count};
  for (const ActorId parent : birth.parents) words.push_back(parent.value);
  return words;
}

bool is_started() { return !birth_message().empty(); }

Birth own_birth() {
  const std::span<const std::byte> message = birth_message();
  std::vector<std::uint64_t> words(message.size() / sizeof(std::uint64_t));
  std::memcpy(words.data(), message.data(), message.size());
  Birth birth{words[0], words[1], static_cast<std::uint32_t>(words[2]), static_cast<std::uint32_t>(words[3]), {}};
  for (std::size_t i = 4; i < words.size(); ++i) birth.parents.push_back({static_cast<std::uint32_t>(words[i])});
  return birth;
}

RankMap world_members() {
  if (!is_started()) return RankMap::first(first_ranks());
  const Birth birth = own_birth();
  std::vector<ActorId> members;
  for (std::uint32_t i = 0; i < birth.count; ++i) members.push_back({birth.first + i});
  return members;
}

void meet_parents() {
  if (!is_started() || std::exchange(parents().has_met, true)) return;
  Contribution nothing;
  nothing.flow = Flow::optional;
  run_collective(parents().communicator, {"MPI_Comm_spawn"}, nothing, {nothing_to_do});
}

}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Comm_get_parent(MPI_Comm* parent) {
  Arguments check;
  check.pointer(parent, "parent");
  if (check.failed()) return check.error();
  Parents& known = parents();
  if (known.communicator && !known.is_known) {
    known.is_known = true;
    known.handle = communicators().add(known.communicator, *communicators().world());
  }
  *parent = find_communicator(known.handle) == nullptr ? MPI_COMM_NULL : known.handle;
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi::calls
