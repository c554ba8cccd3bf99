// SPDX-License-Identifier: MIT
//
// Noting signals. A handler can only reach a variable of the whole process: the one here.
#include "app/cli/interrupt.hpp"

#include <csignal>
#include <initializer_list>

namespace rehearse::cli {
namespace {

volatile std::sig_atomic_t signal_came = 0;

void note(int) { signal_came = 1; }

void install(int signal, void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(signal, &action, nullptr);
}

}  // namespace

Interrupt::Interrupt() {
  signal_came = 0;
  for (const int signal : {SIGINT, SIGTERM}) install(signal, note, SA_RESTART | static_cast<int>(SA_RESETHAND));
}

Interrupt::~Interrupt() {
  for (const int signal : {SIGINT, SIGTERM}) install(signal, SIG_DFL, 0);
}

bool Interrupt::happened() const { return signal_came != 0; }

}  // namespace rehearse::cli
