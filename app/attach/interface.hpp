// SPDX-License-Identifier: MIT
//
// The network of the calling process's namespace: its loopback, and one interface `eth0` that is a TAP device.
//
// Errors:  the step that failed, and the system's text.
// Threads: none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/attach/file_handle.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

// Below /proc/sys/net.
struct KernelSetting {
  std::string path;
  std::string value;
  bool is_required = true;  // otherwise the kernel may not know it
};

struct InterfaceSetup {
  std::uint32_t host = 0;
  std::uint32_t mtu = 1500;
  std::vector<KernelSetting> settings;
};

inline constexpr const char* interface_name = "eth0";

// Each read from the result takes one Ethernet frame that left the host, and each write is one that arrives there.
// Reads do not block.
Result<FileHandle> set_up_interface(const InterfaceSetup& setup);

}  // namespace rehearse::app
