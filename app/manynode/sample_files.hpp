// SPDX-License-Identifier: MIT
//
// Samples of CSV files and of recordings.
//
// Errors: one line with the file.
#pragma once

#include <string>
#include <vector>

#include "manynode/samples.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

// The files are of one run. A folder stands for the files in it whose names end in .csv.
Result<manynode::SampleTable> read_sample_files(const std::vector<std::string>& files);

// Flops of the volumes of a recording for each second on the recorded machine. `about`: JSON; empty: unknown.
double recorded_flops_per_second(const std::string& about);

}  // namespace rehearse::app
