// SPDX-License-Identifier: MIT
//
// Queues of control messages, which take no time and cross no network.
//
// Order:  the first put matches the first get.
// Errors: with a timeout TimeoutError, which removes the message.
#pragma once

#include <limits>
#include <string>
#include <utility>

#include "simcore/actor_api/activity.hpp"
#include "simcore/kernel/put_get_queue.hpp"

namespace rehearse::sim {

class MessageQueue {
 public:
  static constexpr double no_timeout = std::numeric_limits<double>::infinity();

  MessageQueue(kernel::Kernel& kernel, std::string name, std::uint32_t id);
  MessageQueue(const MessageQueue&) = delete;
  MessageQueue& operator=(const MessageQueue&) = delete;
  ~MessageQueue();

  const std::string& name() const { return place_.name; }

  void put(Payload payload, double timeout = no_timeout);  // waits for a get
  Mess put_async(Payload payload);
  void put_detached(Payload payload);
  template <class T>
  T get(double timeout = no_timeout) {
    Payload message;  // also while nothing has come: a waiting actor has no old bytes in its place
    message = receive(timeout);
    return message.template take<T>();
  }
  Payload receive(double timeout = no_timeout);
  Mess get_async();

  bool empty() const { return place_.unmatched.empty(); }
  std::size_t size() const;  // puts without a get

 private:
  friend class kernel::Kernel;
  kernel::PutGetQueue place_;
};

}  // namespace rehearse::sim
