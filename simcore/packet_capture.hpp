// SPDX-License-Identifier: MIT
//
// Captures of the packets of a network (`--network packet`): a file in the format pcapng for each direction of a link.
//
// Usage:     make_packet_capture(); ModelOptions::capture for one cost model; close() after the run.
// Errors:    make: the folder or the regular expression is invalid. attach: headers that do not fit into the formats of
//            TCP, UDP and IP. close: a file could not be written. All texts begin with `--pcap`. The destructor writes
//            the files without reporting errors.
// Ownership: the capture must outlive the cost model, and the platform the capture's use.
// Threads:   none.
// Source:    pcapng: draft-ietf-opsawg-pcapng. Frames: RFC 791, 768, 9293, 7323, 2018; RoCEv2: InfiniBand architecture
//            specification, annex A17.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "simcore/ids.hpp"
#include "simcore/program.hpp"
#include "simcore/support/result.hpp"

namespace rehearse {

class Platform;
namespace packet {
class Network;
class Observer;
}  // namespace packet

class PacketCapture {
 public:
  virtual ~PacketCapture() = default;
  // By the cost model.
  virtual Result<packet::Observer*> attach(const Platform& platform, const packet::Network& network) = 0;
  // The source lines of the calls that send messages, by sender and MessageLabel::address. Called for each call once.
  using Locate = std::function<Frame(ActorId, std::uintptr_t address)>;
  virtual void locate_calls(Locate locate) = 0;
  // Writes all that waits in memory. locate_calls() has no effect after it.
  virtual Result<void> close() = 0;
};

// `DIR` or `DIR:REGEX`: only links in whose name a part matches. Makes the folder.
Result<std::unique_ptr<PacketCapture>> make_packet_capture(const std::string& text);

}  // namespace rehearse
