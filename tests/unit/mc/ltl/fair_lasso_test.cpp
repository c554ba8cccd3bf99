// SPDX-License-Identifier: MIT
//
// Automata and lassos against the definition of the operators, on random formulas, words and graphs.
#include "mc/fair_lasso.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <random>

namespace rehearse::mc {
namespace {

using Code = TemporalFormula::Code;
using Random = std::mt19937_64;

std::uint32_t below(Random& random, std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); }

TemporalFormula random_formula(Random& random, std::uint32_t atoms, std::uint32_t operators) {
  std::vector<TemporalFormula::Node> nodes{{Code::truth, 0, 0}};
  for (std::uint32_t atom = 0; atom < atoms; ++atom) nodes.push_back({Code::atom, atom, 0});
  for (std::uint32_t i = 0; i < operators; ++i) {
    static constexpr Code codes[] = {Code::negate, Code::both, Code::either, Code::next, Code::until, Code::release};
    const auto size = static_cast<std::uint32_t>(nodes.size());
    // The latest node is an operand, so that the last one uses most of them.
    nodes.push_back({codes[below(random, 6)], i == 0 ? below(random, size) : size - 1, below(random, size)});
  }
  const auto root = static_cast<std::uint32_t>(nodes.size() - 1);
  return {std::move(nodes), root, atoms};
}

StateGraph word_as_graph(const std::vector<std::uint64_t>& letters, std::uint32_t loop_begin) {
  StateGraph graph;
  for (std::uint32_t i = 0; i < letters.size(); ++i)
    graph.states.push_back({letters[i], true, {{i + 1 < letters.size() ? i + 1 : loop_begin, 0, false}}});
  return graph;
}

StateGraph random_graph(Random& random, std::uint32_t states, std::uint32_t doers, std::uint32_t atoms) {
  StateGraph graph;
  for (std::uint32_t i = 0; i < states; ++i) {
    StateGraph::State& state = graph.states.emplace_back();
    state.letter = below(random, 1u << atoms);
    state.is_expanded = true;
    for (std::uint32_t doer = 0; doer < doers; ++doer)
      for (std::uint32_t edge = 0, count = below(random, 5); edge < (count == 4 ? 2 : count > 0 ? 1 : 0); ++edge)
        state.edges.push_back({below(random, states), doer, false});
  }
  return graph;
}

std::vector<std::uint64_t> letters_of(const StateGraph& graph, const Lasso& lasso) {
  std::vector<std::uint64_t> letters;
  for (const auto* part : {&lasso.stem, &lasso.loop})
    for (const Lasso::Step& step : *part) letters.push_back(graph.states[step.state].letter);
  return letters;
}

// Calls `visit` with each lasso of at most `longest` steps, until it returns true.
bool for_each_lasso(const StateGraph& graph, std::size_t longest, const std::function<bool(const Lasso&)>& visit) {
  std::vector<Lasso::Step> path;
  const std::function<bool(std::uint32_t)> go = [&](std::uint32_t at) {
    for (std::size_t begin = 0; begin < path.size(); ++begin) {
      if (path[begin].state != at) continue;
      const auto middle = path.begin() + static_cast<std::ptrdiff_t>(begin);
      if (visit({{path.begin(), middle}, {middle, path.end()}})) return true;
    }
    if (path.size() == longest) return false;
    const StateGraph::State& state = graph.states[at];
    if (state.edges.empty()) {
      if (!path.empty() && path.back().state == at) return false;
      path.push_back({at, Lasso::stutter});
      const bool done = go(at);
      path.pop_back();
      return done;
    }
    for (std::uint32_t i = 0; i < state.edges.size(); ++i) {
      path.push_back({at, i});
      const bool done = go(state.edges[i].target);
      path.pop_back();
      if (done) return true;
    }
    return false;
  };
  return go(0);
}

TemporalFormula parsed(const std::string& text) {
  auto formula = TemporalFormula::parse(text);
  INFO(text << ": " << (formula ? "" : formula.error().text));
  REQUIRE(formula);
  return std::move(formula.value());
}

std::string error_of(const std::string& text) {
  const auto formula = TemporalFormula::parse(text);
  return formula ? "none" : formula.error().text;
}

bool holds(const std::string& text, const std::vector<std::uint64_t>& letters, std::size_t loop_begin) {
  return holds_on_lasso(parsed(text), letters, loop_begin);
}

}  // namespace

