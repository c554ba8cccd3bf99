// SPDX-License-Identifier: MIT
//
// Loads the functions once.
#include "mc/flow/clp.hpp"

#include <dlfcn.h>

#include <optional>

namespace rehearse::mc::flow {

namespace {

constexpr const char* file = "libClp.so.1";

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

std::optional<Clp> load_functions() {
  void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
  Clp clp{};
  const bool has_all =
      find(library, "Clp_newModel", clp.new_model) && find(library, "Clp_deleteModel", clp.delete_model) &&
      find(library, "Clp_setLogLevel", clp.set_log_level) && find(library, "Clp_loadProblem", clp.load_problem) &&
      find(library, "Clp_addRows", clp.add_rows) && find(library, "Clp_deleteRows", clp.delete_rows) &&
      find(library, "Clp_numberRows", clp.number_of_rows) && find(library, "Clp_chgColumnLower", clp.set_lower) &&
      find(library, "Clp_chgColumnUpper", clp.set_upper) &&
      find(library, "Clp_setMaximumSeconds", clp.set_maximum_seconds) && find(library, "Clp_dual", clp.dual) &&
      find(library, "Clp_status", clp.status) && find(library, "Clp_statusArray", clp.status_array) &&
      find(library, "Clp_copyinStatus", clp.copy_in_status) && find(library, "Clp_getColSolution", clp.solution) &&
      find(library, "Clp_infeasibilityRay", clp.infeasibility_ray) && find(library, "Clp_freeRay", clp.free_ray);
  return has_all ? std::optional(clp) : std::nullopt;
}

}  // namespace

const Clp* Clp::load() {
  static const std::optional<Clp> clp = load_functions();
  return clp ? &*clp : nullptr;
}

}  // namespace rehearse::mc::flow
