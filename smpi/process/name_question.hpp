// SPDX-License-Identifier: MIT
//
// Questions of the calling rank to the server of names (name_server.hpp).
#pragma once

#include <string>
#include <string_view>

#include "smpi/process/name_server.hpp"

namespace rehearse::smpi {

struct NameAnswer {
  int error = 0;     // an error class of MPI; MPI_SUCCESS: done
  std::string port;  // of a name that was looked up
};

// Waits for the answer. Neither text contains a zero byte. Ends the rank if there is no server.
NameAnswer ask_name_server(NameQuestion question, std::string_view name, std::string_view port);

}  // namespace rehearse::smpi
