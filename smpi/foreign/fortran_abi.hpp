// SPDX-License-Identifier: MIT
//
// The binary interfaces of MPICH and Open MPI in Fortran, for the entry points of smpi/fortran. Most values are those
// of C; a handle is the INTEGER of MPI_*_c2f, and the addresses with a meaning are those of COMMON blocks, or of
// variables of the module mpi_f08, that the program or one of its libraries owns.
//
// Threads: the addresses are kept for each rank; only on a rank.
// Source:  mpif.h and the modules of MPICH 4.0 and Open MPI 4.1.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

#include "smpi/callbacks.hpp"
#include "smpi/foreign/mpich.hpp"
#include "smpi/foreign/open_mpi.hpp"
#include "smpi/fortran/standard_abi.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/program_object.hpp"

namespace rehearse::smpi::foreign {

enum class Sentinel : std::uint8_t {
  bottom,
  in_place,
  status_ignore,
  statuses_ignore,
  unweighted,
  weights_empty,
  count
};

// Where a sentinel is: an object of the program, and the place in it.
struct SentinelPlace {
  Sentinel sentinel;
  std::string_view object;
  std::size_t offset = 0;
};

// The sentinels of one rank, looked up at the first use.
template <class Abi>
class FortranSentinels {
 public:
  FortranSentinels() {
    for (std::size_t i = 0; i < addresses_.size(); ++i) {
      const SentinelPlace& place = Abi::sentinel_places[i];
      if (const void* object = find_program_object(place.object); object != nullptr)
        addresses_[i] = static_cast<const std::byte*>(object) + place.offset;
    }
  }

  // Sentinel::count: it is none.
  Sentinel find(const void* pointer) const {
    for (std::size_t i = 0; i < addresses_.size(); ++i)
      if (addresses_[i] == pointer && pointer != nullptr) return Abi::sentinel_places[i].sentinel;
    return Sentinel::count;
  }

 private:
  std::array<const std::byte*, std::size(Abi::sentinel_places)> addresses_{};  // null: the program has no such object
};

// What the two libraries have in common. `Abi` derives from it.
template <class Abi, class C>
struct ForeignFortran : C {
  template <class Ours>
  using Handle = int;

  template <class Ours>
  static Ours ours(int number) {
    return C::template ours_of_integer<Ours>(number);
  }
  template <class Ours>
  static int foreign(Ours handle) {
    return C::template integer_of_ours<Ours>(handle);
  }

  static Sentinel sentinel_at(const void* pointer) { return per_rank<FortranSentinels<Abi>>().find(pointer); }
  static void* buffer_of(const void* pointer) {
    const Sentinel found = sentinel_at(pointer);
    return found == Sentinel::bottom     ? MPI_BOTTOM
           : found == Sentinel::in_place ? MPI_IN_PLACE
                                         : const_cast<void*>(pointer);
  }
  static bool is_ignored(const void* status) {
    const Sentinel found = sentinel_at(status);
    return found == Sentinel::status_ignore || found == Sentinel::statuses_ignore;
  }
  static int* weights_of(int* weights) {
    const Sentinel found = sentinel_at(weights);
    return found == Sentinel::unweighted      ? MPI_UNWEIGHTED
           : found == Sentinel::weights_empty ? MPI_WEIGHTS_EMPTY
                                              : weights;
  }
  static void* automatic_buffer() { return MPI_BUFFER_AUTOMATIC; }  // of MPI 4.1: no program of these libraries has it
};

struct MpichFortran : ForeignFortran<MpichFortran, Mpich> {
  static constexpr Interface interface = Interface::mpich_fortran;
  static constexpr fortran::Descriptors descriptors = fortran::Descriptors::of_gfortran;
  static constexpr SentinelPlace sentinel_places[] = {
      {Sentinel::bottom, "mpipriv1_"},
      {Sentinel::in_place, "mpipriv1_", 4},
      {Sentinel::status_ignore, "mpipriv1_", 8},
      {Sentinel::statuses_ignore, "mpipriv2_"},
      {Sentinel::unweighted, "mpifcmb5_"},
      {Sentinel::weights_empty, "mpifcmb9_"},
      {Sentinel::bottom, "MPIR_F08_MPI_BOTTOM"},
      {Sentinel::in_place, "MPIR_F08_MPI_IN_PLACE"},
      {Sentinel::status_ignore, "MPIR_F08_MPI_STATUS_IGNORE_OBJ"},
      {Sentinel::statuses_ignore, "MPIR_F08_MPI_STATUSES_IGNORE_OBJ"},
      {Sentinel::unweighted, "__mpi_f08_link_constants_MOD_mpi_unweighted"},
      {Sentinel::weights_empty, "__mpi_f08_link_constants_MOD_mpi_weights_empty"}};

  // The keys of predefined attributes are those of C plus one.
  static constexpr auto keyvals = [] {
    std::array<Pair, std::size(Mpich::keyvals)> all{};
    std::ranges::copy(Mpich::keyvals, all.begin());
    for (Pair& pair : all)
      if (pair.ours != MPI_KEYVAL_INVALID) ++pair.theirs;
    return all;
  }();
};

struct OpenMpiFortran : ForeignFortran<OpenMpiFortran, OpenMpi> {
  static constexpr Interface interface = Interface::open_mpi_fortran;
  static constexpr fortran::Descriptors descriptors = fortran::Descriptors::none;
  static constexpr SentinelPlace sentinel_places[] = {{Sentinel::bottom, "mpi_fortran_bottom_"},
                                                      {Sentinel::in_place, "mpi_fortran_in_place_"},
                                                      {Sentinel::status_ignore, "mpi_fortran_status_ignore_"},
                                                      {Sentinel::statuses_ignore, "mpi_fortran_statuses_ignore_"},
                                                      {Sentinel::unweighted, "mpi_fortran_unweighted_"},
                                                      {Sentinel::weights_empty, "mpi_fortran_weights_empty_"}};

  // The words of the status of C, which INTEGERs align.
  struct Status {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR, cancelled;
    int bytes[2];
  };
  static std::pair<MPI_Count, int> extra_of(const Status& status) {
    std::size_t bytes = 0;
    std::memcpy(&bytes, status.bytes, sizeof bytes);
    return {static_cast<MPI_Count>(bytes), status.cancelled};
  }
  static void set_extra(Status& status, MPI_Count bytes, int cancelled) {
    std::memcpy(status.bytes, &bytes, sizeof status.bytes);
    status.cancelled = cancelled == 1 ? 1 : 0;
  }
};

static_assert(sizeof(OpenMpiFortran::Status) == sizeof(OpenMpi::Status));

}  // namespace rehearse::smpi::foreign
