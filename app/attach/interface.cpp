// SPDX-License-Identifier: MIT
//
// See interface.hpp. IFF_NOARP: the kernel asks for no hardware addresses, and the bridge writes them.
#include "app/attach/interface.hpp"

#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "app/attach/addresses.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

// Frames between two reads; the default of 500 is less than a large window.
constexpr int kernel_queue_frames = 20'000;

Error failed(const std::string& step) { return Error{fmt::format("{}: {}", step, std::strerror(errno))}; }

ifreq request_for(const char* name) {
  ifreq request{};
  std::strncpy(request.ifr_name, name, IFNAMSIZ - 1);
  return request;
}

ifreq request_with(const char* name, std::uint32_t address) {
  ifreq request = request_for(name);
  sockaddr_in value{};
  value.sin_family = AF_INET;
  value.sin_addr.s_addr = htonl(address);
  std::memcpy(&request.ifr_addr, &value, sizeof value);
  return request;
}

bool change_flags(int socket, const char* name, int added) {
  ifreq request = request_for(name);
  if (ioctl(socket, SIOCGIFFLAGS, &request) != 0) return false;
  request.ifr_flags = static_cast<short>(request.ifr_flags | added);
  return ioctl(socket, SIOCSIFFLAGS, &request) == 0;
}

bool write_setting(const std::string& path, const std::string& value) {
  const FileHandle file(open(("/proc/sys/net/" + path).c_str(), O_WRONLY | O_CLOEXEC));
  return file.is_open() && write(file.get(), value.data(), value.size()) == static_cast<ssize_t>(value.size());
}

Result<FileHandle> open_tap() {
  FileHandle tap(open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC));
  if (!tap.is_open()) return failed("/dev/net/tun cannot be opened");
  ifreq request = request_for(interface_name);
  request.ifr_flags = IFF_TAP | IFF_NO_PI;
  if (ioctl(tap.get(), TUNSETIFF, &request) != 0) return failed("a TAP device cannot be made");
  return tap;
}

}  // namespace

Result<FileHandle> set_up_interface(const InterfaceSetup& setup) {
  const FileHandle socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket.is_open()) return failed("socket");
  if (!change_flags(socket.get(), "lo", IFF_UP)) return failed("the loopback of a network namespace cannot be set up");
  // Without IPv6, hosts send nothing of their own. If it stays on, its frames are not forwarded.
  write_setting("ipv6/conf/all/disable_ipv6", "1");
  write_setting("ipv6/conf/default/disable_ipv6", "1");
  auto tap = open_tap();
  if (!tap) return tap.error();
  ifreq hardware = request_for(interface_name);
  hardware.ifr_hwaddr.sa_family = ARPHRD_ETHER;
  const MacAddress mac = mac_address_of(setup.host);
  std::memcpy(hardware.ifr_hwaddr.sa_data, mac.data(), mac.size());
  if (ioctl(socket.get(), SIOCSIFHWADDR, &hardware) != 0) return failed("the hardware address cannot be set");
  ifreq request = request_for(interface_name);
  request.ifr_mtu = static_cast<int>(setup.mtu);
  if (ioctl(socket.get(), SIOCSIFMTU, &request) != 0) return failed(fmt::format("mtu={} cannot be set", setup.mtu));
  request = request_for(interface_name);
  request.ifr_qlen = kernel_queue_frames;
  ioctl(socket.get(), SIOCSIFTXQLEN, &request);  // permitted to root only
  request = request_with(interface_name, address_of(setup.host));
  if (ioctl(socket.get(), SIOCSIFADDR, &request) != 0) return failed("the address cannot be set");
  request = request_with(interface_name, network_mask);
  if (ioctl(socket.get(), SIOCSIFNETMASK, &request) != 0) return failed("the network mask cannot be set");
  for (const auto& [path, value, is_required] : setup.settings)
    if (!write_setting(path, value) && is_required)
      return failed(fmt::format("/proc/sys/net/{} does not accept '{}'", path, value));
  if (!change_flags(socket.get(), interface_name, IFF_UP | IFF_NOARP)) return failed("eth0 cannot be set up");
  return tap;
}

}  // namespace rehearse::app
