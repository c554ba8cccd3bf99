// SPDX-License-Identifier: MIT
//
// See births.hpp.
#include "smpi/process/births.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "simcore/actor.hpp"
#include "simcore/birth.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"
#include "smpi/error.hpp"
#include "smpi/library.hpp"
#include "smpi/process/heap.hpp"
#include "smpi/process/rank_state.hpp"

namespace rehearse::smpi {
namespace {

// An answer that the rank keeps: made in the memory of the host, returned in the rank's.
struct Started {
  std::uint32_t first = 0;
  char error[512] = "";
  char unsupported[16384] = "";
};

void keep_text(const std::string& text, std::span<char> to) {
  const std::size_t bytes = std::min(text.size(), to.size() - 1);
  std::memcpy(to.data(), text.data(), bytes);
  to[bytes] = '\0';
}

// argv[0] may be another name of the same file: a replay starts programs by absolute paths.
bool is_same_command(const SpawnCommand& one, const SpawnCommand& other) {
  const auto names_file = [](const SpawnCommand& command) {
    return !command.argv.empty() && command.argv.front().find('/') != std::string::npos;
  };
  SpawnCommand renamed = other;
  if (names_file(one) && names_file(other)) renamed.argv.front() = one.argv.front();
  return one == renamed;
}

// The number of the known group, or none.
std::size_t find_known(const std::vector<SpawnedGroup>& known, const SpawnedGroup& group) {
  const auto is_same = [&](const SpawnedGroup& other) {
    return other.parent == group.parent && other.number == group.number &&
           std::ranges::equal(other.commands, group.commands, is_same_command);
  };
  return static_cast<std::size_t>(std::ranges::find_if(known, is_same) - known.begin());
}

void look_up(const RankWorld& world, const SpawnedGroup& group, Started& started) {
  const LaunchSpec& spec = world.spec;
  const std::size_t number = find_known(spec.starts.groups, group);
  started.first = spec.ranks;
  for (std::size_t i = 0; i < number; ++i)
    started.first += i < spec.starts.groups.size() ? spec.starts.groups[i].ranks() : 0;
  if (number < spec.starts.groups.size()) return;
  for (const SpawnCommand& command : group.commands) {  // as a run, which cannot start it
    LaunchSpec other = spec;
    other.path = command.path;
    if (const auto images = open_images(other, 0); !images) return keep_text(images.error().text, started.error);
  }
  if (started.first + group.ranks() > spec.starts.most_ranks)
    keep_text(fmt::format("MPI_Comm_spawn beyond {} ranks in all (--max-ranks)", spec.starts.most_ranks),
              started.unsupported);
  else keep_text(std::string(unknown_group) + to_text(group), started.unsupported);
}

void start(RankWorld& world, const SpawnedGroup& group, Started& started) {
  const LaunchSpec& spec = world.spec;
  if (spec.starts.knows_groups) return look_up(world, group, started);
  if (world.starter == nullptr) return keep_text(spec.starts.refusal, started.unsupported);
  if (world.starter->ranks() + group.ranks() > spec.starts.most_ranks)
    return keep_text(fmt::format("MPI_Comm_spawn beyond {} ranks in all (--max-ranks)", spec.starts.most_ranks),
                     started.unsupported);
  const auto first = world.starter->start(group);
  if (first) started.first = first.value();
  else keep_text(first.error().text, started.error);
}

bool is_file(const std::string& path) {
  struct stat status;
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

std::string in_folder(const std::string& folder, const std::string& name) {
  return folder.empty() || name.starts_with('/') ? name : folder + "/" + name;
}

// The first file of this name in folders with colons between them; empty: none.
std::string search(const std::string& name, const std::string& folders) {
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const std::string candidate = folders.substr(begin, end - begin) + "/" + name;
    if (end > begin && is_file(candidate) && access(candidate.c_str(), X_OK) == 0) return candidate;
    begin = end + 1;
  }
  return {};
}

}  // namespace

Result<std::uint32_t> start_ranks(const SpawnedGroup& group) {
  RankState& rank = this_rank();
  Started started;
  {
    const HostAllocation host;
    start(*rank.world, group, started);
  }
  if (started.unsupported[0] != '\0') unsupported(started.unsupported);
  if (started.error[0] != '\0') return Error{started.error};
  rank.started.push_back(started.first);
  return started.first;
}

Result<std::string> find_command(const std::string& name, const std::string& folder, const std::string& path) {
  if (name.empty()) return Error{"the command is empty"};
  std::string found;
  if (name.find('/') != std::string::npos) {
    found = in_folder(folder, name);
    if (!is_file(found)) return Error{found + ": no such file"};
    return found;
  }
  found = search(name, path);
  if (found.empty() && is_file(in_folder(folder, name))) found = folder.empty() ? "./" + name : in_folder(folder, name);
  const char* of_rank = nullptr;
  for (char** variable = this_rank().variable<char**>(Variable::environment); *variable != nullptr; ++variable)
    if (std::strncmp(*variable, "PATH=", 5) == 0) of_rank = *variable + 5;
  if (found.empty() && of_rank != nullptr) found = search(name, of_rank);
  if (found.empty()) return Error{name + ": no such command in the working folder or in PATH"};
  return found;
}

bool is_host(const std::string& name) {
  const std::vector<std::string>& hosts = this_rank().world->spec.starts.hosts;
  return name.empty() || hosts.empty() || std::ranges::find(hosts, name) != hosts.end();
}

bool is_universe_known() {
  const RankState* rank = running_rank();
  if (rank == nullptr) return true;
  const LaunchSpec& spec = rank->world->spec;
  return !(spec.starts.knows_groups || spec.starts.starts_groups) || spec.starts.universe_size > spec.ranks;
}

std::uint32_t universe_size() {
  const RankState* rank = running_rank();
  return rank == nullptr ? first_ranks() : std::max(rank->world->spec.starts.universe_size, first_ranks());
}

std::span<const std::byte> birth_message() {
  const RankState* rank = running_rank();
  if (rank == nullptr || rank->birth == nullptr) return {};
  return {rank->birth, rank->birth_bytes};
}

std::uint32_t first_ranks() {
  const RankState* rank = running_rank();
  return rank == nullptr ? actor_count() : rank->world->spec.ranks;
}

ActorId name_server() {
  const RankState* rank = running_rank();
  if (rank == nullptr || !rank->world->name_server)
    unsupported("a service name in a program that was not loaded for it");
  return *rank->world->name_server;
}

void send_birth(ActorId to, std::span<const std::byte> message, std::uint32_t request) {
  Send send;
  send.request = {request};
  send.context = birth_context;
  send.destination = to;
  send.mode = SendMode::buffered;
  send.blocking = true;
  send.data = message;
  ask(send);
}

void give_up_births(const RankState& rank) {
  const LaunchSpec& spec = rank.world->spec;
  if (!spec.starts.knows_groups) return;
  std::uint32_t first = spec.ranks;
  for (const SpawnedGroup& group : spec.starts.groups) {
    const std::uint32_t next = first + group.ranks();
    const bool is_mine = group.parent == rank.context.identity.id;
    if (is_mine && std::ranges::find(rank.started, first) == rank.started.end())
      for (std::uint32_t child = first; child < next; ++child) send_birth({child}, {}, library().start_request().value);
    first = next;
  }
}

void await_birth(RankState& rank) {
  Post post = birth_receive(rank.world->parent);
  post.request = {0};
  const Observation& answer = ask(post);
  const std::span<const std::byte> message = answer.completions.front().data;
  if (message.empty()) {
    give_up_births(rank);
    ask(End{});
    internal_error(__FILE__, __LINE__, "End", "an actor continued after its last operation");
  }
  auto* copy = static_cast<std::byte*>(std::malloc(message.size()));
  std::memcpy(copy, message.data(), message.size());
  rank.birth = copy;
  rank.birth_bytes = message.size();
}

}  // namespace rehearse::smpi
