// SPDX-License-Identifier: MIT
//
// The scenarios of `./dev bench` that are simulated by two simulators in turn, written once: `Side` is what a
// simulator's actor interface is called here (see rehearse_side.cpp and simgrid_side.cpp), so that both get the same
// work in the same order.
//
// Threads: actors of one simulation take turns; what they share here needs no lock.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "chord.hpp"
#include "volunteers.hpp"
#include "workload.hpp"

namespace rehearse::bench {

// count span most_bytes: random flows from host to host, all waited for by one actor.
template <class Side>
void flows(Side& side, const Arguments& arguments) {
  const auto specs = random_flows(arguments.count(0), side.host_count(), arguments.number(1), arguments.number(2));
  side.add_actor("driver", 0, [&side, specs] {
    std::vector<typename Side::Flow> running;
    running.reserve(specs.size());
    for (const FlowSpec& flow : specs) {
      if (flow.start > side.now()) side.sleep_until(flow.start);
      running.push_back(side.start_flow(flow.source, flow.destination, flow.bytes));
    }
    for (auto& flow : running) side.wait(flow);
  });
}

// pairs rounds: in each pair one actor puts and the other gets.
template <class Side>
void messages(Side& side, const Arguments& arguments) {
  const std::size_t pairs = arguments.count(0), rounds = arguments.count(1);
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    auto mailbox = side.mailbox("pair-" + std::to_string(pair));
    side.add_actor("sender", 2 * pair % side.host_count(), [&side, mailbox, rounds] {
      static char payload;
      for (std::size_t i = 0; i < rounds; ++i) side.put(mailbox, &payload, 1);
    });
    side.add_actor("receiver", (2 * pair + 1) % side.host_count(), [&side, mailbox, rounds] {
      for (std::size_t i = 0; i < rounds; ++i) side.template get<char>(mailbox);
    });
  }
}

// actors dates: each actor sleeps as often as it has dates, no two dates are the same.
template <class Side>
void sleepers(Side& side, const Arguments& arguments) {
  const std::size_t actors = arguments.count(0), dates = arguments.count(1);
  for (std::size_t actor = 0; actor < actors; ++actor) {
    side.add_actor("sleeper", actor % side.host_count(), [&side, actor, dates] {
      Generator random(actor);
      for (std::size_t i = 0; i < dates; ++i) side.sleep_for(random.between(0.1, 1.9));
    });
  }
}

// actors rounds: everybody gives way, nothing else.
template <class Side>
void yields(Side& side, const Arguments& arguments) {
  const std::size_t actors = arguments.count(0), rounds = arguments.count(1);
  for (std::size_t actor = 0; actor < actors; ++actor) {
    side.add_actor("yielder", actor % side.host_count(), [&side, rounds] {
      for (std::size_t i = 0; i < rounds; ++i) side.yield();
    });
  }
}

// actors rounds: executions of random length, one after the other on each actor.
template <class Side>
void executions(Side& side, const Arguments& arguments) {
  const std::size_t actors = arguments.count(0), rounds = arguments.count(1);
  for (std::size_t actor = 0; actor < actors; ++actor) {
    side.add_actor("worker", actor % side.host_count(), [&side, actor, rounds] {
      Generator random(actor);
      for (std::size_t i = 0; i < rounds; ++i) side.execute(random.between(1e8, 1e9));
    });
  }
}

// actors: all there at once, doing nothing, until second 1000.
template <class Side>
void idle(Side& side, const Arguments& arguments) {
  const std::size_t actors = arguments.count(0);
  for (std::size_t actor = 0; actor < actors; ++actor) {
    side.add_actor("idle", actor % side.host_count(), [&side] { side.sleep_until(1000); });
  }
}

// Makes the actors of the named scenario, runs it and prints the result.
template <class Side>
int run_scenario(const Arguments& arguments) {
  const Stopwatch load;
  Side side(arguments);
  const double load_seconds = load.seconds();

  const Stopwatch run;
  std::unique_ptr<Chord<Side>> chord;
  std::unique_ptr<Volunteers<Side>> volunteers;
  const std::string& name = arguments.scenario;
  if (name == "flows") {
    flows(side, arguments);
  } else if (name == "messages") {
    messages(side, arguments);
  } else if (name == "sleepers") {
    sleepers(side, arguments);
  } else if (name == "yields") {
    yields(side, arguments);
  } else if (name == "executions") {
    executions(side, arguments);
  } else if (name == "idle") {
    idle(side, arguments);
  } else if (name == "chord") {
    chord = std::make_unique<Chord<Side>>(side, arguments);
    chord->add_actors();
  } else if (name == "volunteers") {
    volunteers = std::make_unique<Volunteers<Side>>(side, arguments);
    volunteers->add_actors();
  } else if (name != "load") {
    Arguments::fail("no case is called " + name);
  }
  if (name != "load") side.run();
  print_result(load_seconds, run.seconds(), side.now());
  return 0;
}

}  // namespace rehearse::bench
