// SPDX-License-Identifier: MIT
//
// Sampled code of ranks: blocks and functions of which only some executions run (simcore/sampler.hpp). The times of the
// others pass without their work, so their data are not computed.
//
// Time:      of an execution that runs, the measured time; of another one, the sampler's. Both pass like measured
//            computation. If computation is not measured, they pass by themselves.
// Refused:   calls of MPI in sampled code, because a rank that does not run it would not make them.
// Errors:    make(): the machine cannot measure in this way.
// Ownership: outside the memory of ranks; lives longer than the program.
// Threads:   none.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simcore/application_meter.hpp"
#include "simcore/core_probe.hpp"
#include "simcore/sampler.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::smpi {

// Volumes that a program states in other units than flops.
struct VolumeRates {
  double flops_per_second = 10e9;  // EngineOptions::reference_flops, with the factor on measured times
  double seconds_per_instruction = 1.0 / 3e9;
};

// A function to sample, and the arguments whose values are the numbers of its class.
struct SampledFunction {
  struct Argument {
    enum class As : std::uint8_t { integer, wide, pointer } as = As::integer;  // int, 64 bits, address of an int
    std::uint32_t position = 1;  // among the integer and pointer arguments, 1 to 6
  };
  std::string name;  // its symbol
  std::vector<Argument> arguments = {};
};

class Sampling {
 public:
  struct Options {
    SampleAs as = SampleAs::draw;
    SampleRule rule;
    std::vector<std::uint32_t> hosts = {};  // of each rank
    ApplicationCost cost = ApplicationCost::measured;
    double seconds_per_instruction = 1.0 / 3e9;
    bool models = false;            // classes that never ran take their times from laws
    std::uint64_t seed = 1;         // of the times of executions that do not run
    bool passes_by_itself = false;  // the driver does not measure computation, or replaces its measured time
  };
  static Result<std::unique_ptr<Sampling>> make(const Options& options);

  Sampler& sampler() { return sampler_; }
  const Sampler& sampler() const { return sampler_; }
  const Options& options() const { return options_; }

  // A meter that nobody uses. Null: the machine cannot measure any more.
  ApplicationMeter* take_meter();
  void give_back(ApplicationMeter* meter) { free_.push_back(meter); }

  // Whether another process slows this core down now. Instructions do not depend on that.
  bool is_disturbed() { return options_.cost != ApplicationCost::instructions && probe_.is_disturbed(); }

 private:
  explicit Sampling(const Options& options) : options_(options), sampler_(options.as, options.hosts, options.seed) {
    if (options.models) sampler_.use_models();
  }

  Options options_;
  Sampler sampler_;
  CoreProbe probe_;
  std::vector<std::unique_ptr<ApplicationMeter>> meters_;
  std::vector<ApplicationMeter*> free_;
};

}  // namespace rehearse::smpi
