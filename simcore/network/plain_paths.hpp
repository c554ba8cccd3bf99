// SPDX-License-Identifier: MIT
//
// Network models that ignore the links between the ends.
//
// Constant:  every transfer takes the same time, whatever its size and route.
// Last mile: a transfer shares the upload bandwidth of its source with the other transfers from it, and the
//            download bandwidth of its destination with the other transfers to it. They are the host's
//            properties `upload` and `download` (bytes per second); by default, the bandwidths of the first
//            link of its route to the next host and of the last link of the route back. Latency: the
//            sum of the properties `last_mile_latency` (seconds) of both ends, if one of them has it,
//            otherwise that of the route. A transfer of a host to itself takes no time.
//            Source: Beaumont, Eyraud-Dubois, Won, Using the last-mile model as a distributed scheme
//            for available bandwidth prediction, Euro-Par 2011.
// LogGPS:    paths have L and 1/G; log_gps.hpp has the model.
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
