// SPDX-License-Identifier: MIT
//
// The default request of a run, and its errors. tests/cli has runs of programs.
#include "app/run.hpp"

#include <catch2/catch.hpp>

namespace rehearse::app {

TEST_CASE("run: the default request has the defaults of the engine") {
  const RunRequest request;
  const EngineOptions engine;
  const MessageProtocol protocol = choose_protocol(request.machine.protocol, {}, "lv08", 2);
  CHECK(protocol.eager_bytes == engine.eager_bytes);
  CHECK(protocol.handshake == engine.handshake);
  CHECK(request.combine_flops_per_byte == engine.combine_flops_per_byte);
  CHECK(protocol.costs.are_none());
  CHECK(request.recorded == Recorded::nothing);
}

TEST_CASE("run: a missing program is an error that begins with its path") {
  RunRequest request;
  request.job.path = "/nowhere/ring";
  request.job.ranks = 2;
  const auto done = run(request);
  REQUIRE_FALSE(done);
  CHECK(done.error().text.starts_with("/nowhere/ring"));
}

TEST_CASE("run: a machine that cannot be made is an error of the verb, before the program is loaded") {
  RunRequest request;
  request.job.path = "/nowhere/ring";
  request.job.ranks = 2;
  request.machine.collectives = "none such";
  const auto done = run(request);
  REQUIRE_FALSE(done);
  CHECK(done.error().text.starts_with("run: --collective-algorithms: "));
}

}  // namespace rehearse::app
