// SPDX-License-Identifier: MIT
//
// The binary interface of Open MPI 4.1 (libmpi.so.40): handles are pointers, predefined ones the addresses of objects
// that the program may have copied into its own data, so each rank has other addresses.
//
// Handles: a handle that the program made is that of smpi/handle_registry.hpp, which is no address of an object.
// Source:  constants.hpp; the layout of MPI_Status from Open MPI's mpi.h.
#pragma once

#include <type_traits>
#include <unordered_map>
#include <utility>

#include "mpi.h"
#include "smpi/abi/integer_handles.hpp"
#include "smpi/foreign/constants.hpp"
#include "smpi/foreign/pairs.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/program_object.hpp"

namespace rehearse::smpi::foreign {

// The objects behind the predefined handles of one kind in one rank, looked up at the first use.
template <class Ours>
struct OpenMpiObjects {
  OpenMpiObjects();
  std::unordered_map<const void*, Ours> by_address;
  std::unordered_map<Ours, void*> by_handle;
};

struct OpenMpi {
  template <class Ours>
  using Handle = void*;

  struct Status {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR, cancelled;
    std::size_t bytes;
  };

  static constexpr auto& ranks = open_mpi_values::ranks;
  static constexpr auto& tags = open_mpi_values::tags;
  static constexpr auto& errors = open_mpi_values::errors;
  static constexpr auto& keyvals = open_mpi_values::keyvals;
  static constexpr auto& comparisons = open_mpi_values::comparisons;
  static constexpr auto& thread_levels = open_mpi_values::thread_levels;
  static constexpr auto& lock_types = open_mpi_values::lock_types;
  static constexpr auto& whences = open_mpi_values::whences;
  static constexpr auto& orders = open_mpi_values::orders;
  static constexpr auto& typeclasss = open_mpi_values::typeclasss;
  static constexpr auto& combiners = open_mpi_values::combiners;
  static constexpr auto& topologys = open_mpi_values::topologys;
  static constexpr auto& split_types = open_mpi_values::split_types;
  static constexpr auto& distributions = open_mpi_values::distributions;
  static constexpr Bits file_modes{open_mpi_values::file_modes};
  static constexpr Bits win_asserts{open_mpi_values::win_asserts};
  static constexpr std::size_t mpi_max_object_name = open_mpi_values::mpi_max_object_name;
  static constexpr std::size_t mpi_max_processor_name = open_mpi_values::mpi_max_processor_name;
  static constexpr std::size_t mpi_max_error_string = open_mpi_values::mpi_max_error_string;
  static constexpr std::size_t mpi_max_library_version_string = open_mpi_values::mpi_max_library_version_string;
  static constexpr std::size_t mpi_max_info_key = open_mpi_values::mpi_max_info_key;
  static constexpr std::size_t mpi_max_port_name = open_mpi_values::mpi_max_port_name;
  static constexpr std::size_t mpi_max_datarep_string = open_mpi_values::mpi_max_datarep_string;
  static constexpr long long mpi_displacement_current = open_mpi_values::mpi_displacement_current;

  template <class Ours>
  static Ours ours(void* handle) {
    const auto& objects = per_rank<OpenMpiObjects<Ours>>().by_address;
    const auto found = objects.find(handle);
    return found != objects.end() ? found->second : static_cast<Ours>(handle);
  }

  template <class Ours>
  static void* foreign(Ours handle) {
    const auto& objects = per_rank<OpenMpiObjects<Ours>>().by_handle;
    const auto found = objects.find(handle);
    return found != objects.end() ? found->second : static_cast<void*>(handle);
  }

  // The INTEGER of a handle in Fortran: an index in a table of Open MPI if it is predefined.
  template <class Ours>
  static int integer_of_ours(Ours handle) {
    const auto word = reinterpret_cast<std::intptr_t>(handle);
    for (const Pair& pair : indices<Ours>())
      if (pair.ours == word) return static_cast<int>(pair.theirs);
    return smpi::integer_of_handle(handle);
  }
  template <class Ours>
  static Ours ours_of_integer(int number) {
    if (number >= first_dynamic) return static_cast<Ours>(argument_of_integer(number));
    for (const Pair& pair : indices<Ours>())
      if (pair.theirs == number) return reinterpret_cast<Ours>(pair.ours);
    return reinterpret_cast<Ours>(static_cast<std::uintptr_t>(static_cast<std::uint32_t>(number)) | never_a_handle);
  }
  template <class Ours>
  static int integer_of(void* handle) {
    return integer_of_ours<Ours>(ours<Ours>(handle));
  }
  template <class Ours>
  static void* handle_of_integer(int number) {
    return foreign<Ours>(ours_of_integer<Ours>(number));
  }

