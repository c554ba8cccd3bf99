// SPDX-License-Identifier: MIT
//
// Judges of outcomes, on outcomes made by hand.
#include "properties/judge.hpp"

#include <catch2/catch.hpp>

using namespace rehearse;
using namespace rehearse::properties;
using Catch::Contains;
using Catch::EndsWith;

namespace {

using Kind = PendingRequest::Kind;

// Builds outcomes; actors end unless said otherwise.
class Made {
 public:
  explicit Made(std::size_t actors) { outcome.actors.resize(actors); }

  Made& blocked(std::uint32_t actor, std::vector<std::uint32_t> requests, bool any = false) {
    ActorOutcome& waits = outcome.actors[actor];
    waits.state = ActorOutcome::State::blocked;
    for (const std::uint32_t request : requests) waits.waits_for.push_back({request});
    waits.any_suffices = any;
    return *this;
  }
  Made& receive(std::uint32_t actor, std::uint32_t request, std::optional<std::uint32_t> source,
                std::optional<Tag> tag = 7) {
    PendingRequest& pending = add(Kind::receive, actor, request);
    if (source) pending.pattern.source = ActorId{*source};
    pending.pattern.tag = tag;
    return *this;
  }
  Made& send(std::uint32_t actor, std::uint32_t request, std::uint32_t destination, Tag tag = 7,
             bool completed = false) {
    PendingRequest& pending = add(Kind::send, actor, request);
    pending.destination = {destination};
    pending.tag = tag;
    pending.bytes = 8;
    pending.completed = completed;
    return *this;
  }
  Made& collective(std::uint32_t actor, std::uint32_t request, std::vector<std::uint32_t> missing,
                   const std::string& mismatch = "") {
    PendingRequest& pending = add(Kind::collective, actor, request);
    pending.name = "MPI_Barrier";
    pending.mismatch = mismatch;
    for (const std::uint32_t member : missing) pending.missing.push_back({member});
    return *this;
  }

  std::vector<Finding> judge() const {
    return properties::judge(outcome, [](ActorId actor) {
      return CallDescription{"MPI_Call(" + std::to_string(actor.value) + ")",
                             {{"main", "ring.c", 10 + static_cast<int>(actor.value)}}};
    });
  }
  Finding one() const {
    const std::vector<Finding> findings = judge();
    REQUIRE(findings.size() == 1);
    return findings[0];
  }

  Outcome outcome;

 private:
  PendingRequest& add(Kind kind, std::uint32_t actor, std::uint32_t request) {
    PendingRequest& pending = outcome.pending.emplace_back();
    pending.kind = kind;
    pending.actor = {actor};
    pending.request = {request};
    return pending;
  }
};

using Actors = std::vector<ActorId>;

}  // namespace

TEST_CASE("judge: nothing is wrong when all ended and nothing is left", "[properties]") {
  CHECK(Made(3).judge().empty());
}

TEST_CASE("judge: a cycle is described from rank to rank with calls and lines", "[properties]") {
  const Finding finding = Made(4)
                              .blocked(0, {0})
                              .receive(0, 0, 1)
                              .blocked(1, {0})
                              .receive(1, 0, 2)
                              .blocked(2, {0})
                              .receive(2, 0, 0, std::nullopt)
                              .one();
  CHECK(finding.id == "deadlock.cycle");
  CHECK(finding.severity == Severity::error);
  CHECK(finding.message == "rank 0 waits in MPI_Call(0) at ring.c:10 for a message from rank 1 with tag 7, which "
                           "waits in MPI_Call(1) at ring.c:11 for a message from rank 2 with tag 7, which waits in "
                           "MPI_Call(2) at ring.c:12 for a message from rank 0 with any tag");
  CHECK(finding.actors == Actors{{0}, {1}, {2}});
  REQUIRE(finding.locations.size() == 3);
  CHECK(finding.locations[1].line == 11);
  CHECK(finding.locations[1].what == "waits for a message from rank 2 with tag 7");
}

