// SPDX-License-Identifier: MIT
//
// Processes and sockets.
#include "mc/parallel/channel.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <utility>

#include "simcore/support/format.hpp"

namespace rehearse::mc::parallel {

namespace {

constexpr std::size_t header_bytes = sizeof(std::uint32_t) + 1;

// Opens each regular file again, so that reading it in one process does not move the position of another.
void separate_file_positions() {
  DIR* folder = opendir("/proc/self/fd");
  if (folder == nullptr) return;
  while (const dirent* entry = readdir(folder)) {
    char* end = nullptr;
    const int descriptor = static_cast<int>(std::strtol(entry->d_name, &end, 10));
    struct stat status = {};
    if (end == entry->d_name || *end != 0 || descriptor == dirfd(folder)) continue;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) continue;
    const int flags = fcntl(descriptor, F_GETFL);
    const off_t position = lseek(descriptor, 0, SEEK_CUR);
    const std::string path = fmt::format("/proc/self/fd/{}", descriptor);
    const int own = open(path.c_str(), (flags & ~(O_CREAT | O_EXCL | O_TRUNC)) | O_CLOEXEC);
    if (own < 0) continue;
    lseek(own, position, SEEK_SET);
    dup3(own, descriptor, fcntl(descriptor, F_GETFD) & FD_CLOEXEC ? O_CLOEXEC : 0);
    close(own);
  }
  closedir(folder);
}

}  // namespace

Channel::Channel(Channel&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      received_(std::move(other.received_)),
      read_(std::exchange(other.read_, 0)) {}

Channel& Channel::operator=(Channel&& other) noexcept {
  close();
  descriptor_ = std::exchange(other.descriptor_, -1);
  received_ = std::move(other.received_);
  read_ = std::exchange(other.read_, 0);
  return *this;
}

void Channel::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

void Channel::shut_down() { ::shutdown(descriptor_, SHUT_RDWR); }

bool Channel::send(std::uint8_t kind, std::string_view bytes) {
  std::string frame;
  const auto size = static_cast<std::uint32_t>(bytes.size());
  frame.reserve(header_bytes + bytes.size());
  frame.append(reinterpret_cast<const char*>(&size), sizeof size);
  frame.push_back(static_cast<char>(kind));
  frame.append(bytes);
  for (std::size_t sent = 0; sent < frame.size();) {
    const ssize_t count = ::send(descriptor_, frame.data() + sent, frame.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

std::optional<Frame> Channel::receive() {
  for (;;) {
    if (std::optional<Frame> frame = next()) return frame;
    pollfd waits = {descriptor_, POLLIN, 0};
    if (poll(&waits, 1, -1) < 0 && errno != EINTR) return std::nullopt;
    if (!fetch()) return next();  // frames that arrived before the end
  }
}

bool Channel::fetch() {
  for (;;) {
    char buffer[65536];
    const ssize_t count = ::recv(descriptor_, buffer, sizeof buffer, MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    if (count == 0) return false;
    received_.append(buffer, static_cast<std::size_t>(count));
  }
}

std::optional<Frame> Channel::next() {
  const std::size_t there = received_.size() - read_;
  std::uint32_t size = 0;
  if (there >= header_bytes) std::memcpy(&size, received_.data() + read_, sizeof size);
  if (there < header_bytes || there - header_bytes < size) {
    received_.erase(0, read_);
    read_ = 0;
    return std::nullopt;
  }
  Frame frame;
  frame.kind = static_cast<std::uint8_t>(received_[read_ + sizeof size]);
  frame.bytes = received_.substr(read_ + header_bytes, size);
  read_ += header_bytes + size;
  return frame;
}

std::optional<Child> start_child(const std::vector<int>& siblings, const std::function<void(Channel&)>& work) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return std::nullopt;
  Channel mine(ends[0]), its(ends[1]);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) return std::nullopt;
  if (pid > 0) return Child{pid, std::move(mine)};
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(EXIT_FAILURE);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) std::signal(signal, SIG_IGN);
  mine.close();
  for (const int descriptor : siblings) ::close(descriptor);
  separate_file_positions();
  int status = EXIT_SUCCESS;
  try {
    work(its);
  } catch (...) {
    status = EXIT_FAILURE;
  }
  _exit(status);
}

int reap(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::string describe_end(int status) {
  if (!WIFSIGNALED(status)) return fmt::format("with exit status {}", WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  return fmt::format("by signal {} ({})", signal, strsignal(signal));
}

std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/smaps_rollup");
  for (std::string word; file >> word;) {
    std::uint64_t kilobytes = 0;
    if (word == "Pss:" && file >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

}  // namespace rehearse::mc::parallel
