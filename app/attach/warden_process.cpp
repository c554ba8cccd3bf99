// SPDX-License-Identifier: MIT
//
// See warden_process.hpp.
#include "app/attach/warden_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "app/attach/interface.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

constexpr int exit_not_started = 127;  // as shells say it

Error problem_of(const std::string& step) { return Error{fmt::format("{}: {}", step, std::strerror(errno))}; }

template <class Number>
Number parsed(const std::string& text) {
  Number value{};
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

bool write_whole(const char* path, const std::string& text) {
  const FileHandle file(open(path, O_WRONLY | O_CLOEXEC));
  return file.is_open() && write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

struct HostNamespaces {
  FileHandle network, names;
};

class WardenProcess {
 public:
  explicit WardenProcess(int channel) : channel_(channel) {}

  Result<void> set_up(const WardenSetup& setup, const WardenIdentity& identity);
  void serve();

 private:
  struct Started {
    std::uint32_t id;
    bool has_own_session;
  };

  Result<void> set_up_host(const WardenSetup& setup, std::uint32_t host);
  bool handle(ChannelMessage& message);
  void spawn(ChannelMessage& message);
  [[noreturn]] void become(const ChannelMessage& message, const HostNamespaces& host, int problems) const;
  void reap();
  void signal(std::uint32_t id, int number) const;
  void report_drops();

  int channel_;
  std::vector<HostNamespaces> hosts_;
  std::map<pid_t, Started> started_;
  FileHandle deaths_;
};

Result<void> WardenProcess::set_up(const WardenSetup& setup, const WardenIdentity& identity) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGPIPE}) std::signal(number, SIG_IGN);
  if (identity.has_user_namespace) {
    write_whole("/proc/self/setgroups", "deny");
    if (!write_whole("/proc/self/uid_map", fmt::format("{} {} 1", identity.user, identity.user)) ||
        !write_whole("/proc/self/gid_map", fmt::format("{} {} 1", identity.group, identity.group)))
      return problem_of("the user namespace cannot be set up");
  }
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
    return problem_of("the mount namespace cannot be set up");
  if (mount(setup.hosts_file.c_str(), "/etc/hosts", nullptr, MS_BIND, nullptr) != 0)
    return problem_of("/etc/hosts cannot be replaced in the mount namespace");
  // No name server is in reach. With an empty file, unknown names fail at once; where there is no such file, too.
  mount("/dev/null", "/etc/resolv.conf", nullptr, MS_BIND, nullptr);
  // Where /proc has hidden parts, the kernel refuses a new one. The old one has other process numbers.
  mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr);
  for (std::uint32_t i = 0; i < setup.hosts.size(); ++i)
    if (const auto made = set_up_host(setup, i); !made)
      return Error{fmt::format("host {}: {}", setup.hosts[i], made.error().text)};
  sigset_t watched;
  sigemptyset(&watched);
  sigaddset(&watched, SIGCHLD);
  sigprocmask(SIG_BLOCK, &watched, nullptr);
  deaths_ = FileHandle(signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK));
  return {};
}

Result<void> WardenProcess::set_up_host(const WardenSetup& setup, std::uint32_t host) {
  if (unshare(CLONE_NEWNET | CLONE_NEWUTS) != 0) return problem_of("a network namespace cannot be made");
  const std::string& name = setup.hosts[host];
  if (sethostname(name.data(), name.size()) != 0) return problem_of("the name of the host cannot be set");
  const auto device = set_up_interface({host, setup.mtu, setup.settings});
  if (!device) return device.error();
  hosts_.push_back({FileHandle(open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)),
                    FileHandle(open("/proc/thread-self/ns/uts", O_RDONLY | O_CLOEXEC))});
  if (!hosts_.back().network.is_open() || !hosts_.back().names.is_open())
    return problem_of("/proc/thread-self/ns cannot be opened");
  return send_message(channel_, {"device"}, {device.value().get()});
}

void WardenProcess::serve() {
  while (true) {
    pollfd watched[] = {{channel_, POLLIN, 0}, {deaths_.get(), POLLIN, 0}};
    if (poll(watched, 2, -1) < 0 && errno != EINTR) return;
    if (watched[1].revents != 0) {
      signalfd_siginfo death;
      while (read(deaths_.get(), &death, sizeof death) > 0) continue;
      reap();
    }
    if (watched[0].revents == 0) continue;
    auto received = receive_message(channel_);
    if (!received || !handle(received.value())) return;
  }
}

