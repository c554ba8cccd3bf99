// SPDX-License-Identifier: MIT
//
// Last-mile fits of made measurements, whose hosts are known.
#include "app/last_mile.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "simcore/platform_text.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/random.hpp"
#include "tests/support/temporary_file.hpp"

namespace rehearse::app {
namespace {

struct MadeHost {
  double up = 0, down = 0, latency = 0;
};

struct MadeSample {
  double part = 1;      // of the pairs that are measured
  double noise = 0;     // standard deviation of the logarithms
  double outliers = 0;  // part of the measurements that are wrong by a factor of 5
  bool is_symmetric = false;
};

double normal(SplitMix& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += random.uniform();
  return sum;
}

std::vector<MadeHost> made_hosts(SplitMix& random, std::size_t count, bool is_symmetric) {
  std::vector<MadeHost> hosts;
  for (std::size_t i = 0; i < count; ++i) {
    MadeHost host{1e6 * std::pow(100, random.uniform()), 1e6 * std::pow(100, random.uniform()),
                  1e-4 * std::pow(20, random.uniform())};
    if (is_symmetric) host.down = host.up;
    hosts.push_back(host);
  }
  return hosts;
}

std::string made_pairs(SplitMix& random, const std::vector<MadeHost>& hosts, const MadeSample& sample) {
  std::string text = "from,to,latency,bandwidth\n";
  const auto disturbed = [&](double value) {
    value *= std::exp(sample.noise * normal(random));
    if (random.uniform() < sample.outliers) value *= random.uniform() < 0.5 ? 0.2 : 5;
    return value;
  };
  for (std::size_t i = 0; i < hosts.size(); ++i)
    for (std::size_t j = 0; j < hosts.size(); ++j)
      if (i != j && random.uniform() < sample.part)
        text += fmt::format("h{},h{},{:.9g},{:.9g}\n", i, j, disturbed(hosts[i].latency + hosts[j].latency),
                            disturbed(std::min(hosts[i].up, hosts[j].down)));
  return text;
}

Result<LastMile> fitted(const std::string& csv, LastMileLinks links = LastMileLinks::automatic) {
  const rehearse::testing::TemporaryFile file(csv);
  LastMileRequest request;
  request.files = {file.path()};
  request.links = links;
  return fit_last_mile(request);
}

LastMile fit_of(const std::string& csv, LastMileLinks links = LastMileLinks::automatic) {
  auto result = fitted(csv, links);
  REQUIRE(result);
  return std::move(result.value());
}

std::string fault_of_pairs(const std::string& csv) {
  const auto result = fitted(csv);
  return result ? "none" : result.error().text;
}

double figure_of(const LastMile& fit, const char* quantity, const char* model, const char* pairs, const char* figure) {
  for (const Json& each : fit.report[quantity]["errors"])
    if (each["model"].get<std::string>() == model && each["pairs"].get<std::string>() == pairs)
      return each[figure].get<double>();
  FAIL("no such model");
  return 0;
}

std::size_t number_of_host(const Json& host) { return std::stoul(host["name"].get<std::string>().substr(1)); }

// The greatest relative errors of links with a value, which limit several pairs; counts them.
struct LinkErrors {
  double greatest = 0, mean = 0;
  int links = 0;
};

LinkErrors link_errors(const LastMile& fit, const std::vector<MadeHost>& hosts, unsigned limited_min) {
  LinkErrors errors;
  for (const Json& host : fit.report["hosts"])
    for (const auto& [name, truth] :
         {std::pair("up", hosts[number_of_host(host)].up), {"down", hosts[number_of_host(host)].down}}) {
      const Json& link = host[name];
      if (link["known"].get<std::string>() != "value" || link["limited"].get<unsigned>() < limited_min) continue;
      const double error = std::abs(link["bandwidth"].get<double>() / truth - 1);
      errors.greatest = std::max(errors.greatest, error);
      errors.mean += error;
      ++errors.links;
    }
  errors.mean /= std::max(1, errors.links);
  return errors;
}

}  // namespace

TEST_CASE("last mile: all pairs without noise give back each link that limits a pair") {
  SplitMix random(1);
  const auto hosts = made_hosts(random, 20, false);
  const LastMile fit = fit_of(made_pairs(random, hosts, {}));
  CHECK(fit.report["links"].get<std::string>() == "directed");
  CHECK(figure_of(fit, "bandwidth", "last mile, directed", "all", "greatest") < 0.01);
  CHECK(figure_of(fit, "latency", "last mile", "all", "greatest") < 1e-4);
  CHECK(figure_of(fit, "latency", "last mile", "left out", "greatest") < 1e-4);
  const LinkErrors errors = link_errors(fit, hosts, 1);
  CHECK(errors.links > 30);
  CHECK(errors.greatest < 0.01);
  for (const Json& host : fit.report["hosts"])
    CHECK(host["latency"]["seconds"].get<double>() == Approx(hosts[number_of_host(host)].latency).epsilon(1e-3));
}

TEST_CASE("last mile: a tenth of the pairs of 100 hosts, with noise, gives links and latencies within some per cent") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SplitMix random(seed);
    const auto hosts = made_hosts(random, 100, false);
    const LastMile fit = fit_of(made_pairs(random, hosts, {0.1, 0.05, 0, false}));
    CAPTURE(seed);
    CHECK(fit.report["links"].get<std::string>() == "directed");
    const LinkErrors errors = link_errors(fit, hosts, 3);
    CHECK(errors.links > 80);
    CHECK(errors.mean < 0.05);
    CHECK(errors.greatest < 0.3);
    double latency_error = 0;
    for (const Json& host : fit.report["hosts"])
      latency_error += std::abs(host["latency"]["seconds"].get<double>() / hosts[number_of_host(host)].latency - 1);
    CHECK(latency_error / 100 < 0.10);
    const double left_out = figure_of(fit, "bandwidth", "last mile, directed", "left out", "logarithmic");
    CHECK(left_out < 0.25);
    CHECK(left_out < 0.5 * figure_of(fit, "bandwidth", "means of hosts", "left out", "logarithmic"));
    CHECK(left_out < 0.3 * figure_of(fit, "bandwidth", "one value", "left out", "logarithmic"));
    CHECK(figure_of(fit, "latency", "last mile", "left out", "mean") < 0.08);
    CHECK(figure_of(fit, "latency", "means of hosts", "left out", "mean") > 0.15);
  }
}

