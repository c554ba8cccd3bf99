// SPDX-License-Identifier: MIT
//
// What things cost on a platform: how long transfers, computations, disk accesses and parallel tasks
// take when they share what there is, and what is on, off, fast or slow at the moment.
//
// Protocol:  everything happens at the present date `now`; next_date() says when something happens
//            inside the model; advance() to that date or an earlier one, never beyond. Dates never go
//            back. A change at `now` comes after what ends at `now` and before what starts there.
// Order:     what ends at the same date ends in the order in which it was started, after what failed.
// Units:     bytes, flops, seconds and their quotients.
// Ownership: a model keeps a reference to its Platform, and to its observers.
// Errors:    start returns nothing where the platform has no route. A resource that is off is no error:
//            the activity starts, and ends as failed at the same date.
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

#include "simcore/model_options.hpp"
#include "simcore/platform.hpp"
#include "simcore/support/result.hpp"
#include "simcore/time.hpp"

namespace rehearse {

inline constexpr double unlimited = std::numeric_limits<double>::infinity();

// Reads, writes, and both together have each a bandwidth to share.
enum class DiskPart : std::uint8_t { read, write, total };

// What was started and has not ended. Small numbers, used again once advance() has reported the end, or
// after cancel().
struct ActivityId {
  std::uint32_t value = 0;
  auto operator<=>(const ActivityId&) const = default;
};

struct Transfer {
  HostId source;
  HostId destination;
  double bytes = 0;
  double rate = unlimited;  // bytes per second of payload, at most
  std::optional<DiskId> read_from = {};  // a stream: disk, network, disk, all at the same rate
  std::optional<DiskId> write_to = {};
};

struct Computation {
  HostId host;
  double flops = 0;  // of each thread
  std::uint32_t threads = 1;
  double rate = unlimited;  // flops per second of all threads together, at most
  double priority = 1;      // twice the priority, twice the share
};

struct DiskAccess {
  DiskId disk;
  bool is_write = false;
  double bytes = 0;
  double priority = 1;
};

// Computations on several hosts and transfers between them that advance at the same pace.
struct ParallelTask {
  std::span<const HostId> hosts;
  std::span<const double> flops;  // by host; may be empty
  std::span<const double> bytes;  // row by row, from each host to each; may be empty
  double rate = unlimited;        // of the whole task, in tasks per second
};

struct Ended {
  ActivityId activity;
  bool failed = false;  // a host, link or disk that it needed is off
};

// Why an activity is not faster at the moment.
enum class LimitKind : std::uint8_t {
  nothing,    // about to end
  latency,    // it has not begun to flow
  suspended,
  waiting,    // for a link that takes only so many flows at once
  window,     // of the transport protocol: window / (2 latency)
  rate,       // the most that its user allows
  link,       // full
  core,       // as fast as its cores are
  host,       // all cores are busy
  disk,       // full
  upload,     // of a host, with last_mile
  download,
  off,        // capacity 0 for now
};

struct Limit {
  LimitKind kind = LimitKind::nothing;
  LinkId link;                // of kinds link, waiting, off
  HostId host;                // of kinds core, host, off
  DiskId disk;                // of kind disk
  double capacity = 0;        // of what limits, per second
  std::uint32_t flows = 0;    // how many share it, this one included
};

// What the network model makes of a transfer, for explanations.
struct TransferTerms {
  std::vector<LinkId> links;
  double latency_seconds = 0;    // of the route; the delay before it flows is this times
  double latency_factor = 1;
  double bandwidth_factor = 1;   // part of what flows that is payload
  double cross_traffic = 0;      // part of each byte that comes back over `reverse`
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
  // How many cores' worth of work there is (of the speed they have at each moment).
  virtual void on_host_load(HostId, double /*cores*/, TimePoint) {}
  // Cross-traffic included.
  virtual void on_link_load(LinkId, double /*bytes_per_second*/, TimePoint) {}
};

// What an observer is notified of besides states and pstates. Each costs something: speeds and bandwidths make every
// point of a profile an event, loads are worked out whenever rates change.
struct ObserverNeeds {
  bool speeds = false;  // and bandwidths
  bool loads = false;
};

// The capacity that `flows` activities share where there would be `capacity` without the function.
using CapacityFunction = std::function<double(double capacity, std::uint32_t flows)>;

class CostModel {
 public:
  static constexpr TimePoint never{std::numeric_limits<std::int64_t>::max()};

  virtual ~CostModel() = default;