bool WardenProcess::handle(ChannelMessage& message) {
  if (message.words.empty()) return false;
  const std::string& kind = message.words[0];
  if (kind == "spawn") spawn(message);
  else if (kind == "signal") signal(parsed<std::uint32_t>(message.words.at(1)), parsed<int>(message.words.at(2)));
  else if (kind == "signal all") kill(-1, parsed<int>(message.words.at(1)));
  else if (kind == "drops") report_drops();
  else return false;
  return true;
}

void WardenProcess::spawn(ChannelMessage& message) {
  const std::string& id = message.words.at(1);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    (void)send_message(channel_, {"failed", id, std::strerror(errno)});
    return;
  }
  FileHandle result(ends[0]), problems(ends[1]);
  const pid_t child = fork();
  if (child == 0) become(message, hosts_.at(parsed<std::uint32_t>(message.words.at(2))), problems.get());
  problems = FileHandle();
  int problem = child < 0 ? errno : 0;
  if (child > 0 && read(result.get(), &problem, sizeof problem) != sizeof problem) problem = 0;
  if (problem != 0) {
    (void)send_message(channel_, {"failed", id, std::strerror(problem)});
    return;
  }
  started_[child] = {parsed<std::uint32_t>(id), message.words.at(3) == "1"};
}

void WardenProcess::become(const ChannelMessage& message, const HostNamespaces& host, int problems) const {
  const auto give_up = [&] {
    const int problem = errno;
    if (write(problems, &problem, sizeof problem) < 0) _exit(exit_not_started);
    _exit(exit_not_started);
  };
  if (setns(host.network.get(), CLONE_NEWNET) != 0 || setns(host.names.get(), CLONE_NEWUTS) != 0) give_up();
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGPIPE}) std::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const std::vector<std::string>& words = message.words;
  if (words.at(3) == "1") setsid();
  for (int i = 0; i < 3; ++i)
    if (dup2(message.files.at(static_cast<std::size_t>(i)).get(), i) < 0) give_up();
  if (chdir(words.at(4).c_str()) != 0) give_up();
  const auto count = parsed<std::size_t>(words.at(5));
  std::vector<char*> arguments, environment;
  for (std::size_t i = 6; i < words.size(); ++i)
    (i < 6 + count ? arguments : environment).push_back(const_cast<char*>(words[i].c_str()));
  arguments.push_back(nullptr);
  environment.push_back(nullptr);
  execvpe(arguments[0], arguments.data(), environment.data());
  give_up();
  _exit(exit_not_started);
}

void WardenProcess::reap() {
  int status = 0;
  for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
    const auto found = started_.find(ended);
    if (found == started_.end()) continue;  // the parent of this one is gone
    (void)send_message(channel_, {"ended", std::to_string(found->second.id), std::to_string(status)});
    started_.erase(found);
  }
}

void WardenProcess::signal(std::uint32_t id, int number) const {
  for (const auto& [process, started] : started_)
    if (started.id == id) kill(started.has_own_session ? -process : process, number);
}

// Column 4 of the sending half of /proc/net/dev: frames that found no room in the device's queue.
void WardenProcess::report_drops() {
  std::vector<std::string> words = {"drops"};
  for (const HostNamespaces& host : hosts_) {
    std::string drops = "0";
    std::string line;
    setns(host.network.get(), CLONE_NEWNET);
    std::ifstream devices("/proc/thread-self/net/dev");
    while (std::getline(devices, line)) {
      const std::size_t colon = line.find(':');
      if (colon == std::string::npos || line.find(interface_name) > colon) continue;
      std::istringstream columns(line.substr(colon + 1));
      constexpr int receiving_columns = 8, drop_column = 4;
      for (int i = 0; i < receiving_columns + drop_column; ++i) columns >> drops;
    }
    words.push_back(drops);
  }
  (void)send_message(channel_, words);
}

}  // namespace

void be_warden(const WardenSetup& setup, const WardenIdentity& identity, int channel) {
  WardenProcess process(channel);
  const auto ready = process.set_up(setup, identity);
  if (ready) process.serve();
  else (void)send_message(channel, {ready.error().text});
  _exit(0);
}

}  // namespace rehearse::app
