// SPDX-License-Identifier: MIT
//
// See launcher.hpp.
#include "app/real/launcher.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

constexpr auto patience_after_stop = std::chrono::seconds(2);  // for reports of the processes
constexpr int patience_ms = 50;                                // between looks at the stop token and at ended children
constexpr std::size_t errors_kept = 1 << 16;

}  // namespace

RealLauncher::RealLauncher(ProcessStarter& starter, std::vector<FileHandle> listeners, Setup setup)
    : starter_(starter),
      listeners_(std::move(listeners)),
      setup_(std::move(setup)),
      coordinator_(static_cast<std::uint32_t>(setup_.processes.size()), setup_.program,
                   [this](std::uint32_t process, const RealMessage& message) { send(process, message); }),
      output_(static_cast<std::uint32_t>(setup_.processes.size()), setup_.secret, setup_.output),
      errors_(static_cast<std::uint32_t>(setup_.processes.size()), setup_.secret, setup_.errors),
      processes_(setup_.processes.size()),
      buffer_(std::size_t{64} << 10) {}

Result<void> RealLauncher::start() {
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    auto streams = starter_.start(setup_.processes[i]);
    if (!streams) return streams.error();
    processes_[i].streams = std::move(streams.value());
    for (const FileHandle* stream : {&processes_[i].streams.output, &processes_[i].streams.errors})
      fcntl(stream->get(), F_SETFL, O_NONBLOCK);
  }
  return {};
}

Result<void> RealLauncher::run() {
  if (const auto started = start(); !started) return started;
  while (!is_over()) {
    wait();
    const auto turned = starter_.turn([this](std::uint32_t process, int status) { note_end(process, status); });
    if (!turned) return turned;
    for (const FileHandle& listener : listeners_) accept(listener.get());
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      read(*connections_[i]);
      write(*connections_[i]);
    }
    for (std::uint32_t i = 0; i < processes_.size(); ++i) read_streams(i);
    if (!was_interrupted_ && setup_.stop.stop_requested()) {
      was_interrupted_ = true;
      end_of_patience_ = std::chrono::steady_clock::now() + patience_after_stop;
      coordinator_.interrupt();
    }
    if (was_interrupted_ && (coordinator_.run().has_run || std::chrono::steady_clock::now() > end_of_patience_))
      end_run();
    if (coordinator_.is_refused()) end_run();
  }
  for (std::uint32_t i = 0; i < processes_.size(); ++i) {
    output_.close(i);
    errors_.close(i);
  }
  return {};
}

bool RealLauncher::is_over() const {
  return std::ranges::all_of(processes_, [](const Process& process) {
    return process.has_ended && !process.streams.output.is_open() && !process.streams.errors.is_open();
  });
}

void RealLauncher::end_run() {
  if (std::exchange(is_ending_, true)) return;
  starter_.end_all();
}

void RealLauncher::wait() {
  std::vector<pollfd> watched;
  for (const FileHandle& listener : listeners_) watched.push_back({listener.get(), POLLIN, 0});
  for (const int descriptor : starter_.descriptors()) watched.push_back({descriptor, POLLIN, 0});
  for (const auto& connection : connections_)
    if (!connection->is_closed)
      watched.push_back(
          {connection->socket.get(), static_cast<short>(connection->unsent.empty() ? POLLIN : POLLIN | POLLOUT), 0});
  for (const Process& process : processes_)
    for (const FileHandle* stream : {&process.streams.output, &process.streams.errors})
      if (stream->is_open()) watched.push_back({stream->get(), POLLIN, 0});
  const bool is_child_missing =
      std::ranges::any_of(processes_, [](const Process& process) { return !process.has_ended; });
  const bool has_streams = std::ranges::any_of(processes_, [](const Process& process) {
    return process.streams.output.is_open() || process.streams.errors.is_open();
  });
  // Without streams, only the ends of processes are missing, which no descriptor reports.
  poll(watched.data(), watched.size(), is_child_missing && !has_streams ? 1 : patience_ms);
}

