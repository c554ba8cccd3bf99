// SPDX-License-Identifier: MIT
//
// The captures of all chosen links of one network.
//
// Shape: a file is made when its link carries its first packet.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <regex>
#include <set>

#include "simcore/capture/packet_frame.hpp"
#include "simcore/capture/pcapng_file.hpp"
#include "simcore/packet/network.hpp"
#include "simcore/packet/observer.hpp"
#include "simcore/packet_capture.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/random.hpp"

namespace rehearse::capture {
namespace {

class LinkCapture final : public PacketCapture, private packet::Observer {
 public:
  LinkCapture(std::string folder, std::optional<std::regex> chosen)
      : folder_(std::move(folder)), chosen_(std::move(chosen)) {}

  Result<packet::Observer*> attach(const Platform& platform, const packet::Network& network) override {
    REHEARSE_ASSERT(network_ == nullptr, "one network for each capture");
    if (const auto error = PacketFrames::check(network.parameters())) return *error;
    platform_ = &platform;
    network_ = &network;
    frames_.emplace(network.parameters());
    return this;
  }

  ~LinkCapture() override { save(); }

  void locate_calls(Locate locate) override { locate_ = std::move(locate); }

  Result<void> close() override {
    locate_ = {};
    save();
    for (const auto& file : files_)
      if (file.error() != 0)
        return Error{fmt::format("--pcap: {}: cannot write: {}", file.path(), std::strerror(file.error()))};
    return {};
  }

 private:
  static constexpr std::uint32_t not_chosen = packet::nothing - 1;
  static constexpr std::size_t most_open_files = 256;

  void save() {
    for (PcapngFile& file : files_) file.flush();
  }

  void on_message(std::uint32_t connection, std::uint64_t begin, std::uint64_t bytes, bool has_envelope,
                  const Transfer& transfer) override {
    if (connection >= streams_.size()) streams_.resize(connection + 1);
    Stream& stream = streams_[connection];
    if (begin == 0) open(stream, transfer, has_envelope);
    CapturedMessage message;
    message.begin = begin;
    message.end = begin + std::max<std::uint64_t>(bytes, 1);
    message.bytes = bytes - (has_envelope ? envelope_bytes : 0);
    message.number = stream.messages();
    message.connection = transfer.connection;
    message.label = transfer.label;
    message.kind = transfer.kind;
    message.has_envelope = has_envelope;
    const std::uint32_t segment = network_->parameters().payload();
    if (const CapturedMessage* last = begin > 0 ? stream.find(begin - 1).message : nullptr)
      message.packet = last->packet + (last->end - last->begin + segment - 1) / segment;
    // No packet on the way is older than two windows.
    const std::uint64_t window = 2 * network_->parameters().window;
    const std::uint64_t acknowledged = network_->ends()[connection].sender.acknowledged;
    if (acknowledged > window) stream.forget(acknowledged - window);
    stream.add(message, bytes == 0);
  }

  void open(Stream& stream, const Transfer& transfer, bool has_envelope) {
    stream = {};
    stream.head = frames_->head(transfer.source, transfer.destination,
                                static_cast<std::uint16_t>(32768 + opened_ % 32768),
                                has_envelope ? message_port : plain_port);
    SplitMix numbers(++opened_);
    stream.first_sequence = static_cast<std::uint32_t>(numbers.next());
    stream.first_answer = static_cast<std::uint32_t>(numbers.next());
  }

  void on_transmission(std::uint32_t link, const packet::Packet& packet, packet::Picoseconds start) override {
    const std::uint32_t file = file_of(link);
    if (file == not_chosen) return;
    const std::uint32_t end = network_->fabric().paths().end_of(packet.hop);
    Stream& stream = streams_[end / 2];
    const bool has_data = !(packet.flags & packet::control);
    const MessagePlace at = has_data ? stream.find(packet.number) : MessagePlace{};
    const EthernetFrame& frame = frames_->make(packet, stream, at);
    comment_.clear();
    if (at.message != nullptr && packet.number == at.begin)
      comment_ = at.message->comment(*platform_, HostId{stream.head.source}, HostId{stream.head.destination},
                                     place_of(*at.message));
    files_[file].add(start / 1000, frame.captured(), frame.length(), comment_);
  }

