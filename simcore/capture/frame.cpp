// SPDX-License-Identifier: MIT
//
// See frame.hpp.
#include "simcore/capture/frame.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace rehearse::capture {
namespace {

constexpr std::uint32_t ip_place = ethernet_bytes, ports_place = ip_place + ip_bytes;
constexpr std::uint32_t protocol_place = ip_place + 9, addresses_place = ip_place + 12;
constexpr std::uint32_t crc_bytes = 4;

template <class Number>
Number swapped(Number value) {
  static_assert(std::endian::native == std::endian::little);
  if constexpr (sizeof(Number) == 2) return __builtin_bswap16(value);
  else return __builtin_bswap32(value);
}

// The sum of 16-bit words in ones' complement, not folded; independent of the byte order (RFC 1071).
std::uint64_t sum_of(const std::uint8_t* bytes, std::size_t count) {
  std::uint64_t sum = 0;
  for (; count >= 4; bytes += 4, count -= 4) {
    std::uint32_t word;
    std::memcpy(&word, bytes, 4);
    sum += word;
  }
  std::uint32_t rest = 0;
  std::memcpy(&rest, bytes, count);
  return sum + rest;
}

std::uint16_t added_up(std::uint64_t sum) {
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<std::uint16_t>(sum);
}

std::uint16_t folded(std::uint64_t sum) { return static_cast<std::uint16_t>(~added_up(sum)); }

constexpr std::array<std::uint32_t, 256> crc_table = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = value & 1 ? value >> 1 ^ 0xedb88320u : value >> 1;
    table[i] = value;
  }
  return table;
}();

// A linear map of CRCs: the images of the 32 bits.
using CrcMap = std::array<std::uint32_t, 32>;

constexpr std::uint32_t product(const CrcMap& map, std::uint32_t crc) {
  std::uint32_t image = 0;
  for (std::size_t bit = 0; crc != 0; crc >>= 1, ++bit)
    if (crc & 1) image ^= map[bit];
  return image;
}

// The effect of 2^i bytes of zeros, for sizes below 2^17.
constexpr std::array<CrcMap, 17> crc_zeros = [] {
  std::array<CrcMap, 17> maps{};
  for (std::size_t bit = 0; bit < 32; ++bit) {
    const std::uint32_t crc = 1u << bit;
    maps[0][bit] = crc >> 8 ^ crc_table[crc & 0xff];
  }
  for (std::size_t i = 1; i < maps.size(); ++i)
    for (std::size_t bit = 0; bit < 32; ++bit) maps[i][bit] = product(maps[i - 1], maps[i - 1][bit]);
  return maps;
}();

// The bytes that all frames have in common.
constexpr std::array<std::uint8_t, FrameHead::size> common_bytes = [] {
  std::array<std::uint8_t, FrameHead::size> bytes{};
  bytes[0] = bytes[6] = 2;
  bytes[12] = 0x08;
  bytes[ip_place] = 0x45;
  bytes[ip_place + 6] = 0x40;  // is not to be cut into fragments
  bytes[ip_place + 8] = 64;
  return bytes;
}();

constexpr std::uint32_t ip_address(std::uint32_t host) { return 10u << 24 | ((host + 1) & ((1u << 24) - 1)); }

template <class Number>
void store(std::uint8_t* to, Number value) {
  const Number stored = swapped(value);
  std::memcpy(to, &stored, sizeof stored);
}

}  // namespace

FrameHead::FrameHead(IpProtocol protocol, std::uint32_t source_host, std::uint32_t destination_host,
                     std::uint16_t source_port, std::uint16_t service_port)
    : source(source_host), destination(destination_host), port(source_port), service(service_port) {
  const std::uint64_t hosts = std::uint64_t{swapped(ip_address(source))} + swapped(ip_address(destination));
  const std::uint16_t code = swapped(static_cast<std::uint16_t>(protocol));  // beside the time to live in the header
  ip_sum = added_up(hosts + code + sum_of(common_bytes.data() + ip_place, ip_bytes));
  transport_sum = added_up(hosts + code + swapped(port) + swapped(service));
}

