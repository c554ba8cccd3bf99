// SPDX-License-Identifier: MIT
//
// The warden as its maker sees it. See warden_process.hpp for the messages.
#include "app/attach/warden.hpp"

#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "app/attach/warden_process.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

constexpr int plain_namespaces = CLONE_NEWNS | CLONE_NEWPID;

// As fork(), with the child in new namespaces.
pid_t fork_into(int namespaces) {
  return static_cast<pid_t>(syscall(SYS_clone, namespaces | SIGCHLD, nullptr, nullptr, nullptr, nullptr));
}

std::string setting(const char* path) {
  std::ifstream file(path);
  std::string value;
  file >> value;
  return value;
}

template <class Number>
Number number_of(const std::string& text) {
  Number value{};
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

std::string user_namespace_hint() {
  if (setting("/proc/sys/kernel/unprivileged_userns_clone") == "0")
    return "; kernel.unprivileged_userns_clone is 0: root can set it to 1";
  if (setting("/proc/sys/user/max_user_namespaces") == "0") return "; user.max_user_namespaces is 0: root can raise it";
  if (setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1")
    return "; kernel.apparmor_restrict_unprivileged_userns is 1: root can set it to 0";
  return "";
}

Result<std::unique_ptr<Warden>> Warden::start(const WardenSetup& setup) {
  auto ends = make_channel();
  if (!ends) return ends.error();
  std::fflush(nullptr);
  WardenIdentity identity{getpid(), geteuid(), getegid(), false};
  pid_t process = fork_into(plain_namespaces);
  if (process < 0 && errno == EPERM) {
    identity.has_user_namespace = true;
    process = fork_into(plain_namespaces | CLONE_NEWUSER);
  }
  if (process < 0)
    return Error{fmt::format("namespaces are not permitted here: {}{}", std::strerror(errno), user_namespace_hint())};
  if (process == 0) {
    ends.value().first = FileHandle();
    be_warden(setup, identity, ends.value().second.get());
  }
  auto warden = std::make_unique<Warden>(std::move(ends.value().first), process);
  ends.value().second = FileHandle();
  const auto ready = warden->await_devices(setup.hosts.size());
  if (!ready) return Error{ready.error().text + (identity.has_user_namespace ? user_namespace_hint() : "")};
  return warden;
}

Result<void> Warden::await_devices(std::size_t hosts) {
  while (devices_.size() < hosts) {
    auto received = receive_message(channel());
    if (!received) return received.error();
    if (received.value().is_end) return Error{"the process that holds the namespaces has ended"};
    ChannelMessage& message = received.value();
    if (message.files.size() != 1) return Error{message.words.empty() ? "no device" : message.words.back()};
    devices_.push_back(std::move(message.files[0]));
  }
  return {};
}

Warden::~Warden() {
  kill(process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) continue;
}

Result<void> Warden::spawn(const WardenCommand& command, const std::array<int, 3>& streams) {
  std::vector<std::string> words = {"spawn",
                                    std::to_string(command.id),
                                    std::to_string(command.host),
                                    command.has_own_session ? "1" : "0",
                                    command.folder,
                                    std::to_string(command.words.size())};
  words.insert(words.end(), command.words.begin(), command.words.end());
  words.insert(words.end(), command.environment.begin(), command.environment.end());
  return send_message(channel(), words, {streams.begin(), streams.end()});
}

void Warden::signal(std::uint32_t id, int number) {
  (void)send_message(channel(), {"signal", std::to_string(id), std::to_string(number)});
}

void Warden::signal_all(int number) { (void)send_message(channel(), {"signal all", std::to_string(number)}); }

void Warden::ask_for_drops() { (void)send_message(channel(), {"drops"}); }

std::optional<WardenReport> Warden::receive() {
  auto received = receive_message(channel());
  if (!received || received.value().words.empty()) return std::nullopt;
  const std::vector<std::string>& words = received.value().words;
  WardenReport report;
  if (words[0] == "drops") {
    report.kind = WardenReport::Kind::drops;
    for (std::size_t i = 1; i < words.size(); ++i) report.drops.push_back(number_of<std::uint64_t>(words[i]));
    return report;
  }
  if (words.size() < 3) return std::nullopt;
  report.kind = words[0] == "failed" ? WardenReport::Kind::failed : WardenReport::Kind::ended;
  report.id = number_of<std::uint32_t>(words[1]);
  if (report.kind == WardenReport::Kind::failed) report.text = words[2];
  else report.status = number_of<int>(words[2]);
  return report;
}

}  // namespace rehearse::app