TEST_CASE("last mile: a tenth of wrong measurements changes the links little") {
  SplitMix random(4);
  const auto hosts = made_hosts(random, 60, false);
  const LastMile fit = fit_of(made_pairs(random, hosts, {0.3, 0.03, 0.1, false}));
  const LinkErrors errors = link_errors(fit, hosts, 5);
  CHECK(errors.links > 60);
  CHECK(errors.mean < 0.04);
  CHECK(figure_of(fit, "bandwidth", "last mile, directed", "left out", "median") < 0.06);
  CHECK(figure_of(fit, "latency", "last mile", "left out", "median") < 0.05);
}

TEST_CASE("last mile: links are symmetric if pairs left out are predicted no worse") {
  SplitMix random(5);
  const auto hosts = made_hosts(random, 50, true);
  const std::string csv = made_pairs(random, hosts, {0.2, 0.05, 0, true});
  const LastMile fit = fit_of(csv);
  CHECK(fit.report["links"].get<std::string>() == "symmetric");
  for (const Json& host : fit.report["hosts"]) CHECK(host["up"] == host["down"]);
  CHECK(fit_of(csv, LastMileLinks::directed).report["links"].get<std::string>() == "directed");
}

TEST_CASE("last mile: where the model does not fit, bounds of links do not make it worse than one value") {
  SplitMix random(8);
  std::string csv = "from,to,bandwidth\n";
  for (int i = 0; i < 300; ++i)
    for (int step : {1, 2})
      csv += fmt::format("h{},h{},{}\n", i, (i + step) % 300, 1e6 * std::pow(10, random.uniform()));
  const LastMile fit = fit_of(csv, LastMileLinks::directed);
  const double one = figure_of(fit, "bandwidth", "one value", "all", "logarithmic");
  CHECK(figure_of(fit, "bandwidth", "last mile, directed", "all", "logarithmic") < 0.5 * one);
  CHECK(figure_of(fit, "bandwidth", "last mile, directed", "left out", "logarithmic") > one);  // the report shows it
}

