// SPDX-License-Identifier: MIT
//
// The binary interface of MPICH 4.0 (libmpich.so.12, libmpi.so.12; also Intel MPI and MVAPICH2): handles are integers,
// except that of files.
//
// Handles: the integer of a handle that the program made is that of smpi/abi/integer_handles.hpp with the highest bit
//          set, so it differs from all predefined ones.
// Source:  constants.hpp; the layout of MPI_Status from MPICH's mpi.h.
#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>

#include "mpi.h"
#include "smpi/abi/integer_handles.hpp"
#include "smpi/foreign/constants.hpp"
#include "smpi/foreign/pairs.hpp"

namespace rehearse::smpi::foreign {

struct Mpich {
  template <class Ours>
  using Handle = std::conditional_t<std::is_same_v<Ours, MPI_File>, void*, int>;

  struct Status {
    int count_low, count_high_and_cancelled;  // the lowest bit of the second: whether it was cancelled
    int MPI_SOURCE, MPI_TAG, MPI_ERROR;
  };

  static constexpr auto& ranks = mpich_values::ranks;
  static constexpr auto& tags = mpich_values::tags;
  static constexpr auto& errors = mpich_values::errors;
  static constexpr auto& keyvals = mpich_values::keyvals;
  static constexpr auto& comparisons = mpich_values::comparisons;
  static constexpr auto& thread_levels = mpich_values::thread_levels;
  static constexpr auto& lock_types = mpich_values::lock_types;
  static constexpr auto& whences = mpich_values::whences;
  static constexpr auto& orders = mpich_values::orders;
  static constexpr auto& typeclasss = mpich_values::typeclasss;
  static constexpr auto& combiners = mpich_values::combiners;
  static constexpr auto& topologys = mpich_values::topologys;
  static constexpr auto& split_types = mpich_values::split_types;
  static constexpr auto& distributions = mpich_values::distributions;
  static constexpr Bits file_modes{mpich_values::file_modes};
  static constexpr Bits win_asserts{mpich_values::win_asserts};
  static constexpr std::size_t mpi_max_object_name = mpich_values::mpi_max_object_name;
  static constexpr std::size_t mpi_max_processor_name = mpich_values::mpi_max_processor_name;
  static constexpr std::size_t mpi_max_error_string = mpich_values::mpi_max_error_string;
  static constexpr std::size_t mpi_max_library_version_string = mpich_values::mpi_max_library_version_string;
  static constexpr std::size_t mpi_max_info_key = mpich_values::mpi_max_info_key;
  static constexpr std::size_t mpi_max_port_name = mpich_values::mpi_max_port_name;
  static constexpr std::size_t mpi_max_datarep_string = mpich_values::mpi_max_datarep_string;
  static constexpr long long mpi_displacement_current = mpich_values::mpi_displacement_current;
  // The functions that copy attributes, as names of the program's library; the others are null.
  static constexpr const char* copying_functions[] = {"MPIR_Dup_fn"};

  template <class Ours>
  static Ours ours(Handle<Ours> handle) {
    if constexpr (std::is_same_v<Ours, MPI_File>) {
      return handle == nullptr ? MPI_FILE_NULL : static_cast<MPI_File>(handle);
    } else {
      if (handle < 0) return static_cast<Ours>(argument_of_integer(handle & ~own_bit));
      const auto& all = by_theirs<Ours>();
      const auto found = std::ranges::lower_bound(all, std::int64_t{handle}, {}, &Pair::theirs);
      const bool is_known = found != all.end() && found->theirs == handle;
      return reinterpret_cast<Ours>(is_known ? static_cast<std::uintptr_t>(found->ours)
                                             : static_cast<std::uintptr_t>(handle) | never_a_handle);
    }
  }

  template <class Ours>
  static Handle<Ours> foreign(Ours handle) {
    if constexpr (std::is_same_v<Ours, MPI_File>) {
      return handle == MPI_FILE_NULL ? nullptr : static_cast<void*>(handle);
    } else {
      const auto word = reinterpret_cast<std::intptr_t>(handle);
      const auto& all = by_ours<Ours>();
      const auto found = std::ranges::lower_bound(all, std::int64_t{word}, {}, &Pair::ours);
      if (found != all.end() && found->ours == word) return static_cast<int>(found->theirs);
      return smpi::integer_of_handle(handle) | own_bit;
    }
  }

