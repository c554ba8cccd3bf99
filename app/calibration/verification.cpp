// SPDX-License-Identifier: MIT
//
// The calibration program in simulated time, beside the times that it measured.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <sstream>

#include "app/calibration.hpp"
#include "app/calibration/model_errors.hpp"
#include "app/output_file.hpp"
#include "app/run.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

// The output of rank 0.
class FirstRankOutput final : public OutputSink {
 public:
  void write(ActorId actor, int stream, std::string_view text) override {
    if (actor.value == 0 && stream == 1) text_ += text;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// The host of each rank, as the file of --map. It is removed at the end.
class PlacementFile {
 public:
  PlacementFile() = default;
  PlacementFile(const PlacementFile&) = delete;
  PlacementFile& operator=(const PlacementFile&) = delete;
  ~PlacementFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }

  Result<void> write(const std::vector<std::string>& hosts) {
    std::string path = std::filesystem::temp_directory_path() / "rehearse-placement-XXXXXX";
    const int descriptor = ::mkstemp(path.data());
    if (descriptor < 0) return Error{path + ": cannot write: " + std::strerror(errno)};
    ::close(descriptor);
    path_ = path;
    return write_file(path_, [&](std::ostream& out) {
      for (std::size_t rank = 0; rank < hosts.size(); ++rank) out << rank << ' ' << hosts[rank] << '\n';
    });
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Result<std::string> simulated_output(const Calibration& calibration, const std::string& platform,
                                     const std::string& program, const StopToken& stop) {
  RunRequest request;
  request.job.path = program;
  request.job.ranks = calibration.ranks;
  for (const std::string& argument : calibration.arguments) request.job.arguments.push_back(argument);
  for (const char* argument : {"--repetitions", "1", "--seconds", "1e9"}) request.job.arguments.emplace_back(argument);
  request.machine.on = platform;
  request.machine.stop = stop;
  PlacementFile placement;
  if (const auto written = placement.write(calibration.hosts); !written) return written.error();
  request.machine.map = placement.path();
  request.machine.compute.what = "none";
  request.discard_files = true;
  FirstRankOutput output;
  auto done = run(request, &output);
  if (!done) return done.error();
  const TimedRun& timed = done.value().run;
  if (!timed.unsupported.empty()) return Error{fmt::format("{}: {}", program, timed.unsupported.front()), true};
  for (const Finding& finding : timed.findings)
    if (finding.severity == Severity::error)
      return Error{fmt::format("{}: the simulated run ended early: {}", program, finding.message)};
  return output.text();
}

}  // namespace

Result<std::vector<VerifiedCase>> verify(const Calibration& calibration, const std::string& platform,
                                         const std::string& program, const StopToken& stop) {
  auto output = simulated_output(calibration, platform, program, stop);
  if (!output) return output.error();
  Measurements simulated;
  std::istringstream in(output.value());
  if (const auto read = read_measurements(in, program + " (simulated)", simulated); !read) return read.error();
  std::vector<VerifiedCase> cases;
  for (VerifiedCase each : calibration.measured) {
    const auto found = simulated.seconds.find({each.test, each.ranks, each.bytes});
    if (found == simulated.seconds.end()) continue;
    each.simulated = quantile(found->second, 0.5);
    cases.push_back(each);
  }
  if (cases.empty())
    return Error{fmt::format("{}: it measures no size of the CSV; accepted: the compiled calibrate.c", program)};
  return cases;
}

Json to_json(const std::vector<VerifiedCase>& cases) {
  Json json = {{"tests", Json::array()}, {"cases", Json::array()}};
  std::map<std::string, std::vector<PredictedCase>> by_test;
  for (const VerifiedCase& each : cases) {
    by_test[each.test].push_back({each.simulated, each.measured});
    json["cases"].push_back({{"test", each.test},
                             {"ranks", each.ranks},
                             {"bytes", each.bytes},
                             {"measured", each.measured},
                             {"simulated", each.simulated}});
  }
  for (const auto& [test, times] : by_test) {
    const ErrorFigures figures = figures_of(test, times);
    json["tests"].push_back({{"test", test},
                             {"cases", figures.cases},
                             {"mean", figures.mean},
                             {"greatest", figures.greatest},
                             {"logarithmic", figures.logarithmic}});
  }
  return json;
}

}  // namespace rehearse::app
