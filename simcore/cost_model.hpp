// SPDX-License-Identifier: MIT
//
// The costs on a platform: the durations of transfers, computations, disk accesses and parallel tasks that share its
// resources, and the state of the resources.
//
// Protocol:  all calls happen at the present date `now`. next_date() returns the date of the next event inside the
//            model. advance() goes to that date or an earlier one, never beyond. Dates never go back. A change at `now`
//            comes after the ends at `now` and before the starts.
// Order:     activities that end at the same date end in the order of their starts, after failed ones.
// Units:     bytes, flops, seconds and their quotients.
// Ownership: a model keeps a reference to its Platform, and to its observers.
// Errors:    start returns no value if the platform has no route. A resource that is off is no error: the activity
//            starts and fails at the same date.
// Threads:   none.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/computation.hpp"
#include "simcore/model_options.hpp"
#include "simcore/packet_network.hpp"
#include "simcore/platform.hpp"
#include "simcore/support/result.hpp"
#include "simcore/time.hpp"
#include "simcore/transfer.hpp"
#include "simcore/use_observer.hpp"

namespace rehearse {

// Reads, writes, and both together have each a bandwidth to share.
enum class DiskPart : std::uint8_t { read, write, total };

// A started activity. Small numbers, which are reused after advance() has reported the end or after cancel().
struct ActivityId {
  std::uint32_t value = 0;
  auto operator<=>(const ActivityId&) const = default;
};

struct DiskAccess {
  DiskId disk;
  bool is_write = false;
  double bytes = 0;
  double priority = 1;
};

struct Ended {
  ActivityId activity;
  bool failed = false;  // a required host, link or disk is off
};

// The limit of an activity's rate at present.
enum class LimitKind : std::uint8_t {
  nothing,  // about to end
  latency,  // it has not begun to flow
  suspended,
  waiting,     // for a link with a limit on its flows
  connection,  // for the transfer before it on its connection
  window,      // of the transport protocol: window / (2 latency)
  rate,        // limit set by the user
  link,        // full
  core,        // speed of its cores
  host,        // all cores are busy
  disk,        // full
  upload,      // of a host, with last_mile
  download,
  off,  // capacity 0 at present
};

struct Limit {
  LimitKind kind = LimitKind::nothing;
  LinkId link;              // of kinds link, waiting, off
  HostId host;              // of kinds core, host, off
  DiskId disk;              // of kind disk
  double capacity = 0;      // of the limit, per second
  std::uint32_t flows = 0;  // number of flows that share it, including this one
};

// The terms of a transfer in the network model, for explanations.
struct TransferTerms {
  std::vector<LinkId> links;
  double latency_seconds = 0;  // of the route; the delay is this times
  double latency_factor = 1;
  double stored_seconds = 0;    // for a frame that each further link stores and forwards
  double bandwidth_factor = 1;  // part of the bytes on the links that is payload
  double cross_traffic = 0;     // part of each byte that comes back over `reverse`
  std::vector<LinkId> reverse;
  double window_bound = unlimited;  // bytes per second
};

// Receives changes of resources. Dates of one observer never go back; a load holds from its date on.
class ResourceObserver {
 public:
  virtual ~ResourceObserver() = default;
  virtual void on_host_state(HostId, bool /*is_on*/, TimePoint) {}
  virtual void on_link_state(LinkId, bool /*is_on*/, TimePoint) {}
  virtual void on_host_pstate(HostId, std::uint32_t /*pstate*/, TimePoint) {}
  virtual void on_host_speed(HostId, double /*flops_per_second*/, TimePoint) {}
  virtual void on_link_bandwidth(LinkId, double /*bytes_per_second*/, TimePoint) {}
  virtual void on_link_latency(LinkId, double /*seconds*/, TimePoint) {}
  // Number of busy cores (at their present speed).
  virtual void on_host_load(HostId, double /*cores*/, TimePoint) {}
  // Cross-traffic included.
  virtual void on_link_load(LinkId, double /*bytes_per_second*/, TimePoint) {}
  // Of a network of packets, instead of a load: one packet crosses the link. Only dates of one link do not go back, and
  // they can lie in the future.
  virtual void on_link_packet(LinkId, double /*bytes*/, TimePoint /*from*/, TimePoint /*until*/) {}
};

// Additional notifications of an observer. Each has a cost: speeds and bandwidths make every point of a profile an
// event, and loads are computed whenever rates change.
struct ObserverNeeds {
  bool speeds = false;  // and bandwidths and latencies
  bool loads = false;
};

// The capacity that `flows` activities share, from the capacity without the function.
using CapacityFunction = std::function<double(double capacity, std::uint32_t flows)>;

class CostModel {
 public:
  static constexpr TimePoint never{std::numeric_limits<std::int64_t>::max()};

  virtual ~CostModel() = default;

  virtual std::optional<ActivityId> start(const Transfer& transfer, TimePoint now) = 0;
  virtual std::optional<ActivityId> start(const ParallelTask& task, TimePoint now) = 0;
  virtual ActivityId start(const Computation& computation, TimePoint now) = 0;
  virtual ActivityId start(const DiskAccess& access, TimePoint now) = 0;