  // The INTEGER of a handle in Fortran: the same integer.
  template <class Ours>
  static int integer_of_ours(Ours handle) {
    if constexpr (std::is_same_v<Ours, MPI_File>) return handle == MPI_FILE_NULL ? 0 : smpi::integer_of_handle(handle);
    else return foreign<Ours>(handle);
  }
  template <class Ours>
  static Ours ours_of_integer(int number) {
    if constexpr (std::is_same_v<Ours, MPI_File>)
      return number == 0 ? MPI_FILE_NULL : static_cast<MPI_File>(argument_of_integer(number));
    else return ours<Ours>(number);
  }
  template <class Ours>
  static int integer_of(Handle<Ours> handle) {
    return integer_of_ours<Ours>(ours<Ours>(handle));
  }
  template <class Ours>
  static Handle<Ours> handle_of_integer(int number) {
    return foreign<Ours>(ours_of_integer<Ours>(number));
  }

  static void* buffer_of(const void* buffer) {
    return reinterpret_cast<std::intptr_t>(buffer) == -1 ? MPI_IN_PLACE : const_cast<void*>(buffer);
  }
  static bool is_ignored(const void* status) { return reinterpret_cast<std::uintptr_t>(status) == 1; }
  static int* weights_of(int* weights);

  static std::pair<MPI_Count, int> extra_of(const Status& status) {
    const auto high = static_cast<std::uint64_t>(static_cast<std::uint32_t>(status.count_high_and_cancelled) >> 1);
    return {static_cast<MPI_Count>(high << 32 | static_cast<std::uint32_t>(status.count_low)),
            status.count_high_and_cancelled & 1};
  }
  static void set_extra(Status& status, MPI_Count bytes, int cancelled) {
    status.count_low = static_cast<int>(bytes & 0xffffffff);
    status.count_high_and_cancelled = static_cast<int>(bytes >> 32 << 1) | (cancelled == 1 ? 1 : 0);
  }

 private:
  static constexpr int own_bit = static_cast<int>(0x80000000);
  static constexpr std::uintptr_t never_a_handle = std::uintptr_t{1} << 62;

  template <class Ours>
  static constexpr auto& by_theirs() {
    namespace values = mpich_values;
    if constexpr (std::is_same_v<Ours, MPI_Comm>) return values::comm_by_theirs;
    else if constexpr (std::is_same_v<Ours, MPI_Datatype>) return values::datatype_by_theirs;
    else if constexpr (std::is_same_v<Ours, MPI_Errhandler>) return values::errhandler_by_theirs;
    else if constexpr (std::is_same_v<Ours, MPI_Group>) return values::group_by_theirs;
    else if constexpr (std::is_same_v<Ours, MPI_Info>) return values::info_by_theirs;
    else if constexpr (std::is_same_v<Ours, MPI_Message>) return values::message_by_theirs;
    else if constexpr (std::is_same_v<Ours, MPI_Op>) return values::op_by_theirs;
    else if constexpr (std::is_same_v<Ours, MPI_Request>) return values::request_by_theirs;
    else if constexpr (std::is_same_v<Ours, MPI_Session>) return values::session_by_theirs;
    else return values::win_by_theirs;
  }
  template <class Ours>
  static constexpr auto& by_ours() {
    namespace values = mpich_values;
    if constexpr (std::is_same_v<Ours, MPI_Comm>) return values::comm_by_ours;
    else if constexpr (std::is_same_v<Ours, MPI_Datatype>) return values::datatype_by_ours;
    else if constexpr (std::is_same_v<Ours, MPI_Errhandler>) return values::errhandler_by_ours;
    else if constexpr (std::is_same_v<Ours, MPI_Group>) return values::group_by_ours;
    else if constexpr (std::is_same_v<Ours, MPI_Info>) return values::info_by_ours;
    else if constexpr (std::is_same_v<Ours, MPI_Message>) return values::message_by_ours;
    else if constexpr (std::is_same_v<Ours, MPI_Op>) return values::op_by_ours;
    else if constexpr (std::is_same_v<Ours, MPI_Request>) return values::request_by_ours;
    else if constexpr (std::is_same_v<Ours, MPI_Session>) return values::session_by_ours;
    else return values::win_by_ours;
  }
};

static_assert(sizeof(Mpich::Status) == 20);

}  // namespace rehearse::smpi::foreign