EthernetFrame::EthernetFrame(IpProtocol protocol, PortsBack ports) : protocol_(protocol), ports_(ports) {
  std::memcpy(bytes_.data(), common_bytes.data(), FrameHead::size);
  bytes_[protocol_place] = static_cast<std::uint8_t>(protocol);
}

void EthernetFrame::put16(std::uint32_t place, std::uint16_t value) {
  const auto stored = swapped(value);
  std::memcpy(bytes_.data() + place, &stored, 2);
  sum_ += stored;
}

void EthernetFrame::put32(std::uint32_t place, std::uint32_t value) {
  const auto stored = swapped(value);
  std::memcpy(bytes_.data() + place, &stored, 4);
  sum_ += stored;
}

void EthernetFrame::put_bytes(std::uint32_t place, std::span<const std::uint8_t> bytes) {
  const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(bytes.size(), most_captured - place));
  std::memset(bytes_.data() + captured_, 0, place + count - captured_);
  for (std::uint32_t i = 0; i < count; ++i) put8(place + i, bytes[i]);
  captured_ = place + count;
}

void EthernetFrame::begin(const FrameHead& head, bool is_back, std::uint8_t service_bits, Size size) {
  length_ = ip_place + ip_bytes + size.ip_payload;
  captured_ = std::min(size.headers, length_);
  zeros_ = 0;
  is_whole_ = false;
  std::memset(bytes_.data() + FrameHead::size, 0, captured_ - FrameHead::size);
  const std::uint32_t from = is_back ? head.destination : head.source, to = is_back ? head.source : head.destination;
  const bool swaps = is_back && ports_ == PortsBack::swapped;
  std::uint8_t* bytes = bytes_.data();
  store(bytes + 2, to + 1);
  store(bytes + 8, from + 1);
  bytes[ip_place + 1] = service_bits;
  const auto length = static_cast<std::uint16_t>(ip_bytes + size.ip_payload);
  store(bytes + ip_place + 2, length);
  store(bytes + addresses_place, ip_address(from));
  store(bytes + addresses_place + 4, ip_address(to));
  store(bytes + ports_place, swaps ? head.service : head.port);
  store(bytes + ports_place + 2, swaps ? head.port : head.service);
  const std::uint16_t checksum = folded(std::uint64_t{head.ip_sum} + (service_bits << 8) + swapped(length));
  std::memcpy(bytes + ip_place + 10, &checksum, 2);
  sum_ = std::uint64_t{head.transport_sum} + swapped(static_cast<std::uint16_t>(size.ip_payload));
}

void EthernetFrame::set_checksum(std::uint32_t place) {
  std::uint16_t checksum = folded(sum_);
  if (checksum == 0 && protocol_ == IpProtocol::udp) checksum = 0xffff;
  std::memcpy(bytes_.data() + place, &checksum, 2);
}

// Fields that switches may change count as ones.
void EthernetFrame::end_with_crc() {
  is_whole_ = true;
  zeros_ = length_ - captured_ - crc_bytes;
  std::uint32_t crc = ~0u;
  const auto take = [&](std::uint8_t byte) { crc = crc >> 8 ^ crc_table[(crc ^ byte) & 0xff]; };
  constexpr std::uint32_t udp = ports_place, header = udp + udp_bytes;
  for (int i = 0; i < 8; ++i) take(0xff);
  for (std::uint32_t i = ip_place; i < captured_; ++i) {
    const bool is_variant = i == ip_place + 1 || i == ip_place + 8 || i == ip_place + 10 || i == ip_place + 11 ||
                            i == udp + 6 || i == udp + 7 || i == header + 4;
    take(is_variant ? 0xff : bytes_[i]);
  }
  for (std::size_t power = 0; zeros_ >> power != 0; ++power)
    if (zeros_ >> power & 1) crc = product(crc_zeros[power], crc);
  crc = ~crc;
  std::memcpy(crc_.data(), &crc, crc_bytes);
}

}  // namespace rehearse::capture
