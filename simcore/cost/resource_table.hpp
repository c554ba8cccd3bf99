// SPDX-License-Identifier: MIT
//
// The resources of the fluid, and their owners: links, hosts and disks.
//
// Threads: none.
#pragma once

#include <vector>

#include "simcore/cost/either_fluid.hpp"

namespace rehearse::cost {

enum class OwnerKind : std::uint8_t { link, host, disk, upload, download };

struct Owner {
  OwnerKind kind = OwnerKind::link;
  std::uint32_t id = 0;  // of a link, disk, or host
};

class Resources {
 public:
  explicit Resources(EitherFluid& fluid) : fluid_(fluid) {}

  EitherFluid& activities() { return fluid_; }
  sharing::Fluid& fluid() { return fluid_.fluid(); }

  sharing::ResourceIndex add(Owner owner, double capacity, sharing::Division division = sharing::Division::shared) {
    const sharing::ResourceIndex resource = fluid_.add_resource(capacity, division);
    if (is_watched_) fluid_.watch(resource);
    return own(resource, owner);
  }
  // For a link that limits each transfer alone, while loads are watched.
  sharing::ResourceIndex add_meter(Owner owner) { return own(fluid_.add_meter(), owner); }
  Owner owner(sharing::ResourceIndex resource) const { return owners_[resource]; }

  // Watches the resources that are added from now on.
  void watch() { is_watched_ = true; }
  bool is_watched() const { return is_watched_; }

 private:
  sharing::ResourceIndex own(sharing::ResourceIndex resource, Owner owner) {
    if (resource >= owners_.size()) owners_.resize(resource + 1);
    owners_[resource] = owner;
    return resource;
  }

  EitherFluid& fluid_;
  std::vector<Owner> owners_;
  bool is_watched_ = false;
};

}  // namespace rehearse::cost
