// SPDX-License-Identifier: MIT
//
// Alterations of traces: their texts, random factors, and the operations that are asked for.
#include "trace/alterations.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <variant>

#include "tests/support/temporary_file.hpp"
#include "trace/replayed_program.hpp"

namespace rehearse::trace {
namespace {

using testing::TemporaryFile;

std::unique_ptr<ReplayedProgram> altered(const TemporaryFile& file, const Alterations& alterations) {
  auto program = open_program(file.path(), Wildcards::recorded);
  if (!program) FAIL(program.error().text);
  auto result = alter(std::move(program.value()), alterations);
  if (!result) FAIL(result.error().text);
  return std::move(result.value());
}

double flops_of(ReplayedProgram& program, std::uint32_t rank) { return std::get<Compute>(program.next({rank})).flops; }

}  // namespace

TEST_CASE("alterations: factors of computation have a place or ranks", "[trace]") {
  const auto items = parse_compute_factors("0.5,x_solve=1/3,rank:2=4,rank:0-1=0,lu.f:27=2,src/lu.f:rhs=1e1");
  REQUIRE(items);
  REQUIRE(items.value().size() == 6);
  CHECK(items.value()[0].factor == 0.5);
  CHECK_FALSE(items.value()[0].has_place());
  CHECK(items.value()[1].factor == Approx(1.0 / 3));
  CHECK(items.value()[1].function == "x_solve");
  CHECK(items.value()[2].fits_rank(2));
  CHECK_FALSE(items.value()[2].fits_rank(3));
  CHECK(items.value()[3].fits_rank(0));
  CHECK(items.value()[3].fits_rank(1));
  CHECK_FALSE(items.value()[3].fits_rank(2));
  CHECK(items.value()[4].fits_place("/home/me/lu.f", "rhs", 27));
  CHECK_FALSE(items.value()[4].fits_place("/home/me/lu.f", "rhs", 28));
  CHECK_FALSE(items.value()[4].fits_place("/home/me/blu.f", "rhs", 27));
  CHECK(items.value()[5].fits_place("/home/me/src/lu.f", "rhs", 1));
  CHECK_FALSE(items.value()[5].fits_place("/home/me/src/lu.f", "lhs", 1));
}

TEST_CASE("alterations: a name with two colons is a function", "[trace]") {
  const auto items = parse_compute_factors("solver::step=2,a.cpp:solver::step=2");
  REQUIRE(items);
  CHECK(items.value()[0].function == "solver::step");
  CHECK(items.value()[0].file.empty());
}

TEST_CASE("alterations: texts that are none are refused", "[trace]") {
  for (const char* text :
       {"", "x", "-1", "1/0", "a=b", "=2", "rank:=2", "rank:3-1=2", "1,,2", "f:0=2", "nan", "1/2/3"}) {
    INFO(text);
    CHECK_FALSE(parse_compute_factors(text));
  }
  for (const char* text : {"normal", "normal:", "normal:x", "normal:1,2", "uniform:1", "uniform:2,1", "no-such-file"}) {
    INFO(text);
    CHECK_FALSE(parse_noise(text));
  }
}

TEST_CASE("alterations: noise has the mean and deviation of its law", "[trace]") {
  struct Law {
    const char* text;
    double mean, deviation;
  };
  for (const Law& law : {Law{"normal:0.1", 1, 0.1}, Law{"lognormal:0.1", 1, std::sqrt(std::exp(0.01) - 1)},
                         Law{"uniform:0.5,1.5", 1, 1 / std::sqrt(12.0)}, Law{"exponential:0.2", 1.2, 0.2}}) {
    INFO(law.text);
    const auto noise = parse_noise(law.text);
    REQUIRE(noise);
    double sum = 0, squares = 0;
    constexpr int count = 100'000;
    for (int i = 0; i < count; ++i) {
      const double factor = noise.value().factor(i % 7, i / 7);
      sum += factor;
      squares += factor * factor;
    }
    const double mean = sum / count;
    CHECK(std::abs(mean - law.mean) < 5 * law.deviation / std::sqrt(count));
    CHECK(std::sqrt(squares / count - mean * mean) == Approx(law.deviation).epsilon(0.02));
  }
}

TEST_CASE("alterations: noise depends on the seed, the rank and the number of the burst", "[trace]") {
  Noise noise = parse_noise("normal:0.1").value();
  const double first = noise.factor(3, 5);
  CHECK(noise.factor(3, 5) == first);
  CHECK(noise.factor(3, 6) != first);
  CHECK(noise.factor(5, 3) != first);
  noise.seed = 2;
  CHECK(noise.factor(3, 5) != first);
}

TEST_CASE("alterations: noise from a file takes its factors", "[trace]") {
  const TemporaryFile file("# factors\n1\n 2.5 \n");
  const auto noise = parse_noise(file.path());
  REQUIRE(noise);
  for (std::uint64_t burst = 0; burst < 50; ++burst) {
    const double factor = noise.value().factor(0, burst);
    CHECK((factor == 1 || factor == 2.5));
  }
  const TemporaryFile wrong("1\n-2\n");
  REQUIRE_FALSE(parse_noise(wrong.path()));
}

TEST_CASE("alterations: volumes of ranks are multiplied by all factors that fit", "[trace]") {
  const TemporaryFile file("0 compute 100\n1 compute 100\n2 compute 100\n");
  Alterations alterations;
  alterations.compute = parse_compute_factors("0.5,rank:1-2=4,rank:2=3").value();
  alterations.rank_factors = {1, 1, 10};
  const auto program = altered(file, alterations);
  CHECK(flops_of(*program, 0) == 50);
  CHECK(flops_of(*program, 1) == 200);
  CHECK(flops_of(*program, 2) == 6000);
}

TEST_CASE("alterations: sizes of messages and of contributions are rounded", "[trace]") {
  const TemporaryFile file("0 isend 1 0 101\n1 recv 0 0 101\n0 alltoallv 3 1 2 3 1 2\n1 alltoallv 3 1 2 3 1 2\n");
  Alterations alterations;
  alterations.bytes_factor = 0.5;
  const auto program = altered(file, alterations);
  CHECK(std::get<Send>(program->next({0})).data.size() == 51);
  CHECK(std::get<Post>(program->next({1})).capacity_bytes == 51);
  program->resume({0}, {});
  const auto& collective = std::get<Collective>(program->next({0}));
  REQUIRE(collective.segment_bytes.size() == 2);
  CHECK(collective.segment_bytes[0] == 1);
  CHECK(collective.segment_bytes[1] == 1);
  CHECK(collective.contribution.size() == 2);
}

TEST_CASE("alterations: a speed counts in place of that of the host", "[trace]") {
  const TemporaryFile file("0 compute 100\n1 compute 100\n");
  Alterations alterations;
  alterations.speeds.emplace_back().factor = 4;
  alterations.speeds.push_back(parse_place("x_solve").value());  // the trace has no such place
  alterations.host_speeds = {2, 8};
  alterations.compute = parse_compute_factors("rank:1=3").value();
  const auto program = altered(file, alterations);
  CHECK(flops_of(*program, 0) == 50);
  CHECK(flops_of(*program, 1) == 600);
}

TEST_CASE("alterations: a place alone has a text", "[trace]") {
  for (const char* text : {"x_solve", "lu.c:x_solve", "lu.c:12"}) {
    const auto place = parse_place(text);
    REQUIRE(place);
    CHECK(text_of(*place) == text);
  }
  CHECK_FALSE(parse_place(""));
  CHECK_FALSE(parse_place("lu.c:"));
}

TEST_CASE("alterations: a selection that fits nothing is an error", "[trace]") {
  const TemporaryFile file("0 compute 100\n1 compute 100\n");
  for (const char* text : {"x_solve=2", "rank:2=1"}) {
    auto program = open_program(file.path(), Wildcards::recorded);
    REQUIRE(program);
    Alterations alterations;
    alterations.compute = parse_compute_factors(text).value();
    CHECK_FALSE(alter(std::move(program.value()), alterations));
  }
}

}  // namespace rehearse::trace
