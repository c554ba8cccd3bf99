// SPDX-License-Identifier: MIT
//
// Records signals in a variable of the process, because a handler has access to no object.
#include "app/cli/interrupt.hpp"

#include <atomic>
#include <csignal>
#include <initializer_list>

namespace rehearse::cli {
namespace {

std::atomic<bool> signal_came = false;

void note(int) { signal_came = true; }

void install(int signal, void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(signal, &action, nullptr);
}

}  // namespace

Interrupt::Interrupt() {
  signal_came = false;
  for (const int signal : {SIGINT, SIGTERM}) install(signal, note, SA_RESTART | static_cast<int>(SA_RESETHAND));
}

Interrupt::~Interrupt() {
  for (const int signal : {SIGINT, SIGTERM}) install(signal, SIG_DFL, 0);
}

StopToken Interrupt::stop() const { return StopToken::watch(signal_came); }

}  // namespace rehearse::cli
