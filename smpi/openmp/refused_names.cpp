// SPDX-License-Identifier: MIT
//
// The functions of libgomp that the runtime does not have: a call ends the rank as unsupported, by name. libgomp's own
// versions would look for teams that do not exist.
#include <algorithm>
#include <cstddef>
#include <string>

#include "smpi/openmp/team.hpp"
#include "smpi/process/refusals.hpp"

namespace rehearse::smpi::openmp {
namespace {

template <std::size_t size>
struct Name {
  char text[size];
  consteval Name(const char (&from)[size]) { std::copy_n(from, size, text); }
};

template <Name name>
[[noreturn]] void refuse() {
  const std::string what = std::string(name.text) + " (" + std::string(reason_of_refusal(name.text)) + ")";
  fail_rank(FailureKind::unsupported, "unsupported.function", what);
}

template <Name name>
std::pair<std::string_view, void*> refused() {
  return {name.text, function_address(refuse<name>)};
}

}  // namespace

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
