// SPDX-License-Identifier: MIT
//
// Chord: peers on a ring of 2^20 places find the peer that is responsible for a key. Each peer knows the peers at
// distances 1, 2, 4... and passes a question on to the last of them that is not beyond the key.
//
// Source: Stoica, Morris, Karger, Kaashoek, Balakrishnan, Chord: a scalable peer-to-peer lookup service for
//         internet applications, SIGCOMM 2001. Departure: the tables of the peers exist before the start, and no peer
//         joins or leaves.
// Usage:  2_chord [PEERS [HOSTS]]   (1000 peers on 100 hosts)
//
// The askers report by messages, not by variables, so the program also works in several processes (rehearse real).
//
// Prints:
//   1000 peers, 4000 answers, 0 wrong
//   hops: 5.81 on average, 10 at most
//   all is answered at 0.020076 s
#include <algorithm>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

#include "simcore/actor_api.hpp"

namespace sim = rehearse::sim;

namespace {

constexpr std::uint32_t places = 1u << 20, questions = 4;  // per peer

std::uint32_t mixed(std::uint32_t x) {  // an integer hash: the same places on every machine
  x = (x ^ (x >> 16)) * 0x45d9f3bu;
  x = (x ^ (x >> 16)) * 0x45d9f3bu;
  return x ^ (x >> 16);
}

struct Question {
  std::uint32_t key, asker, hops;
};
struct Answer {
  std::uint32_t peer, hops;
};
struct Tally {
  std::uint32_t answers = 0, wrong = 0, hops = 0, most = 0;
  double last = 0;  // the date of the last answer
};

// Places of the peers, ascending. The peer responsible for a key is the first one at or after the key.
struct Ring {
  std::vector<std::uint32_t> at;
  std::uint32_t responsible(std::uint32_t key) const {
    const auto found = std::lower_bound(at.begin(), at.end(), key % places);
    return found == at.end() ? 0 : static_cast<std::uint32_t>(found - at.begin());
  }
};

std::uint32_t distance(std::uint32_t from, std::uint32_t to) { return (to - from) % places; }

// The next peer for a question: the successor if it is responsible, otherwise the farthest peer before the key.
std::uint32_t next_hop(const Ring& ring, std::uint32_t self, std::uint32_t key) {
  const std::uint32_t here = ring.at[self], successor = ring.responsible(here + 1);
  if (distance(here, key) <= distance(here, ring.at[successor])) return successor;
  std::uint32_t best = successor;
  for (std::uint32_t reach = 1; reach < places; reach *= 2) {
    const std::uint32_t finger = ring.responsible(here + reach);
    if (finger != self && distance(here, ring.at[finger]) < distance(here, key)) best = finger;
  }
  return best;
}

// Answers questions, or passes them on.
void be_peer(sim::Simulation& simulation, const Ring& ring, std::uint32_t self) {
  const auto mailbox_of = [&](const char* what, std::uint32_t peer) -> sim::Mailbox& {
    return simulation.mailbox(what + std::to_string(peer));
  };
  sim::Mailbox& mine = mailbox_of("questions of ", self);
  while (true) {
    const auto question = mine.get<Question>();
    if (ring.responsible(question.key) == self)
      mailbox_of("answers of ", question.asker).put_detached(Answer{self, question.hops}, 100);
    else
      mailbox_of("questions of ", next_hop(ring, self, question.key))
          .put_detached(Question{question.key, question.asker, question.hops + 1}, 100);
  }
}

// Asks its own peer, and reports the answers.
void ask(sim::Simulation& simulation, const Ring& ring, std::uint32_t self) {
  sim::Mailbox& asked = simulation.mailbox("questions of " + std::to_string(self));
  sim::Mailbox& answers = simulation.mailbox("answers of " + std::to_string(self));
  Tally tally;
  for (std::uint32_t i = 0; i < questions; ++i) {
    const std::uint32_t key = mixed(self * questions + i) % places;
    asked.put(Question{key, self, 0}, 100);
    const auto answer = answers.get<Answer>();
    ++tally.answers;
    tally.hops += answer.hops;
    tally.most = std::max(tally.most, answer.hops);
    tally.wrong += answer.peer != ring.responsible(key);
  }
  tally.last = sim::this_actor::now();
  simulation.mailbox("tallies").put(tally, sizeof tally);
}

// Sums up the reports of all askers.
void count_answers(sim::Mailbox& tallies, std::uint32_t peers) {
  Tally all;
  for (std::uint32_t i = 0; i < peers; ++i) {
    const auto tally = tallies.get<Tally>();
    all.answers += tally.answers;
    all.wrong += tally.wrong;
    all.hops += tally.hops;
    all.most = std::max(all.most, tally.most);
    all.last = std::max(all.last, tally.last);
  }
  std::cout << peers << " peers, " << all.answers << " answers, " << all.wrong << " wrong\n"
            << std::fixed << std::setprecision(2) << "hops: " << static_cast<double>(all.hops) / all.answers
            << " on average, " << all.most << " at most\n"
            << std::setprecision(6) << "all is answered at " << all.last << " s\n";
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint32_t peers = argc > 1 ? static_cast<std::uint32_t>(std::stoul(argv[1])) : 1000;
  auto platform = rehearse::make_platform(std::string("cluster:") + (argc > 2 ? argv[2] : "100"));
  if (!platform) {
    std::cerr << platform.error().text << "\n";
    return 2;
  }
  Ring ring;
  for (std::uint32_t i = 0; i < peers; ++i) ring.at.push_back(mixed(i + 1) % places);
  std::sort(ring.at.begin(), ring.at.end());

  sim::Simulation simulation(platform.value());
  const auto hosts = simulation.hosts();
  for (std::uint32_t self = 0; self < peers; ++self) {
    const auto host = hosts[self % hosts.size()];
    simulation.add_actor("peer", host, [&, self] { be_peer(simulation, ring, self); }, {.daemon = true});
    simulation.add_actor("asker", host, [&, self] { ask(simulation, ring, self); });
  }
  simulation.add_actor("counter", hosts[0], [&] { count_answers(simulation.mailbox("tallies"), peers); });
  std::cout << simulation.run().text();
}
