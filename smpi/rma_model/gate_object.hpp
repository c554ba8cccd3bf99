// SPDX-License-Identifier: MIT
//
// The way from one rank to the elements of another one's window, if start or fence epochs have atomic operations whose
// order matters: passes them on in their order, each after the exposure that it needs. The rank itself does not wait.
//
// Source: MPI 5.0, 12.5.2.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "smpi/rma_model/object_actor.hpp"

namespace rehearse::smpi::model {

// A message for an element.
struct GateMessage {
  ActorId element;
  Channel channel = Channel::requests;
  Tag tag = 0;
  std::uint64_t exposure = 0;  // that it needs (Record::exposure); 0: none
  bool counts_updates = true;  // AtomicRequest::updates is not empty in its meaning (the element is not polled)
  std::vector<std::byte> request;
};
std::vector<std::byte> write_gate_message(const GateMessage& message);

class GateObject final : public ObjectActor {
 public:
  GateObject(ActorId self, std::uint32_t owner, std::uint32_t origin)
      : ObjectActor(self), owner_(owner), origin_(origin) {}

  std::unique_ptr<ObjectActor> clone() const override { return std::make_unique<GateObject>(*this); }
  std::string name() const override;

 private:
  enum class Phase : std::uint8_t { free, closed, passing };

  Operation make() const override;
  void take(const Observation& answer) override;
  void pass();

  std::uint32_t owner_, origin_;
  Phase phase_ = Phase::free;
  std::uint64_t opened_ = 0;  // the last exposure that a message needed
  News opening_;              // what happened before it
  GateMessage message_;
};

}  // namespace rehearse::smpi::model
