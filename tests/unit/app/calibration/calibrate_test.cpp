// SPDX-License-Identifier: MIT
//
// Calibrations of made measurements, whose parameters are known.
#include "app/calibration.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <sstream>

#include "app/calibration/calibrated_network.hpp"
#include "app/calibration/measurements.hpp"
#include "app/calibration/message_model.hpp"
#include "simcore/support/format.hpp"
#include "tests/support/temporary_file.hpp"

namespace rehearse::app {
namespace {

constexpr double usual_link_latency = 100e-6, link_bandwidth = 12.5e6;
constexpr double eager_limit = 65483, largest = 4e6;
constexpr int size_count = 64;

// Whether a breakpoint is at most one size away. Each size is drawn from its own of `size_count` equal parts of the
// logarithms, so neighbours are up to two parts apart.
bool is_within_a_size(double found, double truth) {
  return std::abs(std::log(found / truth)) < 2 * std::log(largest / 2) / size_count;
}

std::string two_node_platform(double link_latency = usual_link_latency) {
  return fmt::format(
      "<platform version='4.1'><!-- kept --><config id='General'><prop id='network/model' value='CM02'/>"
      "<prop id='tracing' value='no'/></config><cluster id='c' prefix='h' suffix='' radical='0-1' speed='3Gf' "
      "bw='{}Bps' lat='{}s'/></platform>",
      link_bandwidth, link_latency);
}

// The model whose times the measurements have.
MessageModel known_model(double envelope, double eager = eager_limit, double link_latency = usual_link_latency) {
  MessageModel model;
  model.latency = 2 * link_latency;
  model.bandwidth = link_bandwidth;
  model.envelope_bytes = envelope;
  model.eager_bytes = eager;
  model.send = {{0, 4e-6, 2e-10}, {eager + 1, 4e-6, 0}};
  model.started_send = {{0, 3e-6, 2e-10}};
  model.receive = {{0, 2e-6, 4e-10}};
  model.pieces = {{0, 1.25, 0.7, 0, 0, 0}, {1400, 1.6, 0.85, 0, 0, 0}, {eager, 1.2, 0.94, 0, 0, 0}};
  return model;
}

// Log-normal noise whose quantile of the statistic is 1, and outliers.
class NoiseMaker {
 public:
  NoiseMaker(std::uint64_t seed, double sigma, double quantile_of_normal)
      : random_(seed), sigma_(sigma), centre_(std::exp(-sigma * quantile_of_normal)) {}
  double operator()(double seconds) {
    double value = seconds * centre_ * std::exp(sigma_ * normal_(random_));
    if (uniform() < 0.03) value *= 1 + 4 * uniform();
    return value;
  }
  double uniform() { return uniform_(random_); }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_;
  double sigma_, centre_;
};

// Rows as calibrate.c writes them.
std::string made_csv(const MessageModel& model, NoiseMaker noise) {
  constexpr int repetitions = 50;
  std::string text = "# rehearse calibration 1\n# library: made\n# host 0: h0\n# host 1: h1\n";
  text += "test,ranks,bytes,repetition,seconds\n";
  std::vector<double> bytes = {0, 1};
  for (int i = 0; i < size_count; ++i)
    bytes.push_back(
        std::floor(std::exp(std::log(2.0) + (i + noise.uniform()) / size_count * std::log(largest / 2)) + 1));
  const auto add = [&](const char* test, double size, int repetition, double seconds) {
    text += fmt::format("{},2,{:.0f},{},{:.12g}\n", test, size, repetition, seconds);
  };
  const auto add_late_send = [&](double size, int repetition) {
    const double delay = 10 * model.half_round_trip(size);
    add("late_delay", size, repetition, delay);
    add("late_send", size, repetition, noise(size <= model.eager_bytes ? cost_at(model.send, size) : delay));
  };
  for (int r = 1; r <= repetitions; ++r)
    for (const double size : bytes) {
      add("pingpong", size, r, noise(model.half_round_trip(size)));
      add("isend", size, r, noise(cost_at(model.started_send, size)));
      add_late_send(size, r);
      if (size > model.eager_bytes) continue;
      add("send", size, r, noise(cost_at(model.send, size)));
      add("recv", size, r, noise(cost_at(model.receive, size)));
    }
  for (const double size : {model.eager_bytes, model.eager_bytes + 1})
    for (int r = 1; r <= 3; ++r) add_late_send(size, r);  // the bisection
  return text;
}

// The largest relative error of a time that is due to the error of a factor alone: of the latency at the smallest size
// of the piece, of the bandwidth at the largest one.
double latency_effect(const MessageModel& model, std::size_t piece, const WirePiece& found) {
  const double wrong = std::abs(found.latency_factor - model.pieces[piece].latency_factor) * model.latency;
  return wrong / model.half_round_trip(model.pieces[piece].above_bytes + 1);
}

double bandwidth_effect(const MessageModel& model, std::size_t piece, double end, const WirePiece& found) {
  const double wrong = std::abs(1 / found.bandwidth_factor - 1 / model.pieces[piece].bandwidth_factor);
  return wrong * end / model.bandwidth / model.half_round_trip(end);
}

Result<Calibration> calibrated(const std::string& csv, const std::string& on, const std::string& statistic) {
  const rehearse::testing::TemporaryFile file(csv);
  CalibrationRequest request;
  request.files = {file.path()};
  request.on = on;
  request.statistic = statistic;
  return calibrate(request);
}

std::string fault_of_lines(const std::string& lines) {
  const auto result = calibrated("# rehearse calibration 1\n# host 0: a\n# host 1: b\n" + lines, "", "p10");
  return result ? "none" : result.error().text;
}

}  // namespace

TEST_CASE("calibration: known parameters are recovered from noisy measurements") {
  const rehearse::testing::TemporaryFile platform(two_node_platform());
  struct Noise {
    double sigma;
    const char* statistic;
    double normal_quantile;  // of the statistic
  };
  int wrong_counts = 0, runs = 0, factors = 0, imprecise = 0;
  for (const Noise& noise : {Noise{0.01, "median", 0}, Noise{0.03, "median", 0}, Noise{0.05, "median", 0},
                             Noise{0.01, "p10", -1.2816}, Noise{0.03, "p10", -1.2816}})
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const MessageModel model = known_model(calibrated_envelope_bytes);
      const auto result =
          calibrated(made_csv(model, {seed, noise.sigma, noise.normal_quantile}), platform.path(), noise.statistic);
      REQUIRE(result);
      ++runs;
      INFO("seed " << seed << ", noise " << noise.sigma << ", " << noise.statistic);
      const Json& report = result.value().report;
      CHECK(report["protocol"]["eager_bytes"].get<double>() == eager_limit);
      CHECK(report["protocol"]["least_waiting_bytes"].get<double>() == eager_limit + 1);
      CHECK(report["protocol"]["handshake"].get<std::string>() == "answered");
      const Json& pieces = report["network"]["pieces"];
      if (pieces.size() != model.pieces.size()) {
        ++wrong_counts;
        continue;
      }
      CHECK(pieces[2]["above"].get<double>() == eager_limit);
      CHECK(is_within_a_size(pieces[1]["above"].get<double>(), 1400));
      for (std::size_t i = 0; i < pieces.size(); ++i) {
        const WirePiece found{pieces[i]["above"].get<double>(), pieces[i]["latency_factor"].get<double>(),
                              pieces[i]["bandwidth_factor"].get<double>()};
        const double end = i + 1 < pieces.size() ? model.pieces[i + 1].above_bytes : largest;
        factors += 2;
        imprecise += latency_effect(model, i, found) > 0.02;
        imprecise += bandwidth_effect(model, i, end, found) > 0.02;
        // Where the noise does not permit 2 %, the reported standard error says so.
        const auto is_within_reported_error = [&](const char* factor, double truth) {
          const double error = pieces[i][std::string(factor) + "_error"].get<double>();
          return std::abs(pieces[i][std::string(factor) + "_factor"].get<double>() / truth - 1) <= 0.02 + 3 * error;
        };
        CHECK(is_within_reported_error("latency", model.pieces[i].latency_factor));
        CHECK(is_within_reported_error("bandwidth", model.pieces[i].bandwidth_factor));
        // The bandwidth of large messages is most of their time.
        if (i > 0 && noise.sigma <= 0.03)
          CHECK(found.bandwidth_factor == Approx(model.pieces[i].bandwidth_factor).epsilon(0.02));
      }
      for (const auto& [name, seconds] : {std::pair{"send", 4e-6}, {"isend", 3e-6}, {"recv", 2e-6}})
        CHECK(report["protocol"][name][0]["seconds"].get<double>() == Approx(seconds).epsilon(0.05));
      const Json& errors = report["errors"];
      CHECK(errors[2]["mean"].get<double>() < 0.02 + noise.sigma);
      CHECK(errors[3]["mean"].get<double>() < 0.02 + noise.sigma);
      CHECK(errors[1]["mean"].get<double>() > errors[2]["mean"].get<double>());
    }
  CAPTURE(runs, factors, imprecise, wrong_counts);
  CHECK(wrong_counts <= 1);
  CHECK(imprecise == 0);
}

