// SPDX-License-Identifier: MIT
//
// Splits communicators by colors, and by the resources that ranks share.
//
// Source: MPI 5.0, 7.4.2 (the types and their info keys).
#include <strings.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simcore/actor.hpp"
#include "simcore/support/format.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/collective/collective.hpp"
#include "smpi/collective/disagreement.hpp"
#include "smpi/communicator/create.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/info/info.hpp"
#include "smpi/process.hpp"
#include "smpi/process/heap.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::string_view shared_memory = "mpi_shared_memory";

struct ColorAndKey {
  int color = MPI_UNDEFINED;
  int key = 0;
};

ColorAndKey color_and_key_in(std::span<const std::byte> bytes) {
  ColorAndKey what;
  std::memcpy(&what, bytes.data(), std::min(bytes.size(), sizeof what));
  return what;
}

// The members of a color, by key, then by rank; `all` are the contributions of `group`. The contributions of all
// members are never stored in a rank's memory.
RankMap members_of_color(const std::vector<ActorId>& group, std::span<const Contributions::Data> all, int color) {
  const HostAllocation host;
  std::vector<std::pair<int, std::size_t>> chosen;  // (key, rank)
  for (std::size_t rank = 0; rank < group.size(); ++rank)
    if (const ColorAndKey what = color_and_key_in(all[rank]); what.color == color) chosen.emplace_back(what.key, rank);
  std::sort(chosen.begin(), chosen.end());
  std::vector<ActorId> members;
  members.reserve(chosen.size());
  for (const auto& [key, rank] : chosen) members.push_back(group[rank]);
  return members;
}

// The members of a color in both groups.
struct OfColor {
  RankMap members = RankMap::none();
  RankMap remote = RankMap::none();
};

OfColor groups_of_color(const Communicator& parent, std::span<const Contributions::Data> all, int color) {
  const auto peers = static_cast<std::size_t>(parent.peers());
  const std::size_t first_own = parent.is_inter() && parent.first_peer() == 0 ? peers : 0;
  OfColor found;
  found.members = members_of_color(parent.members(), all.subspan(first_own), color);
  if (parent.is_inter())
    found.remote = members_of_color(parent.remote_members(), all.subspan(parent.first_peer()), color);
  return found;
}

std::string_view name_of_type(int type) {
  switch (type) {
    case MPI_COMM_TYPE_SHARED: return "MPI_COMM_TYPE_SHARED";
    case MPI_COMM_TYPE_HW_GUIDED: return "MPI_COMM_TYPE_HW_GUIDED";
    case MPI_COMM_TYPE_HW_UNGUIDED: return "MPI_COMM_TYPE_HW_UNGUIDED";
    default: return "MPI_COMM_TYPE_RESOURCE_GUIDED";
  }
}

// Each member sends its type, or MPI_UNDEFINED. The first member with a type compares it with the others.
Disagreement compare_types(const Communicator& parent, std::span<const Remark> remarks) {
  const auto type_of = [&](std::size_t rank) {
    const std::vector<int> numbers = numbers_of<int>(remarks[rank]);
    return numbers.empty() ? MPI_UNDEFINED : numbers[0];
  };
  if (remarks.empty()) return {};
  const auto me = static_cast<std::size_t>(parent.rank());
  const int mine = type_of(me);
  if (mine == MPI_UNDEFINED) return {};
  for (std::size_t rank = 0; rank < remarks.size(); ++rank) {
    const int type = type_of(rank);
    if (type == MPI_UNDEFINED) continue;
    if (rank < me) return {};
    if (type == mine) continue;
    return {"collective.argument",
            fmt::format("rank {} splits by {}, and rank {} by {}", me, name_of_type(mine), rank, name_of_type(type)),
            parent.actor_of(static_cast<int>(rank)), site_of(remarks[rank].origin)};
  }
  return {};
}

