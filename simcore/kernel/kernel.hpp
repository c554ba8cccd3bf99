// SPDX-License-Identifier: MIT
//
// The kernel of one simulation, composed of its parts. All classes of the actor API use it. Its World defines time.
//
// Threads:  none.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simcore/actor_api/exceptions.hpp"
#include "simcore/actor_api/simulation.hpp"
#include "simcore/actor_api/synchronisation.hpp"
#include "simcore/kernel/activities.hpp"
#include "simcore/kernel/actors.hpp"
#include "simcore/kernel/causality.hpp"
#include "simcore/kernel/code_workers.hpp"
#include "simcore/kernel/exchange.hpp"
#include "simcore/kernel/published_values.hpp"
#include "simcore/kernel/records.hpp"
#include "simcore/kernel/scheduler.hpp"
#include "simcore/kernel/state_changes.hpp"
#include "simcore/kernel/world.hpp"
#include "simcore/use_recorder.hpp"

namespace rehearse::sim::kernel {

// The actor that runs on this thread; null outside of actors.
ActorRecord* running_actor();
ActorRecord& this_actor_record();  // BadUse outside of actors
void require_no_code();            // BadUse in the code of a computation

// During its life, objects that are created on this thread outside of actors belong to this kernel's simulation.
class Preparing {
 public:
  explicit Preparing(Kernel& kernel);
  ~Preparing();
  Preparing(const Preparing&) = delete;
  Preparing& operator=(const Preparing&) = delete;

 private:
  Kernel* outer_;
};

// `never` if the date is beyond the range of dates.
TimePoint date_from(double seconds);

struct Callbacks {
  std::vector<std::function<void(double)>> on_time_advance;
  std::vector<std::function<void(const Activity&)>> on_activity_start, on_activity_end;
  std::vector<std::function<void(const ActorHandle&)>> on_actor_start, on_actor_end;
  std::vector<std::function<void(const HostRef&, bool)>> on_host_state;
  std::vector<std::function<void(const LinkRef&, bool)>> on_link_state;
  std::vector<std::function<void(const RunReport&)>> on_deadlock;
};

class Kernel {
 public:
  Kernel(Simulation& simulation, const Platform& platform, std::unique_ptr<World> world,
         const SimulationOptions& options);
  ~Kernel();

  Simulation& simulation() { return simulation_; }
  const Platform& platform() const { return platform_; }
  World& world() { return *world_; }
  CostModel& costs() { return world_->costs(); }
  TimePoint now() const { return world_->now(); }
  Callbacks& callbacks() { return callbacks_; }
  CategoryNames& categories() { return categories_; }
  auto& functions() { return functions_; }  // by name, for deployment
  const std::string& host_name(HostId host) const { return platform_.host(host).name; }

  // ---- its parts
  Scheduler& scheduler() { return scheduler_; }
  Actors& actors() { return actors_; }
  Activities& activities() { return activities_; }
  Exchange& exchange() { return exchange_; }
  StateChanges& changes() { return changes_; }
  CodeWorkers& code_workers() { return code_workers_; }

  // ---- running
  RunReport run(TimePoint until);
  bool is_due_after(TimePoint date);
  void end_of_run(const RunReport& report);  // the callbacks of a deadlock; kills the remaining actors
  RunReport report();                        // as of now
  const std::vector<FailedActor>& failed() const { return failed_; }
  void note_failure(FailedActor actor) { failed_.push_back(std::move(actor)); }
  const std::optional<VariableRace>& race() const { return race_; }  // the execution ends with it
  void note_race(VariableRace race) { race_ = std::move(race); }
  void ring(Timer& timer);                               // its date is reached; it is no longer set
  void time_has_passed(double seconds);                  // for the callbacks
  std::string describe(const ActorRecord& actor) const;  // the object of its wait

  // ---- identifiers that do not depend on the order of independent steps
  void happens_outside(std::uint64_t identity) { outside_ = {identity, 0}; }  // the next event is no actor's step
  void before(const Footprint& footprint) { world_->before(footprint); }
  std::uint32_t next_object_id() { return ++objects_; }
  Naming& naming();  // of the running actor, or of the event outside of actors

  // ---- values that actors publish
  void publish(const std::string& name, std::int64_t value);  // the running actor
  const PublishedValues& published() const { return published_; }

 private:
  Simulation& simulation_;
  const Platform& platform_;
  std::unique_ptr<World> world_;
  Callbacks callbacks_;
  CategoryNames categories_;
  std::map<std::string, std::function<void(const Simulation::Arguments&)>> functions_;
  std::vector<FailedActor> failed_;
  std::optional<VariableRace> race_;
  bool running_ = false;
  std::uint32_t objects_ = 0;
  PublishedValues published_;
  Naming outside_{1, 0};

  CodeWorkers code_workers_;
  Scheduler scheduler_;
  Activities activities_;
  Actors actors_;
  StateChanges changes_;
  Exchange exchange_;
};

}  // namespace rehearse::sim::kernel
