// SPDX-License-Identifier: MIT
//
// Z3's functions. The shared library has 20 MB, so it is loaded when it is first asked, and commands that do not
// predict start as fast as before.
//
// Errors: without the library there are no functions, and nothing is predicted.
#pragma once

#include <z3.h>

namespace rehearse::mc::predict {

struct Z3 {
  decltype(&Z3_mk_config) make_config;
  decltype(&Z3_del_config) delete_config;
  decltype(&Z3_mk_context) make_context;
  decltype(&Z3_del_context) delete_context;
  decltype(&Z3_set_error_handler) set_error_handler;
  decltype(&Z3_get_error_code) error_code;
  decltype(&Z3_mk_simple_solver) make_solver;
  decltype(&Z3_solver_inc_ref) keep_solver;
  decltype(&Z3_solver_dec_ref) drop_solver;
  decltype(&Z3_solver_set_params) set_parameters;
  decltype(&Z3_mk_params) make_parameters;
  decltype(&Z3_params_inc_ref) keep_parameters;
  decltype(&Z3_params_dec_ref) drop_parameters;
  decltype(&Z3_params_set_uint) set_number;
  decltype(&Z3_mk_string_symbol) make_symbol;
  decltype(&Z3_mk_bool_sort) bool_sort;
  decltype(&Z3_mk_int_sort) int_sort;
  decltype(&Z3_mk_fresh_const) make_variable;
  decltype(&Z3_mk_true) make_true;
  decltype(&Z3_mk_false) make_false;
  decltype(&Z3_mk_not) make_not;
  decltype(&Z3_mk_and) make_and;
  decltype(&Z3_mk_or) make_or;
  decltype(&Z3_mk_implies) make_implies;
  decltype(&Z3_mk_iff) make_iff;
  decltype(&Z3_mk_lt) make_less;
  decltype(&Z3_mk_pble) make_at_most;
  decltype(&Z3_mk_pbge) make_at_least;
  decltype(&Z3_solver_assert) require;
  decltype(&Z3_solver_check_assumptions) check;
  decltype(&Z3_solver_get_model) model;
  decltype(&Z3_model_inc_ref) keep_model;
  decltype(&Z3_model_dec_ref) drop_model;
  decltype(&Z3_model_eval) evaluate;
  decltype(&Z3_get_bool_value) bool_value;
  decltype(&Z3_get_numeral_int64) int_value;

  // Null: the library, or one of its functions, is not there.
  static const Z3* load();
};

}  // namespace rehearse::mc::predict