TEST_CASE("last mile: one source does not make links symmetric, and sources and targets have ranges and bounds") {
  const LastMile fit = fit_of("from,to,latency,bandwidth\n"
                              "s,a,1e-3,1e6\ns,b,2e-3,2e6\ns,c,3e-3,3e6\n");
  CHECK(fit.report["links"].get<std::string>() == "directed");
  const Json& hosts = fit.report["hosts"];
  CHECK(hosts[0]["up"]["known"].get<std::string>() == "lower bound");
  CHECK(hosts[0]["up"]["bandwidth"].get<double>() == Approx(3e6));
  CHECK(hosts[0]["down"]["known"].get<std::string>() == "not measured");
  CHECK(hosts[0]["latency"]["known"].get<std::string>() == "range");
  CHECK(hosts[1]["down"]["known"].get<std::string>() == "value");
  CHECK(hosts[1]["down"]["bandwidth"].get<double>() == Approx(1e6));
  CHECK(hosts[1]["up"]["known"].get<std::string>() == "not measured");
  CHECK(hosts[3]["down"]["known"].get<std::string>() == "lower bound");  // either end may limit this pair
  std::string all;
  for (const std::string& warning : fit.warnings) all += warning + '\n';
  CHECK(all.find("s, a, b, c: the measured pairs give only sums of latencies") != std::string::npos);
  CHECK(all.find("s: the up link limits no measured pair clearly") != std::string::npos);
  CHECK(all.find("a, b, c: no pair crosses the up link") != std::string::npos);
}

TEST_CASE("last mile: the platform has the fitted values, whatever the names of the hosts are") {
  SplitMix random(6);
  const auto made = made_hosts(random, 12, false);
  std::string csv = made_pairs(random, made, {0.6, 0.05, 0, false});
  csv += "last-mile,\"a & <b>\",1e-3,1e6\n\"a & <b>\",h1,2e-3,\nh2,h2_UP,,3e6\n";
  const LastMile fit = fit_of(csv);
  const auto read = platform_from_text("made.xml", fit.platform);
  REQUIRE(read);
  const Platform& platform = read.value();
  const Json& hosts = fit.report["hosts"];
  CHECK(platform.hosts().size() == hosts.size());
  for (const char* quantity : {"latency", "bandwidth"}) {
    const Json& study = fit.report[quantity];
    for (std::size_t i = 0; i < study["from"].size(); ++i) {
      const auto from = platform.find_host(hosts[study["from"][i].get<std::size_t>()]["name"].get<std::string>());
      const auto to = platform.find_host(hosts[study["to"][i].get<std::size_t>()]["name"].get<std::string>());
      REQUIRE((from && to));
      const auto route = platform.find_route(*from, *to);
      REQUIRE(route);
      double bandwidth = std::numeric_limits<double>::infinity();
      for (const LinkId link : route->links) bandwidth = std::min(bandwidth, platform.link(link).bytes_per_second);
      const double value = quantity == std::string("latency") ? route->latency_seconds : bandwidth;
      CHECK(value == Approx(study["fitted"][i].get<double>()).epsilon(1e-5));
    }
  }
}

