// SPDX-License-Identifier: MIT
//
// Chord: peers on a ring of 2^20 places find the peer that is responsible for a key. Each peer knows the peers at
// distances 1, 2, 4... and passes a question on to the last of them that is not beyond the key.
//
// Source: Stoica, Morris, Karger, Kaashoek, Balakrishnan, Chord: a scalable peer-to-peer lookup service for
//         internet applications, SIGCOMM 2001. Departure: the tables of the peers exist before the start, and no peer
//         joins or leaves.
//
// Prints:
//   1000 peers, 4000 answers, 0 wrong
//   hops: 5.81 on average, 10 at most
//   all is answered at 0.020076 s
#include <algorithm>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <vector>

#include "simcore/actor_api.hpp"

namespace sim = rehearse::sim;

namespace {

constexpr std::uint32_t places = 1u << 20, peers = 1000, questions = 4;  // per peer

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

}  // namespace

int main() {
  auto platform = rehearse::make_platform("cluster:100");
  if (!platform) {
    std::cerr << platform.error().text << "\n";
    return 2;
  }
  Ring ring;
  for (std::uint32_t i = 0; i < peers; ++i) ring.at.push_back(mixed(i + 1) % places);
  std::sort(ring.at.begin(), ring.at.end());

  sim::Simulation simulation(platform.value());
  const auto hosts = simulation.hosts();
  std::vector<sim::Mailbox*> asked, answers;
  for (std::uint32_t i = 0; i < peers; ++i) {
    asked.push_back(&simulation.mailbox("questions of " + std::to_string(i)));
    answers.push_back(&simulation.mailbox("answers of " + std::to_string(i)));
  }
  std::uint32_t received = 0, wrong = 0, hops = 0, most = 0;
  for (std::uint32_t self = 0; self < peers; ++self) {
    const auto host = hosts[self % hosts.size()];
    simulation.add_actor("peer", host,
                         [&, self] {
                           while (true) {
                             auto question = asked[self]->get<Question>();
                             if (ring.responsible(question.key) == self)
                               answers[question.asker]->put_detached(Answer{self, question.hops}, 100);
                             else
                               asked[next_hop(ring, self, question.key)]->put_detached(
                                   Question{question.key, question.asker, question.hops + 1}, 100);
                           }
                         },
                         {.daemon = true});
    simulation.add_actor("asker", host, [&, self] {
      for (std::uint32_t i = 0; i < questions; ++i) {
        const std::uint32_t key = mixed(self * questions + i) % places;
        asked[self]->put(Question{key, self, 0}, 100);
        const auto answer = answers[self]->get<Answer>();
        ++received;
        hops += answer.hops;
        most = std::max(most, answer.hops);
        wrong += answer.peer != ring.responsible(key);
      }
    });
  }
  const auto report = simulation.run();
  std::cout << report.text() << peers << " peers, " << received << " answers, " << wrong << " wrong\n"
            << std::fixed << std::setprecision(2) << "hops: " << static_cast<double>(hops) / received << " on average, "
            << most << " at most\n"
            << std::setprecision(6) << "all is answered at " << report.end << " s\n";
}
