// SPDX-License-Identifier: MIT
//
// A process that holds one network namespace for each host and starts programs in them.
//
// Shape:      the warden is the first process of a PID namespace of its own: when it ends, the kernel ends all
//             processes that it started, and then the namespaces and devices are gone. It ends with this object, and
//             with the process that made it. Names of hosts are in the /etc/hosts of its mount namespace.
// Privileges: without those of root, the namespaces belong to a new user namespace in which the caller's user and group
//             are the only ones.
// Errors:     the kernel or the system permits no namespaces or TAP devices; the text has the step and the reason.
// Processes:  one child, and its descendants.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/attach/channel.hpp"
#include "app/attach/interface.hpp"

namespace rehearse::app {

struct WardenSetup {
  std::vector<std::string> hosts;  // names
  std::uint32_t mtu = 1500;
  std::vector<KernelSetting> settings;
  std::string hosts_file;  // shown as /etc/hosts
};

struct WardenCommand {
  std::uint32_t id = 0;
  std::uint32_t host = 0;
  bool has_own_session = false;  // signals go to its whole session
  std::string folder;
  std::vector<std::string> words;
  std::vector<std::string> environment;  // NAME=VALUE
};

// One word of each host: the frames that its kernel dropped before they were read.
struct WardenReport {
  enum class Kind : std::uint8_t { ended, failed, drops } kind = Kind::ended;
  std::uint32_t id = 0;
  int status = 0;                    // ended: as of waitpid
  std::string text;                  // failed: why the program did not start
  std::vector<std::uint64_t> drops;  // by host
};

class Warden {
 public:
  static Result<std::unique_ptr<Warden>> start(const WardenSetup& setup);
  Warden(FileHandle channel, pid_t process) : channel_(std::move(channel)), process_(process) {}
  Warden(const Warden&) = delete;
  Warden& operator=(const Warden&) = delete;
  ~Warden();

  // TAP devices, by host.
  const std::vector<FileHandle>& devices() const { return devices_; }
  // Readable when there is a report.
  int channel() const { return channel_.get(); }

  Result<void> spawn(const WardenCommand& command, const std::array<int, 3>& streams);
  void signal(std::uint32_t id, int number);
  void signal_all(int number);
  void ask_for_drops();
  // Waits. No value: the warden has ended.
  std::optional<WardenReport> receive();

 private:
  Result<void> await_devices(std::size_t hosts);

  FileHandle channel_;
  pid_t process_;
  std::vector<FileHandle> devices_;
};

// Why this machine permits no user namespaces, if a setting says so; otherwise empty.
std::string user_namespace_hint();

}  // namespace rehearse::app
