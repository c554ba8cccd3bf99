// SPDX-License-Identifier: MIT
//
// The protocol of messages: the eager threshold, the handshake above it, and the times that ranks spend on messages.
//
// Threshold: a blocking send whose receive is posted late returns early if its message is eager, and not before the
//            receive is posted otherwise. So the threshold is between two measured sizes, which the calibration program
//            makes neighbours by bisection.
// Overheads: times of MPI_Send, MPI_Isend, and MPI_Recv of a message that has arrived, less a read of the clock.
// Units:     bytes, seconds.
#pragma once

#include <string>
#include <vector>

#include "app/calibration/message_model.hpp"
#include "app/calibration/size_points.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

struct EagerThreshold {
  double largest_eager = 0;  // infinite: no measured message waited for its receive
  double least_waiting = 0;  // the next size, which waits; infinite: none
  double largest_measured = 0;
  std::vector<double> contradictory;  // sizes whose repetitions disagree with the threshold
};

// Errors: no size is clear.
Result<EagerThreshold> find_eager_threshold(const Measurements& all);

struct MessageOverheads {
  std::vector<SizeCost::Piece> send, started_send, receive;
  std::vector<std::string> refused;  // tests whose times are no overheads
};

// Overheads below a thousandth of the half round trips are none. Times above half of them contain the transfer, so they
// are no overheads.
MessageOverheads fit_overheads(const Measurements& all, Statistic statistic, double eager_bytes,
                               const std::vector<SizePoint>& half_round_trips);

// `answered`, as libraries do it, unless half round trips above the threshold are too short for two empty messages
// before the data. (Half round trips and late receives alone cannot tell both apart.)
Handshake find_handshake(const std::vector<SizePoint>& half_round_trips, double eager_bytes);

}  // namespace rehearse::app
