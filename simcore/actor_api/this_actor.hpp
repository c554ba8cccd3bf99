// SPDX-License-Identifier: MIT
//
// Functions for the running actor.
//
// Errors:  BadUse outside of an actor. execute() and similar functions: HostFailure; a sleep fails only if the actor
//          ends.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/actor_api/activity.hpp"
#include "simcore/actor_api/actor_handle.hpp"
#include "simcore/actor_api/resources.hpp"

namespace rehearse::sim {

class Simulation;

namespace this_actor {

bool is_actor();  // whether the caller runs on an actor
ActorHandle self();
const std::string& name();
std::uint32_t pid();
HostRef host();
Simulation& simulation();
double now();

void sleep_for(double seconds);
void sleep_until(double date);
template <class Rep, class Period>
void sleep_for(std::chrono::duration<Rep, Period> duration) {
  sleep_for(std::chrono::duration<double>(duration).count());
}
Sleep sleep_async(double seconds);

void execute(double flops, double priority = 1);
void execute(double flops, std::function<void()> code);  // that really runs: Exec::set_code()
void thread_execute(HostRef host, double flops, std::uint32_t threads);
// On several hosts at once; `bytes` row by row, from each host to each, may be empty.
void parallel_execute(const std::vector<HostRef>& hosts, const std::vector<double>& flops,
                      const std::vector<double>& bytes);

Exec exec_init(double flops);
Exec exec_init(const std::vector<HostRef>& hosts, const std::vector<double>& flops, const std::vector<double>& bytes);
Exec exec_async(double flops);

// The value of this actor under this name is `value` from now on, for predicates of checks (`rehearse check --ltl`). A
// step of its own: other actors can go first. It has no other effect.
void publish(std::string name, std::int64_t value);
// The category of the computations and messages that this actor makes from now on, in maps of the run. "": none.
void set_category(std::string_view category);

void yield();    // lets the other actors that can run at this date go first
void suspend();  // until another actor resumes it
[[noreturn]] void exit();
void set_host(HostRef host);
void on_exit(std::function<void(bool killed)> callback);

}  // namespace this_actor
}  // namespace rehearse::sim
