// SPDX-License-Identifier: MIT
//
// Explored executions and results as bytes.
//
// Errors: an impossible value makes the Reader bad.
#pragma once

#include <string>
#include <vector>

#include "mc/records/bytes.hpp"
#include "mc/reduction/path.hpp"
#include "mc/reduction/trail.hpp"
#include "mc/verdict/execution.hpp"
#include "mc/verdict/ledger.hpp"

namespace rehearse::mc::records {

void put(Writer& to, const verdict::Execution& execution);
void get(Reader& from, verdict::Execution& execution);
void put(Writer& to, const verdict::Cause& cause);
void get(Reader& from, verdict::Cause& cause);
void put(Writer& to, const Branching& branching);
void get(Reader& from, Branching& branching);
void put(Writer& to, const std::vector<reduction::Race>& races);
void get(Reader& from, std::vector<reduction::Race>& races);
void put(Writer& to, const std::optional<reduction::CandidateIndex>& candidate);
void get(Reader& from, std::optional<reduction::CandidateIndex>& candidate);
void put(Writer& to, const reduction::Cut& cut);
void get(Reader& from, reduction::Cut& cut);
void put(Writer& to, const reduction::Donation& donation);
void get(Reader& from, reduction::Donation& donation);
void put(Writer& to, const reduction::Path& path);
void get(Reader& from, reduction::Path& path);
void put(Writer& to, const verdict::Limits& limits);
void get(Reader& from, verdict::Limits& limits);
void put(Writer& to, const std::vector<std::string>& texts);
void get(Reader& from, std::vector<std::string>& texts);

}  // namespace rehearse::mc::records
