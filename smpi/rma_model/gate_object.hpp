// SPDX-License-Identifier: MIT
//
// The way from one rank to the elements of another one's window, if start or fence epochs have atomic operations whose
// order matters: passes them on in their order, each after the exposure that it needs. The rank itself does not wait.
//
// Source: MPI 5.0, 12.5.2.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "smpi/rma_model/held_records.hpp"
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

// Its rank and the owner send only records that they have not sent to it before, and so does the gate to each element.
// So it keeps all records that came, and takes every exposure up to the one that a message needs.
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
  void await_exposure();
  void pass();

  // The exposures of one kind: by fences, or in start epochs.
  struct Opened {
    std::uint64_t number = 0;  // of the last one that came
    News news;                 // what happened before it
  };
  Opened& needed() { return opened_[is_by_fence(message_.exposure) ? 1 : 0]; }
  const Opened& needed() const { return opened_[is_by_fence(message_.exposure) ? 1 : 0]; }

  std::uint32_t owner_, origin_;
  Phase phase_ = Phase::free;
  std::array<Opened, 2> opened_;
  Records of_rank_, all_;                  // records that came from the rank, and from anybody
  std::map<ActorId, HeldRecords> passed_;  // by element: records that it has
  GateMessage message_;
};

}  // namespace rehearse::smpi::model
