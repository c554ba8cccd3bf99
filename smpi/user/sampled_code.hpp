// SPDX-License-Identifier: MIT
//
// The sampled code that the calling rank is in.
//
// Protocol: sample_begins() before each execution; if it returns true, the code runs, and then sample_ends() follows.
//           Sampled code in sampled code is a part of it. Code that was left early (break, return) is no sample.
// Threads:  only on a rank.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "simcore/sampler.hpp"

namespace rehearse::smpi {

// `stack`: an address in the frame of the caller. True: the code must run.
bool sample_begins(const std::string& name, std::span<const std::int64_t> numbers, const SampleRule& rule,
                   const void* stack);
void sample_ends();

// The rule of the options.
SampleRule default_sample_rule();

}  // namespace rehearse::smpi
