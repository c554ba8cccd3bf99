// SPDX-License-Identifier: MIT
//
// See simulator_process.hpp.
#include "simcore/ns3/simulator_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "simcore/support/format.hpp"

namespace rehearse::ns3 {
namespace {

constexpr const char* program_name = "rehearse-ns3";
constexpr int stop_poll_ms = 100;             // between looks at the stop token
constexpr int patience_ms = 2000;             // for the end of a program that has closed the socket
constexpr std::size_t most_of_output = 4096;  // its end, in which the last line is

std::string beside_us() {
  std::error_code problem;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", problem);
  const std::filesystem::path beside = self.parent_path() / program_name;
  return !problem && access(beside.c_str(), X_OK) == 0 ? beside.string() : std::string();
}

}  // namespace

// A process group of its own: Ctrl-C ends our program, and so the other one, in order.
int SimulatorProcess::spawn(const std::string& program) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return errno;
  socket_ = ends[0];
  output_ = memfd_create(program_name, MFD_CLOEXEC);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  for (const int out : {STDOUT_FILENO, STDERR_FILENO}) posix_spawn_file_actions_adddup2(&actions, output_, out);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults, none;
  sigfillset(&defaults);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  std::string name = program;
  char* const arguments[] = {name.data(), nullptr};
  const int failed = posix_spawnp(&child_, name.c_str(), &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (failed != 0) child_ = -1;
  return failed;
}

Result<std::unique_ptr<SimulatorProcess>> SimulatorProcess::start(const Hello& hello) {
  std::unique_ptr<SimulatorProcess> process(new SimulatorProcess());
  process->parent_ = getpid();
  const std::string beside = beside_us();
  if (const int failed = process->spawn(beside.empty() ? program_name : beside); failed == ENOENT)
    return Error{fmt::format("network model ns3: the program {0} is neither beside this program nor on PATH; install "
                             "libns3-dev and build Rehearse again, which builds {0}",
                             program_name)};
  else if (failed != 0)
    return Error{fmt::format("network model ns3: {} does not start: {}", program_name, std::strerror(failed))};
  Ready ready;
  if (!process->ask(hello, ready)) return Error{"network model ns3: " + process->problem()};
  if (ready.version != protocol_version)
    return Error{fmt::format("network model ns3: {} has version {} of the protocol; accepted: {}", program_name,
                             ready.version, protocol_version)};
  return process;
}

SimulatorProcess::~SimulatorProcess() {
  if (child_ > 0 && getpid() == parent_) {  // a forked copy of us has no child
    kill(child_, SIGKILL);
    while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) continue;
  }
  if (socket_ >= 0) close(socket_);
  if (output_ >= 0) close(output_);
}

void SimulatorProcess::send_pending() {
  for (std::size_t done = 0; problem_.empty() && done < pending_.size();) {
    const ssize_t sent = send(socket_, pending_.data() + done, pending_.size() - done, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) break;  // receive() gets to know why
    done += static_cast<std::size_t>(sent);
  }
  pending_.clear();
}

bool SimulatorProcess::receive(Frame& frame) {
  while (problem_.empty()) {
    std::string_view rest = std::string_view(received_).substr(taken_);
    const FrameStatus status = take_frame(rest, frame);
    if (status == FrameStatus::found) {
      taken_ = received_.size() - rest.size();
      return true;
    }
    if (status == FrameStatus::damaged) {
      problem_ = fmt::format("{} sent a message that makes no sense", program_name);
      break;
    }
    received_.erase(0, taken_);
    taken_ = 0;
    if (stop_.can_stop() && !wait_for_input()) break;
    char buffer[65536];
    const ssize_t got = read(socket_, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) end_child();
    else received_.append(buffer, static_cast<std::size_t>(got));
  }
  return false;
}

// False: a request to stop came before.
bool SimulatorProcess::wait_for_input() {
  pollfd input{socket_, POLLIN, 0};
  while (!stop_.stop_requested()) {
    const int ready = poll(&input, 1, stop_poll_ms);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return true;
  }
  problem_ = "interrupted";
  return false;
}

bool SimulatorProcess::note(const Frame& frame) {
  Progress progress;
  if (decode(frame, progress)) {
    if (on_progress_) on_progress_(progress.date);
    return true;
  }
  Problem problem;
  problem_ = fmt::format("{} {}", program_name,
                         decode(frame, problem) ? "cannot continue: " + problem.text : "sent an unexpected message");
  return false;
}

// Its status and its last line are the problem.
void SimulatorProcess::end_child() {
  int status = 0;
  pid_t ended = 0;
  for (int waited = 0; (ended = waitpid(child_, &status, WNOHANG)) == 0 && waited < patience_ms; ++waited) usleep(1000);
  if (ended == 0) {
    kill(child_, SIGKILL);  // it has closed the socket, but goes on
    while (waitpid(child_, &status, 0) < 0 && errno == EINTR) continue;
  }
  child_ = -1;
  problem_ = WIFSIGNALED(status)
                 ? fmt::format("{} was ended by a signal ({})", program_name, strsignal(WTERMSIG(status)))
                 : fmt::format("{} ended with status {}", program_name, WEXITSTATUS(status));
  const std::string last = last_line();
  if (!last.empty()) problem_ += ": " + last;
}

std::string SimulatorProcess::last_line() const {
  const off_t size = lseek(output_, 0, SEEK_END);
  std::string text(most_of_output, '\0');
  const ssize_t got =
      pread(output_, text.data(), text.size(), std::max<off_t>(0, size - static_cast<off_t>(most_of_output)));
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  text.erase(text.find_last_not_of('\n') + 1);
  const std::size_t begin = text.find_last_of('\n');
  return begin == std::string::npos ? text : text.substr(begin + 1);
}

}  // namespace rehearse::ns3
