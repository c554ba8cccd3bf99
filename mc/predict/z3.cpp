// SPDX-License-Identifier: MIT
//
// Loads the functions once.
#include "mc/predict/z3.hpp"

#include <dlfcn.h>

#include <optional>

namespace rehearse::mc::predict {

namespace {

constexpr const char* file = "libz3.so.4";

class Functions {
 public:
  explicit Functions(void* library) : library_(library) {}

  template <class Function>
  void find(const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library_, name));
    has_all_ = has_all_ && function != nullptr;
  }

  bool has_all() const { return has_all_; }

 private:
  void* library_;
  bool has_all_ = true;
};

std::optional<Z3> load_functions() {
  void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
  Z3 z3{};
  Functions all(library);
  all.find("Z3_mk_config", z3.make_config);
  all.find("Z3_del_config", z3.delete_config);
  all.find("Z3_mk_context", z3.make_context);
  all.find("Z3_del_context", z3.delete_context);
  all.find("Z3_set_error_handler", z3.set_error_handler);
  all.find("Z3_get_error_code", z3.error_code);
  all.find("Z3_mk_simple_solver", z3.make_solver);
  all.find("Z3_solver_inc_ref", z3.keep_solver);
  all.find("Z3_solver_dec_ref", z3.drop_solver);
  all.find("Z3_solver_set_params", z3.set_parameters);
  all.find("Z3_mk_params", z3.make_parameters);
  all.find("Z3_params_inc_ref", z3.keep_parameters);
  all.find("Z3_params_dec_ref", z3.drop_parameters);
  all.find("Z3_params_set_uint", z3.set_number);
  all.find("Z3_mk_string_symbol", z3.make_symbol);
  all.find("Z3_mk_bool_sort", z3.bool_sort);
  all.find("Z3_mk_int_sort", z3.int_sort);
  all.find("Z3_mk_fresh_const", z3.make_variable);
  all.find("Z3_mk_true", z3.make_true);
  all.find("Z3_mk_false", z3.make_false);
  all.find("Z3_mk_not", z3.make_not);
  all.find("Z3_mk_and", z3.make_and);
  all.find("Z3_mk_or", z3.make_or);
  all.find("Z3_mk_implies", z3.make_implies);
  all.find("Z3_mk_iff", z3.make_iff);
  all.find("Z3_mk_lt", z3.make_less);
  all.find("Z3_mk_pble", z3.make_at_most);
  all.find("Z3_mk_pbge", z3.make_at_least);
  all.find("Z3_solver_assert", z3.require);
  all.find("Z3_solver_check_assumptions", z3.check);
  all.find("Z3_solver_get_model", z3.model);
  all.find("Z3_model_inc_ref", z3.keep_model);
  all.find("Z3_model_dec_ref", z3.drop_model);
  all.find("Z3_model_eval", z3.evaluate);
  all.find("Z3_get_bool_value", z3.bool_value);
  all.find("Z3_get_numeral_int64", z3.int_value);
  return all.has_all() ? std::optional(z3) : std::nullopt;
}

}  // namespace

const Z3* Z3::load() {
  static const std::optional<Z3> z3 = load_functions();
  return z3 ? &*z3 : nullptr;
}

}  // namespace rehearse::mc::predict
