// SPDX-License-Identifier: MIT
//
// Threads that wait for the driver one by one, each in a call of its own: those of ranks with MPI_THREAD_MULTIPLE.
//
// Method: a blocking operation of a thread becomes the start of a request and a question about it. The thread waits in
//         the rank's scheduler (rank_threads.hpp) while others run. When no thread can run, the rank asks the driver
//         one Await about all of them.
// Time:   a thread is at the date of the driver. Its code, too, is a request, a Work, that begins where the thread
//         comes to the next function by which threads communicate, and that the thread then waits for. So threads
//         compute side by side, and share the cores of their host with all that runs there.
// Polls:  a thread whose polls find nothing sleeps until one can find something, until another thread has run, or, if
//         it reads the clock or yields, for a part of the time that it has polled.
// Needs:  a driver with DriverServices::threads_wait_apart.
#pragma once

#include "simcore/observation.hpp"
#include "simcore/operation.hpp"

namespace rehearse {
struct ActorContext;
}

namespace rehearse::smpi {

// From now on, for the calling rank. Only with a driver that can do it.
void let_threads_wait_apart();
// Whether they do in the calling rank.
bool threads_wait_apart();

// The running thread is about to do something that other threads, or other ranks, notice: the code that it has run
// passes first, and others may run meanwhile. `shown`: however little it was. Does nothing for other ranks.
void pass_code_time(bool shown = false);

// The hook of ActorContext::before_asking for such ranks.
const Observation* ask_of_thread(ActorContext& context, const Operation& operation);

// ---- For the scheduler

// No thread can run: sleeps until at least one is ready. False: all of them wait for each other.
bool await_threads();
// The running thread yields, and no other thread is ready: sleeps a little if another one waits for the driver. False:
// it cannot sleep.
bool doze();
// The same for a thread that has done something many times by which threads might poll.
void doze_briefly();
// give_way() of such ranks: the code of the thread passes. If code takes no time, a little time passes for others.
void give_way_apart();
// The date of the driver, in seconds.
double date_of_driver();

}  // namespace rehearse::smpi