TEST_CASE("judge: a head-to-head exchange of sends is a cycle", "[properties]") {
  const Finding finding = Made(2).blocked(0, {0}).send(0, 0, 1).blocked(1, {0}).send(1, 0, 0).one();
  CHECK(finding.id == "deadlock.cycle");
  CHECK_THAT(finding.message, Contains("for rank 1 to receive its message with tag 7 (8 bytes)"));
}

TEST_CASE("judge: only the minimal cycle is reported, the others follow", "[properties]") {
  const Finding finding = Made(5)
                              .blocked(0, {0})
                              .receive(0, 0, 1)
                              .blocked(1, {0})
                              .receive(1, 0, 3)
                              .blocked(3, {0})
                              .receive(3, 0, 1)
                              .blocked(4, {0})
                              .receive(4, 0, 0)
                              .one();
  CHECK(finding.actors == Actors{{1}, {3}});
  CHECK_THAT(finding.message, Contains("ranks 0 and 4 wait for them in turn"));
}

TEST_CASE("judge: a wildcard needs everybody to be blocked or gone", "[properties]") {
  const Finding finding =
      Made(3).blocked(0, {0}).receive(0, 0, std::nullopt, std::nullopt).blocked(1, {0}).receive(1, 0, 0).one();
  CHECK(finding.id == "deadlock.cycle");
  CHECK(finding.actors == Actors{{0}, {1}});
  CHECK_THAT(finding.message, Contains("from any rank") && Contains("rank 2 has ended"));
}

TEST_CASE("judge: of several needs the one with the shortest explanation is reported", "[properties]") {
  // Rank 0 waits for both, and rank 2 has ended.
  const Finding finding =
      Made(3).blocked(0, {0, 1}).receive(0, 0, 1).receive(0, 1, 2).blocked(1, {0}).receive(1, 0, 0).one();
  CHECK(finding.id == "deadlock.orphan");
  CHECK(finding.actors == Actors{{0}});
  CHECK_THAT(finding.message, Contains("rank 1 waits for it in turn"));
}

TEST_CASE("judge: if any suffices, all of them are reported", "[properties]") {
  const Finding finding =
      Made(3).blocked(0, {0, 1}, true).receive(0, 0, 1).receive(0, 1, 2).blocked(1, {0}).receive(1, 0, 0).one();
  CHECK(finding.id == "deadlock.cycle");
  CHECK_THAT(finding.message, Contains("a message from rank 1 with tag 7 or a message from rank 2 with tag 7"));
}

TEST_CASE("judge: an orphan names who ended and the message that almost fits", "[properties]") {
  const Finding finding = Made(2).blocked(0, {0}).receive(0, 0, 1).send(1, 0, 0, 9, true).one();
  CHECK(finding.id == "deadlock.orphan");
  CHECK_THAT(finding.message, Contains("rank 1 has ended") &&
                                  Contains("rank 1 has sent rank 0 a message with tag 9 that nobody received"));
  Made other(2);
  other.blocked(0, {0}).receive(0, 0, 1).send(1, 0, 0, 7, true);
  other.outcome.pending[1].context = {4};
  CHECK_THAT(other.one().message, Contains("with tag 7 in another communicator"));
}

TEST_CASE("judge: a probe and a poll wait, too", "[properties]") {
  Made made(2);
  made.blocked(0, {});
  made.outcome.actors[0].probes.push_back({{0}, ActorId{1}, 3});
  CHECK_THAT(made.one().message, Contains("waits in MPI_Call(0)") && Contains("tag 3"));
  made.outcome.actors[0].polling = true;
  CHECK(made.one().id == "progress.polling");
  CHECK_THAT(made.one().message, Contains("rank 0 polls in MPI_Call(0)"));
}

