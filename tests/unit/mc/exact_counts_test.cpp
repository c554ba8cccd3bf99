// SPDX-License-Identifier: MIT
//
// Families of programs whose number of classes has a formula: small members by both ways of exploring, and the largest
// that takes no time. What explore_test.cpp has (single programs, counts by enumeration) is not repeated here.
//
// Source: Enea et al., Model Checking Distributed Protocols in Must, OOPSLA 2024 (the first four, and workers); the
//         formulas of the others are those of permutations, and were reproduced by enumeration for small sizes.
#include <catch2/catch.hpp>
#include <functional>

#include "mc/explore.hpp"
#include "tests/support/litmus.hpp"

using namespace rehearse;
using namespace rehearse::mc;

namespace {

using Number = std::uint64_t;

struct Counts {
  Number executions = 0, blocked = 0, duplicates = 0;
  bool operator==(const Counts&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Counts& counts) {
  return out << counts.executions << " executions, " << counts.blocked << " blocked, " << counts.duplicates
             << " duplicates";
}

// Of a program that is explored until the end. Without reduction, duplicates are what they are.
Counts counts_of(const std::string& text, Reduction reduction) {
  const std::unique_ptr<Program> program = tests::make_litmus(text);
  ExploreOptions options;
  options.strategy.reduction = reduction;
  const Verdict v = explore(*program, options, [](const Outcome&, const Describe&) { return std::vector<Finding>(); });
  REQUIRE(v.exhaustive);
  return {v.executions, v.blocked, reduction == Reduction::matching ? v.duplicates : 0};
}

void check_both(const std::string& text, Number executions, Number blocked = 0) {
  INFO(text);
  CHECK(counts_of(text, Reduction::matching) == Counts{executions, blocked});
  CHECK(counts_of(text, Reduction::none) == Counts{executions, blocked});
}

void check_matching(const std::string& text, Number executions, Number blocked = 0) {
  INFO(text);
  CHECK(counts_of(text, Reduction::matching) == Counts{executions, blocked});
}

std::string times(Number n, const std::string& operation) {
  std::string text;
  for (Number i = 0; i < n; ++i) text += operation + " ; ";
  return text;
}

std::string number(Number n) { return std::to_string(n); }
std::string line(Number actor, const std::string& code) { return number(actor) + ": " + code + "\n"; }

// Actors first to last, each with the code that the function gives for it.
std::string lines(Number first, Number last, const std::function<std::string(Number)>& code) {
  std::string text;
  for (Number actor = first; actor <= last; ++actor) text += line(actor, code(actor));
  return text;
}

// Actor 0 does this, and actors 1 to n send it `messages` with tag 0.
std::string with_senders(const std::string& receiver, Number n, Number messages = 1) {
  return line(0, receiver) + lines(1, n, [&](Number) { return times(messages, "send 0 0"); });
}

Number factorial(Number n) { return n < 2 ? 1 : n * factorial(n - 1); }

Number power(Number base, Number exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

}  // namespace

TEST_CASE("exact counts: one receive takes the message of any of n senders", "[mc]") {
  for (const Number n : {1, 2, 3, 4}) check_both(with_senders("recv * 0", n), n);
  for (const Number n : {5, 8, 60}) check_matching(with_senders("recv * 0", n), n);
}

TEST_CASE("exact counts: n receives take the messages of n senders in every order", "[mc]") {
  for (const Number n : {2, 3, 4}) check_both(with_senders(times(n, "recv * 0"), n), factorial(n));
  check_matching(with_senders(times(8, "recv * 0"), 8), 40'320);
}

TEST_CASE("exact counts: named receives have one class", "[mc]") {
  const auto by_tag = [](Number n) {
    std::string receives;
    for (Number sender = 1; sender <= n; ++sender) receives += "recv * " + number(sender) + " ; ";
    return line(0, receives) + lines(1, n, [](Number sender) { return "send 0 " + number(sender); });
  };
  const auto by_source = [](Number n) {
    std::string receives;
    for (Number sender = n; sender > 0; --sender) receives += "recv " + number(sender) + " * ; ";
    return with_senders(receives, n);
  };
  for (const Number n : {2, 4}) check_both(by_tag(n), 1);
  for (const Number n : {2, 4}) check_both(by_source(n), 1);
  for (const Number n : {50, 300}) check_matching(by_tag(n), 1);
  for (const Number n : {50, 300}) check_matching(by_source(n), 1);
}

TEST_CASE("exact counts: a collector of workers reports to an actor that also gets another message", "[mc]") {
  const auto workers = [](Number n) {
    return line(0, "send 0 0 ; recv * 0") + lines(1, n, [&](Number) { return "send " + number(n + 1) + " 0"; }) +
           line(n + 1, times(n, "recv * 0") + "send 0 0");
  };
  for (const Number n : {2, 3}) check_both(workers(n), 2 * factorial(n));
  check_matching(workers(7), 10'080);
}

TEST_CASE("exact counts: a named receive after a wildcard starves if the wildcard took its message", "[mc]") {
  check_both("0: recv * 0 ; recv 2 0\n1: send 0 0\n2: send 0 0\n", 2, 1);
  for (const Number n : {3, 20}) check_matching(with_senders("recv * 0 ; recv 1 0", n), n, 1);
}

TEST_CASE("exact counts: several messages of each sender come in every order that keeps channels", "[mc]") {
  const auto count = [](Number k, Number n) { return factorial(k * n) / power(factorial(k), n); };
  const auto program = [](Number k, Number n) { return with_senders(times(k * n, "recv * 0"), n, k); };
  check_both(program(2, 2), count(2, 2));
  check_both(program(3, 2), count(3, 2));
  check_both(program(2, 3), 90);
  check_matching(program(2, 4), 2520);
  check_matching(program(3, 3), 1680);
  check_matching(program(4, 3), 34'650);
}

TEST_CASE("exact counts: the orders at two hubs are combined", "[mc]") {
  const auto hubs = [](Number n) {
    return lines(0, 1, [&](Number) { return times(n, "recv * 0"); }) +
           lines(2, n + 1, [](Number) { return "send 0 0 ; send 1 0"; });
  };
  check_both(hubs(2), 4);
  check_both(hubs(3), 36);
  check_matching(hubs(4), 576);
  check_matching(hubs(5), 14'400);
}

TEST_CASE("exact counts: all send to all, and receive in any order or post all receives first", "[mc]") {
  const auto program = [](Number n, bool posted) {
    return lines(0, n - 1, [&](Number self) {
      std::string receives, sends;
      for (Number peer = 0; peer < n; ++peer)
        if (peer != self) sends += "send " + number(peer) + " 0 ; ";
      if (!posted) return sends + times(n - 1, "recv * 0");
      std::string waits;
      for (Number i = 0; i + 1 < n; ++i) {
        const std::string request(1, static_cast<char>('a' + i));
        receives += "irecv * 0 " + request + " ; ";
        waits += "wait " + request + " ; ";
      }
      return receives + sends + waits;
    });
  };
  for (const bool posted : {false, true}) {
    check_matching(program(3, posted), 8);
    check_matching(program(4, posted), 1296);
  }
  check_both(program(2, false), 1);
  check_both(program(3, false), 8);
}

TEST_CASE("exact counts: the orders of rounds between barriers are combined", "[mc]") {
  const auto rounds = [](Number n, Number r) {
    return line(0, times(r, times(n, "recv * 0") + "barrier")) +
           lines(1, n, [&](Number) { return times(r, "send 0 0 ; barrier"); });
  };
  check_both(rounds(2, 2), 4);
  check_both(rounds(2, 3), 8);
  check_matching(rounds(3, 2), 36);
  check_matching(rounds(3, 4), 1296);
  check_matching(rounds(4, 3), 13'824);
}

TEST_CASE("exact counts: messages with two tags, received by tag and with any tag", "[mc]") {
  const auto program = [](const std::string& receives) {
    return line(0, receives) + lines(1, 4, [](Number sender) { return "send 0 " + number(sender / 3); });
  };
  check_both(program("recv * 0 ; recv * 0 ; recv * 1 ; recv * 1"), 4);
  check_both(program("recv * 1 ; recv * 0 ; recv * 1 ; recv * 0"), 4);
  check_both(program(times(4, "recv * *")), 24);
}

TEST_CASE("exact counts: posted wildcard receives, waited for in any order", "[mc]") {
  const auto program = [](Number n, bool reversed) {
    std::string posts, waits;
    for (Number i = 0; i < n; ++i) {
      posts += "irecv * 0 " + std::string(1, static_cast<char>('a' + i)) + " ; ";
      waits += "wait " + std::string(1, static_cast<char>('a' + (reversed ? n - 1 - i : i))) + " ; ";
    }
    return with_senders(posts + waits, n);
  };
  for (const bool reversed : {false, true}) {
    check_both(program(2, reversed), 2);
    check_both(program(3, reversed), 6);
    check_matching(program(6, reversed), 720);
    check_matching(program(7, reversed), 5040);
  }
}

TEST_CASE("exact counts: wildcards in a ring have one class", "[mc]") {
  const auto ring = [](Number n) {
    return lines(0, n - 1, [&](Number self) {
      const std::string on = "send " + number((self + 1) % n) + " 0";
      return self == 0 ? on + " ; recv * 0" : "recv * 0 ; " + on;
    });
  };
  for (const Number n : {2, 4}) check_both(ring(n), 1);
  for (const Number n : {16, 200}) check_matching(ring(n), 1);
}

TEST_CASE("exact counts: each of n readers has, or does not yet have, the message of a writer", "[mc]") {
  const auto readers = [](Number n) {
    std::string sends;
    for (Number reader = 1; reader <= n; ++reader) sends += "send " + number(reader) + " 0 ; ";
    return line(0, sends) + lines(1, n, [](Number) { return "iprobe 0 0 ; recv 0 0"; });
  };
  for (const Number n : {1, 2, 3}) check_both(readers(n), power(2, n));
  check_matching(readers(12), 4096);
}

TEST_CASE("exact counts: of k polls for one message, all after the first yes answer yes", "[mc]") {
  const auto probes = [](Number k) { return with_senders(times(k, "iprobe 1 0") + "recv 1 0", 1); };
  const auto tests = [](Number k) { return with_senders("irecv 1 0 a ; " + times(k, "test a") + "wait a", 1); };
  for (const Number k : {1, 2, 4, 7}) {
    check_both(probes(k), k + 1);
    check_both(tests(k), k + 1);
  }
  check_matching(probes(400), 401);
  check_matching(tests(400), 401);
}

TEST_CASE("exact counts: gather, scatter and halo exchange with named receives have one class", "[mc]") {
  const auto gather = [](Number n) {
    std::string receives;
    for (Number sender = 1; sender <= n; ++sender) receives += "recv " + number(sender) + " 0 ; ";
    return with_senders(times(3, receives), n, 3);
  };
  const auto scatter = [](Number n) {
    std::string sends;
    for (Number receiver = 1; receiver <= n; ++receiver) sends += "send " + number(receiver) + " 0 ; ";
    return line(0, times(3, sends)) + lines(1, n, [](Number) { return times(3, "recv 0 0"); });
  };
  const auto halo = [](Number n) {
    return lines(0, n - 1, [&](Number self) {
      const std::string left = number((self + n - 1) % n), right = number((self + 1) % n);
      return times(3, "irecv " + left + " 0 a ; irecv " + right + " 1 b ; isend " + right + " 0 c ; isend " + left +
                          " 1 d ; waitall a b c d");
    });
  };
  for (const auto& program : {gather(3), scatter(3), halo(3)}) check_both(program, 1);
  for (const Number n : {16, 100})
    for (const auto& program : {gather(n), scatter(n), halo(n)}) check_matching(program, 1);
}
