// SPDX-License-Identifier: MIT
//
// Network models that do not look at the links in between.
//
// Constant:  every transfer takes the same time, whatever its size and route.
// Last mile: a transfer shares the upload bandwidth of its source with what else leaves there, and the
//            download bandwidth of its destination with what else arrives there. They are the host's
//            properties `upload` and `download` (bytes per second), else the bandwidths of the first
//            link of its route to the next host and of the last link of the route back. Latency: the
//            sum of the properties `last_mile_latency` (seconds) of both, where one of them has it,
//            else that of the route. A transfer of a host to itself takes no time.
//            Source: Beaumont, Eyraud-Dubois, Won, Using the last-mile model as a distributed scheme
//            for available bandwidth prediction, Euro-Par 2011.
// LogGPS:    paths have L and 1/G; what follows from them is in log_gps.hpp.
// Threads:   none.
#pragma once

#include "simcore/network/link_states.hpp"
#include "simcore/network/network_parameters.hpp"
#include "simcore/network/path.hpp"

namespace rehearse::network {

class ConstantPaths final : public PathMaker {
 public:
  explicit ConstantPaths(double seconds) : seconds_(seconds) {}
  void find(Path& path) override;
  void refresh(Path& path) override;

 private:
  double seconds_;
};

class LastMilePaths final : public PathMaker {
 public:
  LastMilePaths(const Platform& platform, cost::Resources& resources, const NetworkChanges& changes)
      : platform_(platform), resources_(resources), changes_(changes), ends_(platform.hosts().size()) {}
  void find(Path& path) override;
  void refresh(Path& path) override;

  // The first property of a host that cannot be read.
  static std::optional<Error> check(const Platform& platform);

 private:
  struct End {
    bool is_known = false;
    double upload_bandwidth = 0, download_bandwidth = 0;
    sharing::ResourceIndex upload = LinkState::none;
    sharing::ResourceIndex download = LinkState::none;
    std::optional<double> latency_seconds;
  };
  const End& end(HostId host);
  double bandwidth(HostId host, const char* property, bool is_upload) const;

  const Platform& platform_;
  cost::Resources& resources_;
  const NetworkChanges& changes_;
  std::vector<End> ends_;
};

class LogGpsPaths final : public PathMaker {
 public:
  LogGpsPaths(const Platform& platform, LinkStates& links, const NetworkParameters& parameters)
      : platform_(platform), links_(links), options_(parameters.loggps), changes_(parameters.changes) {}
  void find(Path& path) override;
  void refresh(Path& path) override;

 private:
  const Platform& platform_;
  LinkStates& links_;
  const LogGpsOptions& options_;
  const NetworkChanges& changes_;
};

}  // namespace rehearse::network
