// SPDX-License-Identifier: MIT
//
// The analysis of samples: modes, orders, clusters, rules, common effects, drift, scaling and memory bandwidth, on
// samples whose parameters are known.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "manynode/analysis.hpp"
#include "manynode/random.hpp"
#include "simcore/support/portable_math.hpp"

namespace rehearse::manynode::profile_test {
namespace {

// Draws one after the other.
class Sequence {
 public:
  explicit Sequence(std::uint64_t seed) : seed_(seed) {}
  double uniform() { return manynode::uniform({seed_, 0, 0, 0, count_++}); }
  double normal() { return portable_normal_quantile(uniform()); }
  double lognormal(double mean, double sigma) { return mean * std::exp(sigma * normal() - sigma * sigma / 2); }

 private:
  std::uint64_t seed_;
  std::uint32_t count_ = 0;
};

using Labels = std::vector<std::uint32_t>;

Labels repeated(const Labels& word, int times) {
  Labels labels;
  for (int i = 0; i < times; ++i) labels.insert(labels.end(), word.begin(), word.end());
  return labels;
}

CounterTable counters_of(const std::vector<std::vector<double>>& rows) {
  CounterTable table;
  for (std::size_t i = 0; i < rows.front().size(); ++i) table.names.push_back("c" + std::to_string(i));
  table.is_factor.assign(table.names.size(), false);
  for (std::uint32_t rank = 0; rank < rows.size(); ++rank) table.ranks.push_back(rank);
  table.rows = rows;
  return table;
}

// Complete linkage as its definition says: the two groups whose farthest members are nearest, again and again.
std::vector<std::vector<std::size_t>> linkage_by_definition(const CounterTable& table, double similar) {
  const std::size_t columns = table.names.size();
  std::vector<double> means(columns);
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < columns; ++c) means[c] += row[c] / static_cast<double>(table.rows.size());
  }
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < table.rows.size(); ++i) groups.push_back({i});
  const auto distance = [&](const auto& a, const auto& b) {
    double most = 0;
    for (const std::size_t i : a) {
      for (const std::size_t k : b) {
        for (std::size_t c = 0; c < columns; ++c) {
          most = std::max(most, std::abs(table.rows[i][c] - table.rows[k][c]) / means[c]);
        }
      }
    }
    return most;
  };
  while (groups.size() > 1) {
    double best = INFINITY;
    std::pair<std::size_t, std::size_t> pair;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        if (const double d = distance(groups[i], groups[k]); d < best) {
          best = d;
          pair = {i, k};
        }
      }
    }
    if (best > similar) break;
    auto& into = groups[pair.second];
    into.insert(into.end(), groups[pair.first].begin(), groups[pair.first].end());
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(pair.first));
  }
  for (auto& group : groups) std::ranges::sort(group);
  std::ranges::sort(groups);
  return groups;
}

SampleTable table_of(const std::vector<std::vector<double>>& seconds_by_rank) {
  SampleTable table;
  for (const auto& seconds : seconds_by_rank) {
    Series series{table.ranks++, {}};
    for (const double each : seconds) series.executions.push_back({series.executions.size(), each});
    table.markers["m"].push_back(std::move(series));
  }
  return table;
}

MarkerProfile only_marker(const std::vector<std::vector<double>>& seconds_by_rank) {
  const auto profile = analyse(table_of(seconds_by_rank), std::nullopt, {});
  REQUIRE(profile);
  REQUIRE(profile.value().markers.size() == 1);
  return profile.value().markers.front();
}

std::vector<std::string> rules_of(const std::vector<std::uint32_t>& kinds) {
  std::vector<std::vector<double>> rows;
  for (const std::uint32_t kind : kinds) rows.push_back({1.0 + kind});
  std::vector<std::string> rules;
  for (const RankCluster& each : cluster_ranks(counters_of(rows), 0.1)) rules.push_back(text_of(each.rule));
  return rules;
}

}  // namespace

TEST_CASE("modes: two laws are two modes, with a bound between them", "[manynode]") {
  Sequence draw(1);
  std::vector<double> samples;
  for (int i = 0; i < 4000; ++i) samples.push_back(draw.lognormal(draw.uniform() < 0.7 ? 1e-3 : 2.2e-3, 0.06));
  const auto bounds = mode_bounds(samples, 4000);
  REQUIRE(bounds.size() == 1);
  CHECK(bounds[0] > 1.2e-3);
  CHECK(bounds[0] < 1.9e-3);
  CHECK(mode_label(bounds, 1e-3) == 0);
  CHECK(mode_label(bounds, 2e-3) == 1);
}

