// SPDX-License-Identifier: MIT
//
// Ranks that go on before they are answered: their later operations do not show it.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "simcore/ahead_queue.hpp"
#include "simcore/application_meter.hpp"
#include "simcore/engine.hpp"
#include "smpi/abi.hpp"
#include "smpi/process.hpp"

using namespace rehearse;
using namespace rehearse::smpi;

namespace {

std::unique_ptr<Program> load_ahead(std::uint32_t ranks, const std::string& name = "ahead") {
  LaunchSpec spec;
  spec.path = std::string(REHEARSE_PROCESS_PROGRAMS) + "/" + name;
  spec.ranks = ranks;
  spec.find_mpi_symbol = find_mpi_symbol;
  auto loaded = load_program(spec);
  if (!loaded) FAIL(loaded.error().text);
  return std::move(loaded.value());
}

// The same program, with a record of what its actors ask for.
class Recorded final : public Program {
 public:
  Recorded(Program& program, bool runs_ahead) : program_(program), runs_ahead_(runs_ahead) {}

  std::uint32_t actor_count() const override { return program_.actor_count(); }
  const Operation& next(ActorId actor) override { return program_.next(actor); }
  void resume(ActorId actor, const Observation& observation) override {
    note(actor, program_.next(actor));
    program_.resume(actor, observation);
  }
  void restart(ActorId actor) override { program_.restart(actor); }
  std::unique_ptr<Snapshot> save(ActorId actor) override { return program_.save(actor); }
  void restore(ActorId actor, const Snapshot& snapshot) override { program_.restore(actor, snapshot); }
  CallDescription describe(ActorId actor) override { return program_.describe(actor); }
  void run_ahead(const RunAhead& known) override {
    if (runs_ahead_) program_.run_ahead(known);
  }

  std::vector<std::string> asked;

 private:
  void note(ActorId actor, const Operation& operation) {
    std::string text = std::to_string(actor.value) + ": " + std::to_string(operation.index());
    if (const auto* send = std::get_if<Send>(&operation)) {
      text += " " + std::to_string(send->request.value) + " " + std::to_string(send->destination.value) + " " +
              std::to_string(send->tag) + " " + std::string(send->origin.call) + " ";
      for (const std::byte byte : send->data) text += static_cast<char>(byte);
    }
    if (const auto* post = std::get_if<Post>(&operation))
      text += " " + std::to_string(post->request.value) + " " + std::to_string(post->pattern.tag.value_or(-1));
    if (const auto* access = std::get_if<RemoteAccess>(&operation))
      text += " " + std::to_string(access->request.value) + " " + std::to_string(access->target.value) + " " +
              std::to_string(access->data.size()) + " " + std::to_string(access->bytes_there) + " " +
              std::string(access->origin.call);
    if (const auto* traffic = std::get_if<Traffic>(&operation))
      text += " " + std::to_string(traffic->target.value) + " " + std::to_string(traffic->bytes_there);
    if (const auto* log = std::get_if<Log>(&operation)) text += log->text;
    asked.push_back(std::move(text));
  }

  Program& program_;
  bool runs_ahead_;
};

// What each rank of ahead_windows.c puts in an epoch.
int ahead_window_bytes() {
  int bytes = 0;
  for (int i = 0; i < 40; ++i) bytes += 1 + i * i * 4 % 6000;
  return bytes;
}

struct Asked {
  std::vector<std::string> operations;
  TimePoint end;
  std::ptrdiff_t ended = 0;  // actors
};

Asked asked_for(const std::string& name, bool runs_ahead, const EngineOptions& options) {
  const auto program = load_ahead(3, name);
  Recorded recorded(*program, runs_ahead);
  auto platform = make_platform("cluster:3");
  REQUIRE(platform);
  auto costs = make_cost_model({.network = "smpi"}, platform.value());
  REQUIRE(costs);
  Engine engine(recorded, platform.value(), std::move(costs.value()), options);
  auto run = engine.run();
  REQUIRE(run);
  Asked asked{recorded.asked, run.value().end};
  asked.ended = std::ranges::count(run.value().outcome.actors, ActorOutcome::State::ended, &ActorOutcome::state);
  return asked;
}

}  // namespace

TEST_CASE("ahead: operations and end dates of ranks do not depend on whether they can run ahead", "[smpi][process]") {
  EngineOptions options;
  options.eager_bytes = GENERATE(0u, 3u, 1000u, 65536u);
  options.buffer_bytes = GENERATE(EngineOptions::infinite, 20000u);
  if (options.eager_bytes == 0 && options.buffer_bytes != EngineOptions::infinite) return;
  if (GENERATE(false, true)) options.message_costs.send.pieces = {{0, 1e-6, 1e-9}};
  const Asked ahead = asked_for("ahead", true, options), plain = asked_for("ahead", false, options);
  CHECK(ahead.operations == plain.operations);
  CHECK(ahead.end == plain.end);
  const int ended = options.eager_bytes >= 4 ? 3 : 0;  // else a ring of waiting sends
  CHECK(ahead.ended == ended);
  CHECK(plain.ended == ended);
}