TEST_CASE("calibration: every known factor is recovered within 2 % where the noise permits it") {
  // The latency of large messages is hard to see: with links of 100 us and an eager threshold of 65,483 bytes it is 4 %
  // of the shortest time that contains it, so that 2 % of the factor are 0.09 % of this time. With links of 1 ms the
  // bandwidth of short messages is: they are transmitted in 6 % of their time. That takes less noise. Where there is
  // more of it, the reported errors say so.
  struct Setting {
    double link_latency, eager_bytes, sigma;
    bool permits = true;
  };
  int factors = 0, beyond_errors = 0;
  for (const Setting& setting :
       {Setting{100e-6, 16000, 0.002}, Setting{100e-6, 16000, 0.005}, Setting{100e-6, eager_limit, 0.002},
        Setting{1e-3, 16000, 0.002}, Setting{1e-3, eager_limit, 0.002}, Setting{100e-6, 16000, 0.02, false},
        Setting{1e-3, 16000, 0.01, false}, Setting{1e-3, eager_limit, 0.02, false}}) {
    const rehearse::testing::TemporaryFile platform(two_node_platform(setting.link_latency));
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      INFO("seed " << seed << ", noise " << setting.sigma << ", links of " << setting.link_latency
                   << " s, eager threshold " << setting.eager_bytes);
      const MessageModel model = known_model(calibrated_envelope_bytes, setting.eager_bytes, setting.link_latency);
      const auto result = calibrated(made_csv(model, {seed, setting.sigma, 0}), platform.path(), "median");
      REQUIRE(result);
      const Json& report = result.value().report;
      const Json& pieces = report["network"]["pieces"];
      CHECK(report["network"]["frame"].get<double>() == 0);
      REQUIRE(pieces.size() == model.pieces.size());
      for (std::size_t i = 0; i < pieces.size(); ++i) {
        INFO("piece " << i);
        const WirePiece& truth = model.pieces[i];
        for (const auto& [name, factor] :
             {std::pair{"latency", truth.latency_factor}, {"bandwidth", truth.bandwidth_factor}}) {
          const double difference = std::abs(pieces[i][name + std::string("_factor")].get<double>() / factor - 1);
          const double error = pieces[i][name + std::string("_error")].get<double>();
          CHECK(difference <= 0.02 + (setting.permits ? 0 : 3 * error));
          ++factors;
          beyond_errors += difference > 3 * error;
        }
        if (i > 0) CHECK(is_within_a_size(pieces[i]["above"].get<double>(), truth.above_bytes));
      }
      for (const auto& [name, seconds] : {std::pair{"send", 4e-6}, {"isend", 3e-6}, {"recv", 2e-6}})
        CHECK(report["protocol"][name][0]["seconds"].get<double>() == Approx(seconds).epsilon(0.02));
      if (setting.permits)
        CHECK(report["protocol"]["recv"][0]["seconds_per_byte"].get<double>() == Approx(4e-10).epsilon(0.02));
    }
  }
  CAPTURE(factors, beyond_errors);
  CHECK(beyond_errors <= 0.04 * factors);
}