TEST_CASE("judge: a collective that somebody never joins", "[properties]") {
  const Finding ended = Made(3).blocked(0, {0}).collective(0, 0, {2}).blocked(1, {0}).collective(1, 0, {2}).judge()[0];
  CHECK(ended.id == "deadlock.collective");
  CHECK_THAT(ended.message, Contains("for rank 2 to take part in MPI_Barrier; rank 2 has ended"));
  const Finding crossed = Made(2).blocked(0, {0}).collective(0, 0, {1}).blocked(1, {0}).receive(1, 0, 0).one();
  CHECK(crossed.id == "deadlock.collective");
  CHECK(crossed.actors == Actors{{0}, {1}});
}

TEST_CASE("judge: members that disagree are reported instead of the deadlock behind", "[properties]") {
  const Finding finding =
      Made(2).blocked(0, {0}).collective(0, 0, {}).blocked(1, {0}).collective(1, 0, {}, "root").one();
  CHECK(finding.id == "collective.root");
  CHECK_THAT(finding.message, Contains("they name different roots as the 1st collective"));
  CHECK(finding.locations.size() == 2);
}

TEST_CASE("judge: members that continued although they disagree are reported with their places", "[properties]") {
  Made made(2);
  made.collective(0, 0, {}, "root").collective(1, 0, {}, "root");
  for (PendingRequest& pending : made.outcome.pending) {
    pending.completed = true;
    pending.name = "MPI_Bcast";
    pending.own.at = {"main", "a.c", 7 + static_cast<int>(pending.actor.value)};
  }
  const Finding finding = made.one();
  CHECK(finding.id == "collective.root");
  CHECK(finding.message ==
        "rank 0 is past MPI_Bcast at a.c:7, rank 1 is past MPI_Bcast at a.c:8: they name different roots as the 1st "
        "collective on one communicator");
  REQUIRE(finding.locations.size() == 2);
  CHECK(finding.locations[1].line == 8);
}

TEST_CASE("judge: of many members that disagree, the few are listed first, in groups", "[properties]") {
  Made made(12);
  for (std::uint32_t i = 0; i < 12; ++i) made.blocked(i, {0}).collective(i, 0, {}, i == 5 ? "operation" : "");
  for (PendingRequest& pending : made.outcome.pending) {
    pending.number = 2;
    pending.name = pending.actor.value == 5 ? "MPI_Barrier" : "MPI_Bcast";
  }
  const std::vector<Finding> findings = properties::judge(made.outcome, [](ActorId actor) {
    return CallDescription{actor.value == 5 ? "MPI_Barrier(c)" : "MPI_Bcast(c)", {{"main", "a.c", 7}}};
  });
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].message ==
        "rank 5 is in MPI_Barrier(c) at a.c:7, 11 ranks (0-4, 6-11) are in MPI_Bcast(c) at a.c:7: they call different "
        "collectives as the 3rd collective on one communicator");
  CHECK(findings[0].actors.size() == 12);
  CHECK(findings[0].locations.size() == 5);
}

TEST_CASE("judge: ranks that wait alone for the same at one place are one finding", "[properties]") {
  Made made(40);
  for (std::uint32_t i = 0; i < 39; ++i) made.blocked(i, {0}).collective(i, 0, {39});
  const std::vector<Finding> findings = properties::judge(made.outcome, [](ActorId) {
    return CallDescription{"MPI_Barrier(c)", {{"main", "a.c", 7}}};
  });
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].message ==
        "39 ranks (0-38) wait in MPI_Barrier(c) at a.c:7 for rank 39 to take part in MPI_Barrier; rank 39 has ended");
}

TEST_CASE("judge: a message from another sender almost fits", "[properties]") {
  const Finding finding = Made(3).blocked(0, {0}).receive(0, 0, 1).send(2, 0, 0, 7, true).one();
  CHECK_THAT(finding.message, Contains("rank 2, not rank 1, has sent rank 0 a message with tag 7"));
}

