// SPDX-License-Identifier: MIT
//
// CLP's functions. The shared library is loaded when a proof is first tried: it brings LAPACK along, and would make the
// start of every command half as long again.
//
// Errors: without the library there are no functions, and nothing is proved.
#pragma once

#include <coin/Clp_C_Interface.h>

namespace rehearse::mc::flow {

struct Clp {
  decltype(&Clp_newModel) new_model;
  decltype(&Clp_deleteModel) delete_model;
  decltype(&Clp_setLogLevel) set_log_level;
  decltype(&Clp_loadProblem) load_problem;
  decltype(&Clp_addRows) add_rows;
  decltype(&Clp_deleteRows) delete_rows;
  decltype(&Clp_numberRows) number_of_rows;
  decltype(&Clp_chgColumnLower) set_lower;
  decltype(&Clp_chgColumnUpper) set_upper;
  decltype(&Clp_setMaximumSeconds) set_maximum_seconds;
  decltype(&Clp_dual) dual;
  decltype(&Clp_status) status;
  decltype(&Clp_statusArray) status_array;
  decltype(&Clp_copyinStatus) copy_in_status;
  decltype(&Clp_getColSolution) solution;
  decltype(&Clp_infeasibilityRay) infeasibility_ray;
  decltype(&Clp_freeRay) free_ray;

  // Null: the library, or one of its functions, is not there.
  static const Clp* load();
};

}  // namespace rehearse::mc::flow
