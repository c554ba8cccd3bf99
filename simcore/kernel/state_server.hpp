// SPDX-License-Identifier: MIT
//
// The server of a driven program whose states are explored (Orders::states): for each order, a copy of the process
// takes the steps that lead to a state, and further copies take one step each and report what they reach.
//
// Steps:    named by their doers (see doer_of()), because equal states may list them in another order.
// Protocol: `successors` and `trace` carry the steps (uint64). The answers of a copy end with `ended`.
// Memory:   all memory of this object is shared by the copies and so is no part of their images. What happens in a copy
//           before its image is taken allocates nothing.
// Threads:  none.
#pragma once

#include <cstdint>
#include <string>

#include "simcore/kernel/process_image.hpp"
#include "simcore/remote/message_socket.hpp"

namespace rehearse::sim::kernel {

class Kernel;
class UntimedWorld;
struct Option;

// The actor or event that makes this step: the same number in equal states.
std::uint64_t doer_of(const Option& option);

class StateServer {
 public:
  explicit StateServer(remote::Connection& connection);
  ~StateServer();
  StateServer(const StateServer&) = delete;
  StateServer& operator=(const StateServer&) = delete;

  // Returns in a copy only.
  void serve();
  // In a copy: the next choice. Does not return if the copy has reached its aim. `frame`: the part of the stack from
  // there on belongs to the program.
  std::uint32_t choose(Kernel& kernel, UntimedWorld& world, const void* frame);
  // In a copy whose execution has no step left.
  void note_end(Kernel& kernel, const UntimedWorld& world);

 private:
  struct Shared;

  bool receive_order();
  std::uint32_t show_successors(Kernel& kernel, UntimedWorld& world);
  void show_traced(Kernel& kernel, UntimedWorld& world, const void* frame, std::uint32_t choice);
  std::optional<WideHash> image_of(Kernel& kernel, UntimedWorld& world, const void* frame);
  [[noreturn]] void send_state(Kernel& kernel, UntimedWorld& world, const void* frame);
  [[noreturn]] void leave(const char* refused);

  remote::Connection& connection_;
  Shared* shared_ = nullptr;
};

}  // namespace rehearse::sim::kernel
