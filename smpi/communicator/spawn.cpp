// SPDX-License-Identifier: MIT
//
// MPI_Comm_spawn and MPI_Comm_spawn_multiple.
//
// Method: the root starts the ranks (smpi/process/births.hpp) and tells the others the first one. All parents know the
//         context of the new intercommunicator, as of any communicator that is made from theirs. The root sends each
//         new rank its birth message, which contains it. Then parents and children meet: MPI permits that the call, and
//         MPI_Init in the children, wait for each other.
// Order:  a group is known by its parent and the number of the parent's call, so it gets the same ranks in all
//         executions that are explored.
// Source: MPI 5.0, 11.8.2 to 11.8.4.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "simcore/actor.hpp"
#include "simcore/support/format.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/collective/collective.hpp"
#include "smpi/communicator/create.hpp"
#include "smpi/communicator/parent.hpp"
#include "smpi/communicator/soft_count.hpp"
#include "smpi/error.hpp"
#include "smpi/info/info.hpp"
#include "smpi/library.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/births.hpp"
#include "smpi/process/rank_state.hpp"

namespace rehearse::smpi {
namespace {

// The calls of this rank as a root that have started a group, or tried to.
struct SpawnCalls {
  std::uint32_t count = 0;
};

// The arguments about one command, which are significant only at the root.
struct CommandArguments {
  const char* command = nullptr;
  char** argv = nullptr;
  int maxprocs = 0;
  MPI_Info info = MPI_INFO_NULL;
};

// The folder in which new ranks run; empty: that of this process. The error is the reason why there is none.
Result<std::string> folder_of(const std::string* wanted) {
  const std::string& own = this_rank().world->folder;
  if (wanted == nullptr || wanted->empty()) return std::string(own);
  std::string folder = *wanted;
  char current[PATH_MAX];
  if (!folder.starts_with('/') && getcwd(current, sizeof current) != nullptr)
    folder = std::string(current) + "/" + folder;
  struct stat status;
  if (::stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
    return Error{folder + ": no such folder (wdir)"};
  return folder;
}

// The root's result, as all members of the communicator get it. `text` is of an error.
struct Outcome {
  std::uint64_t error = MPI_SUCCESS;
  std::uint64_t first = 0, count = 0;
  std::uint64_t wanted = 0;  // error codes that the call sets
  std::string text = {};
};

Outcome failed(int error, std::string text, std::uint64_t wanted) {
  return {static_cast<std::uint64_t>(error), 0, 0, wanted, std::move(text)};
}

// The ranks of one command. The error is the reason why it cannot be started.
Result<SpawnCommand> command_of(const CommandArguments& arguments, const Hints& hints) {
  SpawnCommand command;
  auto folder = folder_of(find_hint(hints, "wdir"));
  if (!folder) return folder.error();
  command.folder = folder.value();
  if (const std::string* host = find_hint(hints, "host")) command.host = *host;
  if (!is_host(command.host)) return Error{command.host + ": the platform has no such host (host)"};
  const std::string* path = find_hint(hints, "path");
  auto found = find_command(arguments.command, command.folder, path == nullptr ? "" : *path);
  if (!found) return found.error();
  char canonical[PATH_MAX];
  command.path = ::realpath(found.value().c_str(), canonical) == nullptr ? found.value() : std::string(canonical);
  command.argv = {arguments.command};
  for (char** word = arguments.argv; word != nullptr && *word != nullptr; ++word) command.argv.emplace_back(*word);
  const auto wanted = static_cast<std::uint32_t>(arguments.maxprocs);
  const std::string* soft = find_hint(hints, "soft");
  command.ranks = soft == nullptr ? wanted : largest_soft_count(*soft, wanted);
  return command;
}

Outcome start_groups(const std::vector<CommandArguments>& all) {
  SpawnedGroup group;
  std::uint64_t wanted = 0;
  for (const CommandArguments& each : all) wanted += static_cast<std::uint64_t>(std::max(each.maxprocs, 0));
  for (const CommandArguments& each : all) {
    if (each.command == nullptr) return failed(MPI_ERR_ARG, "command is a null pointer", wanted);
    if (each.maxprocs < 0) return failed(MPI_ERR_ARG, fmt::format("maxprocs is {}", each.maxprocs), wanted);
    const Hints* hints = find_hints(each.info);
    if (hints == nullptr) return failed(MPI_ERR_INFO, "the info object was freed or never existed", wanted);
    auto command = command_of(each, *hints);
    if (!command) return failed(MPI_ERR_SPAWN, command.error().text, wanted);
    if (command.value().ranks > 0) group.commands.push_back(std::move(command.value()));
  }
  if (group.commands.empty()) return failed(MPI_ERR_SPAWN, "no process is to be started", wanted);
  group.parent = current_actor();
  group.number = per_rank<SpawnCalls>().count++;
  const auto first = start_ranks(group);
  if (!first) return failed(MPI_ERR_SPAWN, first.error().text, wanted);
  return {MPI_SUCCESS, first.value(), group.ranks(), wanted, {}};
}

std::vector<std::byte> bytes_of(const Outcome& outcome) {
  const std::uint64_t words[] = {outcome.error, outcome.first, outcome.count, outcome.wanted};
  std::vector<std::byte> bytes(sizeof words + outcome.text.size());
  std::memcpy(bytes.data(), words, sizeof words);
  std::memcpy(bytes.data() + sizeof words, outcome.text.data(), outcome.text.size());
  return bytes;
}

Outcome outcome_in(std::span<const std::byte> bytes) {
  std::uint64_t words[4] = {};
  if (bytes.size() < sizeof words) return {};
  std::memcpy(words, bytes.data(), sizeof words);
  const auto* text = reinterpret_cast<const char*>(bytes.data()) + sizeof words;
  return {words[0], words[1], words[2], words[3], std::string(text, bytes.size() - sizeof words)};
}

// All members learn the root's result.
int share(const CommunicatorRef& parents, const char* call, int root, Outcome& outcome) {
  const bool is_root = parents->rank() == root;
  const std::vector<std::byte> bytes = is_root ? bytes_of(outcome) : std::vector<std::byte>();
  Contribution contribution;
  contribution.flow = Flow::root_to_all;
  contribution.root = static_cast<std::uint32_t>(root);
  contribution.data = bytes;
  return run_collective(parents, {call}, contribution, {[&](Contributions from) {
                          if (!is_root) outcome = outcome_in(from[static_cast<std::size_t>(root)]);
                          return Trouble{};
                        }});
}

void set_codes(int* codes, const Outcome& outcome) {
  if (codes == MPI_ERRCODES_IGNORE) return;
  for (std::uint64_t i = 0; i < outcome.wanted; ++i)
    codes[i] = outcome.error == MPI_SUCCESS && i < outcome.count ? MPI_SUCCESS : MPI_ERR_SPAWN;
}

struct SpawnCall {
  const char* name;
  int root;
  MPI_Comm comm;
  MPI_Comm* intercomm;
  int* codes;
};

int spawn(const SpawnCall& call, const std::vector<CommandArguments>& commands) {
  Arguments check = intracommunicator_arguments(call.comm);
  check.root(call.root).pointer(call.intercomm, "intercomm");
  if (check.failed()) return check.error();
  const CommunicatorRef parents = check.communicator();
  const bool is_root = parents->rank() == call.root;
  Outcome outcome;
  if (is_root) outcome = start_groups(commands);
  const std::uint64_t context = derive_context(parents->context(), parents->next_child(), 5);
  const int error = share(parents, call.name, call.root, outcome);
  if (error != MPI_SUCCESS) return error;
  set_codes(call.codes, outcome);
  *call.intercomm = MPI_COMM_NULL;
  if (outcome.error != MPI_SUCCESS) return error_on(call.comm, static_cast<int>(outcome.error), outcome.text);
  std::vector<ActorId> children;
  for (std::uint64_t i = 0; i < outcome.count; ++i) children.push_back({static_cast<std::uint32_t>(outcome.first + i)});
  if (is_root) {
    const Birth birth{derive_context(context, outcome.first, 6), context, static_cast<std::uint32_t>(outcome.first),
                      static_cast<std::uint32_t>(outcome.count), parents->members()};
    const std::vector<std::uint64_t> words = to_words(birth);
    for (const ActorId child : children)
      send_birth(child, std::as_bytes(std::span(words)), library().start_request().value);
  }
  const CommunicatorRef made = make_communicator(context, parents->local_map(),
                                                 fmt::format("{} on {}", call.name, parents->description()), children);
  *call.intercomm = communicators().add(made, *parents);
  Contribution nothing;
  nothing.flow = Flow::optional;
  return run_collective(made, {"MPI_Comm_spawn"}, nothing, {nothing_to_do});
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Comm_spawn(const char* command, char* argv[], int maxprocs, MPI_Info info, int root, MPI_Comm comm,
               MPI_Comm* intercomm, int array_of_errcodes[]) {
  return spawn({"MPI_Comm_spawn", root, comm, intercomm, array_of_errcodes}, {{command, argv, maxprocs, info}});
}

int Comm_spawn_multiple(int count, char* array_of_commands[], char** array_of_argv[], const int array_of_maxprocs[],
                        const MPI_Info array_of_info[], int root, MPI_Comm comm, MPI_Comm* intercomm,
                        int array_of_errcodes[]) {
  const Communicator* communicator = find_communicator(comm);
  std::vector<CommandArguments> commands;
  if (communicator != nullptr && communicator->rank() == root && array_of_commands != nullptr)
    for (int i = 0; i < count; ++i)
      commands.push_back({array_of_commands[i], array_of_argv == MPI_ARGVS_NULL ? MPI_ARGV_NULL : array_of_argv[i],
                          array_of_maxprocs[i], array_of_info == nullptr ? MPI_INFO_NULL : array_of_info[i]});
  return spawn({"MPI_Comm_spawn_multiple", root, comm, intercomm, array_of_errcodes}, commands);
}

}  // namespace rehearse::smpi::calls
