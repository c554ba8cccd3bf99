// SPDX-License-Identifier: MIT
//
// Sessions: MPI without MPI_Init. There are two named sets of processes: all processes, and the calling process.
//
// Source:    MPI 5.0, 11.3.
#include <strings.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>

#include "simcore/actor.hpp"
#include "simcore/support/format.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/callbacks.hpp"
#include "smpi/communicator/parent.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/driver_services.hpp"
#include "smpi/environment/error_handlers.hpp"
#include "smpi/environment/leaks.hpp"
#include "smpi/environment/session.hpp"
#include "smpi/error.hpp"
#include "smpi/group/group.hpp"
#include "smpi/info/info.hpp"
#include "smpi/library.hpp"
#include "smpi/p2p/buffered.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/thread_waits.hpp"
#include "smpi/thread_level.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::array<std::string_view, 2> process_sets{"mpi://WORLD", "mpi://SELF"};

void check_info(Arguments& check, MPI_Info info) {
  check.require(find_hints(info) != nullptr, MPI_ERR_INFO, "the info object was freed or never existed");
}

void check_handler(Arguments& check, MPI_Errhandler handler) {
  const ErrorHandlers& handlers = per_rank<ErrorHandlers>();
  check.require(handlers.is_known(handler), MPI_ERR_ERRHANDLER,
                "the error handler is MPI_ERRHANDLER_NULL, was freed or never existed");
  check.require(is_predefined_handle(handler) || handlers.session_function_of(handler) != nullptr, MPI_ERR_ERRHANDLER,
                "the error handler is not one for sessions");
}

GroupRef group_of_world() {
  std::vector<int> processes;
  for (const ActorId member : communicators().world()->members()) processes.push_back(static_cast<int>(member.value));
  return GroupRef(new Group(processes));
}

// The processes of a named set; upper and lower case are equal. Empty if there is no such set.
GroupRef group_of_set(const char* name) {
  if (strcasecmp(name, process_sets[0].data()) == 0) return group_of_world();
  if (strcasecmp(name, process_sets[1].data()) == 0)
    return GroupRef(new Group(Group::Progression{static_cast<int>(current_actor().value), 1, 1}));
  return {};
}

GroupRef checked_set(Arguments& check, const char* name) {
  check.pointer(name, "pset_name");
  if (check.failed()) return {};
  GroupRef group = group_of_set(name);
  check.require(static_cast<bool>(group), MPI_ERR_ARG, [&] {
    return "there is no set of processes \"" + std::string(name) + "\", only \"mpi://WORLD\" and \"mpi://SELF\"";
  });
  return group;
}

constexpr std::array<std::string_view, 3> thread_levels{"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED",
                                                        "MPI_THREAD_SERIALIZED"};

// Sets the provided thread level, from the requested one; without a request it is MPI_THREAD_SINGLE.
void grant_thread_level(Hints& hints) {
  auto level = std::ranges::find(hints, "thread_level", &Hints::value_type::first);
  if (level == hints.end()) level = hints.insert(level, {"thread_level", "MPI_THREAD_SINGLE"});
  if (level->second == "MPI_THREAD_MULTIPLE") {
    note_thread_level(MPI_THREAD_MULTIPLE, highest_thread_level());
    if (driver_services().threads_wait_apart) return let_threads_wait_apart();
  }
  if (std::ranges::find(thread_levels, level->second) == thread_levels.end()) level->second = thread_levels.back();
}

}  // namespace

SessionTable& sessions() { return per_rank<Sessions>().made; }

}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session* session) {
  Library& mpi = library();
  ++mpi.open_sessions;  // from here on, MPI calls are permitted
  Arguments outer;
  check_handler(outer, errhandler);
  Arguments check = outer.failed() ? outer : Arguments(errhandler);
  check_info(check, info);
  check.pointer(session, "session");
  if (check.failed()) {
    --mpi.open_sessions;
    return check.error();
  }
  per_rank<ErrorHandlers>().take_for_communicator(errhandler);
  Hints hints = *find_hints(info);
  grant_thread_level(hints);
  *session = sessions().insert({errhandler, std::move(hints)}, creation_site());
  meet_parents();
  return MPI_SUCCESS;
}

int Session_finalize(MPI_Session* session) {
  Arguments outer;
  outer.pointer(session, "session");
  if (outer.failed()) return outer.error();
  const Arguments check(*session);
  if (check.failed()) return check.error();
  per_rank<ErrorHandlers>().release_by_communicator(sessions().find(*session)->error_handler);
  sessions().erase(*session);
  forget_buffer(*session);
  *session = MPI_SESSION_NULL;
  Library& mpi = library();
  if (mpi.open_sessions == 1 && mpi.phase != Phase::running) report_leaks();
  --mpi.open_sessions;
  return MPI_SUCCESS;
}

