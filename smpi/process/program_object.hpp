// SPDX-License-Identifier: MIT
//
// Variables of the running rank's program by the names of the linker.
#pragma once

#include <string_view>

namespace rehearse::smpi {

// The address in the rank that runs; null: no file of the program has it, or this is no rank of a loaded program.
void* find_program_object(std::string_view name);

}  // namespace rehearse::smpi