  // FILE:LINE of the call that sends the message.
  const std::string& place_of(const CapturedMessage& message) {
    static const std::string unknown;
    if (!locate_ || message.label.address == 0 || message.kind == TransferKind::answer) return unknown;
    const auto [known, is_new] = places_.try_emplace({message.sender(), message.label.address});
    if (is_new) {
      const Frame at = locate_(ActorId{message.sender()}, message.label.address);
      if (!at.file.empty()) known->second = fmt::format("{}:{}", at.file.substr(at.file.rfind('/') + 1), at.line);
    }
    return known->second;
  }

  // The place of the link's file. Copies of a link share the file of their original.
  std::uint32_t file_of(std::uint32_t link) {
    const packet::LinkState* state = &network_->fabric().link(link);
    if (state->is_copy) state = &network_->fabric().link(link = state->origin);
    if (link >= file_of_.size()) file_of_.resize(link + 1, packet::nothing);
    std::uint32_t& file = file_of_[link];
    if (file == packet::nothing) file = make_file({state->origin});
    return file;
  }

  std::uint32_t make_file(LinkId link) {
    if (link.value >= platform_->links().size()) return not_chosen;  // a distance
    const std::string& name = platform_->link(link).name;
    if (chosen_ && !std::regex_search(name, *chosen_)) return not_chosen;
    std::string base;
    for (const char c : name)
      base += std::isalnum(static_cast<unsigned char>(c)) || (c != 0 && std::strchr("-_.+", c)) ? c : '_';
    if (base[0] == '.') base[0] = '_';
    std::string unique = base;
    for (int number = 2; !names_.insert(unique).second; ++number) unique = fmt::format("{}-{}", base, number);
    files_.emplace_back(fmt::format("{}/{}.pcapng", folder_, unique), name,
                        PcapngFile::Limits{frames_->snap_length(), files_.size() < most_open_files});
    return static_cast<std::uint32_t>(files_.size() - 1);
  }

  std::string folder_;
  std::optional<std::regex> chosen_;
  const Platform* platform_ = nullptr;
  const packet::Network* network_ = nullptr;
  std::optional<PacketFrames> frames_;
  std::deque<PcapngFile> files_;
  std::vector<std::uint32_t> file_of_;  // by link of the network
  std::set<std::string> names_;
  std::vector<Stream> streams_;  // by connection
  std::uint64_t opened_ = 0;
  std::string comment_;
  Locate locate_;
  std::map<std::pair<std::uint32_t, std::uintptr_t>, std::string> places_;  // by rank and address of the call
};

}  // namespace
}  // namespace rehearse::capture

namespace rehearse {

Result<std::unique_ptr<PacketCapture>> make_packet_capture(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string folder = text.substr(0, colon);
  if (folder.empty()) return Error{"--pcap: '" + text + "' given; accepted: DIR or DIR:REGEX"};
  std::optional<std::regex> chosen;
  try {
    if (colon != std::string::npos) chosen.emplace(text.substr(colon + 1), std::regex::ECMAScript);
  } catch (const std::regex_error&) {
    return Error{"--pcap: '" + text.substr(colon + 1) + "' given; accepted: a regular expression of ECMAScript"};
  }
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error && access(folder.c_str(), W_OK | X_OK) != 0) error.assign(errno, std::generic_category());
  if (error) return Error{"--pcap: cannot write into the folder '" + folder + "': " + error.message()};
  return std::unique_ptr<PacketCapture>(std::make_unique<capture::LinkCapture>(folder, std::move(chosen)));
}

}  // namespace rehearse
