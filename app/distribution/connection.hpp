// SPDX-License-Identifier: MIT
//
// TCP connections between the processes of a distributed check: addresses, and lines of text for the greeting.
//
// Errors: a number below 0, or nothing; errno has the reason.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rehearse::app::distribution {

// Listens on all interfaces, on a free port. Returns the descriptor.
int listen_anywhere();
std::uint16_t port_of(int listening);

// The numeric addresses of this machine, the loopback ones last.
std::vector<std::string> own_addresses();
std::string own_name();

// Waits at most `seconds` for the connection.
int connect_to(const std::string& address, std::uint16_t port, double seconds);

// Sets the timeouts by which a machine that is lost is noticed, and sends without delay.
void tune(int connection);

// A line without its end. Nothing: the connection ended, nothing arrived for `seconds`, or the line is too long.
std::optional<std::string> read_line(int connection, double seconds);
bool write_line(int connection, std::string_view line);

}  // namespace rehearse::app::distribution
