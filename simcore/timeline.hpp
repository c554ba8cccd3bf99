// SPDX-License-Identifier: MIT
//
// The events of a timed run: the timed driver reports them while it runs, for reports and pictures.
//
// Actors:    during on_operation() the actor is still at the operation, so Program::describe() describes it.
// Order:     per actor by time, without overlap; the intervals of different actors are interleaved as
//            they end.
// Ownership: the operation points into the actor's memory and is only valid during the call.
#pragma once

#include <cstdint>

#include "simcore/ids.hpp"
#include "simcore/operation.hpp"
#include "simcore/schedule.hpp"
#include "simcore/time.hpp"

namespace rehearse {

// A received message.
struct Delivery {
  ActorId source;
  RequestId send;  // of the source
  ActorId destination;
  RequestId receive;  // of the destination
  ContextId context;
  Tag tag = 0;
  std::uint64_t bytes = 0;
  TimePoint sent;     // start of the message or of its announcement
  TimePoint arrived;  // arrival of its data, also if the receive was posted later
};

// A message inside a collective, which belongs to no request of the program.
struct InnerDelivery {
  ActorId source, destination;
  std::uint64_t bytes = 0;
  TimePoint sent, arrived;
};

class Timeline {
 public:
  virtual ~Timeline() = default;
  // The actor requested the operation at `begin` and got the answer at `end`.
  virtual void on_operation(ActorId actor, const Operation& operation, TimePoint begin, TimePoint end) = 0;
  // The simulated time of the application code between two operations.
  virtual void on_computation(ActorId actor, TimePoint begin, TimePoint end) = 0;
  // Comes before on_operation() of the actor that waited for it.
  virtual void on_delivery(const Delivery&) {}
  // In the order in which they arrive.
  virtual void on_inner_delivery(const InnerDelivery&) {}
  // From now on a receive of the destination can take the message. Perhaps only its announcement has arrived.
  virtual void on_visible(const SendName&, ActorId, TimePoint) {}
  // The receive matches the message, whose data may still be in transit.
  virtual void on_match(ActorId, RequestId, const SendName&, TimePoint) {}
  // The access of the actor takes effect at its target (simcore/remote_access.hpp).
  virtual void on_effect(ActorId, RequestId, TimePoint) {}
};

}  // namespace rehearse
