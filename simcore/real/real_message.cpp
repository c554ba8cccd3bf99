// SPDX-License-Identifier: MIT
//
// The texts and messages between a coordinator and its processes. See real_coordinator.hpp.
#include <sstream>
#include <string>

#include "simcore/real/real_protocol.hpp"
#include "simcore/real_coordinator.hpp"
#include "simcore/support/format.hpp"

namespace rehearse {

using real::ControlKind;
using remote::Packer;
using remote::Unpacker;

std::string RealActorsPlace::text() const { return fmt::format("{} {} {} {}", coordinator, process, secret, address); }

bool RealActorsPlace::read(std::string_view text, RealActorsPlace& place) {
  std::istringstream words{std::string(text)};
  return bool(words >> place.coordinator >> place.process >> place.secret >> place.address);
}

bool RealMessageReader::next(RealMessage& message) {
  Unpacker unpacker(std::string_view(bytes_).substr(at_));
  message.kind = unpacker.value<std::uint32_t>();
  message.body = unpacker.text();
  if (!unpacker.is_good()) {
    bytes_.erase(0, at_);
    at_ = 0;
    return false;
  }
  at_ += 2 * sizeof(std::uint32_t) + message.body.size();
  return true;
}

std::string to_bytes(const RealMessage& message) { return Packer().add(message.kind).add(message.body).take(); }

bool read_greeting(const RealMessage& message, std::string_view secret, std::uint32_t& process) {
  if (message.kind != static_cast<std::uint32_t>(ControlKind::hello)) return false;
  Unpacker body(message.body);
  body.value<std::uint32_t>();
  process = body.value<std::uint32_t>();
  return body.text() == secret && body.is_good();
}

std::string real_output_mark(std::string_view secret, bool begins) {
  return fmt::format("\x1e{} {}\x1e", secret, begins ? "begin" : "end");
}

}  // namespace rehearse
