// SPDX-License-Identifier: MIT
//
// The place of a call in an actor's program, as operations carry it.
#pragma once

#include <cstdint>
#include <string_view>

namespace rehearse {

// The place in the actor's program that started an operation, for reports.
struct Origin {
  std::string_view call;       // name of the called function; static storage
  std::uintptr_t address = 0;  // in the actor's code, for Program::locate; 0: unknown
};

}  // namespace rehearse
