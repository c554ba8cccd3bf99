// SPDX-License-Identifier: MIT
//
// See addresses.hpp.
#include "app/attach/addresses.hpp"

#include "simcore/support/format.hpp"

namespace rehearse::app {

MacAddress mac_address_of(std::uint32_t host) {
  const std::uint32_t address = address_of(host);
  constexpr std::uint8_t locally_administered = 2;
  return {locally_administered,
          0,
          static_cast<std::uint8_t>(address >> 24),
          static_cast<std::uint8_t>(address >> 16),
          static_cast<std::uint8_t>(address >> 8),
          static_cast<std::uint8_t>(address)};
}

std::string address_text(std::uint32_t address) {
  return fmt::format("{}.{}.{}.{}", address >> 24, address >> 16 & 255, address >> 8 & 255, address & 255);
}

std::string hosts_file(std::span<const std::string> names) {
  std::string text = "127.0.0.1 localhost\n";
  for (std::uint32_t i = 0; i < names.size(); ++i)
    text += fmt::format("{} {}\n", address_text(address_of(i)), names[i]);
  return text;
}

}  // namespace rehearse::app
