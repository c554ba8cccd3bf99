// SPDX-License-Identifier: MIT
//
// See type_calls.hpp.
#include "smpi/datatype/type_calls.hpp"

#include "smpi/creation_site.hpp"
#include "smpi/datatype/table.hpp"

namespace rehearse::smpi {

const Datatype* any_type(Arguments& check, MPI_Datatype handle) {
  if (check.failed()) return nullptr;
  const Datatype* type = find_datatype(handle);
  if (type == nullptr) check.require(false, MPI_ERR_TYPE, wrong_handle(Kind::datatype, handle));
  return type;
}

int publish(Arguments& check, DatatypeHolder made, MPI_Datatype* newtype) {
  check.require(!made->overflow(), MPI_ERR_VALUE_TOO_LARGE,
                "the size or the bounds of the new datatype do not fit into 61 bits");
  if (check.failed()) return check.error();
  *newtype = datatypes().made.insert(std::move(made), creation_site());
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi
