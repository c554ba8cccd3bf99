// SPDX-License-Identifier: MIT
//
// The handler runs on a stack of its own, because that of the actor may be too small.
#include "simcore/kernel/crash_report.hpp"

#include <array>
#include <csignal>
#include <cstring>

#include "simcore/debug.hpp"
#include "simcore/kernel/kernel.hpp"
#include "simcore/remote/message_socket.hpp"

namespace rehearse::sim::kernel {
namespace {

constexpr std::size_t stack_bytes = std::size_t{256} << 10;

int socket_of_reports = -1;
alignas(16) std::array<std::byte, stack_bytes> stack_of_handler;

template <std::size_t size>
void copy(char (&to)[size], const std::string& from) {
  std::memcpy(to, from.data(), std::min(from.size(), size - 1));
}

void report(int signal, siginfo_t* info, void* context) {
  remote::CrashNotice notice;
  notice.signal = signal;
  notice.code = info->si_code;
  notice.address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (const ActorRecord* actor = running_actor()) {
    copy(notice.actor, actor->name);
    copy(notice.host, actor->kernel->host_name(actor->host));
  }
  std::array<std::uintptr_t, remote::CrashNotice::frames_max> frames;
  notice.frame_count = static_cast<std::uint32_t>(capture_interrupted_stack(context, frames));
  for (std::uint32_t i = 0; i < notice.frame_count; ++i) notice.frames[i] = frames[i];
  remote::send_raw(socket_of_reports, remote::MessageKind::crashed, &notice, sizeof notice);
  raise(signal);  // its handler is the default again
}

}  // namespace

void report_crashes_to(int socket) {
  socket_of_reports = socket;
  stack_t stack{};
  stack.ss_sp = stack_of_handler.data();
  stack.ss_size = stack_of_handler.size();
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = report;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_DFL) sigaction(signal, &action, nullptr);
  }
}

}  // namespace rehearse::sim::kernel
