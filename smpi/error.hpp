// SPDX-License-Identifier: MIT
//
// Errors that an MPI call finds in the program: the error handler of the communicator decides about them.
//
// Errors: MPI_ERRORS_ARE_FATAL and MPI_ERRORS_ABORT end the rank with a finding (Fail, misuse);
//         MPI_ERRORS_RETURN makes error_on() report that the call returns the class, and return it;
//         a handler of the user is called first, then the class is returned.
#pragma once

#include <string_view>

#include "mpi.h"

namespace rehearse::smpi {

// An error about `comm`: the class (MPI_ERR_*) and what is wrong, for people ("destination 7 of a
// communicator of 4 ranks"). `id` is the finding's id where the one of the class would say too
// little. Returns what the MPI function returns, if it returns. With a communicator that does not
// exist it is an error about none.
int error_on(MPI_Comm comm, int error_class, std::string_view what, std::string_view id = {});

// An error about no communicator: MPI_COMM_SELF's handler decides, as MPI 4.0 says, or, if that is
// the default one, MPI_COMM_WORLD's, as before.
int error(int error_class, std::string_view what, std::string_view id = {});

// An error about a session, whose handler decides; a session that does not exist counts as none.
int error_in(MPI_Session session, int error_class, std::string_view what, std::string_view id = {});

// An error while something is made that is to have this handler, which exists.
int error_with(MPI_Errhandler handler, int error_class, std::string_view what, std::string_view id = {});

// The program calls the error handler of `comm` itself.
void call_error_handler(MPI_Comm comm, int code);

// The finding that an error of this class makes: `argument.rank`, `message.truncated`...
std::string_view finding_id(int error_class);

// An error that no error handler can catch.
[[noreturn]] void misuse(std::string_view id, std::string_view what);

// Correct MPI that this library does not do: `feature` is its name.
[[noreturn]] void unsupported(std::string_view feature);

}  // namespace rehearse::smpi