TEST_CASE("modes: a long tail is one mode, and so are equal samples", "[manynode]") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Sequence draw(seed);
    std::vector<double> samples;
    for (int i = 0; i < 5000; ++i) samples.push_back(std::pow(draw.uniform(), -0.25));
    CHECK(mode_bounds(samples, 5000).empty());
  }
  CHECK(mode_bounds(std::vector<double>(100, 0.5), 100).empty());
}

TEST_CASE("modes: many samples, counted in cells, have the modes of few", "[manynode]") {
  Sequence draw(2);
  std::vector<double> samples;
  for (int i = 0; i < 60'000; ++i) samples.push_back(draw.lognormal(i % 3 == 0 ? 1e-3 : 3e-3, 0.05));
  const auto many = mode_bounds(samples, 60'000);
  const auto few = mode_bounds(std::span<const double>(samples).first(15'000), 15'000);
  REQUIRE(many.size() == 1);
  REQUIRE(few.size() == 1);
  CHECK(many[0] == Approx(few[0]).epsilon(0.2));
}

TEST_CASE("order: the shortest period is found, behind its prefix and in spite of misses", "[manynode]") {
  const Labels hpcg = {0, 1, 2, 2, 2, 1, 0};
  const auto plain = find_period(repeated(hpcg, 50));
  REQUIRE(plain);
  CHECK(plain->prefix == 0);
  CHECK(plain->word == hpcg);

  Labels behind(23, 3);
  const Labels word = {0, 1, 2, 2, 1};
  for (const std::uint32_t each : repeated(word, 200)) behind.push_back(each);
  const auto prefixed = find_period(behind);
  REQUIRE(prefixed);
  CHECK(prefixed->prefix == 23);
  CHECK(prefixed->word == word);

  Labels missed = repeated(word, 400);
  for (std::size_t i = 67; i < missed.size(); i += 131) missed[i] = 2 - missed[i];
  const auto tolerated = find_period(missed);
  REQUIRE(tolerated);
  CHECK(tolerated->prefix == 0);
  CHECK(tolerated->word == word);
}

TEST_CASE("order: labels of chance have no period, a chain has its transitions", "[manynode]") {
  Sequence draw(3);
  Labels chain, independent;
  std::uint32_t state = 0;
  for (int i = 0; i < 4000; ++i) {
    chain.push_back(state);
    if (draw.uniform() > 0.95) state = 1 - state;
    independent.push_back(draw.uniform() < 0.3);
  }
  const ModeOrder markov = find_order({chain}, 2);
  REQUIRE(markov.kind == ModeOrder::Kind::markov);
  CHECK(markov.transitions[0][0] == Approx(0.95).margin(0.02));
  CHECK(markov.transitions[1][0] == Approx(0.05).margin(0.02));
  CHECK(find_order({independent}, 2).kind == ModeOrder::Kind::independent);
}

TEST_CASE("order: a mode that all ranks have in the same iteration is common", "[manynode]") {
  Sequence draw(4);
  Labels common;
  for (int i = 0; i < 500; ++i) common.push_back(draw.uniform() < 0.1);
  CHECK(find_order({common, common, common}, 2).is_common);
  Labels rare;  // 99 % of one mode are no period
  for (int i = 0; i < 500; ++i) rare.push_back(i % 100 == 77);
  CHECK(find_order({rare}, 2).kind != ModeOrder::Kind::period);
  std::vector<Labels> alone(3);
  for (Labels& each : alone) {
    for (int i = 0; i < 500; ++i) each.push_back(draw.uniform() < 0.005);
  }
  CHECK_FALSE(find_order(alone, 2).is_common);  // though more than 98 % agree
}

TEST_CASE("order: draws repeat prefix and period, and follow the chain", "[manynode]") {
  const std::vector<ModeProfile> modes = {{0.25, {}, {}, {}}, {0.75, {}, {}, {}}};
  ModeOrder periodic;
  periodic.kind = ModeOrder::Kind::period;
  periodic.prefix = {1};
  periodic.period = {0, 1, 1};
  Labels drawn;
  for (std::uint64_t i = 0; i < 7; ++i) drawn.push_back(periodic.mode(modes, i, 0, 0.5));
  CHECK(drawn == Labels{1, 0, 1, 1, 0, 1, 1});
  periodic.agreement = 0.9;  // the other executions have another mode
  CHECK(periodic.mode(modes, 2, 0, 0.89) == 1);
  CHECK(periodic.mode(modes, 2, 0, 0.91) == 0);
  ModeOrder chain;
  chain.kind = ModeOrder::Kind::markov;
  chain.transitions = {{0.9, 0.1}, {0.2, 0.8}};
  CHECK(chain.mode(modes, 0, 0, 0.5) == 1);
  CHECK(chain.mode(modes, 1, 0, 0.5) == 0);
  CHECK(chain.mode(modes, 1, 1, 0.5) == 1);
}

TEST_CASE("clusters: groups are those of complete linkage by its definition", "[manynode]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Sequence draw(seed);
    std::vector<std::vector<double>> rows;
    for (int i = 0; i < 24; ++i) rows.push_back({1 + 0.5 * draw.uniform(), 5 + draw.uniform()});
    const CounterTable table = counters_of(rows);
    CHECK(cluster_rows(table, 0.1) == linkage_by_definition(table, 0.1));
  }
}

TEST_CASE("clusters: of many ranks a sample is clustered, and the others join it", "[manynode]") {
  Sequence draw(7);
  std::vector<std::vector<double>> rows;
  for (std::uint32_t rank = 0; rank < 3000; ++rank) {
    const double base = rank == 1501 ? 9 : rank % 4 == 0 ? 2 : 1;
    rows.push_back({base * (1 + 0.002 * draw.normal()), 3});
  }
  const auto clusters = cluster_ranks(counters_of(rows), 0.1);
  REQUIRE(clusters.size() == 3);
  CHECK(clusters[0].ranks.size() == 750);
  CHECK(clusters[1].ranks.size() == 2249);
  CHECK(clusters[2].ranks == std::vector<std::uint32_t>{1501});
}

TEST_CASE("clusters: rules explain ranks, and hold for other numbers of ranks", "[manynode]") {
  using Texts = std::vector<std::string>;
  CHECK(rules_of(std::vector<std::uint32_t>(8, 0)) == Texts{"all"});
  CHECK(rules_of({1, 0, 0, 0, 0, 0}) == Texts{"rank == 0", "otherwise"});
  CHECK(rules_of({1, 0, 0, 0, 0, 2}) == Texts{"rank == 0", "otherwise", "rank == P-1"});
  CHECK(rules_of({1, 0, 0, 0, 1, 0, 0, 0}) == Texts{"rank % 4 == 0", "otherwise"});
  CHECK(rules_of({0, 1, 1, 0, 2, 3, 3, 2, 0, 1, 1, 0}).back().starts_with("share"));
  const std::vector<std::uint32_t> grid = {0, 1, 1, 0, 1, 2, 2, 1, 1, 2, 2, 1, 0, 1, 1, 0};
  CHECK(rules_of(grid) == Texts{"corner of 4x4", "edge of 4x4", "interior of 4x4"});

  // A sweep from one corner: each place is a class of its own. The program's grid has the larger dimension last.
  const std::vector<std::uint32_t> sweep = {0, 1, 1, 2, 3, 4, 4, 5, 6, 7, 7, 8};
  const Texts places = rules_of(sweep);
  REQUIRE(places.size() == 9);
  CHECK(places[1] == "first,middle of 3x4");
  CHECK(places[8] == "last,last of 3x4");
  CHECK(rules_of({0, 1, 2, 3}) ==
        Texts{"first,first of 2x2", "first,last of 2x2", "last,first of 2x2", "last,last of 2x2"});

  std::vector<std::vector<double>> rows;
  for (const std::uint32_t kind : grid) rows.push_back({1.0 + kind});
  const auto clusters = cluster_ranks(counters_of(rows), 0.1);
  std::array<int, 3> sizes = {0, 0, 0};
  for (std::uint32_t rank = 0; rank < 64; ++rank) ++sizes[cluster_of(clusters, rank, 64)];
  CHECK(sizes == std::array{4, 24, 36});

  rows.clear();
  for (const std::uint32_t kind : sweep) rows.push_back({1.0 + kind});
  const auto corners = cluster_ranks(counters_of(rows), 0.05);
  CHECK(cluster_of(corners, 0, 32) == 0);  // 4 rows of 8
  CHECK(cluster_of(corners, 7, 32) == 2);
  CHECK(cluster_of(corners, 9, 32) == 4);
  CHECK(cluster_of(corners, 31, 32) == 8);
}

TEST_CASE("clusters: the texts of rules are read again", "[manynode]") {
  for (const char* text : {"all", "rank == 0", "rank == P-1", "rank % 8 == 3", "face of 4x4x4", "end of 9", "otherwise",
                           "share 0.25", "first,middle of 8x4", "last,last,first of 3x3x3"}) {
    const auto rule = parse_rule(text);
    REQUIRE(rule);
    CHECK(text_of(rule.value()) == text);
  }
  for (const char* text : {"", "rank % 8 == 8", "rank % 0 == 0", "hole of 3x3", "share 2", "edge of 3x", "rank",
                           "first of 3x3", "first,second of 3x3"}) {
    CHECK_FALSE(parse_rule(text));
  }
}

TEST_CASE("effects: deviations by rank, by iteration and of the rest are found", "[manynode]") {
  Sequence draw(8);
  std::vector<double> iterations;
  for (int i = 0; i < 200; ++i) iterations.push_back(0.1 * draw.normal());
  std::vector<std::vector<double>> seconds;
  for (int r = 0; r < 48; ++r) {
    const double rank = 0.03 * draw.normal();
    seconds.emplace_back();
    for (const double iteration : iterations) {
      seconds.back().push_back(5e-3 * std::exp(rank + iteration + 0.02 * draw.normal()));
    }
  }
  const MarkerProfile marker = only_marker(seconds);
  REQUIRE(marker.modes.size() == 1);
  REQUIRE(marker.effects);
  CHECK(marker.effects->are_significant);
  CHECK(marker.effects->rank_sd == Approx(0.03).epsilon(0.3));
  CHECK(marker.effects->iteration_sd == Approx(0.1).epsilon(0.15));
  CHECK(marker.effects->residual_sd == Approx(0.02).epsilon(0.05));
  CHECK_FALSE(marker.drift);  // 9,600 samples, but only 200 independent iterations
  // Draws with effects have the mean of the samples.
  REQUIRE(marker.modes[0].residuals);
  const double variance = std::pow(marker.effects->rank_sd, 2) + std::pow(marker.effects->iteration_sd, 2);
  CHECK(marker.modes[0].residuals->mean() * std::exp(variance / 2) == Approx(marker.modes[0].distribution.mean()));
  CHECK(marker.modes[0].residuals->deviation() / marker.modes[0].residuals->mean() == Approx(0.02).epsilon(0.05));
}

TEST_CASE("effects: independent times have none", "[manynode]") {
  int significant = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Sequence draw(seed);
    std::vector<std::vector<double>> table(8);
    for (auto& row : table) {
      for (int i = 0; i < 100; ++i) row.push_back(0.2 * draw.normal());
    }
    significant += effects_of(table).are_significant;
  }
  CHECK(significant <= 1);  // p < 0.001 twice
}

TEST_CASE("drift: times that rise have one, equally distributed ones do not", "[manynode]") {
  Sequence draw(9);
  std::vector<double> rising, steady;
  for (int i = 0; i < 900; ++i) {
    rising.push_back(draw.lognormal(1e-3 + 3e-7 * i, 0.2));
    steady.push_back(draw.lognormal(1e-3, 0.2));
  }
  CHECK_FALSE(only_marker({steady}).drift);
  const MarkerProfile marker = only_marker({rising});
  REQUIRE(marker.drift);
  REQUIRE(marker.drift->thirds.size() == 3);
  CHECK(marker.drift->thirds[2].mean() > 1.1 * marker.drift->thirds[0].mean());
  CHECK(marker.drift->third(0) == 0);
  CHECK(marker.drift->third(450) == 1);
  CHECK(marker.drift->third(5000) == 2);
}

TEST_CASE("profile: equal times are constant, and few samples are a warning", "[manynode]") {
  CHECK(only_marker({std::vector<double>(300, 2e-3)}).order.kind == ModeOrder::Kind::constant);
  const auto profile = analyse(table_of({{1e-3, 2e-3, 1.5e-3}}), std::nullopt, {});
  REQUIRE(profile);
  REQUIRE(profile.value().warnings.size() == 1);
  CHECK(profile.value().warnings[0] ==
        "1 of 1 markers have fewer than 100 samples (the fewest: 3 of 'm' in cluster 0), so their distributions and "
        "tails are not known well");
}

TEST_CASE("scaling: the term is found, and no term where none helps", "[manynode]") {
  const auto fit = [](double (*law)(double)) {
    Sequence draw(10);
    std::vector<SizedValue> values;
    for (const std::uint32_t ranks : {8u, 16u, 32u, 64u, 128u}) {
      for (int i = 0; i < 8; ++i) values.push_back({ranks, law(ranks) * (1 + 0.003 * draw.normal())});
    }
    return fit_scaling(values);
  };
  const ScalingFit log = fit([](double p) { return 2 + 0.31 * std::log2(p); });
  CHECK(log.term == "log2(P)");
  CHECK(log.at(4096) == Approx(2 + 0.31 * 12).epsilon(0.05));
  CHECK(fit([](double) { return 3.3; }).at(4096) == Approx(3.3).epsilon(0.02));  // whatever term the noise suggests
  CHECK(fit_scaling(std::vector<SizedValue>{{8, 2}, {16, 2.001}, {32, 1.999}, {64, 2}}).term == "1");
  CHECK(fit([](double p) { return 1 + 5 / std::cbrt(p); }).term == "P^(-1/3)");
  CHECK(fit([](double p) { return 1.5 + 0.002 * p; }).term == "P");
  CHECK(log.supports(4096));
  CHECK_FALSE(log.supports(4097));
  CHECK_FALSE(log.supports(4));
}

TEST_CASE("memory: the part that is bound by memory, and the ranks that use all of it", "[manynode]") {
  const MemoryShare truth{0.6, 3};
  std::vector<SizedValue> times;
  for (const std::uint32_t ranks : {1u, 2u, 4u, 8u, 16u}) times.push_back({ranks, 5e-3 * truth.factor(ranks)});
  const MemoryShare found = fit_memory_share(times);
  CHECK(found.part == Approx(0.6).epsilon(0.05));
  CHECK(found.ranks_at_bandwidth == Approx(3).epsilon(0.05));
  CHECK(fit_memory_share(std::vector<SizedValue>{{1, 2e-3}, {2, 2e-3}, {4, 2e-3}}).part == 0);
}

TEST_CASE("samples: a fault names its file, line, value and what is accepted", "[manynode]") {
  const auto fault = [](std::string_view text) {
    SampleTable table;
    const auto read = read_samples(text, "f.csv", table);
    if (!read) return read.error().text;
    const auto done = finish(table);
    return done ? "" : done.error().text;
  };
  const std::string head = "rank,marker,iteration,seconds\n";
  CHECK(fault(head + "0,m,0,1e-3\n\n# comment\n0,m,1,2e-3\n").empty());
  CHECK(fault("") == "f.csv: empty, expected a header with rank,marker,iteration,seconds");
  CHECK(fault("rank,marker,seconds\n") ==
        "f.csv:1: no column 'iteration', expected a header with rank,marker,iteration,seconds");
  CHECK(fault(head) == "f.csv: no samples, expected at least one line behind the header");
  CHECK(fault(head + "0,m,0\n") == "f.csv:2: 3 fields, expected 4 as in the header");
  CHECK(fault(head + "-1,m,0,1\n") == "f.csv:2: rank '-1', expected a whole number from 0 to 16777215");
  CHECK(fault(head + "0,m,0,1\n0,m,1,nan\n") == "f.csv:3: seconds 'nan', expected a number");
  CHECK(fault(head + "0,m,0,-1\n") == "f.csv:2: seconds '-1', expected a time of at least 0");
  CHECK(fault(head + "0,m,0,1\n0,m,0,1\n") ==
        "samples: iteration 0 of marker 'm' on rank 0 is there twice, expected the samples of one run");
  CHECK(read_counters("rank\n0\n", "c").error().text == "c: no counters, expected a column besides 'rank'");
  CHECK(read_counters("rank,a\n0,1\n0,2\n", "c").error().text == "c:3: rank '0', expected each rank once");
  CHECK(read_scaling("ranks,value\n8,1\n16,2\n", "s").error().text ==
        "s: 2 numbers of ranks, expected at least 3 for a law of scaling");
}

}  // namespace rehearse::manynode::profile_test