TEST_CASE("last mile: one quantity is enough, and the other has no effect") {
  const LastMile rates = fit_of("to,from,bandwidth\nb,a,1e6\nc,b,2e6\na,c,3e6\n");
  CHECK(rates.platform.find("latency=\"0s\"") != std::string::npos);
  CHECK(rates.report["latency"]["errors"].empty());
  REQUIRE_FALSE(rates.warnings.empty());
  CHECK(rates.warnings[0] == "no latency was measured: the links have none");
  const LastMile times = fit_of("from,to,round_trip\na,b,2e-3\nb,c,4e-3\nc,a,6e-3\n");
  CHECK(times.report["latency"]["measured"][0].get<double>() == Approx(1e-3));
  CHECK(times.report["links"].is_null());
  CHECK(times.platform.find("bandwidth=\"1e+15Bps\"") != std::string::npos);
}

TEST_CASE("last mile: repetitions of a pair have one robust value") {
  const rehearse::testing::TemporaryFile file("from,to,latency,bandwidth\n"
                                              "a,b,1e-3,1e6\na,b,2e-3,3e6\na,b,9e-3,2e6\n\n# a comment\na,b,,\n");
  LastMileRequest request;
  request.files = {file.path()};
  const double expected[][2] = {{1e-3, 3e6}, {1.2e-3, 2.8e6}, {2e-3, 2e6}};
  int i = 0;
  for (const char* statistic : {"minimum", "p10", "median"}) {
    request.statistic = statistic;
    const auto fit = fit_last_mile(request);
    REQUIRE(fit);
    CHECK(fit.value().report["latency"]["measured"][0].get<double>() == Approx(expected[i][0]));
    CHECK(fit.value().report["bandwidth"]["measured"][0].get<double>() == Approx(expected[i++][1]));
    CHECK(fit.value().report["latency"]["repetitions"][0].get<int>() == 3);
    CHECK(fit.value().report["lines_without_value"].get<int>() == 1);
  }
}

TEST_CASE("last mile: bad lines are refused with their place") {
  const std::string head = "from,to,latency,bandwidth\n";
  CHECK(fault_of_pairs("").find("no line with columns; accepted: from,to and latency") != std::string::npos);
  CHECK(fault_of_pairs(head).find("no measurements; accepted: ") != std::string::npos);
  CHECK(fault_of_pairs(head + "a,b,,\n").find("no measurements") != std::string::npos);
  CHECK(fault_of_pairs("from,to,speed\n").find(":1: column 'speed' given; accepted: ") != std::string::npos);
  CHECK(fault_of_pairs("from,latency\n").find(":1: columns 'from,latency'") != std::string::npos);
  CHECK(fault_of_pairs("from,to\n").find(":1: columns 'from,to'") != std::string::npos);
  CHECK(fault_of_pairs("from,to,to,latency\n").find(":1: the second column 'to'") != std::string::npos);
  CHECK(fault_of_pairs("from,to,latency,round_trip\n").find("one of latency and round_trip") != std::string::npos);
  CHECK(fault_of_pairs(head + "a,b,1\n").find(":2: line 'a,b,1' has 3 cells; accepted: 4") != std::string::npos);
  CHECK(fault_of_pairs(head + "a,a,1,1\n").find(":2: from and to 'a' given; accepted: two different") !=
        std::string::npos);
  CHECK(fault_of_pairs(head + "a,,1,1\n").find(":2: host '' given; accepted: a name") != std::string::npos);
  for (const char* value : {"0", "-1", "nan", "inf", "1e999", "1e-13", "1e7", "1ms", "x"})
    CHECK(fault_of_pairs(head + "\na,b," + value + ",1\n")
              .find(fmt::format(":3: latency '{}' given; accepted: a number from 1e-12 to 1e+06, in seconds", value)) !=
          std::string::npos);
  CHECK(fault_of_pairs(head + "a,b,1,1GB\n").find(":2: bandwidth '1GB' given") != std::string::npos);
}

}  // namespace rehearse::app