TEST_CASE("ltl: operators have their meaning on words that repeat") {
  // a, the first atom in each text, is bit 0; b is bit 1.
  CHECK(holds("a && !b", {1}, 0));
  CHECK(holds("a && X b", {1, 2}, 1));
  CHECK(holds("a && F b", {1, 0, 2, 0}, 3));
  CHECK(!holds("a && G F b", {1, 0, 2, 0}, 3));
  CHECK(holds("(a || b) && G F b", {1, 0, 2, 0}, 1));
  CHECK(holds("a U b", {1, 1, 2, 0}, 3));
  CHECK(!holds("a U b", {1, 1}, 1));
  CHECK(holds("a W b", {1, 1}, 1));
  CHECK(holds("a R b", {2, 3, 0}, 2));
  CHECK(!holds("a R b", {2, 0, 3}, 2));
  CHECK(holds("G (a -> F b)", {1, 0, 2}, 0));
  CHECK(!holds("G (a -> F b)", {1, 2, 1, 0}, 3));
  CHECK(holds("a <-> b", {3}, 0));
  CHECK(!holds("a <-> b", {1}, 0));
}

TEST_CASE("ltl: precedence is that of the documentation") {
  // Each pair must be one formula: nodes are shared, so the texts give the same nodes.
  const auto same = [](const std::string& one, const std::string& other) {
    CHECK(parsed(one).nodes() == parsed(other).nodes());
  };
  same("a -> b -> c", "a -> (b -> c)");
  same("a || b && c", "a || (b && c)");
  same("a && b U c", "a && (b U c)");
  same("a U b U c", "a U (b U c)");
  same("G a && b", "(G a) && b");
  same("G F a", "G (F a)");
  same("!a && b", "(!a) && b");
  same("a -> b <-> c", "(a -> b) <-> c");
}

TEST_CASE("ltl: predicates are atoms, each once") {
  const TemporalFormula formula = parsed("G ((x@0 + 1) * 2 > sum(y) -> F x@0 == -1) && F !(x@0 == -1)");
  CHECK(formula.atom_texts() == std::vector<std::string>{"(x@0 + 1) * 2 > sum(y)", "x@0 == -1"});
  CHECK(parsed("requested -> F granted").atoms()[0].terms()[0].kind == Predicate::Term::Kind::of_only);
}

TEST_CASE("ltl: errors name the place") {
  CHECK(error_of("G (a -> F") == "character 10: the end, expected a predicate, such as busy@0 == 1, or a formula");
  CHECK(error_of("a b") == "character 3: 'b', expected an operator, such as ->, && or U, or the end");
  CHECK(error_of("(a") == "character 3: the end, expected ')'");
  CHECK(error_of("a@b") == "character 3: 'b', expected the number of an actor");
  CHECK(error_of("!a == 1") == "character 2: a comparison after '!' needs parentheses, such as !(busy@0 == 1)");
  CHECK(error_of("F 1 == 2").find("it names no value") != std::string::npos);
  CHECK(error_of("avg(x) > 1").find("accepted over the values of all ranks: sum, min, max") != std::string::npos);
  CHECK(error_of("").find("expected a predicate") != std::string::npos);
  CHECK(error_of(std::string(200, '!') + "a") == "operands are nested more than 64 deep");
}

