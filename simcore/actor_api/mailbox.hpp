// SPDX-License-Identifier: MIT
//
// Where messages meet those who get them, by name. A message crosses the network from the host of its sender to that
// of its receiver; it leaves when both are there (rendezvous), or, if the mailbox has a permanent receiver, when
// it is put.
//
// Order:  the first put meets the first get.
// Errors: put and get throw NetworkFailure when a link on the way is off or the other actor is killed, HostFailure
//         when an actor's own host is off; with a timeout TimeoutError, and then there is no message any more.
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
  void put_detached(Payload payload, double bytes);  // nobody will wait for it

  template <class T>
  T get(double timeout = no_timeout) {
    return receive(timeout).template take<T>();
  }
  Payload receive(double timeout = no_timeout);
  Comm get_async();
  Comm get_init();

  bool empty() const;         // nobody waits here
  std::size_t size() const;                                         // how many messages do
  bool listen() const;       // whether a message waits for a get
  ActorHandle listen_from() const;  // who put it; of nothing if there is none
  bool ready() const;        // whether there is one that has arrived already (permanent receiver)
  // Whether a message waits that the function accepts.
  bool probe(const std::function<bool(const Payload&, double bytes)>& accepts) const;

  // Messages leave for the actor's host as soon as they are put. Of nothing: rendezvous again.
  void set_receiver(const ActorHandle& actor);
  ActorHandle receiver() const { return place_.receiver; }

  void clear();  // cancels everything that waits here

 private:
  friend class kernel::Kernel;
  kernel::PutGetQueue place_;
};

}  // namespace rehearse::sim
