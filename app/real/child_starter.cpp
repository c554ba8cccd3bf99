// SPDX-License-Identifier: MIT
//
// Processes as children of this one: the program itself, or ssh.
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "app/real/starts.hpp"

namespace rehearse::app {
namespace {

constexpr int exit_not_started = 127;  // as shells say it

struct PipePair {
  FileHandle reading, writing;
};

Result<PipePair> make_pipe() {
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return Error{std::string("pipe: ") + std::strerror(errno)};
  return PipePair{FileHandle(ends[0]), FileHandle(ends[1])};
}

std::string quoted_for_shell(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

class ChildStarter final : public ProcessStarter {
 public:
  explicit ChildStarter(std::vector<std::string> ssh) : ssh_(std::move(ssh)) {}
  ChildStarter(const ChildStarter&) = delete;
  ChildStarter& operator=(const ChildStarter&) = delete;
  ~ChildStarter() override {
    end_all();
    for (const Child& child : children_)
      if (child.process > 0)
        while (waitpid(child.process, nullptr, 0) < 0 && errno == EINTR) continue;
  }

  Result<ProcessStreams> start(const StartedProcess& process) override;
  Result<void> turn(const Ended& ended) override;
  void end_all() override {
    for (const Child& child : children_)
      if (child.process > 0) kill(child.process, SIGKILL);
  }

 private:
  struct Child {
    pid_t process = -1;  // negative: it has ended
  };

  // The variable comes through the standard input, because command lines are public.
  std::vector<std::string> remote_words(const StartedProcess& process) const;

  std::vector<std::string> ssh_;
  std::vector<Child> children_;
};

std::vector<std::string> ChildStarter::remote_words(const StartedProcess& process) const {
  std::error_code problem;
  std::string line = "cd " + quoted_for_shell(std::filesystem::current_path(problem).string()) +
                     " && IFS= read -r setting && export \"$setting\" && exec </dev/null";
  std::string command;
  for (const std::string& word : process.words) command += " " + quoted_for_shell(word);
  line += " && exec" + command;
  std::vector<std::string> words = ssh_;
  words.push_back(process.machine);
  words.push_back(line);
  return words;
}

Result<ProcessStreams> ChildStarter::start(const StartedProcess& process) {
  const bool is_remote = !process.machine.empty();
  std::vector<std::string> words = is_remote ? remote_words(process) : process.words;
  std::vector<std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) variables.emplace_back(*entry);
  if (!is_remote) variables.push_back(process.variable);
  std::vector<char*> argv, envp;
  for (std::string& word : words) argv.push_back(word.data());
  for (std::string& variable : variables) envp.push_back(variable.data());
  argv.push_back(nullptr);
  envp.push_back(nullptr);
  auto output = make_pipe(), errors = make_pipe(), input = make_pipe();
  for (const auto* pipe : {&output, &errors, &input})
    if (!*pipe) return pipe->error();
  const FileHandle nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(exit_not_started);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGHUP}) std::signal(signal, SIG_DFL);
    setpgid(0, 0);  // Ctrl-C ends this process in order, and so the others
    dup2(is_remote ? input.value().reading.get() : nothing.get(), STDIN_FILENO);
    dup2(output.value().writing.get(), STDOUT_FILENO);
    dup2(errors.value().writing.get(), STDERR_FILENO);
    execvpe(argv[0], argv.data(), envp.data());
    _exit(exit_not_started);
  }
  if (child < 0) return Error{words[0] + ": cannot start: " + std::strerror(errno)};
  children_.push_back({child});
  if (is_remote) {
    const std::string line = process.variable + "\n";
    if (write(input.value().writing.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size()))
      return Error{process.machine + ": " + std::strerror(errno)};
  }
  return ProcessStreams{std::move(output.value().reading), std::move(errors.value().reading)};
}

Result<void> ChildStarter::turn(const Ended& ended) {
  for (std::uint32_t i = 0; i < children_.size(); ++i) {
    int status = 0;
    if (children_[i].process < 0 || waitpid(children_[i].process, &status, WNOHANG) <= 0) continue;
    children_[i].process = -1;
    ended(i, status);
  }
  return {};
}

}  // namespace

std::unique_ptr<ProcessStarter> make_local_starter() {
  return std::make_unique<ChildStarter>(std::vector<std::string>());
}

std::unique_ptr<ProcessStarter> make_ssh_starter(std::vector<std::string> ssh) {
  return std::make_unique<ChildStarter>(std::move(ssh));
}

}  // namespace rehearse::app
