// SPDX-License-Identifier: MIT
//
// The alternating-bit protocol: actor 0 sends messages to actor 1, which answers. Each direction is a cell that holds
// the last message until the next one overwrites it, so that a message can come several times. With `noisy`, actor 2
// empties the cells again and again, so that messages get lost. The sender repeats a message until an answer with its
// bit comes. Without the bits (`plain`), it takes each answer for that to its message, and the receiver takes each
// message for a new one.
//
// Values: sent@0 changes between 0 and 1 with each new message, received@1 with each message that is taken for a new
//         one.
// Source: Bartlett, Scantlebury, Wilkinson, A note on reliable full-duplex transmission over half-duplex links,
//         Communications of the ACM 12(5), 1969.
// Checks: rehearse check --ltl 'G (sent@0 && received@1 -> (received@1 W !sent@0))' PROGRAM bit noisy 0
// Usage:  PROGRAM [bit|plain [quiet|noisy [MESSAGES]]]   0 messages: forever; noisy: only with 0
// Prints:
//   all messages were answered
#include <cstdlib>
#include <iostream>
#include <string>

#include "simcore/actor_api.hpp"

namespace sim = rehearse::sim;

namespace {

constexpr int nothing = 0;  // in a cell; otherwise 1 + bit

struct Line {
  bool has_bits = true;
  sim::SharedVariable<int> message{nothing}, answer{nothing};
};

// A check lets others run before each access to a cell; a run does not.
void let_others_run(int messages) {
  if (messages != 0) sim::this_actor::yield();
}

void send(Line& line, int messages) {
  int answer = nothing;
  for (int bit = 1, number = 1;; bit = 1 - bit, number += messages == 0 ? 0 : 1) {
    sim::this_actor::publish("sent", bit);
    while (true) {
      line.message.store(1 + bit);
      answer = line.answer.load();
      if (line.has_bits ? answer == 1 + bit : answer != nothing) break;
      let_others_run(messages);
    }
    if (number == messages) return;
  }
}

void receive(Line& line, int messages) {
  int received = 0, message = nothing, number = 0;
  while (true) {
    message = line.message.load();
    if (message != nothing) {
      if (!line.has_bits || message != 1 + received) {
        received = 1 - received;
        sim::this_actor::publish("received", received);
        number += messages == 0 ? 0 : 1;
      }
      line.answer.store(message);
      if (messages != 0 && number == messages) return;
    }
    let_others_run(messages);
  }
}

void disturb(Line& line) {
  while (true) {
    line.message.store(nothing);
    line.answer.store(nothing);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc > 1 ? argv[1] : "bit", channel = argc > 2 ? argv[2] : "quiet";
  const int messages = argc > 3 ? std::atoi(argv[3]) : 4;
  if (channel == "noisy" && messages != 0) {
    std::cerr << "a noisy channel needs 0 messages\n";
    return 2;
  }
  auto platform = rehearse::make_platform("cluster:3");
  if (!platform) {
    std::cerr << platform.error().text << "\n";
    return 2;
  }
  sim::Simulation simulation(platform.value());
  const auto hosts = simulation.hosts();
  Line line;
  line.has_bits = kind == "bit";
  simulation.add_actor("sender", hosts[0], [&line, messages] { send(line, messages); });
  simulation.add_actor("receiver", hosts[1], [&line, messages] { receive(line, messages); });
  if (channel == "noisy") simulation.add_actor("noise", hosts[2], [&line] { disturb(line); });
  simulation.run();
  std::cout << "all messages were answered\n";
}
