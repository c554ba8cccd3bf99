// SPDX-License-Identifier: MIT
//
// Generated platforms: valid, connected, the same for the same seed.
#include "simcore/platform_generator.hpp"

#include <catch2/catch.hpp>

#include "simcore/platform.hpp"
#include "tests/support/temporary_file.hpp"

using namespace rehearse;
using Kind = GeneratorOptions::Kind;

namespace {

std::string generated(const GeneratorOptions& options) {
  auto text = generate_platform(options);
  if (!text) FAIL(text.error().text);
  return text.value();
}

Platform loaded(const std::string& text) {
  const rehearse::testing::TemporaryFile file(text);
  auto platform = make_platform(file.path());
  if (!platform) FAIL(platform.error().text);
  return std::move(platform.value());
}

void check_connected(const Platform& platform) {
  for (std::uint32_t a = 0; a < platform.hosts().size(); ++a)
    for (std::uint32_t b = 0; b < platform.hosts().size(); ++b) REQUIRE(platform.find_route({a}, {b}));
}

}  // namespace

TEST_CASE("platform generator: every graph is connected and loads", "[simcore][platform]") {
  GeneratorOptions options;
  options.kind =
      GENERATE(Kind::star, Kind::clique, Kind::uniform, Kind::waxman, Kind::exponential, Kind::barabasi_albert);
  options.nodes = GENERATE(1u, 2u, 30u);
  options.alpha = 0.2;
  for (options.seed = 0; options.seed < 5; ++options.seed) {
    const Platform platform = loaded(generated(options));
    CHECK(platform.hosts().size() == options.nodes);
    check_connected(platform);
  }
}

TEST_CASE("platform generator: promoters decide which nodes become hosts, routers and clusters",
          "[simcore][platform]") {
  GeneratorOptions options;
  options.kind = Kind::star;  // a centre of degree 15, and 15 nodes of degree 1
  options.promoters = {{Promoter::Role::cluster, 2, 99, 1}, {Promoter::Role::host, 0, 1, 0.5}};
  options.cluster_hosts = {3, 5};
  const Platform platform = loaded(generated(options));
  check_connected(platform);
  std::size_t single = 0, clustered = 0;
  for (const Host& host : platform.hosts()) host.name.starts_with("node-0-") ? ++clustered : ++single;
  CHECK(clustered >= 3);
  CHECK(clustered <= 5);
  CHECK(single > 2);
  CHECK(single < 13);
  options.promoters = {{Promoter::Role::host, 100, 200, 1}};
  CHECK_THAT(generate_platform(options).error().text, Catch::Contains("none of the 16 nodes"));
}

TEST_CASE("platform generator: equal seeds give equal files", "[simcore][platform]") {
  GeneratorOptions options;
  options.kind = Kind::barabasi_albert;
  options.nodes = 50;
  options.promoters = {{Promoter::Role::cluster, 4, 99, 0.7}, {Promoter::Role::host, 0, 99, 0.9}};
  options.speed = {1e9, 4e9};
  const std::string first = generated(options);
  CHECK(generated(options) == first);
  options.seed = 2;
  CHECK(generated(options) != first);
  check_connected(loaded(first));
}

TEST_CASE("platform generator: clusters can consist of clusters", "[simcore][platform]") {
  GeneratorOptions options;
  options.kind = Kind::clusters;
  options.sizes = {2, 3, 4};
  const Platform platform = loaded(generated(options));
  CHECK(platform.hosts().size() == 24);
  check_connected(platform);
  CHECK(platform.find_route({0}, {3}).value().links.size() == 2);
  CHECK(platform.find_route({0}, {23}).value().links.size() == 6);
}

TEST_CASE("platform generator: wrong options are refused", "[simcore][platform]") {
  using Catch::Contains;
  const auto error = [](auto change) {
    GeneratorOptions options;
    change(options);
    const auto text = generate_platform(options);
    return text ? "nothing" : text.error().text;
  };
  CHECK_THAT(error([](auto& o) { o.nodes = 0; }), Contains("nodes"));
  CHECK_THAT(error([](auto& o) { o.kind = Kind::clique, o.nodes = 5000; }), Contains("1 to 2000"));
  CHECK_THAT(error([](auto& o) { o.alpha = 2; }), Contains("alpha"));
  CHECK_THAT(error([](auto& o) { o.cluster_hosts = {1, 1e6}; }), Contains("1000000 hosts"));
  CHECK_THAT(error([](auto& o) { o.kind = Kind::clusters, o.sizes = {99999, 99999}; }), Contains("1 to 8 numbers"));
  CHECK_THAT(parse_promoter("host:1:2").error().text, Contains("from 0 to 1"));
  CHECK_THAT(parse_promoter("toast:1:1").error().text, Contains("host, cluster or router"));
  CHECK_THAT(parse_promoter("host:3-1:1").error().text, Contains("N-M"));
  CHECK(parse_promoter("cluster:3-:0.5").value().degree_max > 1'000'000);
  CHECK(parse_promoter("cluster:3:0.5").value().degree_max == 3);
  CHECK_THAT(parse_speed_distribution("2Gf..1Gf").error().text, Contains("ends before"));
  CHECK(parse_bandwidth_distribution("1MBps..2MBps").value().upper_end() == 2e6);
  CHECK_THAT(parse_count_distribution("x").error().text, Contains("'x'"));
  CHECK_THAT(error([](auto& o) { o.kind = Kind::transit_stub, o.sizes = {2, 3}; }), Contains("4 numbers"));
  CHECK_THAT(error([](auto& o) { o.kind = Kind::n_level, o.sizes = {400, 400}; }), Contains("100000 nodes"));
  CHECK_THAT(error([](auto& o) { o.kind = Kind::n_level, o.sizes = {2, 20000}; }), Contains("10000 for its kind"));
  CHECK_THAT(error([](auto& o) { o.kind = Kind::n_level, o.sizes = {2}, o.inner = {Kind::clusters}; }),
             Contains("without sizes"));
  CHECK_THAT(error([](auto& o) { o.speed = {0, 1}; }), Contains("speed: value 0 given"));
  CHECK_THAT(error([](auto& o) {
               o.cores = AttributeDistribution(AttributeDistribution::Normal{-4, 1});
             }),
             Contains("cores: mean -4 given"));
  CHECK_THAT(error([](auto& o) {
               o.promoters = {{Promoter::Role::cluster}}, o.nodes = 1000;
               o.cluster_hosts = AttributeDistribution(AttributeDistribution::Exponential{5000});
             }),
             Contains("more than 1000000 hosts"));
  CHECK_THAT(parse_sizes("2x5..3").error().text, Contains("2x5..3"));
  CHECK_THAT(parse_inner_kind("n-level").error().text, Contains("barabasi-albert"));
  CHECK_THAT(parse_degrees("4-2").error().text, Contains("N-M"));
  CHECK_THAT(parse_generator_kind("ring").error().text, Contains("waxman"));
}
