// SPDX-License-Identifier: MIT
//
// Amounts of data as text for reports: elements of a type, and bytes.
#pragma once

#include <cstdint>
#include <string>

#include "mpi.h"
#include "simcore/signature_number.hpp"
#include "smpi/datatype/datatype.hpp"

namespace rehearse::smpi {

// "2 MPI_INT (8 bytes)"
std::string amount_text(MPI_Count count, const Datatype& type);
// The same for data with this signature: "2 MPI_INT (8 bytes)", or "8 bytes" if the signature does not give the type.
std::string amount_text(SignatureNumber signature, std::uint64_t bytes);
// For data of unknown type, compared with elements of this type: "8 bytes (as much as 2 MPI_INT)".
std::string amount_text_like(const Datatype& type, std::uint64_t bytes);

}  // namespace rehearse::smpi