TEST_CASE("judge: lost messages count only when all ended", "[properties]") {
  Made made(2);
  made.send(0, 0, 1, 5, true).send(0, 1, 1, 5, true);
  const Finding finding = made.one();
  CHECK(finding.id == "message.lost");
  CHECK(finding.message == "rank 0 sent 2 messages with tag 5 (16 bytes) to rank 1 that were never received");
  made.outcome.actors[1].state = ActorOutcome::State::failed;
  made.outcome.actors[1].id = "crash.signal";
  CHECK(made.one().id == "crash.signal");
}

TEST_CASE("judge: a receive that nobody observed takes one message that it accepts", "[properties]") {
  Made made(2);
  made.send(0, 0, 1, 5, true).send(0, 1, 1, 5, true);
  PendingRequest receive;
  receive.actor = {1};
  receive.kind = PendingRequest::Kind::receive;
  receive.pattern = {made.outcome.pending[0].context, ActorId{0}, 5};
  made.outcome.pending.push_back(receive);
  for (const bool released : {false, true}) {
    made.outcome.pending.back().released = released;
    CHECK_THAT(made.one().message, Contains("a message with tag 5"));
  }
  made.outcome.pending.back().pattern.tag = 6;
  CHECK_THAT(made.one().message, Contains("2 messages"));
}

TEST_CASE("judge: a ready message that comes too early is reported once per place", "[properties]") {
  Made made(2);
  CHECK(made.judge().empty());
  const EarlyMessage early{{0}, {1}, 7, {"MPI_Rsend", 0}, {"main", "ring.c", 12}};
  made.outcome.early = {early, early};
  const Finding finding = made.one();
  CHECK(finding.id == "message.not_ready");
  CHECK(finding.message ==
        "rank 0 sent a message in ready mode with tag 7 to rank 1, which may arrive before a receive "
        "is posted for it; sent by MPI_Rsend at ring.c:12");
}

TEST_CASE("judge: a failure explains whoever waits", "[properties]") {
  Made made(2);
  made.blocked(0, {0}).receive(0, 0, 1);
  made.outcome.actors[1].state = ActorOutcome::State::failed;
  made.outcome.actors[1].failure = FailureKind::assertion;
  made.outcome.actors[1].id = "assertion.failed";
  made.outcome.actors[1].what = "assertion x > 0 failed";
  const Finding finding = made.one();
  CHECK(finding.id == "assertion.failed");
  CHECK(finding.message == "rank 1: assertion x > 0 failed, in MPI_Call(1) at ring.c:11");
  made.outcome.actors[1].failure = FailureKind::unsupported;
  CHECK(made.judge().empty());
}

TEST_CASE("judge: ranks that end with the same status are one finding", "[properties]") {
  Made made(4);
  made.outcome.actors[0].exit_status = made.outcome.actors[2].exit_status = 3;
  made.outcome.actors[3].exit_status = 4;
  const std::vector<Finding> findings = made.judge();
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].actors == Actors{{0}, {2}});
  CHECK(findings[0].locations.size() == 2);
  CHECK_THAT(findings[0].message, Contains("ranks 0 and 2 ended with exit status 3"));
  CHECK(findings[1].actors == Actors{{3}});
}

TEST_CASE("judge: a provisional report counts where another actor waits for the reporting one", "[properties]") {
  Made made(2);
  Finding report;
  report.id = "provisional:request.inactive";
  report.message = "waits for what never started";
  report.actors = {{0}, {1}};
  report.locations = {Location{ActorId{0}, "MPI_Wait", "ring.c", 3, "main", ""}};
  made.outcome.reports.emplace_back(ActorId{0}, report);
  CHECK(made.judge().empty());  // nobody waits
  made.blocked(1, {0}).receive(1, 0, 0);
  const std::vector<Finding> findings = made.judge();
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].id == "request.inactive");
  CHECK(findings[0].severity == Severity::error);
  CHECK(findings[0].actors == Actors{{0}});
  CHECK(findings[0].message == "rank 0: waits for what never started; rank 1 waits for rank 0 forever");
  CHECK(findings[1].id == "deadlock.orphan");
  report.id = "withdrawn:request.inactive";
  made.outcome.reports.emplace_back(ActorId{0}, report);
  CHECK(made.one().id == "deadlock.orphan");
}

