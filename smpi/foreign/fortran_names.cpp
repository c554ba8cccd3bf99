// SPDX-License-Identifier: MIT
//
// See fortran_names.hpp. Procedures of modules: __mpi_f08_types_MOD_mpi_comm_neq (MPICH),
// __mpi_f08_types_MOD_ompi_comm_op_ne (Open MPI).
#include "smpi/foreign/fortran_names.hpp"

#include <array>

namespace rehearse::smpi::foreign {
namespace {

struct Ending {
  std::string_view theirs, ours;
};
// Of MPICH, some with an INTEGER as one of the two handles.
constexpr std::array comparisons = {Ending{"_f_eq_f08", "_eq"}, Ending{"_f08_eq_f", "_eq"}, Ending{"_f_neq_f08", "_ne"},
                                    Ending{"_f08_neq_f", "_ne"}, Ending{"_neq", "_ne"}};
// Of Open MPI, where all names begin with ompi_.
constexpr std::array prefixed_comparisons = {Ending{"_op_eq", "_eq"}, Ending{"_op_ne", "_ne"}};

// MPI_SIZEOF by type: bits of an intrinsic kind, or MPICH's letters (for arrays with a `v` behind).
constexpr std::array sizes = {Ending{"character", "character1"},
                              Ending{"logical", "logical4"},
                              Ending{"int8", "integer1"},
                              Ending{"int16", "integer2"},
                              Ending{"int32", "integer4"},
                              Ending{"int64", "integer8"},
                              Ending{"real32", "real4"},
                              Ending{"real64", "real8"},
                              Ending{"real128", "real16"},
                              Ending{"complex32", "complex4"},
                              Ending{"complex64", "complex8"},
                              Ending{"complex128", "complex16"},
                              Ending{"xint8", "integer1"},
                              Ending{"xint16", "integer2"},
                              Ending{"xint32", "integer4"},
                              Ending{"xint64", "integer8"},
                              Ending{"xreal32", "real4"},
                              Ending{"xreal64", "real8"},
                              Ending{"xreal128", "real16"},
                              Ending{"xcomplex32", "complex4"},
                              Ending{"xcomplex64", "complex8"},
                              Ending{"xcomplex128", "complex16"},
                              Ending{"ch", "character1"},
                              Ending{"l", "logical4"},
                              Ending{"i", "integer4"},
                              Ending{"i1", "integer1"},
                              Ending{"i2", "integer2"},
                              Ending{"i8", "integer8"},
                              Ending{"r", "real4"},
                              Ending{"d", "real8"},
                              Ending{"cx", "complex4"}};

std::string_view without_module(std::string_view name) {
  const std::size_t at = name.starts_with("__mpi_") ? name.find("_mod_") : std::string_view::npos;
  return at == std::string_view::npos ? name : name.substr(at + 5);
}

template <std::size_t count>
std::string with_ending(const std::string& name, const std::array<Ending, count>& endings) {
  for (const Ending& ending : endings)
    if (name.ends_with(ending.theirs))
      return name.substr(0, name.size() - ending.theirs.size()) + std::string(ending.ours);
  return name;
}

std::string size_function(std::string_view type) {
  const std::string_view whole = type;
  if (const std::size_t at = type.rfind('_'); at != std::string_view::npos) type = type.substr(0, at);  // _scalar, _r1
  for (const std::string_view candidate : {type, type.ends_with('v') ? type.substr(0, type.size() - 1) : type})
    for (const Ending& size : sizes)
      if (candidate == size.theirs) return "mpi_sizeof_" + std::string(size.ours);
  return "mpi_sizeof_" + std::string(whole);
}

}  // namespace

std::string standard_fortran_name(std::string_view name) {
  std::string_view plain = without_module(name);
  while (plain.ends_with('_')) plain.remove_suffix(1);
  std::string result(plain);
  if (result.starts_with("pmpir_")) result = "mpi_" + result.substr(6);
  if (result.starts_with("pmpi_")) result = result.substr(1);
  if (result.starts_with("ompi_")) return with_ending(result.substr(1), prefixed_comparisons);
  constexpr std::string_view size_of = "mpi_sizeof_", large = "_large";
  if (result.starts_with(size_of)) return size_function(result.substr(size_of.size()));
  result = with_ending(result, comparisons);
  if (const std::size_t form = result.rfind("_f08"); result.ends_with(large) && form != std::string::npos) {
    result.resize(result.size() - large.size());
    result.insert(form, "_c");
  }
  return result;
}

}  // namespace rehearse::smpi::foreign
