// SPDX-License-Identifier: MIT
//
// ActorHandle and this_actor, on top of the kernel.
#include "simcore/actor_api/actor_handle.hpp"

#include <utility>

#include "simcore/actor_api/this_actor.hpp"
#include "simcore/kernel/kernel.hpp"

namespace rehearse::sim {

using kernel::ActorRecord;
using kernel::Touched;
using kernel::Waiting;

namespace {

ActorRecord& of(const ActorHandle& handle) {
  if (!handle) throw BadUse("the handle refers to no actor");
  return *handle.record();
}

bool has_ended(const ActorRecord& actor) { return actor.phase == ActorRecord::Phase::ended; }

void touch(ActorRecord& actor) { actor.kernel->before({Touched::actor, actor.pid}); }

void require_near(const ActorRecord& actor, const char* what) {
  if (actor.is_far) throw BadUse(std::string(what) + ": actor '" + actor.name + "' is in another process");
}

bool join_until(ActorRecord& actor, TimePoint date) {
  ActorRecord& self = kernel::this_actor_record();
  const Reference<ActorRecord> keep(&actor);
  touch(actor);
  if (&actor == &self) throw BadUse("an actor cannot wait for its own end");
  while (!has_ended(actor)) {
    actor.joiners.push_back(wait_place(self));
    if (!actor.kernel->scheduler().block_until(self, Waiting::actor, &actor, date)) return has_ended(actor);
  }
  return true;
}

}  // namespace

const std::string& ActorHandle::name() const { return of(*this).name; }
std::uint32_t ActorHandle::pid() const { return of(*this).pid; }
std::uint32_t ActorHandle::parent_pid() const { return of(*this).parent_pid; }
HostRef ActorHandle::host() const { return HostRef(*of(*this).kernel, of(*this).host); }
bool ActorHandle::is_alive() const {
  kernel::strays();
  return !has_ended(of(*this));
}

bool ActorHandle::is_suspended() const {
  kernel::strays();
  require_near(of(*this), "is_suspended()");
  return of(*this).suspended;
}

bool ActorHandle::is_daemon() const { return of(*this).daemon; }

std::uint32_t ActorHandle::restart_count() const {
  const auto& extras = of(*this).extras;
  return extras ? extras->restart_count : 0;
}

std::optional<std::string> ActorHandle::property(const std::string& name) const {
  const auto& extras = of(*this).extras;
  if (!extras) return {};
  const auto found = extras->options.properties.find(name);
  if (found == extras->options.properties.end()) return {};
  return found->second;
}

void ActorHandle::suspend() const {
  touch(of(*this));
  record()->kernel->actors().suspend(*record());
}

void ActorHandle::resume() const {
  touch(of(*this));
  record()->kernel->actors().resume(*record());
}

void ActorHandle::kill() const {
  touch(of(*this));
  record()->kernel->actors().kill(*record());
}

void ActorHandle::join() const { (void)join_until(of(*this), CostModel::never); }

bool ActorHandle::join(double timeout) const {
  return join_until(of(*this), kernel::date_from(of(*this).kernel->now().seconds() + timeout));
}

ActorHandle ActorHandle::restart() const {
  kernel::strays();
  return ActorHandle(of(*this).kernel->actors().restart(*record()));
}

void ActorHandle::set_host(HostRef host) const {
  kernel::strays();
  of(*this).kernel->actors().set_host(*record(), host.id());
}

void ActorHandle::set_kill_time(double date) const {
  kernel::strays();
  require_near(of(*this), "set_kill_time()");
  of(*this).kernel->actors().set_kill_date(*record(), kernel::date_from(date));
}

void ActorHandle::set_auto_restart(bool restart) const {
  require_near(of(*this), "set_auto_restart()");
  of(*this).more().options.auto_restart = restart;
}

void ActorHandle::daemonize() const {
  kernel::strays();
  of(*this).kernel->actors().make_daemon(*record());
}

void ActorHandle::on_exit(std::function<void(bool)> callback) const {
  if (has_ended(of(*this))) throw BadUse("actor '" + name() + "' has already ended");
  require_near(of(*this), "on_exit()");
  record()->more().on_exit.push_back(std::move(callback));
}

namespace this_actor {

namespace {

kernel::Kernel& kernel_here() { return *kernel::this_actor_record().kernel; }

void ask_self(const void*, const ActorRecord& self, Way& way) { way.add({self.naming.self, Access::reads}); }

void sleep_to(TimePoint date) {
  ActorRecord& me = kernel::this_actor_record();
  me.kernel->before({Touched::actor, me.pid});
  if (date <= me.kernel->now()) return me.kernel->scheduler().yield(me);
  (void)me.kernel->scheduler().block_until(me, Waiting::date, nullptr, date);
}

}  // namespace

bool is_actor() { return kernel::running_actor() != nullptr; }
ActorHandle self() { return ActorHandle(&kernel::this_actor_record()); }
const std::string& name() { return kernel::this_actor_record().name; }
std::uint32_t pid() { return kernel::this_actor_record().pid; }
HostRef host() { return HostRef(kernel_here(), kernel::this_actor_record().host); }
Simulation& simulation() { return kernel_here().simulation(); }
double now() {
  kernel_here().world().date_is_read();
  return kernel_here().now().seconds();
}

void sleep_for(double seconds) {
  const TimePoint duration = kernel::date_from(seconds);
  if (duration == CostModel::never) return sleep_to(duration);
  if (duration <= TimePoint{}) return sleep_to(kernel_here().now());
  ActorRecord& me = kernel::this_actor_record();
  me.kernel->before({Touched::actor, 0, ask_self});
  (void)me.kernel->scheduler().block_until(me, Waiting::date, nullptr, me.kernel->now() + (duration - TimePoint{}));
}

void sleep_until(double date) {
  if (date < CostModel::never.seconds()) kernel_here().world().date_is_read();
  sleep_to(kernel::date_from(date));
}
Sleep sleep_async(double seconds) { return simulation().sleep_init(seconds).start(); }

void execute(double flops, double priority) { exec_init(flops).set_priority(priority).wait(); }

void execute(double flops, std::function<void()> code) { exec_init(flops).set_code(std::move(code)).wait(); }

void thread_execute(HostRef host, double flops, std::uint32_t threads) {
  simulation().exec_init(flops).set_thread_count(threads).set_host(host).wait();
}

void parallel_execute(const std::vector<HostRef>& hosts, const std::vector<double>& flops,
                      const std::vector<double>& bytes) {
  exec_init(hosts, flops, bytes).wait();
}

Exec exec_init(double flops) { return simulation().exec_init(flops).set_host(host()); }

Exec exec_init(const std::vector<HostRef>& hosts, const std::vector<double>& flops, const std::vector<double>& bytes) {
  return simulation().exec_init(hosts, flops, bytes);
}

Exec exec_async(double flops) { return exec_init(flops).start(); }

void publish(std::string name, std::int64_t value) {
  kernel::tidy_stack();
  ActorRecord& me = kernel::this_actor_record();
  me.kernel->before({});
  me.kernel->publish(name, value);
}

void set_category(std::string_view category) {
  kernel::this_actor_record().category = kernel_here().categories().number(category);
}

void yield() {
  kernel::tidy_stack();
  ActorRecord& me = kernel::this_actor_record();
  me.kernel->scheduler().yield(me);
}

void suspend() { kernel_here().actors().suspend(kernel::this_actor_record()); }
void set_host(HostRef host) { kernel_here().actors().set_host(kernel::this_actor_record(), host.id()); }
void on_exit(std::function<void(bool)> callback) { self().on_exit(std::move(callback)); }

}  // namespace this_actor

void this_actor::exit() { kernel::this_actor_record().kernel->scheduler().leave(); }

}  // namespace rehearse::sim