TEST_CASE("judge: a send that is not wanted any more is not lost; one that arrived is left out", "[properties]") {
  Made made(2);
  made.send(0, 5, 1);
  CHECK(made.one().id == "message.lost");
  Finding report;
  report.id = "unwanted send";
  report.message = "5";
  made.outcome.reports.emplace_back(ActorId{0}, report);
  CHECK(made.judge().empty());
  made.outcome.pending.clear();
  CHECK(made.one().id == outcomes_left_out);
  CHECK(made.one().severity == Severity::note);
}

namespace {

void report_note(Made& made, std::uint32_t actor, std::string_view id) {
  Finding report;
  report.id = id;
  report.severity = Severity::note;
  made.outcome.reports.emplace_back(ActorId{actor}, report);
}

}  // namespace

TEST_CASE("judge: an execution in which a withheld send is not cancelled is none", "[properties]") {
  Made made(2);
  made.outcome.actors[1].exit_status = 3;
  report_note(made, 0, "withheld send");
  CHECK(made.judge().empty());
  report_note(made, 0, "withheld send");
  report_note(made, 0, "cancelled send");
  CHECK(made.judge().empty());
  report_note(made, 0, "cancelled send");
  CHECK(made.one().id == "crash.exit_status");
}

TEST_CASE("judge: whether later messages overtook a withheld send is left open where something is wrong",
          "[properties]") {
  Made made(2);
  report_note(made, 0, "withheld send");
  report_note(made, 0, "overtaken send");
  CHECK(made.judge().empty());
  made.outcome.actors[1].exit_status = 3;
  CHECK(made.one().id == outcomes_left_out);
}

TEST_CASE("judge: a send that is cancelled in vain is received, else the execution is none", "[properties]") {
  Made made(2);
  made.outcome.actors[0].exit_status = 3;
  made.send(0, 5, 1);
  report_note(made, 0, "kept send 5 1 7");
  CHECK(made.judge().empty());
  made.outcome.pending.clear();
  const std::vector<Finding> findings = made.judge();
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].id == "crash.exit_status");
  CHECK(findings[1].id == "message.cancelled");
  CHECK(findings[1].severity == Severity::note);
}

TEST_CASE("judge: omitted outcomes of cancelled sends are reported in executions that do not count, too",
          "[properties]") {
  Made made(2);
  made.send(0, 5, 1);
  report_note(made, 0, "kept send 5 1 7");
  SECTION("of one that was tested often") { report_note(made, 0, "tested send"); }
  SECTION("of one that a probe has seen") { report_note(made, 1, "probed send 0 7"); }
  const std::vector<Finding> findings = made.judge();
  REQUIRE_FALSE(findings.empty());
  CHECK(findings[0].id == outcomes_left_out);
}

TEST_CASE("judge: an error before the receiver takes what is cancelled in vain is left open", "[properties]") {
  Made made(2);
  made.send(0, 5, 1);
  report_note(made, 0, "kept send 5 1 7");
  made.outcome.actors[1].state = ActorOutcome::State::failed;
  made.outcome.actors[1].failure = FailureKind::assertion;
  CHECK(made.one().id == outcomes_left_out);
}

TEST_CASE("judge: an exit status and a report are findings", "[properties]") {
  Made made(2);
  made.outcome.actors[1].exit_status = 3;
  CHECK(made.one().id == "crash.exit_status");
  CHECK_THAT(made.one().message, Contains("rank 1 ended with exit status 3"));
  made.outcome.actors[1].exit_status = 0;
  Finding report;
  report.id = "resource.leak";
  made.outcome.reports.emplace_back(ActorId{1}, report);
  CHECK(made.one().actors == Actors{{1}});
}

