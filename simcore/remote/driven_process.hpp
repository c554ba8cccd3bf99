// SPDX-License-Identifier: MIT
//
// A program of actors as a child process that waits for orders.
//
// Errors:    start() names the program and its fault. After the process has ended, receive() returns `closed`.
// Ownership: the destructor ends the process and its copies.
// Threads:   none.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "simcore/remote/message_socket.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::remote {

class DrivenProcess {
 public:
  struct Start {
    std::string path;
    std::vector<std::string> arguments;
    Orders orders = Orders::explore;
    Reported reported = {};
    bool shows_output = false;  // false: standard output is dropped. Standard error is kept here
    int output = -1;            // a descriptor that gets the standard output instead
  };
  // Returns when it has got its orders.
  static Result<std::unique_ptr<DrivenProcess>> start(const Start& start);
  ~DrivenProcess();
  DrivenProcess(const DrivenProcess&) = delete;
  DrivenProcess& operator=(const DrivenProcess&) = delete;

  Connection& connection() { return *connection_; }
  std::uint64_t base_address() const { return base_address_; }  // of its code

  // The standard error since the last forget_errors().
  std::string errors() const;
  void forget_errors();

  // After `closed`: waits for its end; its status of waitpid().
  int wait();

 private:
  DrivenProcess() = default;
  Result<void> spawn(const Start& start);
  Result<void> greet(const Start& start);

  std::unique_ptr<Connection> connection_;
  std::uint64_t base_address_ = 0;
  int errors_ = -1;  // in memory
  pid_t process_ = -1;
  pid_t parent_ = -1;
};

// "exit status 3", "signal 11 (Segmentation fault)".
std::string end_in_words(int status);

}  // namespace rehearse::remote
