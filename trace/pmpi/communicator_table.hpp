// SPDX-License-Identifier: MIT
//
// The communicators of one rank by their numbers in its stream. All members give a communicator the same context,
// without having exchanged one: it follows from the parent's context, the number of the call among those that make
// communicators from the parent, and the members, because members of different communicators from one call differ.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "simcore/ids.hpp"
#include "trace/pmpi/stream.h"
#include "trace/rtrace/bytes.hpp"

namespace rehearse::trace::pmpi {

struct KnownCommunicator {
  std::uint64_t context = 0;  // even
  std::vector<ActorId> members;
  bool is_of_group = false;

  ContextId of_messages() const { return {context}; }
  ContextId of_collectives() const { return {context + 1}; }
};

class CommunicatorTable {
 public:
  CommunicatorTable(std::uint32_t rank, std::uint32_t ranks);

  // Reads the record of a communicator. Null: done. Otherwise: what is wrong.
  const char* add(rtrace::ByteReader& in);
  // Null: unknown.
  const KnownCommunicator* find(std::uint64_t number) const;

 private:
  std::uint32_t ranks_;
  std::vector<KnownCommunicator> known_;
  std::map<std::uint64_t, std::uint64_t> made_by_group_;  // by the context of the place where a group meets
};

}  // namespace rehearse::trace::pmpi
