// SPDX-License-Identifier: MIT
//
// See driven_process.hpp.
#include "simcore/remote/driven_process.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>

#include "simcore/remote/wire.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::remote {
namespace {

constexpr off_t most_of_errors = 1 << 20;

// The environment of this process, with one more variable.
std::vector<std::string> environment_with(int socket) {
  const std::string_view prefix = variable;
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (!(std::string_view(*entry).starts_with(prefix) && (*entry)[prefix.size()] == '=')) result.emplace_back(*entry);
  result.push_back(fmt::format("{}={}", variable, socket));
  return result;
}

// Equal states should have equal bytes. So no function is bound later than others, and the heap of glibc keeps no lists
// of blocks that were freed lately, overwrites freed blocks, and takes all blocks from one area (mallopt(3)). Without
// rseq(2), the system does not write the number of the core into the memory of the process.
void make_heap_regular(std::vector<std::string>& variables) {
  std::erase_if(variables, [](const std::string& each) {
    return each.starts_with("GLIBC_TUNABLES=") || each.starts_with("LD_BIND_NOW=");
  });
  variables.emplace_back("LD_BIND_NOW=1");
  variables.emplace_back(
      "GLIBC_TUNABLES=glibc.malloc.tcache_count=0:glibc.malloc.mxfast=0:glibc.malloc.perturb=90:"
      "glibc.malloc.top_pad=4194304:glibc.malloc.trim_threshold=1073741824:glibc.malloc.mmap_threshold=33554432:"
      "glibc.malloc.arena_max=1:glibc.pthread.rseq=0");
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

std::string end_in_words(int status) {
  if (WIFSIGNALED(status)) return fmt::format("signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("exit status {}", WEXITSTATUS(status));
}

// Addresses are the same each time, because a program may depend on them.
Result<void> DrivenProcess::spawn(const Start& start) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return Error{start.path + ": cannot start: " + std::strerror(errno)};
  connection_ = std::make_unique<Connection>(ends[0]);
  parent_ = getpid();
  errors_ = memfd_create("rehearse-actors", MFD_CLOEXEC);
  std::vector<std::string> words = {start.path};
  words.insert(words.end(), start.arguments.begin(), start.arguments.end());
  std::vector<std::string> variables = environment_with(ends[1]);
  if (start.orders == Orders::states) make_heap_regular(variables);
  const std::vector<char*> argv = pointers_to(words), envp = pointers_to(variables);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  process_ = fork();
  if (process_ == 0) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGHUP}) std::signal(signal, SIG_DFL);
    setpgid(0, 0);  // Ctrl-C ends our process, and so this one, in order
    if (!start.shows_output) dup2(nowhere, STDOUT_FILENO);
    if (start.output >= 0) dup2(start.output, STDOUT_FILENO);
    dup2(errors_, STDERR_FILENO);
    fcntl(ends[1], F_SETFD, 0);
    personality(ADDR_NO_RANDOMIZE);
    execve(argv[0], argv.data(), envp.data());
    _exit(127);
  }
  close(ends[1]);
  close(nowhere);
  if (process_ < 0) return Error{start.path + ": cannot start: " + std::strerror(errno)};
  return {};
}

Result<void> DrivenProcess::greet(const Start& start) {
  Message hello;
  if (connection_->receive(hello) != Connection::Received::message) {
    const int status = wait();
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
      return Error{start.path + ": cannot start; accepted: an executable of this machine"};
    return Error{start.path + ": ended with " + end_in_words(status) +
                 " before it made a Simulation: nothing can be explored or run"};
  }
  Unpacker body(hello.body);
  const auto version = body.value<std::uint32_t>();
  base_address_ = body.value<std::uint64_t>();
  if (hello.kind != MessageKind::hello || version != protocol_version)
    return Error{start.path + ": was compiled with another version of Rehearse; compile it again (rehearse c++ "
                              "--actors)"};
  connection_->send({MessageKind::orders, Packer().add(start.orders).add(start.reported).take()});
  return {};
}

Result<std::unique_ptr<DrivenProcess>> DrivenProcess::start(const Start& start) {
  std::unique_ptr<DrivenProcess> process(new DrivenProcess());
  if (const auto done = process->spawn(start); !done) return done.error();
  if (const auto done = process->greet(start); !done) return done.error();
  return process;
}

DrivenProcess::~DrivenProcess() {
  if (process_ > 0 && getpid() == parent_) {  // a forked copy of us has no child
    kill(process_, SIGKILL);                  // its copies follow it
    wait();
  }
  if (errors_ >= 0) close(errors_);
}

int DrivenProcess::wait() {
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) continue;
  process_ = -1;
  return status;
}

std::string DrivenProcess::errors() const {
  const off_t end = lseek(errors_, 0, SEEK_CUR);
  const off_t begin = std::max<off_t>(0, end - most_of_errors);
  std::string text(static_cast<std::size_t>(std::max<off_t>(0, end - begin)), '\0');
  const ssize_t got = pread(errors_, text.data(), text.size(), begin);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

// The copies write where this process has put the position.
void DrivenProcess::forget_errors() {
  if (ftruncate(errors_, 0) == 0) lseek(errors_, 0, SEEK_SET);
}

}  // namespace rehearse::remote