TEST_CASE("judge: what several ranks report alike is one finding that names them", "[properties]") {
  Made made(3);
  Finding report;
  report.id = "resource.datatype";
  report.message = "a datatype was never freed";
  for (std::uint32_t i : {0u, 2u}) {
    report.actors = {ActorId{i}};
    report.locations = {Location{ActorId{i}, "MPI_Type_vector", "matrix.c", 3, "main", ""}};
    made.outcome.reports.emplace_back(ActorId{i}, report);
    made.outcome.reports.emplace_back(ActorId{i}, report);
  }
  report.message = "a group was never freed";
  made.outcome.reports.emplace_back(ActorId{2}, report);
  const std::vector<Finding> findings = made.judge();
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].actors == std::vector<ActorId>{{0}, {2}});
  CHECK(findings[0].locations.size() == 2);
  CHECK(findings[0].message == "ranks 0 and 2: a datatype was never freed");
  CHECK(findings[1].message == "rank 2: a group was never freed");
}

TEST_CASE("judge: a wait for an earlier call names it, and has its place", "[properties]") {
  Made made(3);
  made.blocked(0, {4}).receive(0, 4, 1).blocked(1, {2}).send(1, 2, 2, 8).blocked(2, {0}).receive(2, 0, 0);
  const std::vector<Finding> findings = properties::judge(made.outcome, [](ActorId actor) {
    const RequestId request{actor.value == 0 ? 4u : 2u};
    CallDescription standing{"MPI_Wait(&request)", {{"main", "ring.c", 63}}};
    standing.requests = {{request, actor.value == 0 ? "MPI_Irecv" : "MPI_Isend", {"post", "ring.c", 41}}};
    return standing;
  });
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].message ==
        "rank 0 waits in MPI_Wait(&request) at ring.c:63 for a message from rank 1 with tag 7 (MPI_Irecv at "
        "ring.c:41), which waits in MPI_Wait(&request) at ring.c:63 for rank 2 to receive its message with tag 8 "
        "(8 bytes, MPI_Isend at ring.c:41), which waits in MPI_Wait(&request) at ring.c:63 for a message from rank 0 "
        "with tag 7");
  REQUIRE(findings[0].locations.size() == 5);
  CHECK(findings[0].locations[3].line == 41);
  CHECK(findings[0].locations[3].function == "post");
  CHECK(findings[0].locations[3].what == "posted the receive that it waits for");
  CHECK(findings[0].locations[4].call == "MPI_Isend");
}

TEST_CASE("judge: ranks of a communicator are named with those of MPI_COMM_WORLD where they differ", "[properties]") {
  Made made(3);
  made.blocked(0, {0}).receive(0, 0, 2).blocked(2, {0}).receive(2, 0, 0);
  const std::vector<Finding> findings = properties::judge(made.outcome, [](ActorId) {
    CallDescription standing{"MPI_Recv(...)", {}};
    standing.numberings = {{{ContextId{}}, "comm#1", {{0}, {2}}}};
    return standing;
  });
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].message ==
        "rank 0 waits in MPI_Recv(...) for a message from rank 1 of comm#1 (rank 2 of MPI_COMM_WORLD) with tag 7, "
        "which waits in MPI_Recv(...) for a message from rank 0 with tag 7");
}

TEST_CASE("judge: the advice on a cycle fits what its ranks wait for", "[properties]") {
  const Finding itself = Made(1).blocked(0, {0}).send(0, 0, 0).one();
  CHECK_THAT(itself.advice, Contains("waits for a call of its own"));
  const Finding receives = Made(2).blocked(0, {0}).receive(0, 0, 1).blocked(1, {0}).receive(1, 0, 0).one();
  CHECK_THAT(receives.advice, Contains("Let one rank send before it receives"));
  CHECK(Made(2).blocked(0, {0}).send(0, 0, 1).blocked(1, {0}).send(1, 0, 0).one().advice.empty());
}

