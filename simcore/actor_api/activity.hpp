// SPDX-License-Identifier: MIT
//
// Activities take time: communications, computations, disk accesses, messages of queues, pauses. Each has a handle
// type; Activity is their common base.
//
// Protocol:  init (X_init functions), start, then wait, test or a callback. An activity with predecessors
//            (add_successor) starts when all of them have finished, whether start() was called or not, and never
//            before its resources are known: a transfer without a source starts at the host of its predecessor, one
//            without a destination ends at the host of its successor. A failed or cancelled activity can be started
//            again.
// Ownership: handles are shared; the kernel keeps activities in progress alive.
// Errors:    wait() and similar functions throw the cause of a failure: HostFailure, NetworkFailure, StorageFailure,
//            CancelError. Only actors can wait; all other functions also work outside of actors.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/actor_api/payload.hpp"
#include "simcore/actor_api/reference.hpp"
#include "simcore/actor_api/resources.hpp"

namespace rehearse::sim {

namespace kernel {
struct ActivityRecord;
void retain(ActivityRecord* record);
void release(ActivityRecord* record);
}  // namespace kernel

enum class ActivityState : std::uint8_t {
  inited,    // not started
  starting,  // starts as soon as its predecessors have finished, its resources are known and its partner has come
  started,
  finished,
  failed,
  canceled,
};

class Activity {
 public:
  Activity() = default;  // refers to no activity
  explicit Activity(kernel::ActivityRecord* record) : record_(record) {}
  explicit operator bool() const { return static_cast<bool>(record_); }
  bool operator==(const Activity& other) const;  // both ends of a message are the same activity

  void wait() const;
  [[nodiscard]] bool wait_for(double seconds) const;  // whether it ended in time; otherwise it continues
  [[nodiscard]] bool wait_until(double date) const;
  void wait_for_or_cancel(double seconds) const;  // TimeoutError, and the activity is cancelled
  [[nodiscard]] bool test() const;                // whether it has ended; throws as wait() does

  void cancel() const;  // waiting actors get CancelError
  void suspend() const;
  void resume() const;
  bool is_suspended() const;
  void detach() const;  // no actor will wait for it; errors are ignored

  ActivityState state() const;
  bool is_done() const;        // finished, failed or cancelled
  double remaining() const;    // in the unit of its amount (parallel tasks: 1 at first)
  double rate() const;         // current progress per second
  double start_time() const;   // negative: not yet
  double finish_time() const;  // negative: not yet
  const std::string& name() const;

  void add_successor(const Activity& successor) const;
  void remove_successor(const Activity& successor) const;
  std::vector<Activity> successors() const;    // not yet notified of its end
  std::vector<Activity> predecessors() const;  // that have not finished

  // Called when it starts, and when it ends in any way. Must not block.
  void on_start(std::function<void(const Activity&)> callback) const;
  void on_completion(std::function<void(const Activity&)> callback) const;

  kernel::ActivityRecord* record() const;  // BadUse if it refers to no activity

 protected:
  void begin() const;
  void rename(std::string name) const;
  void categorise(std::string_view category) const;

 private:
  Reference<kernel::ActivityRecord> record_;
};

// Functions that return the handle, so that calls can be chained.
template <class Self>
class ActivityOf : public Activity {
 public:
  using Activity::Activity;
  const Self& start() const {
    begin();
    return self();
  }
  const Self& set_name(std::string name) const {
    rename(std::move(name));
    return self();
  }
  // In maps of the run, instead of that of the actor that makes it (of a message: its sender). Before the start.
  const Self& set_category(std::string_view category) const {
    categorise(category);
    return self();
  }

 private:
  const Self& self() const { return static_cast<const Self&>(*this); }
};

// A message from put to get, or bytes from host to host.
class Comm : public ActivityOf<Comm> {
 public:
  using ActivityOf::ActivityOf;

  const Comm& set_rate(double bytes_per_second) const;  // upper limit; also in progress
  const Comm& set_payload(Payload payload) const;       // before the start, by the sender
  double bytes() const;
  // For the receiver, after it has finished.
  template <class T>
  T take() const {
    return payload().take<T>();
  }
  Payload& payload() const;

  // From host to host: both must be set before it can start.
  const Comm& set_source(HostRef host) const;
  const Comm& set_destination(HostRef host) const;
  HostRef source() const;
  HostRef destination() const;

  // Bytes from host to host, without actors.
  static void sendto(HostRef source, HostRef destination, double bytes);  // the calling actor waits
  static Comm sendto_init(HostRef source, HostRef destination, double bytes);
  static Comm sendto_async(HostRef source, HostRef destination, double bytes);
};

// A computation on one host, or a parallel task on several.
class Exec : public ActivityOf<Exec> {
 public:
  using ActivityOf::ActivityOf;

  const Exec& set_host(HostRef host) const;  // also in progress: the computation moves
  const Exec& unset_host() const;            // before the start or after a failure
  const Exec& set_hosts(const std::vector<HostRef>& hosts, std::vector<double> flops, std::vector<double> bytes) const;
  HostRef host() const;
  const Exec& set_bound(double flops_per_second) const;       // upper limit; also in progress
  const Exec& set_priority(double priority) const;            // twice the priority, twice the share; also in progress
  const Exec& set_thread_count(std::uint32_t threads) const;  // each thread does all the flops; before the start
  const Exec& set_flops(double flops) const;                  // before the start
  double flops() const;
  double remaining_ratio() const;

  // Code that really runs, completely and once for each start, after the start and before the end can be noticed: a
  // wait, a callback or a date after the end finds its effects. It takes no simulated time besides the flops. What it
  // throws is the cause of a failure of the computation, unless that fails or is cancelled anyhow. Before the start.
  //
  // With SimulationOptions::workers, code of several computations may run at the same time, in other threads, beside
  // actors. So it must not share data with code that may run between the start and the end of its computation, unless
  // with the means of threads. It cannot use the actor API (BadUse where that is noticed) nor copy its handles. It may
  // run on the stack of an actor. If the actor is killed, the code runs to its end first.
  const Exec& set_code(std::function<void()> code) const;
};

enum class IoKind : std::uint8_t { read, write };

// A disk access, or a stream from a disk through the network to a disk.
class Io : public ActivityOf<Io> {
 public:
  using ActivityOf::ActivityOf;

  const Io& set_disk(DiskRef disk) const;
  const Io& set_kind(IoKind kind) const;
  const Io& set_priority(double priority) const;  // also in progress
  double bytes() const;

  // Without a disk on one side: from or to the memory of the host.
  static Io stream_init(HostRef source, std::optional<DiskRef> from, HostRef destination, std::optional<DiskRef> to,
                        double bytes);
  static Io stream_async(HostRef source, std::optional<DiskRef> from, HostRef destination, std::optional<DiskRef> to,
                         double bytes);
  static void stream(HostRef source, std::optional<DiskRef> from, HostRef destination, std::optional<DiskRef> to,
                     double bytes);  // the calling actor waits
};

// A message of a MessageQueue: takes no time after both sides have come.
class Mess : public ActivityOf<Mess> {
 public:
  using ActivityOf::ActivityOf;
  const Mess& set_payload(Payload payload) const;
  template <class T>
  T take() const {
    return payload().take<T>();
  }
  Payload& payload() const;
};

// A pause.
class Sleep : public ActivityOf<Sleep> {
 public:
  using ActivityOf::ActivityOf;
};

}  // namespace rehearse::sim
