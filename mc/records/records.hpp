// SPDX-License-Identifier: MIT
//
// Explored executions and results as bytes.
//
// Errors: what cannot be turns the Reader bad.
#pragma once

#include <string>
#include <vector>

#include "mc/records/bytes.hpp"
#include "mc/reduction/path.hpp"
#include "mc/reduction/trail.hpp"
#include "mc/verdict/execution.hpp"
#include "mc/verdict/ledger.hpp"

namespace rehearse::mc {

void put(Writer& to, const Execution& execution);
void get(Reader& from, Execution& execution);
void put(Writer& to, const Cause& cause);
void get(Reader& from, Cause& cause);
void put(Writer& to, const Branching& branching);
void get(Reader& from, Branching& branching);
void put(Writer& to, const std::vector<Race>& races);
void get(Reader& from, std::vector<Race>& races);
void put(Writer& to, const std::optional<CandidateIndex>& candidate);
void get(Reader& from, std::optional<CandidateIndex>& candidate);
void put(Writer& to, const Cut& cut);
void get(Reader& from, Cut& cut);
void put(Writer& to, const Donation& donation);
void get(Reader& from, Donation& donation);
void put(Writer& to, const Path& path);
void get(Reader& from, Path& path);
void put(Writer& to, const Limits& limits);
void get(Reader& from, Limits& limits);
void put(Writer& to, const std::vector<std::string>& texts);
void get(Reader& from, std::vector<std::string>& texts);

}  // namespace rehearse::mc
