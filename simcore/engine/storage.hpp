// SPDX-License-Identifier: MIT
//
// Accesses to files, from their start until their bytes are on the disks or with the actor.
//
// Time:   see file_system.hpp. Order: pieces start in the order of the disks.
// Errors: a host without a disk, and no route, end the run by RunState::fail.
#pragma once

#include <cstdint>
#include <vector>

#include "simcore/engine/actor_table.hpp"
#include "simcore/engine/agenda.hpp"
#include "simcore/engine/pool.hpp"
#include "simcore/engine/requests.hpp"
#include "simcore/engine/run_state.hpp"

namespace rehearse::engine {

class Storage {
 public:
  Storage(RunState& run, ActorTable& actors, Agenda& agenda, Requests& requests)
      : run_(run), actors_(actors), agenda_(agenda), requests_(requests) {}

  Request& start(ActorId id, ActorState& actor, const StorageAccess& operation);
  // A step of this piece is over.
  void go_on(std::uint32_t access, std::uint32_t piece);

 private:
  struct Piece {
    DiskId disk;
    std::uint64_t bytes = 0;
    bool is_last_step = false;
  };
  struct Pending {
    std::uint32_t index = 0;
    bool is_live = false;
    Request* request = nullptr;
    HostId host;  // of the actor
    bool is_write = false;
    std::vector<Piece> pieces;
    std::size_t open = 0;  // pieces that are not over
  };

  bool list_pieces(const StorageAccess& operation, Pending& access) const;
  void begin(Pending& access, std::uint32_t piece);

  RunState& run_;
  ActorTable& actors_;
  Agenda& agenda_;
  Requests& requests_;
  Pool<Pending> pool_;
};

}  // namespace rehearse::engine
