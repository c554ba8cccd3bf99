// SPDX-License-Identifier: MIT
//
// The ranks that one call of MPI_Comm_spawn or MPI_Comm_spawn_multiple starts.
//
// Text:   a group as one word of text, so that explorations can report and files can keep it: the parent's rank, the
//         number of the call among those of this rank, and for each command its ranks, folder, host, path and
//         arguments. Bytes other than letters, digits and ./_-+=: are written as %XX.
// Source: MPI 5.0, 11.8.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/ids.hpp"

namespace rehearse::smpi {

struct SpawnCommand {
  std::uint32_t ranks = 0;
  std::string path;               // of the executable, as load_program() takes it
  std::vector<std::string> argv;  // argv[0] included
  std::string folder;             // working folder; empty: that of this process
  std::string host;               // by name; empty: the next ones of the platform
  bool operator==(const SpawnCommand&) const = default;
};

struct SpawnedGroup {
  ActorId parent;            // the root of the call
  std::uint32_t number = 0;  // of its earlier calls as a root
  std::vector<SpawnCommand> commands;
  bool operator==(const SpawnedGroup&) const = default;

  std::uint32_t ranks() const {
    std::uint32_t sum = 0;
    for (const SpawnCommand& command : commands) sum += command.ranks;
    return sum;
  }
};

// A rank that starts a group which the driver does not know fails with this text and the group (see LaunchSpec).
inline constexpr std::string_view unknown_group = "the start of the processes ";

// How the ranks of a program may start others. These follow the first ones, group by group. With knows_groups, all
// groups are given: a rank that would start another one fails as unsupported, with unknown_group and the group as text.
// Without it, ranks start any group if starts_groups; else they fail as unsupported, with the text `refusal`.
struct StartSettings {
  std::vector<SpawnedGroup> groups = {};
  bool knows_groups = false;
  bool starts_groups = false;
  std::string refusal = "MPI_Comm_spawn";
  std::uint32_t most_ranks = 1024;      // that may exist
  std::uint32_t universe_size = 0;      // MPI_UNIVERSE_SIZE, if it is more than the first ranks
  std::vector<std::string> hosts = {};  // on which ranks may be started by name; empty: on any
};

std::string to_text(const SpawnedGroup& group);
std::optional<SpawnedGroup> parse_spawned_group(std::string_view text);

// Adds the ranks of the groups, in their order.
std::uint32_t ranks_of(const std::vector<SpawnedGroup>& groups);

}  // namespace rehearse::smpi
