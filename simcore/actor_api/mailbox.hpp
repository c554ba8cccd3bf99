// SPDX-License-Identifier: MIT
//
// Mailboxes match messages with receivers, by name. A message crosses the network from the host of its sender to the
// host of its receiver. It leaves when both have come (rendezvous) or, if the mailbox has a permanent receiver, when it
// is put.
//
// Order:  the first put matches the first get. Between processes (docs/real-actors.md), first come, first served.
// Errors: put and get throw NetworkFailure when a link on the way is off or the other actor is killed, HostFailure
//         when an actor's own host is off; with a timeout TimeoutError, which removes the message.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "simcore/actor_api/activity.hpp"
#include "simcore/actor_api/actor_handle.hpp"
#include "simcore/kernel/put_get_queue.hpp"

namespace rehearse::sim {

namespace kernel {
class Exchange;
}

class Mailbox {
 public:
  static constexpr double no_timeout = std::numeric_limits<double>::infinity();

  Mailbox(kernel::Kernel& kernel, std::string name, std::uint32_t id);
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;
  ~Mailbox();

  const std::string& name() const { return place_.name; }

  // Waits until the message has arrived.
  void put(Payload payload, double bytes, double timeout = no_timeout);
  Comm put_async(Payload payload, double bytes);
  Comm put_init(Payload payload, double bytes);
  void put_detached(Payload payload, double bytes);  // no actor waits for it

  template <class T>
  T get(double timeout = no_timeout) {
    Payload message;  // also while nothing has come: a waiting actor has no old bytes in its place
    message = receive(timeout);
    return message.template take<T>();
  }
  Payload receive(double timeout = no_timeout);
  Comm get_async();
  Comm get_init();

  bool empty() const;               // neither a put nor a get waits
  std::size_t size() const;         // number of waiting messages
  bool listen() const;              // whether a message waits for a get
  ActorHandle listen_from() const;  // the sender of that message, or none
  bool ready() const;               // whether a message has arrived (permanent receiver)
  // Whether a message waits for which the function returns true.
  bool probe(const std::function<bool(const Payload&, double bytes)>& accepts) const;

  // Messages leave for the actor's host as soon as they are put. No actor: rendezvous again.
  void set_receiver(const ActorHandle& actor);
  ActorHandle receiver() const { return place_.receiver; }

  void clear();  // cancels all waiting puts and gets

 private:
  friend class kernel::Exchange;
  kernel::PutGetQueue place_;
};

}  // namespace rehearse::sim