  virtual std::optional<ActivityId> start(const Transfer& transfer, TimePoint now) = 0;
  virtual std::optional<ActivityId> start(const ParallelTask& task, TimePoint now) = 0;
  virtual ActivityId start(const Computation& computation, TimePoint now) = 0;
  virtual ActivityId start(const DiskAccess& access, TimePoint now) = 0;

  // Forgotten: neither ended nor failed; its number may be used again at once.
  virtual void cancel(ActivityId activity, TimePoint now) = 0;
  virtual void suspend(ActivityId activity, TimePoint now) = 0;  // latency waits too
  virtual void resume(ActivityId activity, TimePoint now) = 0;
  virtual void set_rate(ActivityId activity, double rate, TimePoint now) = 0;
  virtual void set_priority(ActivityId activity, double priority, TimePoint now) = 0;
  // A computation moves and continues where it was.
  virtual void set_host(ActivityId computation, HostId host, TimePoint now) = 0;

  // In the unit in which it was started (a parallel task: 1 at first).
  virtual double remaining(ActivityId activity, TimePoint now) = 0;
  virtual double rate(ActivityId activity, TimePoint now) = 0;
  virtual Limit limit(ActivityId activity, TimePoint now) = 0;

  virtual void set_host_on(HostId host, bool is_on, TimePoint now) = 0;
  virtual bool is_host_on(HostId host, TimePoint now) = 0;
  virtual void set_pstate(HostId host, std::uint32_t pstate, TimePoint now) = 0;
  virtual std::uint32_t pstate(HostId host) const = 0;
  // Of one core at the moment, by pstate and profile.
  virtual double host_speed(HostId host, TimePoint now) = 0;
  virtual void set_host_capacity_function(HostId host, CapacityFunction function, TimePoint now) = 0;

  virtual void set_link_on(LinkId link, bool is_on, TimePoint now) = 0;
  virtual bool is_link_on(LinkId link, TimePoint now) = 0;
  virtual void set_bandwidth(LinkId link, double bytes_per_second, TimePoint now) = 0;
  virtual double bandwidth(LinkId link, TimePoint now) = 0;
  virtual void set_latency(LinkId link, double seconds, TimePoint now) = 0;
  virtual double link_latency(LinkId link, TimePoint now) = 0;
  // At most so many transfers flow at once, the others wait in order; 0: no limit. Before the first
  // transfer there.
  virtual void set_concurrency_limit(LinkId link, std::uint32_t flows, TimePoint now) = 0;
  virtual void set_link_capacity_function(LinkId link, CapacityFunction function, TimePoint now) = 0;
  // Which of the rates of the wifi link the station has.
  virtual void set_wifi_rate(LinkId link, HostId station, std::uint32_t level, TimePoint now) = 0;

  virtual void set_disk_bandwidths(DiskId disk, double read, double write, double total,
                                   TimePoint now) = 0;
  virtual void set_disk_capacity_function(DiskId disk, DiskPart part, CapacityFunction function,
                                          TimePoint now) = 0;

  // What a message without content needs: the time of its envelope. Nothing: no route.
  virtual std::optional<Duration> latency(HostId source, HostId destination, TimePoint now) = 0;

  // Empty for models whose transfers do not flow over links.
  virtual TransferTerms terms(const Transfer&, TimePoint) { return {}; }

  // Before the first start. The observer must outlive the model's use.
  virtual void observe(ResourceObserver& observer, ObserverNeeds needs) = 0;

  // `never` while is_busy() means: after the end of the range of simulated time. Without activities there can be a
  // next date, that of a host or link that goes on or off by its profile: forever, if that is periodic.
  virtual TimePoint next_date() = 0;
  virtual bool is_busy() const = 0;  // something was started and has not ended

  // Requires now <= next_date().
  virtual void advance(TimePoint now, std::vector<Ended>& ended) = 0;
};

// The capacity of a wifi link that many stations use at once: less from the 21st flow on. For
// set_link_capacity_function().
CapacityFunction wifi_decay();

// The names that make_cost_model knows, for messages and lists.
std::string_view cost_model_names();

struct ModelDescription {
  std::string_view name;
  std::string_view text;
};
std::span<const ModelDescription> network_models();

// The network model that these options mean on this platform.
std::string network_model_name(const ModelOptions& options, const Platform& platform);

// What is not in the options is as the platform asks, else as the network model has it. The platform
// must outlive the model.
Result<std::unique_ptr<CostModel>> make_cost_model(const ModelOptions& options,
                                                   const Platform& platform);

}  // namespace rehearse
