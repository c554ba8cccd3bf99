// SPDX-License-Identifier: MIT
//
// Platforms that need no file.
//
// Figures: all hosts have 8 cores of 10 Gflop/s; within a host a message has a latency of 0.5 us and a
//          bandwidth of 10 GB/s. Cost models scale these latencies.
//          laptop: one host.
//          cluster:N: hosts node-0 .. node-N-1, each with a full-duplex link of 1.25 GB/s (10 Gb/s) and
//          5 us to a switch that is never the bottleneck (12.5 GB/s for each flow, 1 us).
//          crossbar:N: the same without a limit in the switch.
//          fat-tree:N: leaf switches with d hosts each, where d is the greatest divisor of N up to its square
//          root, and d switches above them with one cable to each leaf switch: full bisection. Or, in the form of
//          platform files, fat-tree:LEVELS;DOWN,...;UP,...;CABLES,...
//          torus:AxBx...; dragonfly:GROUPSxCHASSISxBLADESxNODES, or with numbers of parallel cables,
//          dragonfly:GROUPS,CABLES;CHASSIS,CABLES;BLADES,CABLES;NODES.
//          Cables of these three: full-duplex, 1.25 GB/s and 1 us each.
//          With @NETWORK behind the name: links have the bandwidth and latency of that preset, whose settings are
//          those of the platform (simcore/network_preset.hpp). The latency of a link contains its part of a switch.
// Errors:  the given name and the accepted forms.
#pragma once

#include <string_view>

#include "simcore/platform_builder.hpp"

namespace rehearse::platform {

// The forms of built-in names, for messages.
std::string_view built_in_names();

// Whether the name has the form of a built-in one (it may still be invalid: cluster:0).
bool is_built_in(std::string_view name);

Result<Platform> make_built_in(std::string_view name);

}  // namespace rehearse::platform
