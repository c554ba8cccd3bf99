// SPDX-License-Identifier: MIT
//
// Actors that stand for what ranks share through windows: a lock, its readers, or an element that atomics access. They
// only exchange messages with ranks and with each other, so every driver explores them like any actor. A receive from
// any source is the choice that they exist for: who gets the lock next, which atomic takes effect next.
//
// Ownership: an object is a value: clone() copies its state. Operations point into the object.
// Threads:   none.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "simcore/observation.hpp"
#include "simcore/operation.hpp"
#include "smpi/rma_model/view.hpp"

namespace rehearse::smpi::model {

// Messages about an object have contexts of their own, from this one on, with the number of the object in bits 8 to 39.
inline constexpr std::uint64_t first_object_context = 0xa000'0000'0000'0000;

enum class Channel : std::uint64_t { requests, updates, answers, exposures };
ContextId context_of(ActorId object, Channel channel);
// Of the message by which a rank tells an origin that it has exposed its window, for the time `number`. Its context is
// that of an object whose number is the owner's.
std::pair<ContextId, Tag> exposure_channel(ActorId owner, std::uint64_t window, std::uint64_t number);

namespace tags {
inline constexpr Tag request = 0, release = 1, close = 2, closed = 3, open = 4, grant = 5, answer = 6,
                     goodbye = 1 << 30;  // all ranks have ended
}

class ObjectActor {
 public:
  explicit ObjectActor(ActorId self) : self_(self) {}
  virtual ~ObjectActor() = default;

  virtual std::unique_ptr<ObjectActor> clone() const = 0;
  const Operation& next() { return operation_ = is_over_ ? Operation(End{}) : make(); }
  void resume(const Observation& answer);
  // As Program::site. 0: a poll at which any number of answers "no" is possible.
  virtual std::uint64_t site() const { return 0; }
  virtual std::string name() const = 0;  // "the lock of the window of rank 1"

 protected:
  ObjectActor(const ObjectActor&) = default;
  ObjectActor& operator=(const ObjectActor&) = default;

  virtual Operation make() const = 0;
  virtual void take(const Observation& answer) = 0;

  Operation send(ActorId to, Channel channel, Tag tag, std::span<const std::byte> data) const;
  Operation receive(Channel channel, std::optional<ActorId> from, std::optional<Tag> tag) const;
  // The same for a message to or from another object, in that object's contexts.
  Operation send_to(ActorId object, Tag tag, std::span<const std::byte> data) const;
  Operation receive_from(ActorId object, Tag tag) const;

  ActorId self_;

 private:
  bool is_over_ = false;
  std::uint32_t requests_ = 0;  // started so far
  Operation operation_ = End{};
};

// Comes before all other objects, reports that they follow (hide_window_objects), and ends.
class FirstObject final : public ObjectActor {
 public:
  explicit FirstObject(ActorId self);

  std::unique_ptr<ObjectActor> clone() const override { return std::make_unique<FirstObject>(*this); }
  std::string name() const override { return "the objects of windows"; }

 private:
  Operation make() const override;
  void take(const Observation&) override { has_reported_ = true; }

  Finding finding_;
  bool has_reported_ = false;
};

// The lock of one member's window, for exclusive sections. A release without news is that of a section without
// operations, which orders nothing: its lock may be taken at any moment, or never. Before it gives the lock away it
// closes all its readers. A release has only records that its rank has not sent or got before, and a grant only those
// that the rank does not have. So the lock keeps all records that came.
class LockObject final : public ObjectActor {
 public:
  LockObject(ActorId self, std::uint32_t owner, std::vector<ActorId> readers)
      : ObjectActor(self), owner_(owner), readers_(std::move(readers)) {}

  std::unique_ptr<ObjectActor> clone() const override { return std::make_unique<LockObject>(*this); }
  std::string name() const override;

 private:
  enum class Phase : std::uint8_t { free, closing, draining, granting, held, opening };

  Operation make() const override;
  void take(const Observation& answer) override;
  void go_on(Phase next, Phase then);
  void write_grant();
  void write_opening();
  void release(std::span<const std::byte> message);

  std::uint32_t owner_;
  std::vector<ActorId> readers_;
  Phase phase_ = Phase::free;
  std::size_t reader_ = 0;  // in closing, draining, opening: whose turn it is
  ActorId holder_;          // from closing on
  News base_, before_;      // what happened before the next section, without and with closed readers
  News last_;               // what the last exclusive section knew at its end
  bool has_last_ = false;
  Records granted_;                      // that the last grant had
  std::vector<std::byte> message_;       // in granting and opening
  std::map<ActorId, HeldRecords> held_;  // by rank or reader: records that it has
};

// The shared sections of one rank at one lock: it is free, held, or closed by the lock.
class ReaderObject final : public ObjectActor {
 public:
  ReaderObject(ActorId self, ActorId lock, ActorId reader) : ObjectActor(self), lock_(lock), reader_(reader) {}

  std::unique_ptr<ObjectActor> clone() const override { return std::make_unique<ReaderObject>(*this); }
  std::string name() const override;

 private:
  enum class Phase : std::uint8_t { free, granting, held, closing, closed };

  Operation make() const override;
  void take(const Observation& answer) override;

  void grant();
  void end_section(std::span<const std::byte> message);
  void open(std::span<const std::byte> message);
  void close();

  ActorId lock_, reader_;
  Phase phase_ = Phase::free;
  News last_;  // what the last exclusive section knew at its end
  bool has_last_ = false;
  News sections_;                    // of the shared sections since
  Records records_;                  // that the rank had at the end of the last shared section
  Records granted_;                  // that the last grant had
  HeldRecords held_, held_by_lock_;  // records that the rank, and the lock, have
  std::vector<std::byte> message_;   // in granting and closing
};

// Adds records, or knowledge and records, to others.
void join(Records& records, const Records& more);
void join(News& news, const News& more);

}  // namespace rehearse::smpi::model