TEST_CASE("ahead: nor do those of operations on windows", "[smpi][process]") {
  EngineOptions options;
  options.eager_bytes = GENERATE(0u, 65536u);
  const Asked ahead = asked_for("ahead_windows", true, options), plain = asked_for("ahead_windows", false, options);
  CHECK(ahead.operations == plain.operations);
  CHECK(ahead.end == plain.end);
  CHECK(ahead.ended == 3);
  CHECK(plain.ended == 3);
  const auto is_put = [](const std::string& text) { return text.ends_with(" MPI_Put"); };
  CHECK(std::ranges::count_if(ahead.operations, is_put) >= 3 * 40);  // in lock epochs at least
  const std::string sum = std::to_string(ahead_window_bytes());
  const std::string line = sum + " " + sum + " " + sum + " " + sum;
  const auto has_line = [&](const std::string& text) { return text.find(line) != std::string::npos; };
  CHECK(std::ranges::count_if(ahead.operations, has_line) == 3);
}

TEST_CASE("ahead: a rank that ran ahead is described by its earlier place", "[smpi][process]") {
  const auto program = load_ahead(2);
  program->run_ahead({1000});
  const ActorId rank{0};
  while (!std::holds_alternative<Send>(program->next(rank))) program->resume(rank, {});
  const CallDescription first = program->describe(rank);
  CHECK(first.call == "MPI_Isend");
  REQUIRE(first.frames.size() == 1);
  CHECK(first.frames[0].function == "main");
  CHECK(first.frames[0].line == 22);
  program->resume(rank, {});
  CHECK(std::holds_alternative<Post>(program->next(rank)));
  CHECK(program->describe(rank).call == "post");
}

TEST_CASE("ahead: a rank runs ahead of a send only if the send leaves at once, is copied, and has room", "[simcore]") {
  AheadQueue queue({100});
  std::vector<std::byte> data(99, std::byte{7});
  Send send{};
  send.blocking = true;
  send.data = data;
  send.mode = SendMode::synchronous;
  CHECK_FALSE(queue.keep(send, nullptr));
  send.mode = SendMode::standard;
  CHECK(queue.keep(send, nullptr));
  data[0] = std::byte{8};
  CHECK(std::get<Send>(queue.front()).data[0] == std::byte{7});
  data.resize(100);
  send.data = data;
  CHECK_FALSE(queue.keep(send, nullptr));
  send.blocking = false;
  CHECK(queue.keep(send, nullptr));
  data.resize(4096);
  send.data = data;
  CHECK_FALSE(queue.keep(send, nullptr));
  CHECK_FALSE(queue.keep(Post{{2}, {}, 0, true}, nullptr));
  std::uint32_t kept = 2;
  while (queue.keep(Post{{kept}, {}, 0, false}, nullptr)) ++kept;
  CHECK(kept == 16);
  for (; kept > 0; --kept) queue.pop(nullptr);
  CHECK(queue.is_empty());
  CHECK(queue.keep(send, nullptr));
}

TEST_CASE("ahead: a rank runs ahead of an access if the access does not wait, is copied, and has room", "[simcore]") {
  AheadQueue queue({0});
  std::vector<std::byte> data(99, std::byte{7});
  RemoteAccess access{};
  access.data = data;
  access.blocking = true;
  CHECK_FALSE(queue.keep(access, nullptr));
  access.blocking = false;
  CHECK(queue.keep(access, nullptr));
  data[0] = std::byte{8};
  CHECK(std::get<RemoteAccess>(queue.front()).data[0] == std::byte{7});
  CHECK(queue.keep(Traffic{{1}, 5, 6, true}, nullptr));
  CHECK_FALSE(queue.keep(Settle{}, nullptr));
  data.resize(4096);
  access.data = data;
  CHECK_FALSE(queue.keep(access, nullptr));
  queue.pop(nullptr);
  CHECK(std::get<Traffic>(queue.front()).bytes_back == 6);
  queue.pop(nullptr);
  CHECK(queue.keep(access, nullptr));
}

TEST_CASE("ahead: application code is accounted with the operation that follows it", "[simcore]") {
  auto made = ApplicationMeter::make(ApplicationCost::measured, 1);
  REQUIRE(made);
  ApplicationMeter& meter = *made.value();
  AheadQueue queue({100});
  meter.exchange(10);
  CHECK(queue.keep(Release{{1}}, &meter));
  meter.exchange(20);
  CHECK(queue.keep(Release{{2}}, &meter));
  meter.exchange(30);
  queue.begin(&meter);
  CHECK(meter.exchange(0) == 10);
  queue.pop(&meter);
  CHECK(meter.exchange(0) == 20);
  queue.pop(&meter);
  CHECK(meter.exchange(0) == 30);
}
