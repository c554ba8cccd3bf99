// SPDX-License-Identifier: MIT
//
// The network model whose numbers `rehearse calibrate` finds. Everything that depends on the choice of the model is
// here.
#pragma once

namespace rehearse::app {

inline constexpr const char* calibrated_network = "mpi";  // docs/mpi-network.md
inline constexpr double calibrated_envelope_bytes = 64;   // its default; the latency factors absorb any difference
inline constexpr double calibrated_transmit_queue_bytes = 65536;  // its default

}  // namespace rehearse::app