  static void* buffer_of(const void* buffer) { return const_cast<void*>(buffer); }
  static bool is_ignored(const void* status) { return status == nullptr; }
  static int* weights_of(int* weights) {
    const auto word = reinterpret_cast<std::uintptr_t>(weights);
    return word == 2 ? MPI_UNWEIGHTED : word == 3 ? MPI_WEIGHTS_EMPTY : weights;
  }

  static std::pair<MPI_Count, int> extra_of(const Status& status) {
    return {static_cast<MPI_Count>(status.bytes), status.cancelled};
  }
  static void set_extra(Status& status, MPI_Count bytes, int cancelled) {
    status.bytes = static_cast<std::size_t>(bytes);
    status.cancelled = cancelled == 1 ? 1 : 0;
  }

  template <class Ours>
  static constexpr auto& objects() {
    namespace values = open_mpi_values;
    if constexpr (std::is_same_v<Ours, MPI_Comm>) return values::comm_objects;
    else if constexpr (std::is_same_v<Ours, MPI_Datatype>) return values::datatype_objects;
    else if constexpr (std::is_same_v<Ours, MPI_Errhandler>) return values::errhandler_objects;
    else if constexpr (std::is_same_v<Ours, MPI_File>) return values::file_objects;
    else if constexpr (std::is_same_v<Ours, MPI_Group>) return values::group_objects;
    else if constexpr (std::is_same_v<Ours, MPI_Info>) return values::info_objects;
    else if constexpr (std::is_same_v<Ours, MPI_Message>) return values::message_objects;
    else if constexpr (std::is_same_v<Ours, MPI_Op>) return values::op_objects;
    else if constexpr (std::is_same_v<Ours, MPI_Request>) return values::request_objects;
    else if constexpr (std::is_same_v<Ours, MPI_Session>) return values::session_objects;
    else return values::win_objects;
  }

 private:
  static constexpr int first_dynamic = 0x1000;  // integer_handles.hpp
  static constexpr std::uintptr_t never_a_handle = std::uintptr_t{1} << 62;

  template <class Ours>
  static constexpr auto& indices() {
    namespace values = open_mpi_values;
    if constexpr (std::is_same_v<Ours, MPI_Comm>) return values::comm_indices;
    else if constexpr (std::is_same_v<Ours, MPI_Datatype>) return values::datatype_indices;
    else if constexpr (std::is_same_v<Ours, MPI_Errhandler>) return values::errhandler_indices;
    else if constexpr (std::is_same_v<Ours, MPI_File>) return values::file_indices;
    else if constexpr (std::is_same_v<Ours, MPI_Group>) return values::group_indices;
    else if constexpr (std::is_same_v<Ours, MPI_Info>) return values::info_indices;
    else if constexpr (std::is_same_v<Ours, MPI_Message>) return values::message_indices;
    else if constexpr (std::is_same_v<Ours, MPI_Op>) return values::op_indices;
    else if constexpr (std::is_same_v<Ours, MPI_Request>) return values::request_indices;
    else if constexpr (std::is_same_v<Ours, MPI_Session>) return values::session_indices;
    else return values::win_indices;
  }
};

static_assert(sizeof(OpenMpi::Status) == 24);

template <class Ours>
OpenMpiObjects<Ours>::OpenMpiObjects() {
  for (const NamedHandle& object : OpenMpi::objects<Ours>()) {
    void* address = find_program_object(object.object);
    if (address == nullptr) continue;
    by_address.emplace(address, reinterpret_cast<Ours>(object.ours));
    by_handle.emplace(reinterpret_cast<Ours>(object.ours), address);
  }
}

}  // namespace rehearse::smpi::foreign
