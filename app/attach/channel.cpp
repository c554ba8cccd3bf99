// SPDX-License-Identifier: MIT
//
// See channel.hpp.
#include "app/attach/channel.hpp"

#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

constexpr std::size_t files_max = 3;
constexpr int socket_bytes = 1 << 20;

Error system_error(const char* what) { return Error{std::string(what) + ": " + std::strerror(errno)}; }

std::optional<sockaddr_un> address_at(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return std::nullopt;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

Result<FileHandle> open_socket() {
  FileHandle made(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (!made.is_open()) return system_error("socket");
  setsockopt(made.get(), SOL_SOCKET, SO_SNDBUF, &socket_bytes, sizeof socket_bytes);
  return made;
}

}  // namespace

Result<std::pair<FileHandle, FileHandle>> make_channel() {
  std::array<int, 2> ends;
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return system_error("socketpair");
  for (const int end : ends) setsockopt(end, SOL_SOCKET, SO_SNDBUF, &socket_bytes, sizeof socket_bytes);
  return std::pair(FileHandle(ends[0]), FileHandle(ends[1]));
}

Result<FileHandle> listen_at(const std::string& path) {
  const auto address = address_at(path);
  if (!address) return Error{path + ": is too long for a socket"};
  auto made = open_socket();
  if (!made) return made.error();
  constexpr int backlog = 128;
  if (bind(made.value().get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0 ||
      listen(made.value().get(), backlog) != 0)
    return system_error(path.c_str());
  return made;
}

Result<FileHandle> connect_to(const std::string& path) {
  const auto address = address_at(path);
  if (!address) return Error{path + ": is too long for a socket"};
  auto made = open_socket();
  if (!made) return made.error();
  if (connect(made.value().get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0)
    return system_error(path.c_str());
  return made;
}

std::optional<FileHandle> accept_from(int listener) {
  const int peer = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
  if (peer < 0) return std::nullopt;
  return FileHandle(peer);
}

std::string pack(const std::vector<std::string>& words) {
  std::string bytes;
  for (const std::string& word : words) {
    bytes += word;
    bytes += '\0';
  }
  return bytes;
}

std::vector<std::string> unpack(std::string_view bytes) {
  std::vector<std::string> words;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\0'), bytes.size());
    words.emplace_back(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return words;
}

Result<void> send_message(int channel, const std::vector<std::string>& words, const std::vector<int>& files) {
  std::string bytes = pack(words);
  iovec part{bytes.data(), bytes.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(files_max * sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (!files.empty()) {
    const std::size_t length = files.size() * sizeof(int);
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(length);
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(length);
    std::memcpy(CMSG_DATA(header), files.data(), length);
  }
  while (sendmsg(channel, &message, MSG_NOSIGNAL) < 0)
    if (errno != EINTR) return system_error("sendmsg");
  return {};
}

Result<ChannelMessage> receive_message(int channel) {
  ChannelMessage received;
  std::string bytes(socket_bytes, '\0');
  iovec part{bytes.data(), bytes.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(files_max * sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t length = 0;
  do length = recvmsg(channel, &message, MSG_CMSG_CLOEXEC);
  while (length < 0 && errno == EINTR);
  if (length < 0 && errno != ECONNRESET) return system_error("recvmsg");
  if (length <= 0) {
    received.is_end = true;
    return received;
  }
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    for (std::size_t i = 0; i < (header->cmsg_len - CMSG_LEN(0)) / sizeof(int); ++i) {
      int file = -1;
      std::memcpy(&file, CMSG_DATA(header) + i * sizeof file, sizeof file);
      received.files.emplace_back(file);
    }
  }
  received.words = unpack(std::string_view(bytes.data(), static_cast<std::size_t>(length)));
  return received;
}

}  // namespace rehearse::app
