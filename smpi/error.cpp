// SPDX-License-Identifier: MIT
//
// See error.hpp.
#include "smpi/error.hpp"

#include "simcore/actor.hpp"
#include "smpi/callbacks.hpp"
#include "smpi/communicator/communicator.hpp"
#include "smpi/environment/error_handlers.hpp"
#include "smpi/environment/returned_errors.hpp"
#include "smpi/environment/session.hpp"
#include "smpi/failure_plan.hpp"
#include "smpi/file/file.hpp"
#include "smpi/library.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/rma/window.hpp"

namespace rehearse::smpi {
namespace {

[[noreturn]] void fail(FailureKind kind, std::string_view id, std::string_view what) {
  ask(Fail{kind, id, what});
  internal_error(__FILE__, __LINE__, "Fail", "an actor continued after its last operation");
}

// The communicator whose handler decides about an error of no communicator. Before MPI 4.0 that was MPI_COMM_WORLD, so
// many programs set only its handler.
Communicator& responsible_without_communicator() {
  Communicators& all = communicators();
  return all.self()->error_handler == MPI_ERRORS_ARE_FATAL ? *all.world() : *all.self();
}

int call_user_handler(Communicator& communicator, int error_class) {
  auto* function = per_rank<ErrorHandlers>().function_of(communicator.error_handler);
  call_handler_function(function, communicator.handle, error_class);
  return error_class;
}

int return_to_program(int error_class, std::string_view what) {
  report_returned_error(error_class, what);
  return error_class;
}

bool is_about_failure(int error_class) {
  return error_class == MPIX_ERR_PROC_FAILED || error_class == MPIX_ERR_PROC_FAILED_PENDING ||
         error_class == MPIX_ERR_REVOKED;
}

int raise(Communicator& communicator, int error_class, std::string_view what, std::string_view id) {
  const MPI_Errhandler handler = communicator.error_handler;
  if (handler == MPI_ERRORS_RETURN) return return_to_program(error_class, what);
  const bool is_fatal = handler == MPI_ERRORS_ARE_FATAL || handler == MPI_ERRORS_ABORT;
  if (is_fatal && is_about_failure(error_class)) fail(FailureKind::abort, failure_fatal, what);
  if (is_fatal) misuse(id.empty() ? finding_id(error_class) : id, what);
  return call_user_handler(communicator, error_class);
}

}  // namespace

int error_on(MPI_Comm comm, int error_class, std::string_view what, std::string_view id) {
  require_running();
  Communicator* communicator = find_communicator(comm);
  if (communicator == nullptr) return error(error_class, what, id);
  return raise(*communicator, error_class, what, id);
}

int error(int error_class, std::string_view what, std::string_view id) {
  require_running();
  return raise(responsible_without_communicator(), error_class, what, id);
}

int error_in(MPI_Session session, int error_class, std::string_view what, std::string_view id) {
  const Session* found = sessions().find(session);
  if (found == nullptr) return error(error_class, what, id);
  const MPI_Errhandler handler = found->error_handler;
  auto* function = per_rank<ErrorHandlers>().session_function_of(handler);
  if (function == nullptr) return error_with(handler, error_class, what, id);
  call_handler_function(function, session, error_class);
  return error_class;
}

int error_about(MPI_Win win, int error_class, std::string_view what, std::string_view id) {
  require_running();
  const Window* window = find_window(win);
  if (window == nullptr) return error(error_class, what, id);
  const MPI_Errhandler handler = window->error_handler;
  if (handler == MPI_ERRORS_RETURN) return return_to_program(error_class, what);
  auto* function = per_rank<ErrorHandlers>().window_function_of(handler);
  if (function == nullptr) misuse(id.empty() ? finding_id(error_class) : id, what);
  int code = error_class;
  function(&win, &code);
  return error_class;
}

int error_about(MPI_File file, int error_class, std::string_view what, std::string_view id) {
  require_running();
  const File* found = find_file(file);
  const MPI_Errhandler handler = found == nullptr ? files().default_handler : found->error_handler;
  const std::string_view finding = id.empty() ? finding_id(error_class) : id;
  if (handler == MPI_ERRORS_RETURN) {
    const bool is_fault = finding == "argument.file" || (finding.starts_with("file.") && finding != "file.open");
    report_returned_error(error_class, what, is_fault ? finding : std::string_view());
    return error_class;
  }
  auto* function = per_rank<ErrorHandlers>().file_function_of(handler);
  if (function == nullptr) misuse(finding, what);
  int code = error_class;
  function(&file, &code);
  return code;
}

int error_with(MPI_Errhandler handler, int error_class, std::string_view what, std::string_view id) {
  if (handler == MPI_ERRORS_RETURN) return return_to_program(error_class, what);
  const ErrorHandler* found = per_rank<ErrorHandlers>().handlers().find(handler);
  if (found == nullptr) misuse(id.empty() ? finding_id(error_class) : id, what);
  if (found->function != nullptr) call_handler_function(found->function, MPI_COMM_SELF, error_class);
  if (found->session_function != nullptr) call_handler_function(found->session_function, MPI_SESSION_NULL, error_class);
  return error_class;
}

void call_error_handler(MPI_Comm comm, int code) {
  const Communicator* communicator = find_communicator(comm);
  if (communicator == nullptr || communicator->error_handler != MPI_ERRORS_RETURN)
    error_on(comm, code, "the program called the error handler");
}

std::string_view finding_id(int error_class) {
  switch (error_class) {
    case MPI_ERR_BUFFER: return "argument.buffer";
    case MPI_ERR_COUNT: return "argument.count";
    case MPI_ERR_TYPE: return "argument.datatype";
    case MPI_ERR_TAG: return "argument.tag";
    case MPI_ERR_COMM: return "argument.communicator";
    case MPI_ERR_RANK: return "argument.rank";
    case MPI_ERR_REQUEST: return "argument.request";
    case MPI_ERR_ROOT: return "argument.root";
    case MPI_ERR_GROUP: return "argument.group";
    case MPI_ERR_OP: return "argument.operator";
    case MPI_ERR_TOPOLOGY: return "argument.topology";
    case MPI_ERR_DIMS: return "argument.dimensions";
    case MPI_ERR_TRUNCATE: return "message.truncated";
    case MPI_ERR_KEYVAL: return "argument.keyval";
    case MPI_ERR_INFO:
    case MPI_ERR_INFO_KEY:
    case MPI_ERR_INFO_NOKEY:
    case MPI_ERR_INFO_VALUE: return "argument.info";
    case MPI_ERR_ERRHANDLER: return "argument.error_handler";
    case MPI_ERR_WIN: return "argument.window";
    case MPI_ERR_RMA_SYNC: return "rma.no_epoch";
    case MPI_ERR_RMA_RANGE: return "rma.range";
    case MPI_ERR_RMA_ATTACH: return "rma.attach";
    case MPI_ERR_ASSERT: return "rma.assert";
    case MPI_ERR_SESSION: return "argument.session";
    case MPI_ERR_FILE: return "argument.file";
    case MPI_ERR_NAME:
    case MPI_ERR_SERVICE: return "argument.name";
    case MPI_ERR_PORT: return "argument.port";
    case MPI_ERR_SPAWN: return "argument.command";
    case MPI_ERR_AMODE:
    case MPI_ERR_READ_ONLY:
    case MPI_ERR_UNSUPPORTED_OPERATION: return "file.mode";
    case MPI_ERR_UNSUPPORTED_DATAREP: return "file.view";
    case MPI_ERR_NO_SUCH_FILE:
    case MPI_ERR_FILE_EXISTS:
    case MPI_ERR_FILE_IN_USE:
    case MPI_ERR_ACCESS:
    case MPI_ERR_BAD_FILE:
    case MPI_ERR_NO_SPACE:
    case MPI_ERR_QUOTA:
    case MPI_ERR_IO: return "file.open";
    case MPI_ERR_NO_MEM: return "resource.memory";
    default: return "argument.value";
  }
}

void misuse(std::string_view id, std::string_view what) { fail(FailureKind::misuse, id, what); }

void unsupported(std::string_view feature) { fail(FailureKind::unsupported, "unsupported.feature", feature); }

}  // namespace rehearse::smpi
