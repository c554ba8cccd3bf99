// SPDX-License-Identifier: MIT
//
// The network model whose numbers `rehearse calibrate` finds. Everything that depends on the choice of the model is
// here.
#pragma once

namespace rehearse::app {

// The factors by size include the bytes of envelopes.
inline constexpr const char* calibrated_network = "mpi";
inline constexpr double calibrated_envelope_bytes = 0;
// Whether a platform file can contain the protocol: overheads, eager threshold, handshake, contention, envelope.
inline constexpr bool platform_has_protocol = true;

}  // namespace rehearse::app
