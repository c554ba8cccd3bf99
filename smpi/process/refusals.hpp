// SPDX-License-Identifier: MIT
//
// Why functions that a program refers to are not there, in words.
#pragma once

#include <string>
#include <string_view>

namespace rehearse::smpi {

// Why a rank must not call this function of libc; empty: it may.
std::string_view reason_of_refusal(std::string_view function);

// Whether a symbol names a function of MPI in C, C++ or Fortran, be there one or not.
bool is_name_of_mpi(std::string_view symbol);

// Why nobody defines this symbol; empty: there is nothing to say about it.
std::string reason_unknown(std::string_view symbol);

}  // namespace rehearse::smpi
