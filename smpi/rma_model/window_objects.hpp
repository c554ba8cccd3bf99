// SPDX-License-Identifier: MIT
//
// The objects (object_actor.hpp) of one exploration. Which ones a program needs is learned by exploring it: a rank that
// needs another one fails, the name is added, and the exploration starts again.
//
// Names: lock/WINDOW/OWNER, read/WINDOW/OWNER/READER, gate/WINDOW/OWNER/ORIGIN, atom/WINDOW/OWNER/OFFSET, and
//        poll/WINDOW/OWNER/OFFSET, which says that ranks poll that element; it is no actor. messages/POLLS has the
//        value of --polls. WINDOW is the context of the window, in hexadecimal.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "smpi/rma_model/object_actor.hpp"

namespace rehearse::smpi::model {

enum class ObjectKind : std::uint8_t { lock, read, gate, atom, poll };

struct ObjectName {
  ObjectKind kind = ObjectKind::lock;
  std::uint64_t window = 0;
  std::uint32_t owner = 0;
  std::uint64_t place = 0;  // read: the reader; gate: the origin; atom, poll: the offset in bytes
  auto operator<=>(const ObjectName&) const = default;
};
std::string to_text(const ObjectName& name);
// With this text a rank fails that needs these objects.
std::string missing_objects(const std::vector<ObjectName>& names);

class WindowObjects {
 public:
  // Names that are none are ignored.
  WindowObjects(const std::vector<std::string>& names, std::uint32_t ranks);

  std::uint32_t size() const { return static_cast<std::uint32_t>(actors_.size()) + 1; }
  std::optional<ActorId> find(const ObjectName& name) const;
  bool contains(const ObjectName& name) const;
  // Whether one of `count` elements of `extent` bytes, of which `first` is the first, has an object.
  bool contains_element(const ObjectName& first, std::uint64_t count, std::uint64_t extent) const;
  // The rank that ends this object behind the end of all ranks: of a gate its origin, from whom alone it receives.
  std::uint32_t ended_by(std::uint32_t number) const;
  // All objects in their first state.
  std::unique_ptr<ObjectActor> make(std::uint32_t number) const;

 private:
  std::uint32_t ranks_, polls_ = 1;
  std::vector<ObjectName> names_;   // ascending
  std::vector<ObjectName> actors_;  // those that are actors, ascending; behind a FirstObject
};

}  // namespace rehearse::smpi::model
