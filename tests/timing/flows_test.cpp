// SPDX-License-Identifier: MIT
//
// Timing of messages and flows, one or few at a time, with the models lv08 (cross-traffic included unless it says
// otherwise), cm02, raw and constant.
#include "tests/timing/scene.hpp"

using namespace rehearse;
using namespace rehearse::testing;
namespace this_actor = rehearse::sim::this_actor;

namespace {

// 1 byte from Tremblay to Jupiter, then 1 GB back: the date of each arrival.
std::vector<double> ping_pong(Scene&& scene) {
  scene.actor("Tremblay", [&] {
    scene->mailbox("ping").put("ping", 1);
    scene->mailbox("pong").receive();
    scene.note();
  });
  scene.actor("Jupiter", [&] {
    scene->mailbox("ping").receive();
    scene.note();
    scene->mailbox("pong").put("pong", 1e9);
  });
  scene.run();
  return scene.dates();
}

}  // namespace

TEST_CASE("timing 1: a ping of 1 byte and a pong of 1 GB take 0.019014 s and 150.178356 s in all", "[timing]") {
  CHECK_THAT(ping_pong(Scene("seven_hosts")), AllPrinted({0.019014, 150.178356}));
}

TEST_CASE("timing 2: there is one way to share, always complete: the ping-pong gives the same again", "[timing]") {
  // The other simulator has this row because its incremental and its full solver are different programs.
  ModelOptions quirks = network("lv08");
  quirks.simgrid_quirks = true;
  CHECK(ping_pong(Scene("seven_hosts")) == ping_pong(Scene("seven_hosts", quirks)));
}

TEST_CASE("timing 3: with cm02 the ping-pong takes 0.001462 s and 145.639041 s", "[timing]") {
  CHECK_THAT(ping_pong(Scene("seven_hosts", network("cm02"))), AllPrinted({0.001462, 145.639041}));
}

TEST_CASE("timing 4: with raw the ping-pong takes 0.001462 s and 138.703988 s", "[timing]") {
  CHECK_THAT(ping_pong(Scene("seven_hosts", network("raw"))), AllPrinted({0.001462, 138.703988}));
}

TEST_CASE("timing 5: with constant each message takes 1 s, whatever its size, without any route", "[timing]") {
  CHECK_THAT(ping_pong(Scene(described("<zone id='world' routing='None'><host id='Tremblay' speed='98.095Mf'/>"
                                       "<host id='Jupiter' speed='76.296Mf'/></zone>"),
                             network("constant"))),
             AllPrinted({1.0, 2.0}));
}

TEST_CASE("timing 6: flows from host to host end at 2.272621 s and 2.343278 s, the last of them at 2.359841 s",
          "[timing]") {
  Scene scene("seven_hosts");
  scene.actor("Boivin", [&] {
    const auto tremblay = scene->host("Tremblay"), jupiter = scene->host("Jupiter");
    const auto fafard = scene->host("Fafard"), ginette = scene->host("Ginette");
    const auto first = sim::Comm::sendto_async(tremblay, jupiter, 1.5e7);
    const auto second = sim::Comm::sendto_init(fafard, ginette, 1e7);
    sim::Comm::sendto_async(tremblay, jupiter, 1e4).detach();
    this_actor::sleep_for(1);
    CHECK_THAT(first.remaining(), Printed(8.48e6, -4));
    CHECK(second.remaining() == 1e7);
    second.start();
    first.wait();
    scene.note();
    CHECK_THAT(second.remaining(), Printed(5.33e5, -3));
    second.wait();
    scene.note();
    sim::Comm::sendto(tremblay, ginette, 100);
    scene.note();
  });
  CHECK_THAT(scene.run(), Printed(2.359841));
  CHECK_THAT(scene.dates(), AllPrinted({2.272621, 2.343278, 2.359841}));
}

TEST_CASE("timing 7: of 13,194,230 bytes 6,660,438 are left after 1 s; a suspension of no length changes nothing",
          "[timing]") {
  Scene scene("seven_hosts");
  scene.actor("Tremblay", [&] {
    const auto message = scene->mailbox("box").put_init("text", 13194230);
    CHECK(message.remaining() == 13194230);
    this_actor::sleep_for(1);
    message.start();
    this_actor::sleep_for(1);
    CHECK_THAT(message.remaining(), Printed(6660438, 0));
    message.suspend();
    CHECK_THAT(message.remaining(), Printed(6660438, 0));
    message.resume();
    message.wait();
    CHECK(message.remaining() == 0);
    message.suspend();  // it has ended: nothing happens
  });
  scene.actor("Jupiter", [&] { scene->mailbox("box").receive(); });
  CHECK_THAT(scene.run(), Printed(3.0));
}

