// SPDX-License-Identifier: MIT
//
// The variables of the launchers.
#include "app/cli/launcher.hpp"

#include <unistd.h>

#include <cctype>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

namespace rehearse::cli {
namespace {

struct Launcher {
  const char *number, *processes;
  const char *job, *step;  // null: it sets none
};

constexpr Launcher launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_NAMESPACE", nullptr},  // Open MPI
    {"PMI_RANK", "PMI_SIZE", "PMI_JOBID", nullptr},                               // MPICH
    {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_JOB_ID", "SLURM_STEP_ID"},            // srun
};

constexpr std::string_view prefixes[] = {"OMPI_", "PMIX_", "PMI_", "HYDI_", "HYDRA_", "PRTE_", "MPIR_", "SLURM_"};

std::optional<std::uint32_t> number_in(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  std::uint32_t value = 0;
  const char* end = text + std::strlen(text);
  const auto [stopped, error] = std::from_chars(text, end, value);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return value;
}

// Only what may be a part of the name of a file.
std::string name_of_job(const Launcher& launcher) {
  std::string name;
  for (const char* variable : {launcher.job, launcher.step}) {
    const char* text = variable == nullptr ? nullptr : std::getenv(variable);
    if (text == nullptr) continue;
    if (!name.empty()) name += '-';
    for (; *text != 0; ++text) name += std::isalnum(static_cast<unsigned char>(*text)) ? *text : '-';
  }
  return name;
}

}  // namespace

Result<app::LaunchedProcess> launched_process() {
  for (const Launcher& launcher : launchers) {
    const auto number = number_in(launcher.number), processes = number_in(launcher.processes);
    if (number && processes && *number < *processes)
      return app::LaunchedProcess{*number, *processes, name_of_job(launcher)};
  }
  return Error{"no launcher started this process; accepted: mpirun -n N rehearse check --distributed ..., with the "
               "mpirun or mpiexec of Open MPI or MPICH, or with srun"};
}

void forget_launcher() {
  std::vector<std::string> names;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    for (const std::string_view prefix : prefixes)
      if (text.starts_with(prefix)) names.emplace_back(text.substr(0, text.find('=')));
  }
  for (const std::string& name : names) unsetenv(name.c_str());
}

}  // namespace rehearse::cli
