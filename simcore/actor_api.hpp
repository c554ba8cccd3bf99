// SPDX-License-Identifier: MIT
//
// Actor programs in C++: functions that run as actors on the hosts of a simulated platform.
//
//   rehearse::sim::Simulation simulation(platform);
//   simulation.add_actor("worker", simulation.host("alpha"), [&] {
//     const auto task = simulation.mailbox("tasks").get<Task>();
//     sim::this_actor::execute(task.flops);
//   });
//   const auto report = simulation.run();
//
// Shape:   simulation.hpp (makes and finds actors and resources), this_actor.hpp (functions for the running actor),
//          actor_handle.hpp (functions for other actors), activity.hpp (actions that take time), mailbox.hpp and
//          message_queue.hpp (messages), wire_types.hpp (messages as bytes),
//          synchronisation.hpp (mutex, semaphore, barrier, condition variable),
//          shared_variable.hpp (variables shared without a lock),
//          resources.hpp (hosts, links, disks), workflow.hpp (graphs of tasks in files).
// Units:   seconds, bytes, flops and their quotients, as double. Dates are rounded to picoseconds inside.
// Order:   an execution is a function of platform, options and program. Actors run one at a time, each until it
//          blocks, in the order in which they became able to run. Events at the same date happen in this order:
//          changes of resources (profiles), activities that fail, activities that end, in the order in which they
//          began; then alarms (sleeps, timeouts, start and kill times) in the order in which they were set.
// Errors:  exceptions, see exceptions.hpp. A request that the platform or an option does not permit is BadUse.
// Threads: a Simulation belongs to one thread; different threads may run different ones at the same time. The code of
//          computations (Exec::set_code) can run in other threads.
#pragma once

#include "simcore/actor_api/activity.hpp"
#include "simcore/actor_api/activity_set.hpp"
#include "simcore/actor_api/actor_handle.hpp"
#include "simcore/actor_api/exceptions.hpp"
#include "simcore/actor_api/mailbox.hpp"
#include "simcore/actor_api/message_queue.hpp"
#include "simcore/actor_api/payload.hpp"
#include "simcore/actor_api/resources.hpp"
#include "simcore/actor_api/shared_variable.hpp"
#include "simcore/actor_api/simulation.hpp"
#include "simcore/actor_api/synchronisation.hpp"
#include "simcore/actor_api/this_actor.hpp"
#include "simcore/actor_api/wire_types.hpp"
#include "simcore/actor_api/workflow.hpp"
