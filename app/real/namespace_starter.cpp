// SPDX-License-Identifier: MIT
//
// Processes in network namespaces of this machine, whose frames cross a switch in this process without any delay of its
// own.
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <span>

#include "app/attach/addresses.hpp"
#include "app/attach/frame.hpp"
#include "app/real/starts.hpp"

namespace rehearse::app {
namespace {

constexpr std::size_t frame_bytes_most = 1 << 16;
constexpr int frames_in_a_turn = 64;  // of a device, so that the others have their turn

class NamespaceStarter final : public ProcessStarter {
 public:
  explicit NamespaceStarter(std::unique_ptr<Warden> warden) : warden_(std::move(warden)), buffer_(frame_bytes_most) {}

  Result<ProcessStreams> start(const StartedProcess& process) override;
  std::vector<int> descriptors() const override;
  Result<void> turn(const Ended& ended) override;
  void end_all() override { warden_->signal_all(SIGKILL); }

 private:
  void forward(std::uint32_t host);

  std::unique_ptr<Warden> warden_;
  std::vector<std::uint8_t> buffer_;
  std::uint32_t started_ = 0, ended_ = 0;
};

Result<ProcessStreams> NamespaceStarter::start(const StartedProcess& process) {
  std::array<int, 2> output, errors;
  if (pipe2(output.data(), O_CLOEXEC) != 0) return Error{std::string("pipe: ") + std::strerror(errno)};
  const FileHandle output_end(output[1]);
  ProcessStreams streams{FileHandle(output[0]), {}};
  if (pipe2(errors.data(), O_CLOEXEC) != 0) return Error{std::string("pipe: ") + std::strerror(errno)};
  const FileHandle errors_end(errors[1]);
  streams.errors = FileHandle(errors[0]);
  const FileHandle nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  WardenCommand command;
  command.id = command.host = started_++;
  std::error_code problem;
  command.folder = std::filesystem::current_path(problem).string();
  command.words = process.words;
  for (char** entry = environ; *entry != nullptr; ++entry) command.environment.emplace_back(*entry);
  command.environment.push_back(process.variable);
  const auto sent = warden_->spawn(command, {nothing.get(), output_end.get(), errors_end.get()});
  if (!sent) return sent.error();
  return streams;
}

std::vector<int> NamespaceStarter::descriptors() const {
  std::vector<int> result{warden_->channel()};
  for (const FileHandle& device : warden_->devices()) result.push_back(device.get());
  return result;
}

void NamespaceStarter::forward(std::uint32_t host) {
  const auto& devices = warden_->devices();
  for (int i = 0; i < frames_in_a_turn; ++i) {
    const ssize_t count = read(devices[host].get(), buffer_.data(), buffer_.size());
    if (count <= 0) return;
    const std::span<std::uint8_t> frame = std::span(buffer_).first(static_cast<std::size_t>(count));
    const auto facts = read_frame(frame);
    if (!facts) continue;
    const auto target = host_with(facts->destination, static_cast<std::uint32_t>(devices.size()));
    if (!target || *target == host) continue;
    set_destination(frame, mac_address_of(*target));
    // A frame that the other kernel does not take is lost, as on a wire.
    if (write(devices[*target].get(), frame.data(), frame.size()) < 0) continue;
  }
}

Result<void> NamespaceStarter::turn(const Ended& ended) {
  for (std::uint32_t host = 0; host < warden_->devices().size(); ++host) forward(host);
  pollfd channel{warden_->channel(), POLLIN, 0};
  while (ended_ < started_ && poll(&channel, 1, 0) > 0) {
    const auto report = warden_->receive();
    if (!report) return Error{"the process that holds the namespaces has ended"};
    if (report->kind == WardenReport::Kind::failed) return Error{report->text};
    if (report->kind != WardenReport::Kind::ended) continue;
    ++ended_;
    ended(report->id, report->status);
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<ProcessStarter>> make_namespace_starter(const std::vector<std::string>& hosts,
                                                               const JobFolder& folder) {
  if (auto written = folder.write("hosts", hosts_file(hosts)); !written) return written.error();
  WardenSetup setup;
  setup.hosts = hosts;
  setup.hosts_file = folder.file("hosts");
  auto warden = Warden::start(setup);
  if (!warden) return Error{"--namespaces: " + warden.error().text};
  return std::unique_ptr<ProcessStarter>(std::make_unique<NamespaceStarter>(std::move(warden.value())));
}

}  // namespace rehearse::app
