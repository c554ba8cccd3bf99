// SPDX-License-Identifier: MIT
//
// A recording in the formats of other programs' viewers.
//
// Order:  the same recording gives the same bytes.
// Errors: those of the stream; the caller looks.
// Source: trace events: "Trace Event Format", Google, 2016 (chrome://tracing, ui.perfetto.dev). Paje: Schnorr, Paje
//         trace file format, version 1.2.5, 2013. DOT: Graphviz. Mermaid: its sequence diagrams.
#pragma once

#include <ostream>
#include <string>

#include "app/recording.hpp"

namespace rehearse::cli {

// What a recording is of.
struct Subject {
  std::string program;  // as the user wrote it
  const Platform& platform;
  std::string network;
};

void write_trace_events(std::ostream& out, const app::Recording& recording, const Subject& subject);
void write_paje(std::ostream& out, const app::Recording& recording, const Subject& subject);

// Message sequence charts: calls, messages, collectives, and who waits forever; no computation.
void write_dot(std::ostream& out, const app::Recording& recording, const Subject& subject);
void write_mermaid(std::ostream& out, const app::Recording& recording, const Subject& subject);

// The name of the function that is called: what is before the arguments.
std::string_view function_of(std::string_view call);

}  // namespace rehearse::cli
