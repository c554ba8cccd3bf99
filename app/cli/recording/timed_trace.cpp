// SPDX-License-Identifier: MIT
//
// Timed traces: a line for each action, with the date of its end and its duration.
//
// Units: seconds, with twelve decimals: picoseconds. Volumes of computation in flops.
#include <algorithm>
#include <charconv>
#include <cstdio>

#include "app/cli/recording/calls.hpp"
#include "app/cli/recording/exports.hpp"

namespace rehearse::cli {
namespace {

void append_seconds(std::string& line, std::int64_t picoseconds) {
  char text[48];
  std::snprintf(text, sizeof text, "%lld.%012lld", static_cast<long long>(picoseconds / 1'000'000'000'000),
                static_cast<long long>(picoseconds % 1'000'000'000'000));
  line += text;
}

// The shortest text from which the same number is read.
void append_number(std::string& line, double value) {
  char text[40];
  line.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

void append_action(std::string& line, const RecordedCall& call, const app::Recording& recording) {
  const app::Interval& first = recording.intervals[call.first];
  if (call.doing == app::Doing::computation) {
    line += "compute";
    if (first.flops > 0) append_number(line += ' ', first.flops);
    return;
  }
  for (std::uint32_t i = call.first; i <= call.last; ++i) {
    const app::Interval& interval = recording.intervals[i];
    if (interval.rank != call.rank || (i > call.first && interval.text == first.text)) continue;
    if (i > call.first) line += ", ";
    for (const char letter : recording.texts[interval.text]) line += letter == '\n' ? ' ' : letter;
  }
}

}  // namespace

void write_timed_trace(std::ostream& out, const app::Recording& recording, const Subject& subject) {
  out << "# " << subject.program << " on " << subject.platform.name() << ", network " << subject.network
      << ": [end] rank action duration, in seconds\n";
  std::vector<RecordedCall> calls = calls_of(recording).calls;
  std::ranges::stable_sort(calls, {}, &RecordedCall::end);
  for (const RecordedCall& call : calls) {
    std::string line = "[";
    append_seconds(line, call.end.picoseconds);
    line += "] " + std::to_string(call.rank) + ' ';
    append_action(line, call, recording);
    line += ' ';
    append_seconds(line, (call.end - call.begin).picoseconds);
    if (call.is_open) line += " never";
    out << line << '\n';
  }
}

}  // namespace rehearse::cli