  // Removes it: it neither ends nor fails. Its number can be reused at once.
  virtual void cancel(ActivityId activity, TimePoint now) = 0;
  virtual void suspend(ActivityId activity, TimePoint now) = 0;  // also during its latency
  virtual void resume(ActivityId activity, TimePoint now) = 0;
  virtual void set_rate(ActivityId activity, double rate, TimePoint now) = 0;
  virtual void set_priority(ActivityId activity, double priority, TimePoint now) = 0;
  // A computation moves to another host with its remaining work.
  virtual void set_host(ActivityId computation, HostId host, TimePoint now) = 0;

  // In the unit in which it was started (a parallel task: 1 at first).
  virtual double remaining(ActivityId activity, TimePoint now) = 0;
  virtual double rate(ActivityId activity, TimePoint now) = 0;
  virtual Limit limit(ActivityId activity, TimePoint now) = 0;
  virtual bool has_limits() const { return true; }  // false: limit() is unknown for transfers

  virtual void set_host_on(HostId host, bool is_on, TimePoint now) = 0;
  virtual bool is_host_on(HostId host, TimePoint now) = 0;
  virtual void set_pstate(HostId host, std::uint32_t pstate, TimePoint now) = 0;
  virtual std::uint32_t pstate(HostId host) const = 0;
  // Present speed of one core, by pstate and profile.
  virtual double host_speed(HostId host, TimePoint now) = 0;
  virtual void set_host_capacity_function(HostId host, CapacityFunction function, TimePoint now) = 0;

  virtual void set_link_on(LinkId link, bool is_on, TimePoint now) = 0;
  virtual bool is_link_on(LinkId link, TimePoint now) = 0;
  virtual void set_bandwidth(LinkId link, double bytes_per_second, TimePoint now) = 0;
  virtual double bandwidth(LinkId link, TimePoint now) = 0;
  virtual void set_latency(LinkId link, double seconds, TimePoint now) = 0;
  virtual double link_latency(LinkId link, TimePoint now) = 0;
  // Limits the number of concurrent transfers; the others wait in order. 0: no limit. Before the first transfer there.
  virtual void set_concurrency_limit(LinkId link, std::uint32_t flows, TimePoint now) = 0;
  virtual void set_link_capacity_function(LinkId link, CapacityFunction function, TimePoint now) = 0;
  // The level of the station's rate on the wifi link.
  virtual void set_wifi_rate(LinkId link, HostId station, std::uint32_t level, TimePoint now) = 0;

  virtual void set_disk_bandwidths(DiskId disk, double read, double write, double total, TimePoint now) = 0;
  virtual void set_disk_capacity_function(DiskId disk, DiskPart part, CapacityFunction function, TimePoint now) = 0;

  // Whether announcements and answers are transfers. Otherwise each takes latency().
  virtual bool carries_envelopes() const { return false; }
  // Messages of one connection with different tags do not wait for each other.
  virtual bool has_streams() const { return false; }
  // The duration of a message without content (an envelope). No value: no route.
  virtual std::optional<Duration> latency(HostId source, HostId destination, TimePoint now) = 0;

  virtual TransferTerms terms(const Transfer&, TimePoint) { return {}; }  // empty: not over links

  // Before the first start. The observer must outlive the model's use.
  virtual void observe(ResourceObserver& observer, ObserverNeeds needs) = 0;
  // Likewise; at most one. False: this model does not know the uses of links by its activities.
  virtual bool observe_uses(UseObserver&) { return false; }
  // The observer gets the work of the activities in progress up to `now`.
  virtual void report_uses(TimePoint /*now*/) {}

  // `never` while is_busy() means: after the end of the range of simulated time. Without activities there can be a
  // next date, that of a host or link that goes on or off by its profile: forever, if that is periodic.
  virtual TimePoint next_date() = 0;
  // As next_date(), for a caller who does nothing before `limit`: a model may pass over dates at which no activity
  // ends. It must be advanced to the result or the limit, whichever is earlier, before any other call.
  virtual TimePoint next_end(TimePoint /*limit*/) { return next_date(); }
  virtual bool is_busy() const = 0;  // an activity has not ended

  virtual const PacketNetwork* packets() const { return nullptr; }  // null: none
  // The end of a program behind the model: no transfer ends any more, and the run has no result. Null: none.
  virtual const std::string* problem() const { return nullptr; }
  virtual PacketRelay* relay() { return nullptr; }

  // Requires now <= next_date().
  virtual void advance(TimePoint now, std::vector<Ended>& ended) = 0;
};

// Of a wifi link that many stations use at once: less from the 21st flow on. For set_link_capacity_function().
CapacityFunction wifi_decay();

// The names that make_cost_model knows, for messages and lists.
std::string_view cost_model_names();

struct ModelDescription {
  std::string_view name;
  std::string_view text;
};
std::span<const ModelDescription> network_models();

enum class SettingOrigin : std::uint8_t { model, platform, option };

// A number or table of a network model, in the form of its option.
struct NetworkSetting {
  std::string name;  // of the option, without dashes
  std::string value;
  SettingOrigin origin = SettingOrigin::model;
};
// Of the models of flows; other models have options of their own, and give an empty list.
Result<std::vector<NetworkSetting>> network_settings(const ModelOptions& options, const Platform& platform);

// The network model of these options on this platform.
std::string network_model_name(const ModelOptions& options, const Platform& platform);

// Missing options have the values of the platform file, otherwise those of the network model. The platform must outlive
// the model.
Result<std::unique_ptr<CostModel>> make_cost_model(const ModelOptions& options, const Platform& platform);

}  // namespace rehearse