TEST_CASE("calibration: links that store frames are told from a low bandwidth of short messages") {
  for (const double link_latency : {usual_link_latency, 1e-3}) {
    const rehearse::testing::TemporaryFile platform(two_node_platform(link_latency));
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      INFO("seed " << seed << ", links of " << link_latency << " s");
      MessageModel model = known_model(calibrated_envelope_bytes, eager_limit, link_latency);
      const auto without = calibrated(made_csv(model, {seed, 0.02, 0}), platform.path(), "median");
      REQUIRE(without);
      CHECK(without.value().report["network"]["frame"].get<double>() == 0);
      model.frame_bytes = 1538;
      model.further_links = 1;
      model.pieces = {{0, 1.05, 0.94, 0, 0, 0}, {eager_limit, 1.9, 0.94, 0, 0, 0}};
      const auto with = calibrated(made_csv(model, {seed, 0.02, 0}), platform.path(), "median");
      REQUIRE(with);
      const Json& network = with.value().report["network"];
      CHECK(network["frame"].get<double>() == 1538);
      CHECK(with.value().platform.find("\"rehearse/store-and-forward\" value=\"1538\"") != std::string::npos);
      REQUIRE(network["pieces"].size() == 2);
      for (const int i : {0, 1})
        CHECK(network["pieces"][i]["bandwidth_factor"].get<double>() == Approx(0.94).epsilon(0.02));
    }
  }
}