// `type`: the type of a split by type, which must be equal on all members that do not pass MPI_UNDEFINED; null: a split
// by color.
int split(MPI_Comm comm, const char* name, ColorAndKey mine, MPI_Comm* newcomm, const int* type = nullptr) {
  Arguments check(comm);
  check.pointer(newcomm, "newcomm");
  if (mine.color < 0 && mine.color != MPI_UNDEFINED)
    check.require(false, MPI_ERR_ARG,
                  fmt::format("the color is {}; it must not be negative, unless it is MPI_UNDEFINED", mine.color));
  if (check.failed()) return check.error();
  const CommunicatorRef parent = check.communicator();
  const std::uint64_t child = parent->next_child();
  OfColor found;
  Contribution contribution;
  contribution.data = std::as_bytes(std::span(&mine, 1));
  if (type != nullptr) contribution.remark = std::as_bytes(std::span(type, 1));
  Disagreement disagreement;
  const int error = run_collective(parent, {name}, contribution, {[&](Contributions from) {
                                     if (type != nullptr) disagreement = compare_types(*parent, from.remarks());
                                     if (mine.color != MPI_UNDEFINED)
                                       found = groups_of_color(*parent, from.all(), mine.color);
                                     return Trouble{};
                                   }});
  if (error != MPI_SUCCESS) return error;
  report_disagreement(disagreement);
  *newcomm = MPI_COMM_NULL;
  if (mine.color == MPI_UNDEFINED || (parent->is_inter() && found.remote.size() == 0)) return MPI_SUCCESS;
  const std::uint64_t context = derive_context(parent->context(), child, static_cast<std::uint64_t>(mine.color) + 1);
  const std::string origin = fmt::format("split of {}, color {}", parent->description(), mine.color);
  *newcomm = communicators().add(make_communicator(context, found.members, origin, found.remote), *parent);
  return MPI_SUCCESS;
}

// The result of a split by type for the caller: a color, and the resource type in the new communicator's hints.
struct Resource {
  int color = MPI_UNDEFINED;
  std::string_view type;
};

bool spans_nodes(const Communicator& parent) {
  const NodeMap& nodes = node_map();
  const std::uint32_t mine = nodes.node_of(current_actor().value);
  for (int rank = 0; rank < parent.size(); ++rank)
    if (nodes.node_of(parent.actor_of(rank).value) != mine) return true;
  return false;
}

// Ranks of one node share its memory. No smaller resources within a node are known.
Resource resource_of(const Communicator& parent, int type, const Hints& hints) {
  const Resource node{static_cast<int>(node_map().node_of(current_actor().value)), shared_memory};
  if (type == MPI_COMM_TYPE_SHARED) return node;
  if (type == MPI_COMM_TYPE_HW_UNGUIDED) return spans_nodes(parent) ? node : Resource{};
  if (type == MPI_UNDEFINED) return {};
  const std::string* wanted = find_hint(hints, "mpi_hw_resource_type");
  if (wanted != nullptr && *wanted == shared_memory) return node;
  if (type != MPI_COMM_TYPE_RESOURCE_GUIDED) return {};
  const std::string* set = find_hint(hints, "mpi_pset_name");
  if (set != nullptr && strcasecmp(set->c_str(), "mpi://WORLD") == 0) return {0, {}};
  if (set != nullptr && strcasecmp(set->c_str(), "mpi://SELF") == 0) return {parent.rank(), {}};
  return {};
}

int split_by_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* newcomm) {
  Arguments check = intracommunicator_arguments(comm);
  check.require(type == MPI_COMM_TYPE_SHARED || type == MPI_COMM_TYPE_HW_GUIDED || type == MPI_COMM_TYPE_HW_UNGUIDED ||
                    type == MPI_COMM_TYPE_RESOURCE_GUIDED || type == MPI_UNDEFINED,
                MPI_ERR_ARG, "split_type is none of MPI_COMM_TYPE_* and not MPI_UNDEFINED");
  const Hints* hints = find_hints(info);
  check.require(hints != nullptr, MPI_ERR_INFO, "the info object was freed or never existed");
  if (check.failed()) return check.error();
  const Resource resource = resource_of(*check.communicator(), type, *hints);
  const int error = split(comm, "MPI_Comm_split_type", {resource.color, key}, newcomm, &type);
  if (error != MPI_SUCCESS || *newcomm == MPI_COMM_NULL) return error;
  if (type == MPI_COMM_TYPE_HW_UNGUIDED) {
    const Hints found{{"mpi_hw_resource_type", std::string(resource.type)}};
    find_communicator(*newcomm)->hints = found;
    // MPI 4.0 returns the type in the caller's info object, later versions in the communicator's hints.
    if (Hints* passed = infos().find(info)) {
      std::erase_if(*passed, [&](const auto& hint) { return hint.first == found.front().first; });
      passed->push_back(found.front());
    }
  }
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* newcomm) {
  return split(comm, "MPI_Comm_split", {color, key}, newcomm);
}

int Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
  return split_by_type(comm, split_type, key, info, newcomm);
}

}  // namespace rehearse::smpi::calls
