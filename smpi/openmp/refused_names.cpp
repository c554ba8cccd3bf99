// SPDX-License-Identifier: MIT
//
// The functions of libgomp that the runtime does not have: a call ends the rank as unsupported, by name. libgomp's own
// versions would look for teams that do not exist.
#include "smpi/openmp/team.hpp"
#include "smpi/process/refused_function.hpp"

namespace rehearse::smpi::openmp {

InterposerList refused_names() {
  return {refused<"GOMP_doacross_post">(),
          refused<"GOMP_doacross_ull_post">(),
          refused<"GOMP_doacross_ull_wait">(),
          refused<"GOMP_doacross_wait">(),
          refused<"GOMP_loop_doacross_dynamic_start">(),
          refused<"GOMP_loop_doacross_guided_start">(),
          refused<"GOMP_loop_doacross_runtime_start">(),
          refused<"GOMP_loop_doacross_start">(),
          refused<"GOMP_loop_doacross_static_start">(),
          refused<"GOMP_loop_ull_doacross_dynamic_start">(),
          refused<"GOMP_loop_ull_doacross_guided_start">(),
          refused<"GOMP_loop_ull_doacross_runtime_start">(),
          refused<"GOMP_loop_ull_doacross_start">(),
          refused<"GOMP_loop_ull_doacross_static_start">(),
          refused<"GOMP_parallel_reductions">(),
          refused<"GOMP_scope_start">(),
          refused<"GOMP_target">(),
          refused<"GOMP_target_data">(),
          refused<"GOMP_target_data_ext">(),
          refused<"GOMP_target_end_data">(),
          refused<"GOMP_target_enter_exit_data">(),
          refused<"GOMP_target_ext">(),
          refused<"GOMP_target_update">(),
          refused<"GOMP_target_update_ext">(),
          refused<"GOMP_task_reduction_remap">(),
          refused<"GOMP_taskgroup_reduction_register">(),
          refused<"GOMP_taskgroup_reduction_unregister">(),
          refused<"GOMP_teams">(),
          refused<"GOMP_teams4">(),
          refused<"GOMP_teams_reg">(),
          refused<"GOMP_workshare_task_reduction_unregister">(),
          refused<"omp_fulfill_event">(),
          refused<"omp_fulfill_event_">()};
}

}  // namespace rehearse::smpi::openmp