TEST_CASE("calibration: the given platform keeps its topology, and its settings are replaced") {
  const rehearse::testing::TemporaryFile platform(two_node_platform());
  const auto result =
      calibrated(made_csv(known_model(calibrated_envelope_bytes), {3, 0.01, 0}), platform.path(), "median");
  REQUIRE(result);
  const std::string& text = result.value().platform;
  CHECK(text.find("<!-- kept -->") != std::string::npos);
  CHECK(text.find("radical=\"0-1\"") != std::string::npos);
  CHECK(text.find("CM02") == std::string::npos);
  CHECK(text.find("tracing") != std::string::npos);
  CHECK(text.find("network/latency-factor") != std::string::npos);
  CHECK(text.find("network/latency-factor") == text.rfind("network/latency-factor"));
}

TEST_CASE("calibration: without a platform, a star has the measured latency and bandwidth") {
  const auto result = calibrated(made_csv(known_model(calibrated_envelope_bytes), {4, 0.01, 0}), "", "median");
  REQUIRE(result);
  const Json& network = result.value().report["network"];
  CHECK(network["latency"].get<double>() == Approx(2 * usual_link_latency).epsilon(0.02));
  CHECK(network["bandwidth"].get<double>() == Approx(0.94 * link_bandwidth).epsilon(0.02));
  CHECK(result.value().platform.find("radical=\"0-1\"") != std::string::npos);
  CHECK(result.value().hosts == std::vector<std::string>{"node-0", "node-1"});
}

TEST_CASE("calibration: messages that never wait have no eager threshold") {
  std::string text;
  std::istringstream lines(made_csv(known_model(calibrated_envelope_bytes), {5, 0.01, 0}));
  for (std::string line; std::getline(lines, line);) {
    const bool is_late_send = line.starts_with("late_send");
    text += (is_late_send ? line.substr(0, line.rfind(',')) + ",1e-6" : line) + '\n';
  }
  const auto result = calibrated(text, "", "median");
  REQUIRE(result);
  CHECK(result.value().report["protocol"]["eager_bytes"].is_null());
  REQUIRE_FALSE(result.value().warnings.empty());
  CHECK(result.value().warnings[0].find("waited for its receive") != std::string::npos);
}

TEST_CASE("calibration: pairs at once take the time of the last one in each repetition") {
  std::istringstream in(
      "# rehearse calibration 1\npairs,4,8,1,2e-5\npairs,4,8,1,3e-5\npairs,4,8,2,4e-5\npairs,4,8,2,1e-5\n"
      "pairs,4,16,2,6e-5\nincast,4,8,1,1e-5\nincast,4,8,1,2e-5\n");
  Measurements all;
  REQUIRE(read_measurements(in, "pairs.csv", all));
  CHECK(all.seconds[{"pairs", 4, 8}] == std::vector{3e-5, 4e-5});
  CHECK(all.seconds[{"pairs", 4, 16}] == std::vector{6e-5});
  CHECK(all.seconds[{"incast", 4, 8}] == std::vector{1e-5, 2e-5});
}

TEST_CASE("calibration: bad lines are refused with their place") {
  CHECK(fault_of_lines("pingpong,2,x,1,1e-6\n").find(":4: bytes 'x' given; accepted: ") != std::string::npos);
  CHECK(fault_of_lines("pingpong,0,1,1,1e-6\n").find(":4: ranks '0'") != std::string::npos);
  CHECK(fault_of_lines("pingpong,2,1,1,-1\n").find(":4: seconds '-1'") != std::string::npos);
  CHECK(fault_of_lines("pingpong,2,1,1,nan\n").find(":4: seconds 'nan'") != std::string::npos);
  CHECK(fault_of_lines("pingpong,2,1,-1,1\n").find(":4: repetition '-1'") != std::string::npos);
  CHECK(fault_of_lines("\npongping,2,1,1,1\n").find(":5: test 'pongping'") != std::string::npos);
  CHECK(fault_of_lines("pingpong,2,1,1\n").find(":4: line 'pingpong,2,1,1'") != std::string::npos);
  CHECK(fault_of_lines("# host 3: c\n").find(":4: host of rank '3'") != std::string::npos);
  CHECK(fault_of_lines("").find("no measurements") != std::string::npos);
  CHECK(fault_of_lines("pingpong,2,1,1,1e-6\n").find("1 sizes of pingpong; accepted: 8 or more") != std::string::npos);
  CHECK(calibrated("hello\n", "", "p10").error().text.find("no line '# rehearse calibration 1'") != std::string::npos);
}

}  // namespace rehearse::app
