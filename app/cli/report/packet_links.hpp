// SPDX-License-Identifier: MIT
//
// The totals of a link of packets in reports.
#pragma once

#include <string>

#include "app/json.hpp"
#include "simcore/packet_network.hpp"

namespace rehearse::cli {

inline app::Json link_totals(const std::string& name, const PacketLink& link) {
  return {{"name", name},
          {"packets", link.packets},
          {"bytes", link.bytes},
          {"drops", link.drops},
          {"losses", link.losses},
          {"marks", link.marks},
          {"pauses", link.pauses},
          {"full_seconds", link.full.seconds()},
          {"longest_queue_bytes", link.longest_queue_bytes}};
}

}  // namespace rehearse::cli
