// SPDX-License-Identifier: MIT
//
// Loading the user's program.
#include "app/launch.hpp"

#include <unistd.h>

#include <algorithm>

#include "mc/explore_options.hpp"
#include "smpi/abi.hpp"
#include "smpi/call_details.hpp"
#include "smpi/missing_feature.hpp"
#include "smpi/repeated_states.hpp"
#include "smpi/report.hpp"
#include "smpi/window_model.hpp"

namespace rehearse::app {
namespace {

std::vector<std::string> words_of(const std::string& path, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {path};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

// Ranks of a job with such objects exchange accesses to windows as messages.
Result<std::unique_ptr<smpi::LoadedProgram>> load(const Job& job, const smpi::LaunchSpec& spec) {
  if (job.window_objects.empty()) return smpi::load_program(spec);
  smpi::LaunchSpec with_messages = spec;
  with_messages.driver.windows_are_messages = true;
  with_messages.driver.windows_are_separate = std::ranges::find(job.window_objects, smpi::separate_copies) !=
                                              job.window_objects.end();
  auto program = smpi::load_program(with_messages);
  if (!program) return program;
  return smpi::with_window_objects(std::move(program.value()), job.window_objects);
}

}  // namespace

smpi::LaunchSpec launch_spec(const Job& job) {
  smpi::LaunchSpec spec;
  spec.path = job.path;
  spec.argv = words_of(job.path, job.arguments);
  for (const Job::Further& other : job.others)
    spec.others.push_back({other.first_rank, other.path, words_of(other.path, other.arguments)});
  for (char** variable = environ; *variable != nullptr; ++variable) spec.environment.emplace_back(*variable);
  spec.ranks = job.ranks;
  spec.buffers = job.buffers;
  spec.nodes = job.nodes;
  spec.starts = job.starts;
  // Ranks that others start are on the nodes of the first ones, one after the other.
  if (!spec.nodes.of_rank.empty())
    while (spec.nodes.of_rank.size() < all_ranks(job))
      spec.nodes.of_rank.push_back(spec.nodes.of_rank[spec.nodes.of_rank.size() % job.ranks]);
  if (!spec.nodes.cores.empty()) spec.nodes.cores.resize(all_ranks(job), 1);
  spec.cancels = job.cancels;
  spec.failures = job.failures;
  spec.when_lost = smpi::leave_lost;
  spec.driver.has_disks = job.has_disks;
  spec.driver.threads_wait_apart = job.threads_wait_apart;
  spec.date_seconds = job.date_seconds;
  spec.sampling = job.sampling;
  spec.sampled_functions = job.sampled_functions;
  spec.rates = job.rates;
  spec.folding = job.folding;
  spec.merging = job.merging;
  spec.find_mpi_symbol = smpi::find_mpi_symbol;
  spec.describe_call = smpi::print_current_call;
  spec.call_details = smpi::call_details;
  spec.spell_signature = smpi::spell_signature;
  spec.call_site = smpi::call_site_of;
  spec.call_function = smpi::call_function_of;
  spec.call_number = smpi::call_number_of;
  spec.at_end = smpi::report_end;
  spec.missing_feature = smpi::missing_feature;
  return spec;
}

Result<std::unique_ptr<smpi::LoadedProgram>> launch(const Job& job) {
  smpi::LaunchSpec spec = launch_spec(job);
  spec.driver.shares_memory = job.merging == nullptr;
  return smpi::load_program(spec);
}

Result<std::unique_ptr<smpi::LoadedProgram>> launch_without_files(const Job& job) {
  smpi::LaunchSpec spec = launch_spec(job);
  spec.driver.shares_memory = job.merging == nullptr;
  spec.keep_files = true;
  return smpi::load_program(spec);
}

namespace {

smpi::LaunchSpec spec_to_explore(const Job& job) {
  smpi::LaunchSpec spec = launch_spec(job);
  spec.keep_files = true;
  spec.clear_dead_memory = true;
  spec.follows_threads = true;
  spec.call_number = nullptr;
  spec.guard = smpi::LaunchSpec::Guard::affordable;
  return spec;
}

}  // namespace

Result<std::unique_ptr<smpi::LoadedProgram>> launch_to_repeat(const Job& job) {
  smpi::LaunchSpec spec = spec_to_explore(job);
  spec.before_answer = smpi::repeat_numbers;
  spec.buffers = smpi::without_pending(spec.buffers);
  return load(job, spec);
}

Result<std::unique_ptr<smpi::LoadedProgram>> launch_to_explore(const Job& job, const smpi::BarrierSearch& barriers) {
  smpi::LaunchSpec spec = spec_to_explore(job);
  spec.barriers = barriers;
  return load(job, spec);
}

void limit_steps_of(smpi::LoadedProgram& program, mc::ExploreOptions& how) {
  const double seconds = how.bounds.max_step_seconds;
  const std::uint64_t bytes = how.bounds.max_bytes / 8 * 7;  // the explorer needs the rest
  how.hooks.prepare = [&program, seconds, bytes](const StopToken& stop) {
    program.limit_steps({seconds, bytes, stop});
  };
}

Result<std::unique_ptr<smpi::LoadedProgram>> launch_to_replay(const Job& job) {
  smpi::LaunchSpec spec = launch_spec(job);
  spec.keep_files = true;
  spec.clear_dead_memory = true;
  spec.follows_threads = true;
  spec.guard = smpi::LaunchSpec::Guard::always;
  return load(job, spec);
}

}  // namespace rehearse::app