TEST_CASE("judge: of several collectives that differ, the first one of the communicator is reported", "[properties]") {
  Made made(2);
  made.blocked(0, {1}).collective(0, 0, {}, "operation").collective(0, 1, {}, "operation");
  made.blocked(1, {1}).collective(1, 0, {}, "operation").collective(1, 1, {}, "operation");
  for (PendingRequest& pending : made.outcome.pending) {
    const bool is_first = pending.request.value == 0;
    pending.number = is_first ? 0 : 1;
    pending.completed = is_first;  // nobody had to wait in it
    pending.name = is_first == (pending.actor.value == 0) ? "MPI_Bcast" : "MPI_Gather";
    pending.own.at = {"main", "a.c", is_first ? 5 : 6};
  }
  const std::vector<Finding> findings = properties::judge(made.outcome, [](ActorId actor) {
    return CallDescription{actor.value == 0 ? "MPI_Gather(b)" : "MPI_Bcast(b)", {{"main", "a.c", 6}}};
  });
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].message ==
        "rank 0 is past MPI_Bcast at a.c:5, rank 1 is past MPI_Gather at a.c:5: they call different collectives as the "
        "1st collective on one communicator");
  CHECK(findings[0].locations.at(0).line == 5);
}

TEST_CASE("judge: a communicator of a collective that differs has the name that each member gives it", "[properties]") {
  Made made(3);
  for (std::uint32_t i = 0; i < 3; ++i) made.blocked(i, {0}).collective(i, 0, {}, "operation");
  made.outcome.pending.front().name = "MPI_Reduce";
  const std::vector<Finding> findings = properties::judge(made.outcome, [](ActorId actor) {
    CallDescription standing{actor.value == 0 ? "MPI_Reduce(comm#3)" : "MPI_Barrier(comm#1)", {{"main", "a.c", 6}}};
    standing.numberings = {{{ContextId{}}, actor.value == 0 ? "comm#3" : "comm#1", {{0}, {1}, {2}}}};
    return standing;
  });
  REQUIRE(findings.size() == 1);
  CHECK_THAT(findings[0].message, EndsWith("they call different collectives as the 1st collective on comm#3, which is "
                                           "comm#1 for ranks 1 and 2"));
}

TEST_CASE("judge: members that disagree are reported with the arguments of each", "[properties]") {
  Made made(2);
  made.blocked(0, {0}).collective(0, 0, {}, "operator").blocked(1, {0}).collective(1, 0, {}, "operator");
  for (PendingRequest& pending : made.outcome.pending) {
    pending.mismatch_with = {1 - pending.actor.value};
    pending.own.spelled = {pending.actor.value == 0 ? "MPI_SUM" : "MPI_MAX", "1 MPI_INT"};
  }
  CHECK_THAT(made.one().message, Contains("they name different operators (MPI_SUM and MPI_MAX) as the 1st"));
  for (PendingRequest& pending : made.outcome.pending) pending.mismatch = "signature";
  const std::vector<Finding> findings = properties::judge(made.outcome, [](ActorId actor) {
    CallDescription standing{"MPI_Barrier(c)", {{"main", "a.c", 7 + static_cast<int>(actor.value)}}};
    standing.common_arguments = {{"ndims", "1"}, {"periods", actor.value == 0 ? "{0}" : "{1}"}};
    standing.numberings = {{{ContextId{}}, "grid", {{0}, {1}}}};
    return standing;
  });
  REQUIRE(findings.size() == 1);
  CHECK_THAT(findings[0].message, Contains("they pass different periods ({0} and {1}) as the 1st collective on grid"));
}
