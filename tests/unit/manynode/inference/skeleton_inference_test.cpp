// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <functional>
#include <string>

#include "call_recorder.hpp"
#include "manynode/skeleton_inference.hpp"

namespace rehearse::manynode::tests {
namespace {

SkeletonInference infer(const std::vector<std::uint32_t>& sizes, const std::function<void(Rank&)>& program) {
  const SkeletonInference made = infer_skeleton(record(sizes, program), true);
  for (const std::string& problem : made.problems) UNSCOPED_INFO(problem);
  return made;
}

std::int64_t factor(std::int64_t ranks, bool is_larger) {
  std::int64_t small = 1;
  for (std::int64_t i = 1; i * i <= ranks; ++i)
    if (ranks % i == 0) small = i;
  return is_larger ? ranks / small : small;
}

TEST_CASE("skeleton inference: a ring is predicted for more ranks") {
  const auto ring = [](Rank& r) {
    for (int i = 0; i < 20; ++i) {
      r.irecv((r.r + r.P - 1) % r.P, 800);
      r.isend((r.r + 1) % r.P, 800);
      r.waitall();
    }
  };
  const auto made = infer({4, 8, 16}, ring);
  REQUIRE(made.skeleton);
  CHECK(made.held_back == 16 * 60);
}

TEST_CASE("skeleton inference: a line is predicted for more ranks") {
  const auto line = [](Rank& r) {
    for (int i = 0; i < 20; ++i) {
      if (r.r > 0) r.irecv(r.r - 1, 800);
      if (r.r < r.P - 1) r.isend(r.r + 1, 800);
      if (r.r < r.P - 1) r.irecv(r.r + 1, 800);
      if (r.r > 0) r.isend(r.r - 1, 800);
      r.waitall();
    }
    r.collective("allreduce", 8);
  };
  REQUIRE(infer({4, 8, 16}, line).skeleton);
}

TEST_CASE("skeleton inference: a halo in two dimensions, periodic") {
  const auto halo = [](Rank& r) {
    const std::int64_t nx = factor(r.P, true), ny = factor(r.P, false), x = r.r % nx, y = r.r / nx;
    for (int i = 0; i < 10; ++i) {
      for (const int d : {-1, 1}) r.irecv(y * nx + (x + nx + d) % nx, 8 * 960 / ny);
      for (const int d : {-1, 1}) r.irecv((y + ny + d) % ny * nx + x, 8 * 960 / nx);
      for (const int d : {1, -1}) r.isend(y * nx + (x + nx + d) % nx, 8 * 960 / ny);
      for (const int d : {1, -1}) r.isend((y + ny + d) % ny * nx + x, 8 * 960 / nx);
      r.waitall();
    }
  };
  REQUIRE(infer({4, 8, 16, 32}, halo).skeleton);
}

TEST_CASE("skeleton inference: a halo in two dimensions, open") {
  const auto halo = [](Rank& r) {
    const std::int64_t nx = factor(r.P, true), ny = factor(r.P, false), x = r.r % nx, y = r.r / nx;
    for (int i = 0; i < 10; ++i) {
      if (x > 0) r.irecv(r.r - 1, 8 * 960 / ny, 1);
      if (x < nx - 1) r.irecv(r.r + 1, 8 * 960 / ny, 1);
      if (y > 0) r.irecv(r.r - nx, 8 * 960 / nx, 1);
      if (y < ny - 1) r.irecv(r.r + nx, 8 * 960 / nx, 1);
      if (x > 0) r.isend(r.r - 1, 8 * 960 / ny, 1);
      if (x < nx - 1) r.isend(r.r + 1, 8 * 960 / ny, 1);
      if (y > 0) r.isend(r.r - nx, 8 * 960 / nx, 1);
      if (y < ny - 1) r.isend(r.r + nx, 8 * 960 / nx, 1);
      r.waitall();
      if (i % 5 == 4) r.collective("allreduce", 8);
    }
  };
  REQUIRE(infer({4, 8, 16, 64}, halo).skeleton);
}

TEST_CASE("skeleton inference: a halo in three dimensions") {
  const bool is_open = GENERATE(true, false);
  const auto halo = [is_open](Rank& r) {
    std::int64_t n = 1;
    while (n * n * n < r.P) ++n;
    const std::int64_t at[3] = {r.r / (n * n), r.r / n % n, r.r % n}, stride[3] = {n * n, n, 1};
    const auto exchange = [&](bool is_send) {
      for (int k = 0; k < 3; ++k)
        for (const int d : {-1, 1}) {
          if (is_open && (at[k] + d < 0 || at[k] + d >= n)) continue;
          const std::int64_t to = r.r + ((at[k] + d + n) % n - at[k]) * stride[k];
          if (is_send) r.isend(to, 40000, k);
          else r.irecv(to, 40000, k);
        }
    };
    for (int i = 0; i < 5; ++i) {
      exchange(false);
      exchange(true);
      r.waitall();
    }
  };
  REQUIRE(infer({8, 27, 64, 125}, halo).skeleton);
}

TEST_CASE("skeleton inference: a butterfly has a loop over its stages") {
  const auto butterfly = [](Rank& r) {
    for (int i = 0; i < 5; ++i)
      for (std::int64_t bit = 1; bit < r.P; bit *= 2) {
        r.irecv(r.r ^ bit, 8 * bit);
        r.send(r.r ^ bit, 8 * bit);
        r.wait(0);
      }
  };
  REQUIRE(infer({2, 4, 8, 16}, butterfly).skeleton);
}

TEST_CASE("skeleton inference: a master and workers in a fixed order") {
  const auto program = [](Rank& r) {
    for (int i = 0; i < 6; ++i) {
      if (r.r == 0) {
        for (std::int64_t k = 1; k < r.P; ++k) r.send(k, 1000, 1);
        for (std::int64_t k = 1; k < r.P; ++k) r.recv(k, 64, 2);
      } else {
        r.recv(0, 1000, 1);
        r.send(0, 64, 2);
      }
    }
  };
  REQUIRE(infer({4, 8, 16}, program).skeleton);
}

TEST_CASE("skeleton inference: a binomial tree") {
  const auto program = [](Rank& r) {
    std::int64_t bit = 1;
    while (bit < r.P && (r.r & bit) == 0) bit *= 2;
    if (r.r != 0) r.recv(r.r - bit, 512);
    for (bit /= 2; bit > 0; bit /= 2) r.send(r.r + bit, 512);
  };
  REQUIRE(infer({4, 8, 16, 32}, program).skeleton);
}

TEST_CASE("skeleton inference: sizes that depend on data are named") {
  const auto program = [](Rank& r) {
    for (int i = 0; i < 4; ++i) {
      r.isend((r.r + 1) % r.P, 100 + (r.r * 7919 + i * 104729 + r.P * 31) % 977);
      r.recv((r.r + r.P - 1) % r.P, absent);
      r.wait(0);
    }
  };
  const auto made = infer({4, 8, 16}, program);
  REQUIRE(!made.skeleton);
  REQUIRE(!made.problems.empty());
  CHECK(made.problems.front().find("no expression gives the size of isend: ") == 0);
}

}  // namespace
}  // namespace rehearse::manynode::tests
