// SPDX-License-Identifier: MIT
//
// Starting, watching and ending a process and its descendants.
#include "app/grading/bounded_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int look_ms = 20;

std::vector<std::string> small_environment(const std::string& folder) {
  std::vector<std::string> all = {"HOME=" + folder, "TMPDIR=" + folder, "LANG=C.UTF-8"};
  for (const char* name : {"PATH", "LD_LIBRARY_PATH", "REHEARSE_CC", "REHEARSE_CXX"})
    if (const char* value = std::getenv(name)) all.push_back(std::string(name) + "=" + value);
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<pid_t> children_of(pid_t process) {
  std::vector<pid_t> children;
  std::error_code ignored;
  const fs::path tasks = fmt::format("/proc/{}/task", process);
  for (fs::directory_iterator task(tasks, ignored), end; !ignored && task != end; task.increment(ignored)) {
    std::ifstream list(task->path() / "children");
    for (pid_t child; list >> child;) children.push_back(child);
  }
  return children;
}

std::uint64_t resident_bytes(pid_t process) {
  std::ifstream statm(fmt::format("/proc/{}/statm", process));
  std::uint64_t size = 0, resident = 0;
  statm >> size >> resident;
  std::uint64_t sum = resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  for (const pid_t child : children_of(process)) sum += resident_bytes(child);
  return sum;
}

// Reading ends of the two streams.
struct Streams {
  std::array<int, 2> ends{-1, -1};
  ~Streams() {
    for (const int end : ends)
      if (end >= 0) close(end);
  }
};

struct Start {
  std::vector<char*> command, environment;
  const char* folder;
  std::array<int, 2> outputs;
  std::uint64_t file_bytes;
};

// Runs in the new process, and must not allocate.
[[noreturn]] void become(const Start& start) {
  setsid();
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, 0);
  dup2(start.outputs[0], 1);
  dup2(start.outputs[1], 2);
  const rlimit no_core = {0, 0}, files = {start.file_bytes, start.file_bytes};
  setrlimit(RLIMIT_CORE, &no_core);
  setrlimit(RLIMIT_FSIZE, &files);
  if (chdir(start.folder) == 0) execve(start.command[0], start.command.data(), start.environment.data());
  _exit(127);
}

class Watch {
 public:
  Watch(pid_t process, const Bounds& bounds, Streams& streams)
      : process_(process), bounds_(bounds), streams_(streams) {}

  ProcessEnd wait() {
    while (!reaped_ && !overstepped_) {
      read_streams();
      reap();
      look_at_bounds();
    }
    end_all();
    while (drain()) continue;
    if (overstepped_) end_.how = *overstepped_;
    return std::move(end_);
  }

 private:
  // Waits a moment for data, and reads all that are there.
  void read_streams() {
    std::array<pollfd, 2> polled = {pollfd{streams_.ends[0], POLLIN, 0}, pollfd{streams_.ends[1], POLLIN, 0}};
    if (poll(polled.data(), polled.size(), look_ms) > 0) drain();
  }

  // Whether there were data. A closed stream is no longer polled.
  bool drain() {
    bool any = false;
    for (const std::size_t stream : {0, 1}) {
      int& descriptor = streams_.ends[stream];
      if (descriptor < 0) continue;
      std::array<char, 65536> chunk;
      const ssize_t got = read(descriptor, chunk.data(), chunk.size());
      if (got > 0) keep(stream == 0 ? end_.out : end_.err, {chunk.data(), static_cast<std::size_t>(got)});
      any |= got > 0;
      if (got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR))) continue;
      close(descriptor);
      descriptor = -1;
    }
    return any && !(overstepped_ && reaped_);
  }

  void keep(std::string& text, std::string_view chunk) {
    const std::size_t room = bounds_.output_bytes - text.size();
    if (chunk.size() > room) overstepped_ = ProcessEnd::How::too_much_output;
    text += chunk.substr(0, room);
  }

  void reap() {
    int status = 0;
    for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
      if (ended != process_) continue;
      reaped_ = true;
      end_.how = WIFEXITED(status) ? ProcessEnd::How::exited : ProcessEnd::How::signalled;
      end_.status = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
    }
  }

  void look_at_bounds() {
    if (reaped_ || overstepped_) return;
    if (std::chrono::duration<double>(Clock::now() - begin_).count() > bounds_.seconds)
      overstepped_ = ProcessEnd::How::out_of_time;
    else if (resident_bytes(process_) > bounds_.memory_bytes) overstepped_ = ProcessEnd::How::out_of_memory;
  }

  // Ends the process and its descendants: orphans become our children, which this ends as well.
  void end_all() {
    kill(-process_, SIGKILL);
    const auto give_up = Clock::now() + std::chrono::seconds(5);
    while (Clock::now() < give_up) {
      reap();
      const std::vector<pid_t> remaining = children_of(getpid());
      if (remaining.empty()) break;
      for (const pid_t child : remaining) kill(child, SIGKILL);
      usleep(1000);
    }
    reap();
  }

  pid_t process_;
  const Bounds& bounds_;
  Streams& streams_;
  ProcessEnd end_;
  Clock::time_point begin_ = Clock::now();
  std::optional<ProcessEnd::How> overstepped_;
  bool reaped_ = false;
};

}  // namespace

std::string trouble_of(const ProcessEnd& end, const Bounds& bounds) {
  char text[128] = "";
  const auto memory_mb = static_cast<double>(bounds.memory_bytes) / 1e6;
  const auto output_kb = static_cast<double>(bounds.output_bytes) / 1e3;
  switch (end.how) {
    case ProcessEnd::How::exited: return "";
    case ProcessEnd::How::signalled: return fmt::format("ended by signal {} ({})", end.status, strsignal(end.status));
    case ProcessEnd::How::out_of_time:
      std::snprintf(text, sizeof text, "not over after %g seconds", bounds.seconds);
      return text;
    case ProcessEnd::How::out_of_memory:
      std::snprintf(text, sizeof text, "used more than %g MB of memory", memory_mb);
      return text;
    case ProcessEnd::How::too_much_output:
      std::snprintf(text, sizeof text, "wrote more than %g kB of output", output_kb);
      return text;
  }
  return text;
}

Result<ProcessEnd> run_bounded(const std::vector<std::string>& command, const std::string& folder,
                               const Bounds& bounds) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  std::vector<std::string> words = command, environment = small_environment(folder);
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0) return Error{std::string("no pipe: ") + std::strerror(errno)};
  Streams streams{{out[0], -1}};
  if (pipe2(err, O_CLOEXEC) != 0) {
    close(out[1]);
    return Error{std::string("no pipe: ") + std::strerror(errno)};
  }
  streams.ends[1] = err[0];
  for (const int end : streams.ends) fcntl(end, F_SETFL, O_NONBLOCK);
  const Start start{pointers_to(words), pointers_to(environment), folder.c_str(), {out[1], err[1]}, bounds.file_bytes};
  const pid_t process = fork();
  if (process == 0) become(start);
  const int problem = errno;
  close(out[1]);
  close(err[1]);
  if (process < 0) return Error{std::string("no process: ") + std::strerror(problem)};
  return Watch(process, bounds, streams).wait();
}

}  // namespace rehearse::app
