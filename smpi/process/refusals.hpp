// SPDX-License-Identifier: MIT
//
// The reasons why functions that a program refers to are missing, as text.
#pragma once

#include <string>
#include <string_view>

namespace rehearse::smpi {

// The reason why a rank must not call this function of libc; empty: it may call it.
std::string_view reason_of_refusal(std::string_view function);

// Whether a symbol has the form of a function of MPI in C, C++ or Fortran, even if there is no such function.
bool is_name_of_mpi(std::string_view symbol);

// The reason why this symbol has no definition; empty: not known.
std::string reason_unknown(std::string_view symbol);

}  // namespace rehearse::smpi
