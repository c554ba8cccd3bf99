// SPDX-License-Identifier: MIT
//
// A recording in the formats of other programs' viewers.
//
// Order:  the same recording gives the same bytes.
// Errors: those of the stream; the caller checks it.
// Source: trace events: "Trace Event Format", Google, 2016 (chrome://tracing, ui.perfetto.dev). Paje: Schnorr, Paje
//         trace file format, version 1.2.5, 2013. DOT: Graphviz. Mermaid: its sequence diagrams. Paraver: "Paraver
//         trace format", BSC, with the numbers of Extrae. Timed traces: as in publications about time-independent
//         traces.
#pragma once

#include <ostream>
#include <string>

#include "app/recording.hpp"
#include "simcore/support/result.hpp"
#include "trace/losses.hpp"

namespace rehearse::cli {

// The subject of a recording.
struct Subject {
  std::string program;  // as the user wrote it
  const Platform& platform;
  std::string network;
};

void write_trace_events(std::ostream& out, const app::Recording& recording, const Subject& subject);
void write_paje(std::ostream& out, const app::Recording& recording, const Subject& subject);
// Lines `[end] rank action duration`.
void write_timed_trace(std::ostream& out, const app::Recording& recording, const Subject& subject);

// Formats of several files. The value: the facts of this recording that the format cannot express.
// `file` ends with .prv; .pcf and .row are beside it. Dates are rounded to nanoseconds.
Result<trace::Losses> write_paraver(const std::string& file, const app::Recording& recording, const Subject& subject);
// An archive of OTF2: `file` ends with .otf2; the folder and the .def file with this name belong to it.
Result<trace::Losses> write_otf2(const std::string& file, const app::Recording& recording, const Subject& subject);

// Message sequence charts: calls, messages, collectives, and endless waits; no computation.
void write_dot(std::ostream& out, const app::Recording& recording, const Subject& subject);
void write_mermaid(std::ostream& out, const app::Recording& recording, const Subject& subject);

// The name of the called function: the text before the arguments.
std::string_view function_of(std::string_view call);

}  // namespace rehearse::cli