TEST_CASE("timing 8: 250 MB take 2.069662 s, and throttled to half the bandwidth 4.007806 s more", "[timing]") {
  Scene scene("backbone_cluster");
  scene.actor("node-0", [&] {
    scene->mailbox("box").put("fast", 2.5e8);
    const auto slow = scene->mailbox("box").put_init("slow", 2.5e8);
    slow.set_rate(1.25e8 / 2).start().wait();
  });
  scene.actor("node-1", [&] {
    for (int i = 0; i < 2; ++i) {
      scene->mailbox("box").receive();
      scene.note();
    }
  });
  scene.run();
  CHECK_THAT(scene.dates(), AllPrinted({2.069662, 6.077468}));
}

TEST_CASE("timing 9: a message waits for the computation before it, the next computation for the message: 2.00, 3.07, "
          "5.07 s",
          "[timing]") {
  Scene scene("seven_hosts");
  scene.actor("Tremblay", [&] {
    const auto before = this_actor::exec_init(2 * this_actor::host().speed());
    const auto message = scene->mailbox("box").put_init(1, 7e6);
    before.add_successor(message);
    before.start();
    message.start();
    before.wait();
    scene.note();
    message.wait();
    scene.note();
  });
  scene.actor("Jupiter", [&] {
    const auto after = this_actor::exec_init(2 * this_actor::host().speed());
    const auto message = scene->mailbox("box").get_init();
    message.add_successor(after);
    message.start();
    after.start();
    message.wait();
    after.wait();
    scene.note();
  });
  scene.run();
  CHECK_THAT(scene.dates(), AllPrinted({2.00, 3.07, 5.07}, 2));
}

TEST_CASE("timing 10: a link that goes off at 10 s fails its flow then, the other arrives at 17.319588 s", "[timing]") {
  Scene scene(described(
      "<zone id='world' routing='Full'><host id='h1' speed='1f'/><host id='h2' speed='1f'/><host id='h3' speed='1f'/>"
      "<link id='to2' bandwidth='1bps'/><link id='to3' bandwidth='1bps'/>"
      "<route src='h1' dst='h2'><link_ctn id='to2'/></route><route src='h1' dst='h3'><link_ctn id='to3'/></route>"
      "</zone>"));
  scene.actor("h1", [&] {
    const auto failing = scene->mailbox("two").put_async(1, 5);
    const auto other = scene->mailbox("three").put_async(2, 2);
    sim::ActivitySet both{failing, other};
    CHECK_THROWS_AS(both.wait_any(), sim::NetworkFailure);
    scene.note("sender");
    CHECK(failing.state() == sim::ActivityState::failed);
    CHECK(other.state() == sim::ActivityState::started);
    CHECK_THROWS_AS(failing.wait(), sim::NetworkFailure);
    both.wait_any();
    scene.note("sender");
  });
  scene.actor("h2", [&] {
    CHECK_THROWS_AS(scene->mailbox("two").receive(), sim::NetworkFailure);
    scene.note("receiver");
  });
  scene.actor("h3", [&] { scene->mailbox("three").receive(); });
  scene.actor("h1", [&] {
    this_actor::sleep_for(10);
    scene->link("to2").turn_off();
  });
  CHECK_THAT(scene.run(), Printed(17.319588));
  CHECK_THAT(scene.dates("sender"), AllPrinted({10.0, 17.319588}));
  CHECK_THAT(scene.dates("receiver"), AllPrinted({10.0}));
}

TEST_CASE("timing 11: who tests for messages every 0.1 s gets them at 6, 7, 8 and 8.1 s", "[timing]") {
  Scene scene("fat_pipes");
  scene.actor("Tremblay", [&] {
    this_actor::sleep_for(5);
    for (int i = 0; i < 3; ++i) scene->mailbox("box").put_async(i, 482117300).wait();
    scene->mailbox("box").put(-1, 0);
  });
  scene.actor("Ruby", [&] {
    this_actor::sleep_for(1);
    for (int i = 0; i < 4; ++i) {
      const auto message = scene->mailbox("box").get_async();
      while (!message.test()) this_actor::sleep_for(0.1);
      scene.note();
    }
  });
  scene.run();
  CHECK_THAT(scene.dates(), AllPrinted({6.0, 7.0, 8.0, 8.1}));
}

TEST_CASE("timing 12: messages got one after the other arrive at 0.105458, 0.210917, 0.316375 and 0.318326 s",
          "[timing]") {
  Scene scene("fat_pipes");
  scene.actor("Tremblay", [&] {
    std::vector<sim::Comm> pending;
    for (int i = 0; i < 3; ++i) pending.push_back(scene->mailbox("box").put_async(i, 5e7));
    pending.push_back(scene->mailbox("box").put_async(-1, 0));
    for (; !pending.empty(); pending.pop_back()) CHECK(pending.back().wait_for(1));
    scene.note("sender");
  });
  scene.actor("Ruby", [&] {
    for (int i = 0; i < 4; ++i) {
      scene->mailbox("box").receive();
      scene.note("receiver");
    }
  });
  scene.run();
  CHECK_THAT(scene.dates("receiver"), AllPrinted({0.105458, 0.210917, 0.316375, 0.318326}));
  CHECK_THAT(scene.dates("sender"), AllPrinted({0.318326}));
}

