// SPDX-License-Identifier: MIT
//
// The addresses of the hosts that take part: host i has 10.0.0.0 + i + 1 and a hardware address made of it.
//
// Shape: all hosts are in one network, 10.0.0.0/8, without a router. Interfaces do no ARP: the bridge writes the
//        hardware address of the destination into each frame.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "app/attach/frame.hpp"

namespace rehearse::app {

inline constexpr std::uint32_t network_address = 10u << 24;
inline constexpr std::uint32_t network_mask = 0xff000000u;
inline constexpr std::uint32_t attached_hosts_max = 1024;

constexpr std::uint32_t address_of(std::uint32_t host) { return network_address + host + 1; }
// Of `hosts` hosts. No value: the address is that of none.
constexpr std::optional<std::uint32_t> host_with(std::uint32_t address, std::uint32_t hosts) {
  if (address <= network_address || address - network_address > hosts) return std::nullopt;
  return address - network_address - 1;
}
MacAddress mac_address_of(std::uint32_t host);
std::string address_text(std::uint32_t address);  // 10.0.0.1

// The content of /etc/hosts, by host.
std::string hosts_file(std::span<const std::string> names);

}  // namespace rehearse::app
