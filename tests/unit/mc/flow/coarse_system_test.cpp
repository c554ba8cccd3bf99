// SPDX-License-Identifier: MIT
//
// Coarse forms of systems: their size, and that what they refute is refuted by multipliers of the system.
#include "mc/flow/coarse_system.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>

#include "mc/flow/solver.hpp"

using namespace rehearse::mc::flow;

namespace {

// A counter that `length` steps raise, each of which takes one of as many tickets: at most one step per ticket, and in
// the end the counter is not at its last place although all tickets are gone.
struct Tickets {
  System system;
  Question question;

  explicit Tickets(std::uint32_t length) {
    std::vector<Row> places(length + std::size_t{1}, Row{{}, Relation::equal, 0}), tickets(length, places.front());
    places.front().bound = -1;
    for (std::uint32_t from = 0; from < length; ++from)
      for (Row& ticket : tickets) {
        const Variable step = system.add_variable();
        places[from].terms.push_back({step, -1});
        places[from + std::size_t{1}].terms.push_back({step, 1});
        ticket.terms.push_back({step, 1});
      }
    for (std::uint32_t p = 0; p < places.size(); ++p) {
      const Variable stands = system.add_variable();
      places[p].terms.push_back({stands, -1});
      if (p == length) question.fixed.push_back({stands, false});
      system.add(places[p], {0, static_cast<std::int32_t>(p)});
    }
    for (Row& ticket : tickets) {
      ticket.bound = 1;
      system.add(ticket, {1, 0});
    }
  }
};

}  // namespace

TEST_CASE("flow coarse system: rows of a family become one or two sums, and equal columns one", "[mc][flow]") {
  const Tickets tickets(20);
  const CoarseSystem sums(tickets.system, Detail::sums), layers(tickets.system, Detail::layers),
      rows(tickets.system, Detail::rows);
  CHECK(sums.program().row_low.size() == 3);  // places, places by their number, tickets
  CHECK(sums.program().low.size() == 22);     // steps, and 21 places
  CHECK(sums.column_of(0) == sums.column_of(399));
  CHECK(sums.program().high[static_cast<std::size_t>(sums.column_of(0))] == 400);
  CHECK(layers.program().row_low.size() == 22);
  CHECK(layers.program().low.size() == 20 + 21);
  CHECK(rows.program().row_low.size() == 41);
  CHECK(rows.program().low.size() == tickets.system.variable_count());
}

TEST_CASE("flow coarse system: multipliers of sums are multipliers of their rows", "[mc][flow]") {
  const Tickets tickets(20);
  const CoarseSystem sums(tickets.system, Detail::sums);
  // Each step raises the place by one, and takes a ticket: without the last place, 19 is the highest, but all 20 are
  // gone.
  const Multipliers good = sums.lift(std::vector<std::int64_t>{-19, 1, -1});
  const Multipliers wrong = sums.lift(std::vector<std::int64_t>{-20, 1, -1});
  CHECK(refutes(tickets.system, tickets.question, good));
  CHECK_FALSE(refutes(tickets.system, tickets.question, wrong));
  CHECK(good.size() == 41);
}

TEST_CASE("flow coarse system: a question that distinguishes variables of one column needs a form of its own",
          "[mc][flow]") {
  const Tickets tickets(4);
  const Question first_step{{{{{0, 1}}, Relation::at_most, 0}}, {}};
  CHECK_FALSE(CoarseSystem(tickets.system, Detail::sums).coarsen(first_step));
  CHECK(CoarseSystem(tickets.system, Detail::sums, first_step).coarsen(first_step));
}

TEST_CASE("flow solver: a question that sums refute is refuted briefly, by few small multipliers", "[mc][flow]") {
  const Tickets tickets(30);
  Solver solver(tickets.system, 8, {});
  const auto refutation = solver.refute(tickets.question, Effort::brief);
  REQUIRE(refutation);
  CHECK(solver.statistics().questions == 1);
  for (const auto& [row, multiplier] : refutation->multipliers) CHECK(std::abs(multiplier) <= 30);
}
