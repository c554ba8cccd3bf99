// SPDX-License-Identifier: MIT
//
// From a request to a run: machine, program, engine, judges.
#include "app/run.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>

#include "app/core_load.hpp"
#include "app/interval_recorder.hpp"
#include "app/launch.hpp"
#include "app/selected_checks.hpp"
#include "app/trace/recording_file.hpp"
#include "app/wording.hpp"
#include "simcore/support/format.hpp"
#include "smpi/region_marks.hpp"
#include "smpi/requirements.hpp"
#include "trace/trace_recorder.hpp"

namespace rehearse::app {
namespace {

EngineOptions engine_options_of(const RunRequest& request, const Machine& machine, OutputSink* output) {
  EngineOptions options;
  apply(machine.protocol, options);
  options.combine_flops_per_byte = request.combine_flops_per_byte;
  options.file_system = machine.file_system;
  options.output = output;
  apply(request.machine.compute, options);
  options.burst_rule = rule_of(request.sampling);
  options.application_record = request.application_record;
  options.forced = request.schedule;
  if (request.simulated_seconds_max)
    options.until = TimePoint{} + Duration::from_seconds(*request.simulated_seconds_max);
  return options;
}

// Bandwidth benchmarks let messages share a buffer on purpose: they ignore the received data. Races in files have a
// defined result on the disk of this machine.
void tolerate_common_practice(std::vector<Finding>& findings) {
  constexpr std::string_view file_race = "file.race";
  for (Finding& finding : findings)
    if (finding.id == finding_ids::overlapping_receives || finding.id == file_race)
      finding.severity = Severity::warning;
}

// Values of other ranks in the memory of a rank can make it crash. Then the run proves nothing.
void doubt_crashes(TimedRun& run) {
  if (!run.folding.corrupts_data) return;
  const auto is_crash = [](const Finding& finding) { return finding.id.family() == "crash"; };
  if (std::ranges::none_of(run.findings, is_crash)) return;
  for (const Finding& finding : run.findings)
    if (is_crash(finding))
      run.unsupported.push_back(
          fmt::format("{}: {}: may be due to folding (compare --no-fold)", finding.id.text(), finding.message));
  run.findings.clear();
}

void doubt_cut(TimedRun& run) {
  if (run.result.was_cut)
    run.unsupported.push_back(fmt::format("cut after {} of simulated time (--max-time)", in_seconds(run.result.end)));
}

// A run that leaves out decisions of its schedule is another execution.
void doubt_schedule(TimedRun& run) {
  if (run.result.unused_decisions == 0) return;
  run.unsupported.push_back(
      fmt::format("the run did not come to {} of the schedule", counted(run.result.unused_decisions, "decision")));
  run.findings.clear();
}

// Makes the job use the sampling that it returns.
Result<std::unique_ptr<smpi::Sampling>> prepare_sampling(const RunRequest& request, Job& job) {
  for (const std::string& text : request.sampling.functions) {
    auto function = parse_sampled_function(text);
    if (!function) return function.error();
    job.sampled_functions.push_back(std::move(function.value()));
  }
  auto sampling = make_sampling(request.sampling, request.machine.compute, job.nodes.of_rank);
  if (!sampling) return sampling;
  job.sampling = sampling.value().get();
  job.rates = rates_of(request.machine.compute);
  return sampling;
}

// The reason why ranks of this run cannot start others; empty: there is none.
std::string obstacle_to_starts(const RunRequest& request, bool records_intervals) {
  if (!request.trace.empty()) return "MPI_Comm_spawn in a run that is recorded to a trace";
  if (records_intervals) return "MPI_Comm_spawn in a run whose computations are recorded";
  if (request.folding.above != 0) return "MPI_Comm_spawn with --fold-above";
  if (request.merging.wanted) return "MPI_Comm_spawn with --merge-pages";
  if (!request.sampling.functions.empty()) return "MPI_Comm_spawn with --sample-function";
  return {};
}

// Ranks of programs that can start others have room for them, on the hosts of the machine.
void prepare_starts(const RunRequest& request, bool records_intervals, Machine& machine, Job& job) {
  if (!smpi::may_start_ranks(launch_spec(job))) return;
  const std::string obstacle = obstacle_to_starts(request, records_intervals);
  if (!obstacle.empty()) job.starts.refusal = obstacle;
  job.starts.starts_groups = obstacle.empty();
  std::uint32_t cores = 0;
  for (const Host& host : machine.platform.hosts()) {
    cores += host.cores;
    job.starts.hosts.push_back(host.name);
  }
  place_started(machine, all_ranks(job));
  job.starts.universe_size = std::min(cores, job.starts.most_ranks);
}

// The job on the machine.
Result<Job> job_on(Machine& machine, const RunRequest& request, bool records_intervals) {
  Job job = request.job;
  job.buffers = buffer_checks(request.selection);
  job.has_disks = machine.file_system.has_value();
  // Recordings have one row of operations for each rank, and samples one row of code.
  job.threads_wait_apart = request.trace.empty() && !records_intervals && request.machine.compute.what != "sampled";
  if (job.has_disks && !request.trace.empty())
    return Error{"run: recordings have no accesses to disks: use --file-system none"};
  prepare_starts(request, records_intervals, machine, job);
  job.nodes = nodes_of(machine, all_ranks(job));
  job.nodes.cores = cores_of_ranks(machine, job.ranks);
  return job;
}

// What the run cannot do if ranks fail; empty: nothing.
std::string obstacle_to_failures(const RunRequest& request, bool records_intervals) {
  if (!request.trace.empty() || records_intervals) return "a recorded run has no failures";
  if (request.folding.above != 0) return "does not work with --fold-above";
  if (request.merging.wanted) return "does not work with --merge-pages";
  if (!request.sampling.functions.empty()) return "does not work with --sample-function";
  if (request.machine.compute.what == "sampled") return "does not work with --compute sampled";
  return {};
}

// Ranks fail by request, or with their hosts. If there is an obstacle, a host that goes off is an error of the run.
Result<RunFailures> prepare_failures(const RunRequest& request, bool records_intervals, const Machine& machine,
                                     Job& job) {
  if (const std::string obstacle = obstacle_to_failures(request, records_intervals); !obstacle.empty()) {
    RunFailures none;
    none.reports_outages = false;
    if (request.failures.empty()) return none;
    return Error{obstacle};
  }
  auto failures = failures_of(request.failures, machine, request.job.ranks);
  if (failures) job.failures = failures.value().plan;
  return failures;
}

void limit_steps(const RunRequest& request, smpi::LoadedProgram& program) {
  smpi::StepLimits steps = request.steps;
  steps.stop = request.machine.stop;
  steps.ends_turns = true;
  program.limit_steps(steps);
}

void expect_losses(RunFailures failures, smpi::LoadedProgram& program, EngineOptions& options) {
  options.losses = std::move(failures.losses);
  options.tell_lost = [&program](ActorId rank, std::string_view why) { program.lose(rank, why); };
  options.reports_outages = failures.reports_outages;
}

// The hosts that ranks name for those that they start.
std::function<std::optional<HostId>(ActorId)> hosts_of_born(const smpi::LoadedProgram& program,
                                                            const Platform& platform) {
  return [&](ActorId rank) { return platform.find_host(program.started_host(rank)); };
}

// The regions of the program are the categories of its usage, if that is wanted.
void watch_usage(Machine& machine, smpi::LoadedProgram& program, EngineOptions& options) {
  UsageMeter* usage = machine.usage.get();
  if (usage == nullptr) return;
  smpi::show_regions(program);
  options.timeline = usage;
  options.category_of = [usage](ActorId rank) { return usage->category_of(rank); };
}

// `intervals`: null: none.
Result<MachineRun> run_once(const RunRequest& request, OutputSink* output, IntervalRecorder* intervals) {
  auto machine = make_machine(request.machine, request.job.ranks);
  if (!machine) return Error{"run: " + machine.error().text};
  auto placed = job_on(*machine.value(), request, intervals != nullptr);
  if (!placed) return placed.error();
  Job& job = placed.value();
  auto failures = prepare_failures(request, intervals != nullptr, *machine.value(), job);
  if (!failures) return Error{"run: --fail: " + failures.error().text};
  auto sampling = prepare_sampling(request, job);
  if (!sampling) return Error{"run: " + sampling.error().text};
  auto folding_options = folding_of(request.folding);
  if (!folding_options) return Error{"run: " + folding_options.error().text};
  auto folding = std::make_unique<smpi::Folding>(std::move(folding_options.value()));
  job.folding = folding.get();
  auto merging = merging_of(request.merging, request.folding);
  if (!merging) return Error{"run: " + merging.error().text};
  job.merging = merging.value().get();
  auto program = request.discard_files ? launch_without_files(job) : launch(job);
  if (!program) return program.error();
  place_started(*machine.value(), program.value()->actor_count());
  limit_steps(request, *program.value());
  const auto begin = std::chrono::steady_clock::now();
  EngineOptions options = engine_options_of(request, *machine.value(), output);
  expect_losses(std::move(failures.value()), *program.value(), options);
  options.host_of_born = hosts_of_born(*program.value(), machine.value()->platform);
  if (request.machine.compute.what == "sampled") options.bursts = &sampling.value()->sampler();
  std::unique_ptr<trace::TraceRecorder> recorder;
  if (!request.trace.empty()) {
    auto made = trace::TraceRecorder::create(request.trace, *program.value(),
                                             about_recording(request, *machine.value()),
                                             !machine.value()->protocol.costs.are_none());
    if (!made) return made.error();
    recorder = std::move(made.value());
    options.tap = recorder.get();
  }
  if (intervals != nullptr) {
    REHEARSE_ASSERT(recorder == nullptr, "a run with two recorders");
    if (intervals->markers() == IntervalMarkers::user) smpi::show_regions(*program.value());
    intervals->begin(*program.value(), options.reference_flops);
    options.compute_threshold_seconds = 0;  // short computations count, too
    options.tap = intervals;
  }
  watch_usage(*machine.value(), *program.value(), options);
  const std::string& compute = request.machine.compute.what;
  std::optional<CoreLoadMeter> load;
  if (compute == "measured" || compute == "sampled") load.emplace();
  auto timed = run_timed(*program.value(), *machine.value(), std::move(options), request.selection, request.recorded);
  if (!timed) return Error{"run: " + timed.error().text, timed.error().is_inconclusive};
  doubt_cut(timed.value());
  if (load) timed.value().load = load->measure();
  timed.value().sampling = summary_of(sampling.value()->sampler());
  timed.value().folding = summary_of(*folding);
  if (merging.value()) timed.value().merged = merging.value()->most_memory();
  doubt_crashes(timed.value());
  doubt_schedule(timed.value());
  const auto locate = [&](std::uint64_t site) { return place_of_call(*program.value(), site); };
  if (intervals != nullptr) intervals->finish(locate);
  if (recorder != nullptr) {
    if (const auto written = recorder->finish(locate, about_end_of(timed.value())); !written) return written.error();
  }
  if (const std::string& file = request.sampling.file; !file.empty() && !request.sampling.keeps_file)
    if (const auto written = write_samples(file, sampling.value()->sampler()); !written)
      return Error{"run: --sample-file: " + written.error().text};
  if (!request.strict) tolerate_common_practice(timed.value().findings);
  if (request.warnings_as_errors) take_warnings_for_errors(timed.value().findings);
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  return MachineRun{
      std::move(machine.value()), std::move(sampling.value()), std::move(folding), std::move(merging.value()),
      std::move(program.value()), std::move(timed.value()),    passed.count()};
}

}  // namespace

Result<MachineRun> run(const RunRequest& request, OutputSink* output) { return run_once(request, output, nullptr); }

Result<MachineRun> run_recorded(const RunRequest& request, OutputSink* output, IntervalRecorder& recorder) {
  return run_once(request, output, &recorder);
}

}  // namespace rehearse::app
