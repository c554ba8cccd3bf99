// SPDX-License-Identifier: MIT
//
// What a coordinator knows of one of its processes.
//
// Threads: none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simcore/real/real_protocol.hpp"
#include "simcore/remote/failures.hpp"

namespace rehearse::real {

struct Member {
  bool is_lost = false, has_hello = false, is_connected = false;
  std::uint64_t base_address = 0;
  std::string address;
  std::uint16_t port = 0;
  std::uint64_t orders = 0;  // sent to it
  std::optional<Ready> ready;
  std::optional<Status> status;  // the latest of this run
  std::optional<ProcessReport> report;
  std::optional<remote::CrashNotice> crash;
};

// The number of messages between processes that are not lost, if all of them are passive and nothing is on its way. No
// value: some process may act by itself.
std::optional<std::uint64_t> quiet_count(const std::vector<Member>& members);

}  // namespace rehearse::real
