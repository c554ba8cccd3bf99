// SPDX-License-Identifier: MIT
//
// Checks of the arguments of one MPI call, one method for each kind of argument. The first wrong argument is raised as
// an error on the call's communicator.
//
// Use:    Arguments check(comm);
//         check.count(count).destination(dest).tag(tag);
//         const Datatype* type = check.type(datatype);
//         if (check.failed()) return check.error();
// Errors: see error.hpp. A call on a session raises them there. After the first wrong argument the
//         other checks do nothing.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include "mpi.h"
#include "smpi/communicator/communicator.hpp"
#include "smpi/datatype/datatype.hpp"
#include "smpi/integers.hpp"
#include "smpi/op/op.hpp"

namespace rehearse::smpi {

class Arguments {
 public:
  // A call on a communicator; checks that MPI is running and the communicator exists.
  explicit Arguments(MPI_Comm comm);
  // A call without a communicator.
  Arguments();
  // A call on a session; checks that it exists.
  explicit Arguments(MPI_Session session);
  // A call on a window; checks that it exists.
  explicit Arguments(MPI_Win win);
  // A call on a file; checks that it is open.
  explicit Arguments(MPI_File file);
  // A call on no open file (MPI_File_open, MPI_File_delete): the handler of MPI_FILE_NULL decides.
  static Arguments without_file();
  // A call that creates an object with this error handler, which exists.
  explicit Arguments(MPI_Errhandler handler);

  bool failed() const { return error_ != MPI_SUCCESS; }
  int error() const { return error_; }

  // The communicator; only if the check has not failed.
  const CommunicatorRef& communicator() const { return *communicator_; }

  Arguments& count(MPI_Count value, std::string_view name = "count") {
    if (value < 0) raise_count(value, name);
    return *this;
  }
  Arguments& counts(Integers values, int n, std::string_view name);
  // A rank, or MPI_PROC_NULL.
  Arguments& destination(int rank) {
    if (!failed() && !is_peer(rank) && rank != MPI_PROC_NULL) raise_rank("the destination", rank);
    return *this;
  }
  // A rank, MPI_PROC_NULL or MPI_ANY_SOURCE.
  Arguments& source(int rank) {
    if (!failed() && !is_peer(rank) && rank != MPI_PROC_NULL && rank != MPI_ANY_SOURCE) raise_rank("the source", rank);
    return *this;
  }
  Arguments& root(int rank);    // on an intercommunicator also MPI_ROOT and MPI_PROC_NULL
  Arguments& leader(int rank);  // a rank of the local group
  // The tag of a message.
  Arguments& tag(int tag) {
    if (tag < 0) raise_tag(tag);
    return *this;
  }
  // Also MPI_ANY_TAG.
  Arguments& tag_pattern(int tag) { return tag == MPI_ANY_TAG ? *this : this->tag(tag); }
  Arguments& pointer(const void* address, std::string_view name) {
    if (address == nullptr) raise_pointer(name);
    return *this;
  }
  // The buffer of `count` elements of `type`. If it holds data, it is neither null nor MPI_IN_PLACE, and it is large
  // enough, as far as its size is known. Elements of another type are reported.
  Arguments& buffer(const void* address, MPI_Count count, const Datatype* type, std::string_view name = "buf") {
    if (failed() || count == 0 || type->size() == 0) return *this;
    if (reinterpret_cast<std::uintptr_t>(address) + static_cast<std::uintptr_t>(type->true_lower_bound()) <
        lowest_address)
      raise_buffer(address, count, name);
    else check_memory(address, count, *type, name);
    return *this;
  }

  const Datatype* type(MPI_Datatype handle);  // committed; null if the check failed
  const Op* op(MPI_Op handle,
               const Datatype* type);  // valid for the type; null if the check failed

  // Raises any other error if the condition is false and no check has failed yet; `id` as in error.hpp.
  Arguments& require(bool condition, int error_class, std::string_view what, std::string_view id = {}) {
    if (!condition && !failed()) raise(error_class, what, id);
    return *this;
  }
  // The text is made only if it is needed.
  template <std::invocable Text>
  Arguments& require(bool condition, int error_class, const Text& what, std::string_view id = {}) {
    if (!condition && !failed()) raise(error_class, what(), id);
    return *this;
  }

 private:
  // No object of the program has an address below this. Smaller addresses are null, MPI_IN_PLACE, or a small offset
  // from either.
  static constexpr std::uintptr_t lowest_address = 0x1000;

  bool is_peer(int rank) const { return rank >= 0 && rank < communicator()->peers(); }
  void raise(int error_class, std::string_view what, std::string_view id = {});
  // These do nothing after the first wrong argument.
  void raise_count(MPI_Count value, std::string_view name);
  void raise_rank(std::string_view role, int rank);
  void raise_tag(int tag);
  void raise_pointer(std::string_view name);
  void raise_buffer(const void* address, MPI_Count count, std::string_view name);
  void check_memory(const void* address, MPI_Count count, const Datatype& type, std::string_view name);

  MPI_Comm handle_ = MPI_COMM_NULL;
  MPI_Session session_ = MPI_SESSION_NULL;
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
  MPI_Win window_ = MPI_WIN_NULL;
  MPI_File file_ = MPI_FILE_NULL;
  bool is_about_files_ = false;
  const CommunicatorRef* communicator_ = nullptr;
  int error_ = MPI_SUCCESS;
};

// The arguments of a call that is not defined on intercommunicators.
Arguments intracommunicator_arguments(MPI_Comm comm);

}  // namespace rehearse::smpi
