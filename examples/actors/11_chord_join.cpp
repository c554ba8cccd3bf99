// SPDX-License-Identifier: MIT
//
// Peers join the ring of Chord. A peer that joins asks peer 0 for its successor, which passes the question on around
// the ring, and then makes itself known to its successor. When all have joined, they stabilise their places in rounds,
// one after the other, and then the ring must contain all of them in order. There are as many rounds as peers. With the
// argument `once` there is one. In simulated time that suffices, because no two peers join at once.
//
// A question can reach a peer whose own join is not complete. The peer keeps it and answers it later.
//
// Source: Stoica, Morris, Karger, Kaashoek, Balakrishnan, Chord: a scalable peer-to-peer lookup service for
//         internet applications, SIGCOMM 2001.
// Usage:  PROGRAM [PEERS] [once]
// Prints:
//   ring: 0 1 2 0
#include <cassert>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <optional>
#include <string>

#include "simcore/actor_api.hpp"

namespace sim = rehearse::sim;

namespace {

constexpr double bytes = 100;

enum class Kind { lookup, predecessor, notify, answer, stabilise, report, stop };

struct Message {
  Kind kind = Kind::stop;
  std::size_t from = 0, about = 0;
};

struct Overlay {
  std::size_t peers = 3;
  std::size_t rounds = 3;
  sim::Simulation* simulation = nullptr;

  sim::Mailbox& of(std::size_t peer) { return simulation->mailbox("peer " + std::to_string(peer)); }
  sim::Mailbox& manager() { return simulation->mailbox("manager"); }
};

class Peer {
 public:
  Peer(Overlay& overlay, std::size_t self) : overlay_(overlay), self_(self), successor_(self) {}

  void live() {
    if (self_ != 0) join();
    overlay_.manager().put_detached(self_, bytes);
    while (true) {
      const Message message = next();
      if (message.kind == Kind::stop) return;
      serve(message);
    }
  }

 private:
  // Whether place x lies behind a and before b on the ring.
  bool is_between(std::size_t a, std::size_t x, std::size_t b) const {
    const auto behind_a = [&](std::size_t place) { return (place + overlay_.peers - a - 1) % overlay_.peers; };
    return behind_a(x) < behind_a(b);
  }

  void send(std::size_t peer, const Message& message) { overlay_.of(peer).put_detached(message, bytes); }

  Message next() {
    if (kept_.empty()) return overlay_.of(self_).get<Message>();
    const Message message = kept_.front();
    kept_.pop_front();
    return message;
  }

  std::size_t ask(std::size_t peer, const Message& question) {
    send(peer, question);
    while (true) {
      const Message message = overlay_.of(self_).get<Message>();
      if (message.kind == Kind::answer) return message.about;
      kept_.push_back(message);
    }
  }

  void join() {
    successor_ = ask(0, {Kind::lookup, self_, self_});
    ask(successor_, {Kind::notify, self_, self_});
  }

  void take_notice(std::size_t peer) {
    if (!predecessor_ || is_between(*predecessor_, peer, self_)) predecessor_ = peer;
    if (successor_ == self_) successor_ = peer;  // it was alone
  }

  void stabilise() {
    const std::size_t other = ask(successor_, {Kind::predecessor, self_, self_});
    if (is_between(self_, other, successor_)) successor_ = other;
    ask(successor_, {Kind::notify, self_, self_});
  }

  void serve(const Message& message) {
    switch (message.kind) {
      case Kind::lookup:
        if (successor_ == self_ || is_between(self_, message.about, successor_))
          send(message.from, {Kind::answer, self_, successor_});
        else send(successor_, message);
        return;
      case Kind::predecessor: return send(message.from, {Kind::answer, self_, predecessor_.value_or(self_)});
      case Kind::notify: take_notice(message.from); return send(message.from, {Kind::answer, self_, self_});
      case Kind::stabilise: stabilise(); break;
      case Kind::report:
      case Kind::answer:
      case Kind::stop: break;
    }
    overlay_.manager().put_detached(successor_, bytes);
  }

  Overlay& overlay_;
  std::size_t self_;
  std::size_t successor_;
  std::optional<std::size_t> predecessor_;
  std::deque<Message> kept_;
};

std::size_t command(Overlay& overlay, std::size_t peer, Kind kind) {
  overlay.of(peer).put_detached(Message{kind, peer, peer}, bytes);
  return overlay.manager().get<std::size_t>();
}

void manage(Overlay& overlay) {
  for (std::size_t i = 0; i < overlay.peers; ++i) (void)overlay.manager().get<std::size_t>();
  for (std::size_t round = 0; round < overlay.rounds; ++round)
    for (std::size_t i = 0; i < overlay.peers; ++i) command(overlay, i, Kind::stabilise);
  std::string ring = "0";
  for (std::size_t i = 0; i < overlay.peers; ++i) {
    const std::size_t successor = command(overlay, i, Kind::report);
    assert(successor == (i + 1) % overlay.peers);  // the ring contains all peers in order
    ring += " " + std::to_string(successor);
  }
  for (std::size_t i = 0; i < overlay.peers; ++i) overlay.of(i).put_detached(Message{}, bytes);
  std::cout << "ring: " << ring << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  Overlay overlay;
  if (argc > 1) overlay.peers = std::strtoul(argv[1], nullptr, 10);
  overlay.rounds = argc > 2 && std::string(argv[2]) == "once" ? 1 : overlay.peers;
  auto platform = rehearse::make_platform("cluster:" + std::to_string(overlay.peers));
  if (!platform) {
    std::cerr << platform.error().text << "\n";
    return 2;
  }
  sim::Simulation simulation(platform.value());
  overlay.simulation = &simulation;
  const auto hosts = simulation.hosts();
  simulation.add_actor("manager", hosts[0], [&] { manage(overlay); });
  for (std::size_t i = 0; i < overlay.peers; ++i)
    simulation.add_actor("peer " + std::to_string(i), hosts[i], [&, i] {
      sim::this_actor::sleep_for(static_cast<double>(i) + 1);
      Peer(overlay, i).live();
    });
  std::cout << simulation.run().text();
}
