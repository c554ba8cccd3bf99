// SPDX-License-Identifier: MIT
//
// See arguments.hpp.
#include "smpi/arguments.hpp"

#include <cstdint>
#include <limits>
#include <string>

#include "simcore/support/format.hpp"
#include "smpi/abi/clear_after.hpp"
#include "smpi/buffer_room.hpp"
#include "smpi/buffer_type.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/environment/session.hpp"
#include "smpi/error.hpp"
#include "smpi/file/file.hpp"
#include "smpi/library.hpp"
#include "smpi/process.hpp"
#include "smpi/report.hpp"
#include "smpi/rma/window.hpp"
#include "smpi/wrong_handle.hpp"

namespace rehearse::smpi {
namespace {

std::string about(std::string_view name, long long value) { return fmt::format("{} is {}", name, value); }

// The constants that can stand in place of a rank.
std::string_view name_of_rank(int value) {
  switch (value) {
    case MPI_ANY_SOURCE: return "MPI_ANY_SOURCE";
    case MPI_PROC_NULL: return "MPI_PROC_NULL";
    case MPI_ROOT: return "MPI_ROOT";
    default: return "";
  }
}

// "the source is 7", "the destination is -1 (MPI_ANY_SOURCE)".
std::string about_rank(std::string_view role, int value) {
  const std::string_view name = name_of_rank(value);
  return about(role, value) + (name.empty() ? "" : " (" + std::string(name) + ")");
}

std::string rank_text(std::string_view role, int rank, const Communicator& communicator) {
  return fmt::format("{}, but the ranks of {} are 0 to {}", about_rank(role, rank), communicator.description(),
                     communicator.peers() - 1);
}

}  // namespace

Arguments::Arguments(MPI_Comm comm) : handle_(comm) {
  require_running();
  communicator_ = communicators().find(comm);
  // Predefined communicators exist only from MPI_Init to MPI_Finalize, also if sessions are open.
  if (is_predefined_handle(comm) && communicator_ != nullptr && library().phase != Phase::running)
    refuse_call(library().phase);
  if (communicator_ == nullptr) {
    raise(MPI_ERR_COMM, wrong_handle(Kind::comm, comm));
  } else if (const CreationSite& since = (*communicator_)->pending_since; since.return_address != nullptr) {
    raise(MPI_ERR_COMM, (*communicator_)->description() + " is used before the call that makes it is complete (" +
                            text_of(since) + "); wait for its request first");
  }
}

Arguments::Arguments() {
  require_running();
  communicator_ = &communicators().self();
}

Arguments::Arguments(MPI_Session session) {
  const Library& mpi = library();
  const bool exists = sessions().find(session) != nullptr;
  // Without MPI_Init and without a session there is no error handler.
  if (!exists && mpi.phase != Phase::running && mpi.open_sessions == 0)
    misuse("argument.session", wrong_handle(Kind::session, session));
  communicator_ = &communicators().self();
  session_ = session;
  if (!exists) raise(MPI_ERR_SESSION, wrong_handle(Kind::session, session));
}

Arguments::Arguments(MPI_Win win) : window_(win) {
  require_running();
  const Window* window = find_window(win);
  communicator_ = window == nullptr ? &communicators().self() : &window->communicator;
  if (window == nullptr) raise(MPI_ERR_WIN, wrong_handle(Kind::win, win));
}

Arguments::Arguments(MPI_File file) : file_(file), is_about_files_(true) {
  require_running();
  const File* found = find_file(file);
  communicator_ = found == nullptr ? &communicators().self() : &found->communicator;
  if (found == nullptr) raise(MPI_ERR_FILE, wrong_handle(Kind::file, file));
}

Arguments Arguments::without_file() {
  Arguments check;
  check.is_about_files_ = true;
  return check;
}

Arguments::Arguments(MPI_Errhandler handler) : Arguments() { handler_ = handler; }

void Arguments::raise(int error_class, std::string_view what, std::string_view id) {
  if (session_ != MPI_SESSION_NULL) {
    error_ = error_in(session_, error_class, what, id);
  } else if (window_ != MPI_WIN_NULL) {
    error_ = error_about(window_, error_class, what, id);
  } else if (is_about_files_) {
    error_ = error_about(file_, error_class, what, id);
  } else if (handler_ != MPI_ERRHANDLER_NULL) {
    error_ = error_with(handler_, error_class, what, id);
  } else {
    error_ = error_on(handle_, error_class, what, id);
  }
}

void Arguments::raise_count(MPI_Count value, std::string_view name) {
  if (!failed()) raise(MPI_ERR_COUNT, about(name, value) + "; it must not be negative");
}

Arguments& Arguments::counts(Integers values, int n, std::string_view name) {
  if (n > 0) pointer(values.address(), name);
  for (int i = 0; !failed() && i < n; ++i)
    if (values[i] < 0) count(values[i], fmt::format("{}[{}]", name, i));
  return *this;
}

void Arguments::raise_rank(std::string_view role, int rank) {
  if (!failed()) raise(MPI_ERR_RANK, rank_text(role, rank, *communicator()));
}

Arguments& Arguments::root(int rank) {
  if (failed()) return *this;
  if (communicator()->is_inter() && (rank == MPI_ROOT || rank == MPI_PROC_NULL)) return *this;
  if (rank < 0 || rank >= communicator()->peers()) raise(MPI_ERR_ROOT, rank_text("the root", rank, *communicator()));
  return *this;
}

Arguments& Arguments::leader(int rank) {
  if (failed() || (rank >= 0 && rank < communicator()->size())) return *this;
  raise(MPI_ERR_RANK, fmt::format("{}, but the ranks of {} are 0 to {}", about_rank("the leader", rank),
                                  communicator()->description(), communicator()->size() - 1));
  return *this;
}

void Arguments::raise_tag(int tag) {
  if (!failed())
    raise(MPI_ERR_TAG, fmt::format("the tag is {}{}, but tags are 0 to {}", tag,
                                   tag == MPI_ANY_TAG ? " (MPI_ANY_TAG)" : "", std::numeric_limits<int>::max()));
}

void Arguments::raise_pointer(std::string_view name) {
  if (!failed()) raise(MPI_ERR_ARG, std::string(name) + " is a null pointer");
}

void Arguments::raise_buffer(const void* address, MPI_Count count, std::string_view name) {
  if (address == MPI_IN_PLACE) {
    raise(MPI_ERR_BUFFER, std::string(name) + " is MPI_IN_PLACE, which is not allowed here");
  } else {
    raise(MPI_ERR_BUFFER, fmt::format("{} is a null pointer, but {} {} to be moved", name, count,
                                      count == 1 ? "element is" : "elements are"));
  }
}

void Arguments::check_memory(const void* address, MPI_Count count, const Datatype& type, std::string_view name) {
  clear_after([&] {
    const std::string problem = find_memory_error(address, count, type);
    if (!problem.empty()) return raise(MPI_ERR_BUFFER, std::string(name) + problem);
    if (buffer_checks().types) check_element_types(address, count, type, name);
  });
}

const Datatype* Arguments::type(MPI_Datatype handle) {
  return failed() ? nullptr : checked_datatype(handle_, handle, error_);
}

const Op* Arguments::op(MPI_Op handle, const Datatype* type) {
  return failed() ? nullptr : checked_op(handle_, handle, *type, error_);
}

Arguments intracommunicator_arguments(MPI_Comm comm) {
  Arguments check(comm);
  if (!check.failed())
    check.require(!check.communicator()->is_inter(), MPI_ERR_COMM, "the call is not defined on an intercommunicator");
  return check;
}

}  // namespace rehearse::smpi