// ---- messages

void RealLauncher::accept(int listener) {
  while (true) {
    FileHandle socket(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket.is_open()) return;
    const int on = 1;
    setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);  // where it is one of TCP
    connections_.push_back(std::make_unique<Connection>());
    connections_.back()->socket = std::move(socket);
  }
}

void RealLauncher::read(Connection& connection) {
  if (connection.is_closed) return;
  while (true) {
    const ssize_t count = ::read(connection.socket.get(), buffer_.data(), buffer_.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
    if (count <= 0) return close(connection);
    connection.reader.add({buffer_.data(), static_cast<std::size_t>(count)});
    for (RealMessage message; connection.reader.next(message);) {
      if (connection.process < 0) {
        std::uint32_t process = 0;
        const bool is_known = read_greeting(message, setup_.secret, process) && process < processes_.size() &&
                              processes_[process].connection == nullptr;
        if (!is_known) return close(connection);
        connection.process = process;
        processes_[process].connection = &connection;
      }
      coordinator_.receive(static_cast<std::uint32_t>(connection.process), message);
    }
  }
}

void RealLauncher::write(Connection& connection) {
  while (!connection.is_closed && !connection.unsent.empty()) {
    const ssize_t count =
        ::send(connection.socket.get(), connection.unsent.data(), connection.unsent.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;  // a broken connection is noticed when it is read
    connection.unsent.erase(0, static_cast<std::size_t>(count));
  }
}

void RealLauncher::close(Connection& connection) {
  if (std::exchange(connection.is_closed, true)) return;
  connection.socket = FileHandle();
  if (connection.process >= 0) coordinator_.lost(static_cast<std::uint32_t>(connection.process));
}

void RealLauncher::send(std::uint32_t process, const RealMessage& message) {
  Connection* connection = processes_[process].connection;
  if (connection == nullptr || connection->is_closed) return;
  connection->unsent += to_bytes(message);
  write(*connection);
}

// ---- processes

void RealLauncher::read_streams(std::uint32_t process) {
  Process& of = processes_[process];
  const bool was_open = of.streams.output.is_open() || of.streams.errors.is_open();
  if (of.streams.output.is_open()) read_stream(process, of.streams.output, output_, nullptr);
  if (of.streams.errors.is_open()) read_stream(process, of.streams.errors, errors_, &of.last_errors);
  const bool is_open = of.streams.output.is_open() || of.streams.errors.is_open();
  if (was_open && !is_open && of.has_ended) coordinator_.ended(process, of.status, of.last_errors);
}

bool RealLauncher::read_stream(std::uint32_t process, FileHandle& stream, RunOutput& output, std::string* copy) {
  while (true) {
    const ssize_t count = ::read(stream.get(), buffer_.data(), buffer_.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return true;
    if (count <= 0) {
      stream = FileHandle();
      output.close(process);
      return false;
    }
    const std::string_view text(buffer_.data(), static_cast<std::size_t>(count));
    output.add(process, text);
    if (copy == nullptr) continue;
    copy->append(text);
    if (copy->size() > errors_kept) copy->erase(0, copy->size() - errors_kept);
  }
}

void RealLauncher::note_end(std::uint32_t process, int status) {
  Process& of = processes_[process];
  of.has_ended = true;
  of.status = status;
  if (is_ending_) status = 0;  // we ended it
  // What it has sent comes before its end.
  if (of.connection != nullptr) read(*of.connection);
  read_streams(process);
  if (of.connection == nullptr && !coordinator_.is_refused()) coordinator_.lost(process);
  const bool is_closed = !of.streams.output.is_open() && !of.streams.errors.is_open();
  if (is_closed) coordinator_.ended(process, status, of.last_errors);
  else of.status = status;
}

}  // namespace rehearse::app
