// SPDX-License-Identifier: MIT
//
// See trace_options.hpp.
#include "app/cli/trace_options.hpp"

#include <limits>
#include <utility>

#include "app/cli/goal_options.hpp"
#include "app/cli/machine_options.hpp"
#include "app/cli/message_options.hpp"
#include "app/cli/verb_options.hpp"

namespace rehearse::cli {
namespace {

void declare_alterations(OptionSet& app, app::TraceReplayRequest& request) {
  app.add_option_function(
      "--scale-compute",
      [&target = request.alterations.compute](const std::string& text) {
        auto factors = trace::parse_compute_factors(text);
        if (!factors) return factors.error().text;
        target = std::move(factors.value());
        return std::string();
      },
      "factors of the time of computation: FACTOR or WHERE=FACTOR, separated by commas; those that fit are multiplied. "
      "FACTOR is a number or A/B; WHERE is rank:N, rank:FIRST-LAST, or in a recording FUNCTION, FILE:FUNCTION or "
      "FILE:LINE of the call that ends the computation");
  app.add_option("--scale-bytes", request.alterations.bytes_factor,
                 "factor of the sizes of messages and of contributions to collectives (default 1)")
      ->check(number_from_zero());
  app.add_option_function(
      "--noise",
      [&target = request.alterations.noise](const std::string& text) {
        auto noise = trace::parse_noise(text);
        if (!noise) return noise.error().text;
        noise.value().seed = target.seed;
        target = std::move(noise.value());
        return std::string();
      },
      "random factor of each burst of computation: normal:DEVIATION, lognormal:DEVIATION, uniform:LOW,HIGH, "
      "exponential:MEAN (of the excess), or a file with a factor on each line, of which each burst takes one");
  app.add_option_function(
         "--noise-seed",
         [&seed = request.alterations.noise.seed](const std::string& text) {
           seed = std::stoull(text);
           return std::string();
         },
         "seed of --noise (default 1)")
      ->check(whole_number(0, std::numeric_limits<std::uint64_t>::max()));
}

}  // namespace

void declare_trace(OptionSet& app, std::string& file, bool takes_goal) {
  app.add_option("TRACE", file,
                 takes_goal ? "trace: a recording, time-independent text of all ranks, an index that names a file for "
                              "each rank, an OTF2 archive (FILE.otf2), or a GOAL schedule (text or binary)"
                            : "trace: a recording, time-independent text of all ranks, an index that names a file "
                              "for each rank, or an OTF2 archive (FILE.otf2)")
      ->required();
}

void declare_replay(OptionSet& app, app::TraceReplayRequest& request) {
  declare_platform(app, request.machine);
  declare_algorithms(app, "--collective-algorithms,--collectives", request.machine);
  declare(app, request.machine.protocol);
  app.add_option("--reduction-flops", request.combine_flops_per_byte,
                 "cost of a reduction for the receiver, in flops per byte, besides the volumes in the trace "
                 "(default 0; of a recording 1, as run)")
      ->check(number_from_zero());
  declare(app, request.wildcards);
  app.add_option(
         "--rate", request.rate,
         "volume that a core computes in a second, in the unit of the trace (instructions or flops), instead of "
         "the speed of its host")
      ->check(positive_number());
  app.add_option("--rate-file", request.rate_file,
                 "such rates by place of the call that ends the computation, as JSON: {\"region FUNCTION\": 2e9, "
                 "\"site FILE:LINE\": 1e9, \"default\": 3e9}; `trace profile --rates` writes it");
  app.add_option("--replicas", request.replicas,
                 "replay so many copies of the trace side by side, which share the machine only (default 1)")
      ->check(whole_number(1, 1'000'000));
  declare_alterations(app, request);
  declare_network_changes(app, request.machine.changes);
}

}  // namespace rehearse::cli
