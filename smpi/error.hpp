// SPDX-License-Identifier: MIT
//
// Errors of the program that an MPI call detects. The error handler of the communicator decides what happens.
//
// Errors: MPI_ERRORS_ARE_FATAL and MPI_ERRORS_ABORT end the rank with a finding (Fail, misuse); with MPI_ERRORS_RETURN,
//         error_on() reports that the call returns the class, and returns it; a handler of the user is called first,
//         then the class is returned.
#pragma once

#include <string_view>

#include "mpi.h"

namespace rehearse::smpi {

// An error about `comm`: its class (MPI_ERR_*) and a text for people ("destination 7 of a communicator of 4 ranks").
// `id` is the id of the finding if finding_id() of the class is not specific enough. Returns the result of the MPI
// function, if it returns. If the communicator does not exist, this is error().
int error_on(MPI_Comm comm, int error_class, std::string_view what, std::string_view id = {});

// An error about no communicator. The handler of MPI_COMM_SELF decides (MPI 4.0). If that is the default one, the
// handler of MPI_COMM_WORLD decides, as in earlier versions of MPI.
int error(int error_class, std::string_view what, std::string_view id = {});

// An error about a session, whose handler decides. If the session does not exist, this is error().
int error_in(MPI_Session session, int error_class, std::string_view what, std::string_view id = {});

// An error in the creation of an object that would get this handler, which exists.
int error_with(MPI_Errhandler handler, int error_class, std::string_view what, std::string_view id = {});

// An error about a window, whose handler decides. If the window does not exist, this is error().
int error_about(MPI_Win win, int error_class, std::string_view what, std::string_view id = {});

// An error about a file, whose handler decides. If the file is not open, the handler of MPI_FILE_NULL does. With
// MPI_ERRORS_RETURN the finding `id` is still reported if the program ignores the result. Handlers of the program may
// replace the code.
int error_about(MPI_File file, int error_class, std::string_view what, std::string_view id = {});

// The program calls the error handler of `comm` itself.
void call_error_handler(MPI_Comm comm, int code);

// The id of the finding for an error of this class: `argument.rank`, `message.truncated`...
std::string_view finding_id(int error_class);

// An error that no error handler can catch.
[[noreturn]] void misuse(std::string_view id, std::string_view what);

// Correct MPI that this library does not support: `feature` is its name.
[[noreturn]] void unsupported(std::string_view feature);

}  // namespace rehearse::smpi