TEST_CASE("timing 13: a permanent receiver that looks every 0.01 s finds the first message at 0.01 s, all by 0.11 s",
          "[timing]") {
  Scene scene("fat_pipes");
  const char* hosts[] = {"Tremblay", "Ruby", "Perl"};
  const int messages[] = {2, 6, 0};
  const double bytes[] = {5e7, 2.5e5, 5e7};
  for (int me = 0; me < 3; ++me) {
    scene.actor(hosts[me], [&, me] {
      auto& box = scene->mailbox(hosts[me]);
      box.set_receiver(this_actor::self());
      this_actor::yield();  // nobody sends before all have done so
      sim::ActivitySet sent;
      for (int i = 0; i <= messages[me]; ++i)
        for (int peer = 0; peer < 3; ++peer)
          if (peer != me)
            sent.push(scene->mailbox(hosts[peer]).put_async(i == messages[me] ? "last" : "data", bytes[me]));
      for (int pending = 2; pending > 0;) {
        if (!box.ready()) {
          this_actor::sleep_for(0.01);
          continue;
        }
        const double before = this_actor::now();
        if (box.get<const char*>() == std::string("last")) --pending;
        CHECK(this_actor::now() == before);
        scene.note(hosts[me]);
      }
      sent.wait_all();
    });
  }
  CHECK_THAT(scene.run(), Printed(0.11));
  CHECK_THAT(scene.dates("Tremblay").front(), Printed(0.01));
  CHECK(scene.dates("Tremblay").size() == 8);
  CHECK_THAT(scene.dates("Ruby"), AllPrinted(std::vector<double>(4, 0.11)));
  CHECK_THAT(scene.dates("Perl"), AllPrinted(std::vector<double>(10, 0.11)));
}

TEST_CASE("timing 14: short texts to one mailbox, one over a third host, arrive at 0.025709, 0.070434 and 0.086825 s",
          "[timing]") {
  Scene scene("seven_hosts");
  scene.actor("Fafard", [&] {
    for (int i = 0; i < 3; ++i) {
      scene->mailbox("box").receive();
      scene.note("arrived");
    }
  });
  const auto send = [&](const std::string& box, const std::string& text) {
    scene->mailbox(box).put(text, static_cast<double>(text.size()));
  };
  scene.actor("Tremblay", [&] { send("box", "GaBuZoMeu"); });
  scene.actor("Jupiter", [&] { send("box", "GloubiBoulga"); });
  scene.actor("Fafard", [&] { send("relay", "PopPop!"); });
  scene.actor("Ginette", [&] {
    const auto text = scene->mailbox("relay").get<std::string>();
    scene.note("forwarded");
    send("box", text);
  });
  scene.run();
  CHECK_THAT(scene.dates("forwarded"), AllPrinted({0.016392}));
  CHECK_THAT(scene.dates("arrived"), AllPrinted({0.025709, 0.070434, 0.086825}));
}

TEST_CASE("timing 15: messages of a queue take no time: got at 1.0, 1.1, 1.2, 1.3 and 1.4 s", "[timing]") {
  Scene scene("seven_hosts");
  scene.actor("Tremblay", [&] {
    auto& queue = scene->message_queue("control");
    this_actor::sleep_for(0.5);
    queue.put("hello");
    for (int i = 0; i < 3; ++i) queue.put_async(i).wait();
    queue.put("last");
  });
  scene.actor("Fafard", [&] {
    auto& queue = scene->message_queue("control");
    this_actor::sleep_for(1);
    queue.get_async().wait();
    scene.note();
    for (int i = 0; i < 4; ++i) {
      const auto message = queue.get_async();
      this_actor::sleep_for(0.1);
      message.wait();
      scene.note();
    }
  });
  scene.run();
  CHECK_THAT(scene.dates(), AllPrinted({1.0, 1.1, 1.2, 1.3, 1.4}));
}

TEST_CASE("timing 16: without any actor, a computation, 125 MB and a computation end at 1, 2.083775 and 3.083775 s",
          "[timing]") {
  Scene scene(
      described("<zone id='world' routing='Full'><host id='Tremblay' speed='25Mf'/><host id='Jupiter' speed='25Mf'/>"
                "<link id='wire' bandwidth='125MBps' latency='100us'/>"
                "<route src='Tremblay' dst='Jupiter'><link_ctn id='wire'/></route></zone>"));
  const auto first = scene->host("Tremblay"), second = scene->host("Jupiter");
  const auto parent = scene->exec_init(first.speed());
  const auto transfer = scene->comm_init(125e6);
  const auto child = scene->exec_init(second.speed());
  parent.add_successor(transfer);
  transfer.add_successor(child);
  parent.start();
  transfer.start();
  child.start();
  parent.set_host(first);
  transfer.set_source(first);
  child.set_host(second);
  transfer.set_destination(second);
  CHECK_THAT(scene.run(), Printed(3.083775));
  CHECK_THAT(parent.finish_time(), Printed(1.0));
  CHECK_THAT(transfer.finish_time(), Printed(2.083775));
  CHECK_THAT(child.start_time(), Printed(2.083775));
  CHECK_THAT(child.finish_time(), Printed(3.083775));
}
