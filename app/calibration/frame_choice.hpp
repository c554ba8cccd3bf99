// SPDX-License-Identifier: MIT
//
// Whether links store frames before they send them on, decided by the half round trips.
//
// Why:    bytes of a short message pass each link one after the other, so the times of short messages rise faster with
//         the size than those of long ones. Without frames, a fit takes this for a low bandwidth of short messages,
//         which is wrong for several messages at once: they pass a link one after the other, but different links at
//         once.
// Choice: frames of Ethernet (IEEE 802.3) or none, by the smaller information criterion (segmented_fit.hpp) of the half
//         round trips, plus that of the logarithmic errors of several messages at once. Both models then pay for their
//         breakpoints. With frames, no link carries much more than its bandwidth.
#pragma once

#include <vector>

#include "app/calibration/contention_fit.hpp"
#include "app/calibration/message_model.hpp"

namespace rehearse::app {

struct FrameEvidence {
  const std::vector<SizePoint>& half_round_trips;
  const std::vector<FlowsAtOnce>& flows;
};

// Sets the frame and the pieces of `model`, which has no frames; its other members are given, also `further_links`.
void fit_frames_and_pieces(MessageModel& model, const FrameEvidence& evidence);

}  // namespace rehearse::app