TEST_CASE("ltl: automata accept the words on which the formula holds") {
  Random random(1);
  int held = 0, tried = 0;
  for (int i = 0; i < 4000; ++i) {
    const TemporalFormula formula = random_formula(random, 1 + below(random, 3), 1 + below(random, 7));
    std::vector<std::uint64_t> letters(1 + below(random, 6));
    for (std::uint64_t& letter : letters) letter = below(random, 8);
    const std::uint32_t loop_begin = below(random, static_cast<std::uint32_t>(letters.size()));
    const bool expected = holds_on_lasso(formula, letters, loop_begin);
    const auto against = lasso_against(formula, word_as_graph(letters, loop_begin), Fairness::none);
    REQUIRE(against);
    REQUIRE(against.value().has_value() == !expected);
    held += expected;
    ++tried;
  }
  CHECK(held > tried / 5);
  CHECK(held < tried * 4 / 5);
}

TEST_CASE("ltl: lassos of random graphs are found if brute force finds one") {
  Random random(2);
  int found = 0, none = 0, unfair_only = 0;
  for (int i = 0; i < 1500; ++i) {
    // Every second one is about the far future, where fairness counts.
    TemporalFormula formula = random_formula(random, 2, 1 + below(random, i % 2 == 0 ? 5 : 2));
    if (i % 2 == 1) {
      std::vector<TemporalFormula::Node> nodes = formula.nodes();
      const auto size = static_cast<std::uint32_t>(nodes.size());
      nodes.push_back({Code::until, 0, formula.root()});
      formula = {nodes, size, 2};
    }
    const StateGraph graph = random_graph(random, 1 + below(random, 4), 2, 2);
    const auto contradicts = [&](const Lasso& lasso) {
      return !holds_on_lasso(formula, letters_of(graph, lasso), lasso.stem.size());
    };
    bool was_found[2] = {};
    for (const Fairness fairness : {Fairness::none, Fairness::weak}) {
      const auto result = lasso_against(formula, graph, fairness);
      REQUIRE(result);
      if (const auto& lasso = result.value()) {
        REQUIRE(is_lasso_of(graph, *lasso, fairness));
        REQUIRE(contradicts(*lasso));
      } else {
        REQUIRE(!for_each_lasso(graph, 8, [&](const Lasso& lasso) {
          return is_lasso_of(graph, lasso, fairness) && contradicts(lasso);
        }));
      }
      was_found[fairness == Fairness::weak] = result.value().has_value();
    }
    CHECK((was_found[0] || !was_found[1]));
    ++(was_found[1] ? found : none);
    unfair_only += was_found[0] && !was_found[1];
  }
  CHECK(found > 200);
  CHECK(none > 200);
  CHECK(unfair_only > 20);
}

TEST_CASE("ltl: a loop that neglects a doer is no endless lasso under weak fairness") {
  StateGraph graph;  // doer 0 spins; doer 1 could end it
  graph.states.push_back({0, true, {{0, 0, false}, {1, 1, false}}});
  graph.states.push_back({0, true, {}});
  CHECK(endless_lasso(graph, Fairness::none));
  CHECK(!endless_lasso(graph, Fairness::weak));
  graph.states[1].edges.push_back({1, 0, false});  // it goes on
  const auto lasso = endless_lasso(graph, Fairness::weak);
  REQUIRE(lasso);
  CHECK(is_lasso_of(graph, *lasso, Fairness::weak));
  CHECK(lasso->loop.front().state == 1);
  graph.states[1].edges[0].is_left_out = true;
  CHECK(!endless_lasso(graph, Fairness::weak));
}

TEST_CASE("ltl: states that were not expanded are no ends") {
  StateGraph graph;
  graph.states.push_back({0, false, {}});
  const TemporalFormula formula = parsed("F a");
  CHECK(!lasso_against(formula, graph, Fairness::weak).value());
  graph.states[0].is_expanded = true;
  CHECK(lasso_against(formula, graph, Fairness::weak).value());
}

}  // namespace rehearse::mc
