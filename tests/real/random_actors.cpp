// SPDX-License-Identifier: MIT
//
// A random program of actors whose results do not depend on time: a global list of messages, which each actor works
// off in its order. Each message has a mailbox of its sender and receiver, so the n-th put meets the n-th get. What an
// actor sends depends on all that it has received. The actors print what they know at the end.
//
// Usage: random_actors SEED
#include <cstdint>
#include <iostream>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "simcore/actor_api.hpp"

namespace sim = rehearse::sim;
namespace self = rehearse::sim::this_actor;

namespace {

constexpr std::uint32_t hosts = 4, actors = 8;

enum class Way : std::uint8_t { blocks, starts, detached };

struct Step {
  std::uint32_t from, to;
  Way put, get;
  double bytes;
  std::uint32_t content;  // numbers in it
  double pause, flops;    // of the sender, before
};

using Message = std::vector<std::uint64_t>;

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  a = (a ^ b) * 0x9e3779b97f4a7c15u;
  return a ^ (a >> 29);
}

std::vector<Step> make_steps(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto draw = [&](std::uint64_t below) { return random() % below; };
  std::vector<Step> steps(20 + draw(40));
  for (Step& step : steps) {
    step.from = static_cast<std::uint32_t>(draw(actors));
    step.to = static_cast<std::uint32_t>((step.from + 1 + draw(actors - 1)) % actors);
    step.put = static_cast<Way>(draw(3));
    step.get = static_cast<Way>(draw(2));
    step.bytes = draw(4) == 0 ? 1e5 + static_cast<double>(draw(300000)) : static_cast<double>(draw(2000));
    step.content = static_cast<std::uint32_t>(draw(8) == 0 ? 10000 : draw(20));
    step.pause = draw(5) == 0 ? static_cast<double>(draw(3)) * 1e-3 : 0;
    step.flops = draw(5) == 0 ? static_cast<double>(draw(100000)) : 0;
  }
  return steps;
}

class Actor {
 public:
  Actor(sim::Simulation& simulation, std::uint32_t number) : simulation_(simulation), number_(number) {}

  void work(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      if (step.from == number_) send(step);
      if (step.to == number_) receive(step);
    }
    for (const auto& message : receiving_) take(message);
    for (const auto& message : sending_) message.wait();
    // One receiver, many senders: only the sum is determined.
    simulation_.mailbox("sum").put(known_, 8);
    std::cout << "actor " + std::to_string(number_) + " knows " + std::to_string(known_) + "\n";
  }

 private:
  sim::Mailbox& mailbox(const Step& step) {
    return simulation_.mailbox(std::to_string(step.from) + " to " + std::to_string(step.to));
  }

  void send(const Step& step) {
    if (step.pause > 0) self::sleep_for(step.pause);
    if (step.flops > 0) self::execute(step.flops);
    Message message(step.content + 1);
    for (std::uint64_t& value : message) value = known_ = mixed(known_, value + 1);
    if (step.put == Way::blocks) mailbox(step).put(std::move(message), step.bytes);
    else if (step.put == Way::starts) sending_.push_back(mailbox(step).put_async(std::move(message), step.bytes));
    else mailbox(step).put_detached(std::move(message), step.bytes);
  }

  void receive(const Step& step) {
    if (step.get == Way::starts) {
      receiving_.push_back(mailbox(step).get_async());
      return;
    }
    const auto message = mailbox(step).get<Message>();
    for (const std::uint64_t value : message) known_ = mixed(known_, value);
  }

  void take(const sim::Comm& comm) {
    comm.wait();
    for (const std::uint64_t value : comm.take<Message>()) known_ = mixed(known_, value);
  }

  sim::Simulation& simulation_;
  std::uint32_t number_;
  std::uint64_t known_ = number_;
  std::vector<sim::Comm> sending_, receiving_;
};

}  // namespace

int main(int, char** argv) {
  const auto platform = rehearse::make_platform("cluster:" + std::to_string(hosts));
  if (!platform) return 2;
  sim::Simulation simulation(platform.value());
  const std::vector<Step> steps = make_steps(std::stoull(argv[1]));
  for (std::uint32_t i = 0; i < actors; ++i)
    simulation.add_actor("actor", simulation.hosts()[i % hosts], [&, i] { Actor(simulation, i).work(steps); });
  simulation.add_actor("counter", simulation.hosts()[0], [&] {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < actors; ++i) sum += simulation.mailbox("sum").get<std::uint64_t>();
    std::cout << std::to_string(steps.size() + actors) + " messages, sum " + std::to_string(sum) + "\n";
  });
  std::cout << simulation.run().text();
}
