// SPDX-License-Identifier: MIT
//
// Small programs of actors on three hosts, selected by the first argument, for tests of runs for real.
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "simcore/actor_api.hpp"

namespace sim = rehearse::sim;
namespace self = rehearse::sim::this_actor;

namespace {

struct Scene {
  explicit Scene(const rehearse::Platform& platform) : simulation(platform), hosts(simulation.hosts()) {}
  void add(std::size_t host, std::function<void()> code, const sim::ActorOptions& options = {}) {
    actors.push_back(simulation.add_actor("actor " + std::to_string(actors.size()), hosts[host], code, options));
  }
  sim::Mailbox& box(const std::string& name = "box") { return simulation.mailbox(name); }

  sim::Simulation simulation;
  std::vector<sim::HostRef> hosts;
  std::vector<sim::ActorHandle> actors;
  sim::Mutex mutex;
};

void say(const std::string& text) { std::cout << text + "\n"; }

void deadlock(Scene& scene) {
  scene.add(0, [&] { scene.box("a").get<int>(); });
  scene.add(1, [&] { scene.box("b").put(1, 10); });
}

void deadlock_beside_daemons(Scene& scene) {
  scene.add(0, [&] { scene.box("a").get<int>(); });
  scene.add(1, [&] { scene.box("c").get<int>(); }, {.daemon = true});
}

void failure(Scene& scene) {
  scene.add(0, [] { throw std::runtime_error("broken on purpose"); });
  scene.add(1, [] { say("the other one ends"); });
}

void timeouts(Scene& scene) {
  scene.add(0, [&] {
    try {
      scene.box().put(1, 10, 0.01);
    } catch (const sim::TimeoutError&) {
      say("nobody came");
    }
    scene.box("later").put(2, 10);
  });
  scene.add(1, [&] {
    try {
      scene.box("other").get<int>(0.01);
    } catch (const sim::TimeoutError&) {
      say("nothing came");
    }
    say("then " + std::to_string(scene.box("later").get<int>(30)));
    const auto early = scene.box("never").get_async();
    if (!early.wait_for(0.01)) say("not yet");
    early.cancel();
  });
  // The home of this mailbox is in another process than its second receiver.
  scene.add(1, [&] { scene.box("queue").get<int>(); });
  scene.add(2, [&] {
    self::sleep_for(0.05);
    try {
      scene.box("queue").get<int>(0.01);
    } catch (const sim::TimeoutError&) {
      say("no second one");
    }
    scene.box("queue").put(3, 10);
  });
}

void large(Scene& scene) {
  scene.add(0, [&] {
    std::vector<double> values(300000);
    std::iota(values.begin(), values.end(), 0);
    scene.box().put(values, 1e6);  // less than its content has
    scene.box().put(values, 5e6);  // more
    scene.box().put(std::string(), 0);
    scene.box().put(std::string("padded"), 1e6);
  });
  scene.add(1, [&] {
    for (int i = 0; i < 2; ++i) {
      const auto values = scene.box().get<std::vector<double>>();
      say("sum " + std::to_string(std::accumulate(values.begin(), values.end(), 0.0)));
    }
    say("[" + scene.box().get<std::string>() + "]");
    say("[" + scene.box().get<std::string>() + "]");
  });
  // Both ends in the same process, the home in another one.
  scene.add(1, [&] { (void)scene.box("home").get<std::string>(); });
  scene.add(2, [&] {
    self::sleep_for(0.05);
    scene.box("home").put(std::string("first"), 1e6);
    scene.box("home").put(std::string("second"), 1e6);
  });
  scene.add(2, [&] {
    self::sleep_for(0.1);
    say(scene.box("home").get<std::string>());
  });
}

void permanent_receiver(Scene& scene) {
  scene.add(1, [&] {
    self::sleep_for(0.05);
    for (int i = 0; i < 3; ++i) say("got " + scene.box().get<std::string>());
  });
  scene.box().set_receiver(scene.actors[0]);
  scene.add(0, [&] {
    for (const double bytes : {10.0, 1e6, 0.0}) scene.box().put(std::to_string(bytes), bytes);
    say("all are there before they are received: " + std::to_string(self::now() < 0.05));
  });
}

void sets(Scene& scene) {
  for (std::size_t i = 0; i < 3; ++i)
    scene.add(i, [&, i] { scene.box("from " + std::to_string(i)).put(static_cast<int>(i), 1e5); });
  scene.add(2, [&] {
    sim::ActivitySet all;
    std::vector<sim::Comm> messages;
    for (int i = 0; i < 3; ++i) messages.push_back(scene.box("from " + std::to_string(i)).get_async());
    for (const auto& message : messages) all.push(message);
    while (!all.empty()) all.wait_any();
    int sum = 0;
    for (const auto& message : messages) sum += message.take<int>();
    say("sum " + std::to_string(sum));
  });
}

void shared_mailbox(Scene& scene) {
  scene.add(0, [&] {
    for (int i = 1; i <= 30; ++i) scene.box("work").put(i, i % 3 == 0 ? 1e5 : 100);
    for (int i = 0; i < 3; ++i) scene.box("work").put(0, 1);
    int sum = 0;
    for (int i = 0; i < 3; ++i) sum += scene.box("sums").get<int>();
    say("sum " + std::to_string(sum));
  });
  for (std::size_t i = 0; i < 3; ++i)
    scene.add(i, [&] {
      int sum = 0;
      while (const int part = scene.box("work").get<int>()) sum += part;
      scene.box("sums").put(sum, 4);
    });
}

void probes(Scene& scene) {
  scene.add(0, [&] {
    while (!scene.box().listen()) self::sleep_for(0.002);
    say("one waits: " + std::to_string(scene.box().size()) + " " + scene.box().listen_from().name());
    say("it is " + std::to_string(scene.box().get<int>()));
    say("empty: " + std::to_string(scene.box().empty()));
  });
  scene.add(1, [&] { scene.box().put(7, 10); });
  scene.add(2, [&] {
    self::sleep_for(0.1);
    try {
      (void)scene.box().empty();
      say("no error");
    } catch (const sim::BadUse& error) {
      say(error.what());
    }
  });
}

void orders(Scene& scene) {
  scene.add(0, [&] {
    try {
      scene.box().put(std::string(200000, 'x'), 2e8);
      say("no error");
    } catch (const sim::NetworkFailure&) {
      say("the receiver was killed");
    }
  });
  scene.add(1, [&] {
    self::on_exit([](bool killed) { say("killed: " + std::to_string(killed)); });
    const auto message = scene.box("never").get<int>();
    say("never " + std::to_string(message));
  });
  scene.add(2, [&] {
    self::sleep_for(0.05);
    scene.actors[1].kill();
    scene.actors[1].join();
    say("it has ended: " + std::to_string(!scene.actors[1].is_alive()));
    scene.actors[0].join();
    say("the first one has ended");
  });
  scene.add(1, [&] {
    const auto get = scene.box().get_async();
    self::sleep_for(0.02);
    self::exit();
  });
}

void host_off(Scene& scene) {
  scene.add(1,
            [&] {
              say("begins on " + self::host().name());
              while (true) {
                say("hears " + scene.box().get<std::string>());
                scene.box("heard").put_detached(1, 1);
              }
            },
            {.daemon = true, .auto_restart = true});
  scene.add(0, [&] {
    scene.box().put(std::string("one"), 10);
    scene.box("heard").get<int>();  // a daemon may end before it goes on after a message
    scene.hosts[1].turn_off();
    self::sleep_for(0.05);
    say("on: " + std::to_string(scene.hosts[1].is_on()));
    scene.hosts[1].turn_on();
    scene.box().put(std::string("two"), 10);
    scene.box("heard").get<int>();
    say("on: " + std::to_string(scene.hosts[1].is_on()));
  });
}

void process_dies(Scene& scene) {
  scene.add(1, [&] {
    scene.box().get<int>();
    say("process " + std::to_string(getpid()));  // that the test kills
    scene.box("never").get<int>();
  });
  scene.add(0, [&] {
    try {
      scene.box().put(1, 10);  // the process may be dead before it confirms this one
      scene.box().put(2, 10);
      scene.box().put(3, 1e5);
      say("no error");
    } catch (const sim::NetworkFailure& error) {
      say("lost");
    }
    scene.actors[0].join();
    say("on: " + std::to_string(scene.hosts[1].is_on()));
  });
}

void crash(Scene& scene) {
  scene.add(1, [] { raise(SIGSEGV); });
  scene.add(0, [] { say("the other one ends"); });
}

void common_mutex(Scene& scene) {
  for (std::size_t i = 0; i < 2; ++i) scene.add(i, [&] { const std::unique_lock lock(scene.mutex); });
}

void common_queue(Scene& scene) {
  scene.add(0, [&] { scene.simulation.message_queue("orders").put(1); });
  scene.add(1, [&] { scene.simulation.message_queue("orders").get<int>(); });
}

// Objects between actors of one host, and messages of any type.
void near(Scene& scene) {
  for (std::size_t i = 0; i < 2; ++i) {
    auto mutex = std::make_shared<sim::Mutex>();
    auto barrier = std::make_shared<sim::Barrier>(2);
    for (int k = 0; k < 2; ++k)
      scene.add(i, [&, i, k, mutex, barrier] {
        {
          const std::unique_lock lock(*mutex);
          self::sleep_for(0.001);
        }
        barrier->wait();
        const std::string name = "pointer " + std::to_string(i);
        if (k == 0) scene.box(name).put(std::make_unique<int>(static_cast<int>(i)), 10);
        else say("pointer to " + std::to_string(*scene.box(name).get<std::unique_ptr<int>>()));
        const std::string queue = "queue " + std::to_string(i);
        if (k == 0) scene.simulation.message_queue(queue).put(5);
        else say("queue " + std::to_string(scene.simulation.message_queue(queue).get<int>()));
      });
  }
}

void pointer(Scene& scene) {
  scene.add(0, [&] { scene.box().put(std::make_unique<int>(1), 10); });
  scene.add(1, [&] { (void)scene.box().get<std::unique_ptr<int>>(); });
}

void wrong_type(Scene& scene) {
  scene.add(0, [&] { scene.box().put(1, 10); });
  scene.add(1, [&] {
    try {
      (void)scene.box().get<std::string>();
    } catch (const sim::BadUse& error) {
      say(error.what());
    }
  });
}

void new_actors(Scene& scene) {
  for (std::size_t i = 0; i < 2; ++i)
    scene.add(i, [&, i] {
      const auto child = self::host().add_actor("child", [&, i] { scene.box("of " + std::to_string(i)).put(1, 10); });
      scene.box("of " + std::to_string(1 - i)).get<int>();
      child.join();
      scene.box("numbers").put(child.pid(), 4);
    });
  scene.add(0, [&] {
    const auto first = scene.box("numbers").get<std::uint32_t>(), second = scene.box("numbers").get<std::uint32_t>();
    say("different numbers: " + std::to_string(first != second));
  });
}

void far_actor(Scene& scene) {
  scene.add(0, [&] { scene.hosts[1].add_actor("child", [] {}); });
  scene.add(1, [] {});
}

void transfer(Scene& scene) {
  scene.add(0, [&] { sim::Comm::sendto(scene.hosts[0], scene.hosts[1], 10); });
  scene.add(1, [] {});
}

void link_changes(Scene& scene) {
  scene.add(0, [&] { scene.simulation.links().front().set_bandwidth(1e6); });
  scene.add(1, [] {});
}

void message_stops(Scene& scene) {
  scene.add(0, [&] { scene.box().put_async(1, 10).suspend(); });
  scene.add(1, [] {});
}

void computes(Scene& scene) {
  scene.add(0, [&] {
    const double begin = self::now();
    self::execute(2e7);
    self::sleep_for(0.03);
    say("later: " + std::to_string(self::now() - begin >= 0.03));
    auto work = self::exec_async(1e12);
    if (!work.wait_for(0.01)) say("still at work: " + std::to_string(work.remaining() < 1e12));
    work.cancel();
    self::thread_execute(self::host(), 1e6, 2);
  });
  scene.add(1, [] { self::sleep_until(0.05); });
}

void waits_forever(Scene& scene) {
  scene.add(0, [] {
    say("begins");
    self::sleep_for(100);
  });
  scene.add(1, [&] { scene.box().get<int>(); });
}

void different(Scene& scene) {
  scene.add(0, [] { say("here " + std::to_string(getpid())); });
  scene.add(1, [] {});
}

const std::map<std::string, void (*)(Scene&)>& scenes() {
  static const std::map<std::string, void (*)(Scene&)> all = {{"deadlock", deadlock},
                                                              {"deadlock_beside_daemons", deadlock_beside_daemons},
                                                              {"failure", failure},
                                                              {"timeouts", timeouts},
                                                              {"large", large},
                                                              {"permanent_receiver", permanent_receiver},
                                                              {"sets", sets},
                                                              {"shared_mailbox", shared_mailbox},
                                                              {"probes", probes},
                                                              {"orders", orders},
                                                              {"host_off", host_off},
                                                              {"process_dies", process_dies},
                                                              {"crash", crash},
                                                              {"common_mutex", common_mutex},
                                                              {"common_queue", common_queue},
                                                              {"near", near},
                                                              {"pointer", pointer},
                                                              {"wrong_type", wrong_type},
                                                              {"new_actors", new_actors},
                                                              {"far_actor", far_actor},
                                                              {"transfer", transfer},
                                                              {"link_changes", link_changes},
                                                              {"message_stops", message_stops},
                                                              {"computes", computes},
                                                              {"waits_forever", waits_forever},
                                                              {"different", different}};
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string wanted = argc > 1 ? argv[1] : "";
  const auto platform = rehearse::make_platform("cluster:3");
  const auto found = scenes().find(wanted);
  if (!platform || found == scenes().end()) return 2;
  std::cout << "before\n";
  for (int runs = argc > 2 ? std::stoi(argv[2]) : 1; runs > 0; --runs) {
    Scene scene(platform.value());
    found->second(scene);
    const auto report = scene.simulation.run();
    std::cout << "after: " << report.blocked.size() << " blocked, " << report.failed.size() << " failed\n";
  }
}
