// SPDX-License-Identifier: MIT
//
// The file by which the processes find each other, and the greeting.
//
// File:     one line each: "port N", "secret HEX", "name HOST", and "address A" for each address.
// Greeting: the helper sends "rehearse SECRET HASH HOST", where HASH is that of the identity. The first process answers
//           "welcome", or "refused: REASON".
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fcntl.h>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <optional>
#include <sstream>
#include <thread>

#include "app/attach/file_handle.hpp"
#include "app/distribution.hpp"
#include "app/distribution/connection.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/read_file.hpp"
#include "simcore/support/wide_hash.hpp"

namespace rehearse::app {
namespace {

using namespace distribution;
using Clock = std::chrono::steady_clock;

constexpr double greeting_seconds = 10, connect_seconds = 3;
constexpr int look_ms = 50;

struct Place {
  std::uint16_t port = 0;
  std::string secret, name;
  std::vector<std::string> addresses;
};

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

std::string hash_of(const std::string& identity) {
  const WideHash hash = wide_hash(identity.data(), identity.size());
  return fmt::format("{:016x}{:016x}", hash.high, hash.low);
}

std::string file_of(const LaunchedProcess& process) {
  return ".rehearse-" + (process.job.empty() ? std::string("job") : process.job) + ".meeting";
}

std::optional<std::string> new_secret() {
  std::uint64_t words[2];
  if (getrandom(words, sizeof words, 0) != sizeof words) return std::nullopt;
  return fmt::format("{:016x}{:016x}", words[0], words[1]);
}

// The file appears with its whole content.
bool write_place(const std::string& file, const Place& place) {
  std::string text = fmt::format("port {}\nsecret {}\nname {}\n", place.port, place.secret, place.name);
  for (const std::string& address : place.addresses) text += "address " + address + "\n";
  const std::string beside = file + ".part";
  unlink(beside.c_str());
  {
    const FileHandle out(open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!out.is_open() || write(out.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) return false;
  }
  return std::rename(beside.c_str(), file.c_str()) == 0;
}

std::optional<Place> read_place(const std::string& file) {
  const auto text = read_file(file);
  if (!text) return std::nullopt;
  Place place;
  std::istringstream words(*text);
  for (std::string key, value; words >> key >> value;) {
    if (key == "port") place.port = static_cast<std::uint16_t>(std::atoi(value.c_str()));
    else if (key == "secret") place.secret = value;
    else if (key == "name") place.name = value;
    else if (key == "address") place.addresses.push_back(value);
  }
  return place;
}

// Greets one that has connected. Nothing: it does not belong here.
std::optional<mc::Helper> receive(int connection, const Place& place, const std::string& hash) {
  const auto line = read_line(connection, greeting_seconds);
  if (!line) return std::nullopt;
  std::istringstream words(*line);
  std::string magic, secret, theirs, name;
  words >> magic >> secret >> theirs >> name;
  if (magic != "rehearse" || secret != place.secret) return std::nullopt;
  if (theirs != hash) {
    write_line(connection, "refused: its executable, program or options differ from those of the first process");
    return std::nullopt;
  }
  if (!write_line(connection, "welcome")) return std::nullopt;
  tune(connection);
  return mc::Helper{connection, name == place.name ? "" : name};
}

// Connects to the place. A negative number: not yet. The error: never.
Result<int> greet(const Place& place, const std::string& hash) {
  const std::string name = own_name();
  std::vector<std::string> addresses = place.addresses;
  if (name == place.name) addresses.insert(addresses.begin(), {"127.0.0.1", "::1"});
  for (const std::string& address : addresses) {
    const int connection = connect_to(address, place.port, connect_seconds);
    if (connection < 0) continue;
    const bool is_sent = write_line(connection, "rehearse " + place.secret + ' ' + hash + ' ' + name);
    const auto answer = is_sent ? read_line(connection, greeting_seconds) : std::nullopt;
    if (answer == "welcome") {
      tune(connection);
      return connection;
    }
    close(connection);
    if (answer) return Error{*answer};
  }
  return -1;
}

}  // namespace

std::size_t helpers_wanted(const Meeting& meeting) {
  return std::size_t{meeting.process.processes - 1} * meeting.workers;
}

Result<std::vector<mc::Helper>> await_helpers(const Meeting& meeting, const StopToken& stop) {
  const std::size_t wanted = helpers_wanted(meeting);
  std::vector<mc::Helper> helpers;
  if (wanted == 0) return helpers;
  const FileHandle listening(listen_anywhere());
  if (!listening.is_open()) return Error{std::string("no TCP port can be opened: ") + std::strerror(errno)};
  const auto secret = new_secret();
  if (!secret) return Error{"the system gives no random numbers"};
  const Place place{port_of(listening.get()), *secret, own_name(), own_addresses()};
  const std::string file = file_of(meeting.process), hash = hash_of(meeting.identity);
  if (!write_place(file, place)) return Error{file + ": cannot be written: " + std::strerror(errno)};
  const Clock::time_point begin = Clock::now();
  while (helpers.size() < wanted && seconds_since(begin) < meeting.seconds && !stop.stop_requested()) {
    pollfd line = {listening.get(), POLLIN, 0};
    if (poll(&line, 1, look_ms) <= 0) continue;
    const int connection = accept4(listening.get(), nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) continue;
    if (auto helper = receive(connection, place, hash)) helpers.push_back(std::move(*helper));
    else close(connection);
  }
  unlink(file.c_str());
  return helpers;
}

Result<std::vector<int>> join(const Meeting& meeting) {
  const std::string file = file_of(meeting.process), hash = hash_of(meeting.identity);
  const Clock::time_point begin = Clock::now();
  std::vector<int> connections;
  std::string refusal;
  while (connections.size() < meeting.workers && refusal.empty() && seconds_since(begin) < meeting.seconds) {
    const auto place = read_place(file);
    const Result<int> connection = place ? greet(*place, hash) : Result<int>(-1);
    if (!connection) refusal = connection.error().text;
    else if (connection.value() >= 0) connections.push_back(connection.value());
    else std::this_thread::sleep_for(std::chrono::milliseconds(look_ms));
  }
  if (connections.size() == meeting.workers) return connections;
  for (const int connection : connections) close(connection);
  if (!refusal.empty()) return Error{refusal};
  return Error{
      fmt::format("the first process was not there within {:g} seconds ({} says where it is)", meeting.seconds, file)};
}

}  // namespace rehearse::app
