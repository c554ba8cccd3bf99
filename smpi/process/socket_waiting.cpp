// SPDX-License-Identifier: MIT
//
// See socket_waiting.hpp.
#include "smpi/process/socket_waiting.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "smpi/process/interposers.hpp"
#include "smpi/process/rank_threads.hpp"
#include "smpi/process/sockets.hpp"

namespace rehearse::smpi {
namespace {

bool has_socket(std::span<const pollfd> files) {
  return std::ranges::any_of(files, [](const pollfd& file) { return sockets_of(file.fd) != nullptr; });
}

// Sets the answers that are known now. Returns how many files have one.
int look_at(std::span<pollfd> files) {
  int ready = 0;
  for (pollfd& file : files) {
    file.revents = 0;
    RankSockets* sockets = sockets_of(file.fd);
    if (sockets == nullptr) {
      ::poll(&file, 1, 0);
    } else {
      if ((file.events & POLLIN) != 0 && sockets->can_read(file.fd)) file.revents |= POLLIN;
      if ((file.events & POLLOUT) != 0 && sockets->can_write(file.fd)) file.revents |= POLLOUT;
    }
    ready += file.revents != 0;
  }
  return ready;
}

int timeout_in_ms(double seconds) {
  return seconds == no_limit ? -1 : static_cast<int>(std::min(std::ceil(seconds * 1e3), 2e9));
}

}  // namespace

int poll_files(pollfd* files, nfds_t count, double seconds) {
  const std::span all(files, count);
  if (!has_socket(all)) return ::poll(files, count, timeout_in_ms(seconds));
  note_idling();
  int ready = look_at(all);
  if (ready > 0 || seconds <= 0) return ready;
  if (count == 1 && seconds == no_limit && (files->events & POLLIN) != 0) {
    sockets_of(files->fd)->wait_until_readable(files->fd);
    return look_at(all);
  }
  if (rank_files() != nullptr)
    fail_rank(FailureKind::unsupported, "unsupported.function", "poll or select (of a socket, with others or a limit)");
  const double end = clock_seconds() + seconds;
  for (std::int64_t pause = shortest_pause_ns; ready == 0; pause = std::min(pause * 2, longest_pause_ns)) {
    const double left = end - clock_seconds();
    if (left <= 0) return 0;
    sleep_for(0, std::min(pause, static_cast<std::int64_t>(std::ceil(std::min(left, 1.0) * 1e9))));
    ready = look_at(all);
  }
  return ready;
}

int select_files(int count, fd_set* read, fd_set* write, fd_set* except, double seconds) {
  std::vector<pollfd> files;
  for (int i = 0; i < count; ++i) {
    short events = 0;
    if (read != nullptr && FD_ISSET(i, read)) events |= POLLIN;
    if (write != nullptr && FD_ISSET(i, write)) events |= POLLOUT;
    if (except != nullptr && FD_ISSET(i, except)) events |= POLLPRI;
    if (events != 0) files.push_back({i, events, 0});
  }
  if (!has_socket(files)) {
    timeval limit{};
    limit.tv_sec = seconds == no_limit ? 0 : static_cast<time_t>(seconds);
    limit.tv_usec = seconds == no_limit ? 0 : static_cast<suseconds_t>((seconds - std::floor(seconds)) * 1e6);
    return ::select(count, read, write, except, seconds == no_limit ? nullptr : &limit);
  }
  const int status = poll_files(files.data(), files.size(), seconds);
  if (status < 0) return status;
  int set = 0;
  for (const pollfd& file : files) {
    const auto keep = [&](fd_set* in, int answers) {
      if (in == nullptr || !FD_ISSET(file.fd, in)) return;
      if ((file.revents & answers) != 0) ++set;
      else FD_CLR(file.fd, in);
    };
    keep(read, POLLIN | POLLHUP | POLLERR);
    keep(write, POLLOUT | POLLERR);
    keep(except, POLLPRI);
  }
  return set;
}

}  // namespace rehearse::smpi
