// SPDX-License-Identifier: MIT
//
// The running rank, and the names of libc's variables.
#include "smpi/process/rank_state.hpp"

#include <cstddef>

#include "simcore/support/assert.hpp"

namespace rehearse::smpi {
namespace {

thread_local RankState* running = nullptr;

struct VariableName {
  std::string_view name;
  Variable variable;
};

constexpr VariableName names[] = {
    {"optarg", Variable::optarg},
    {"optind", Variable::optind},
    {"opterr", Variable::opterr},
    {"optopt", Variable::optopt},
    {"stdin", Variable::standard_input},
    {"stdout", Variable::standard_output},
    {"stderr", Variable::standard_error},
    {"environ", Variable::environment},
    {"__environ", Variable::environment},
    {"_environ", Variable::environment},
    {"program_invocation_name", Variable::invocation_name},
    {"__progname_full", Variable::invocation_name},
    {"program_invocation_short_name", Variable::invocation_short_name},
    {"__progname", Variable::invocation_short_name},
};

}  // namespace

std::size_t find_variable(std::string_view name) {
  for (const VariableName& entry : names)
    if (entry.name == name) return static_cast<std::size_t>(entry.variable);
  return variable_count;
}

std::size_t variable_offset(std::size_t variable) {
  constexpr std::size_t offsets[] = {offsetof(RankState, optarg),          offsetof(RankState, optind),
                                     offsetof(RankState, opterr),          offsetof(RankState, optopt),
                                     offsetof(RankState, standard_input),  offsetof(RankState, standard_output),
                                     offsetof(RankState, standard_error),  offsetof(RankState, environment),
                                     offsetof(RankState, invocation_name), offsetof(RankState, invocation_short_name)};
  static_assert(std::size(offsets) == variable_count);
  REHEARSE_ASSERT(variable < variable_count, "no such variable");
  return offsets[variable];
}

RankState* running_rank() { return running; }
void set_running_rank(RankState* rank) { running = rank; }

RankState& this_rank() {
  REHEARSE_ASSERT(running != nullptr, "a rank's function was called outside of a rank");
  return *running;
}

}  // namespace rehearse::smpi