int Session_get_num_psets(MPI_Session session, MPI_Info info, int* npset_names) {
  Arguments check(session);
  check_info(check, info);
  check.pointer(npset_names, "npset_names");
  if (!check.failed()) *npset_names = static_cast<int>(process_sets.size());
  return check.error();
}

int Session_get_nth_pset(MPI_Session session, MPI_Info info, int n, int* pset_len, char* pset_name) {
  Arguments check(session);
  check_info(check, info);
  check.pointer(pset_len, "pset_len");
  check.require(0 <= n && n < static_cast<int>(process_sets.size()), MPI_ERR_ARG,
                [&] { return fmt::format("there is no set of processes {}", n); });
  if (check.failed()) return check.error();
  const std::string name(process_sets[static_cast<std::size_t>(n)]);
  const auto needed = static_cast<int>(name.size()) + 1;
  if (*pset_len > 0) {
    check.pointer(pset_name, "pset_name");
    if (check.failed()) return check.error();
    const std::size_t kept = std::min(name.size(), static_cast<std::size_t>(*pset_len) - 1);
    std::memcpy(pset_name, name.data(), kept);
    pset_name[kept] = '\0';
  }
  *pset_len = needed;
  return MPI_SUCCESS;
}

int Session_get_info(MPI_Session session, MPI_Info* info_used) {
  Arguments check(session);
  check.pointer(info_used, "info_used");
  if (!check.failed()) *info_used = add_info(sessions().find(session)->hints);
  return check.error();
}

int Session_get_pset_info(MPI_Session session, const char* pset_name, MPI_Info* info) {
  Arguments check(session);
  check.pointer(info, "info");
  const GroupRef group = checked_set(check, pset_name);
  if (check.failed()) return check.error();
  *info = add_info({{"mpi_size", std::to_string(group->size())}});
  return MPI_SUCCESS;
}

int Group_from_session_pset(MPI_Session session, const char* pset_name, MPI_Group* newgroup) {
  Arguments check(session);
  check.pointer(newgroup, "newgroup");
  const GroupRef group = checked_set(check, pset_name);
  if (!check.failed()) *newgroup = add_group(group, session);
  return check.error();
}

int Session_create_errhandler(MPI_Session_errhandler_function* session_errhandler_fn, MPI_Errhandler* errhandler) {
  // May be called before there is a session, so nothing is raised.
  if (session_errhandler_fn == nullptr || errhandler == nullptr) return MPI_ERR_ARG;
  *errhandler = per_rank<ErrorHandlers>().create_for_session(session_errhandler_fn);
  return MPI_SUCCESS;
}

int Session_set_errhandler(MPI_Session session, MPI_Errhandler errhandler) {
  Arguments check(session);
  check_handler(check, errhandler);
  if (check.failed()) return check.error();
  Session* found = sessions().find(session);
  ErrorHandlers& handlers = per_rank<ErrorHandlers>();
  handlers.take_for_communicator(errhandler);
  handlers.release_by_communicator(found->error_handler);
  found->error_handler = errhandler;
  return MPI_SUCCESS;
}

int Session_get_errhandler(MPI_Session session, MPI_Errhandler* errhandler) {
  Arguments check(session);
  check.pointer(errhandler, "errhandler");
  if (check.failed()) return check.error();
  const Session* found = sessions().find(session);
  *errhandler = found->error_handler;
  per_rank<ErrorHandlers>().take_for_program(*errhandler);
  return MPI_SUCCESS;
}

int Session_call_errhandler(MPI_Session session, int errorcode) {
  const Arguments check(session);
  if (check.failed()) return check.error();
  const Session* found = sessions().find(session);
  const MPI_Errhandler handler = found->error_handler;
  if (handler == MPI_ERRORS_RETURN) return MPI_SUCCESS;
  auto* function = per_rank<ErrorHandlers>().session_function_of(handler);
  if (function == nullptr) misuse(finding_id(errorcode), "the program called the error handler of a session");
  call_handler_function(function, session, errorcode);
  return MPI_SUCCESS;
}

// The simulated machine has no hardware resources with names.
int Get_hw_resource_info(MPI_Info* hw_info) {
  if (hw_info == nullptr) return MPI_ERR_ARG;
  *hw_info = add_info({});
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi::calls
