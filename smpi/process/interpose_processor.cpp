// SPDX-License-Identifier: MIT
//
// The processors that a rank sees: one, as under a launcher that binds each rank to a core. So the results of a program
// do not depend on the machine, and OpenMP starts no threads unless the user asks for them.
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>

#include "smpi/process/interposers.hpp"

namespace rehearse::smpi {

int give_affinity(std::size_t bytes, cpu_set_t* set) {
  if (set == nullptr || bytes < sizeof(unsigned long)) return EINVAL;
  std::memset(set, 0, bytes);
  CPU_SET_S(0, bytes, set);
  return 0;
}

namespace {

long rank_sysconf(int name) { return name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF ? 1 : sysconf(name); }

int one_processor() { return 1; }
int first_processor() { return 0; }

int rank_getcpu(unsigned* processor, unsigned* node) {
  if (processor != nullptr) *processor = 0;
  if (node != nullptr) *node = 0;
  return 0;
}

int take_affinity(std::size_t bytes, const cpu_set_t* set) {
  return set != nullptr && bytes > 0 && CPU_ISSET_S(0, bytes, set) ? 0 : EINVAL;
}

int with_errno(int error) {
  if (error != 0) errno = error;
  return error == 0 ? 0 : -1;
}

int rank_sched_getaffinity(pid_t, std::size_t bytes, cpu_set_t* set) { return with_errno(give_affinity(bytes, set)); }
int rank_sched_setaffinity(pid_t, std::size_t bytes, const cpu_set_t* set) {
  return with_errno(take_affinity(bytes, set));
}
int rank_thread_getaffinity(pthread_t, std::size_t bytes, cpu_set_t* set) { return give_affinity(bytes, set); }
int rank_thread_setaffinity(pthread_t, std::size_t bytes, const cpu_set_t* set) { return take_affinity(bytes, set); }

}  // namespace

InterposerList processor_interposers() {
  return {{"sysconf", function_address(rank_sysconf)},
          {"__sysconf", function_address(rank_sysconf)},
          {"get_nprocs", function_address(one_processor)},
          {"get_nprocs_conf", function_address(one_processor)},
          {"sched_getcpu", function_address(first_processor)},
          {"getcpu", function_address(rank_getcpu)},
          {"sched_getaffinity", function_address(rank_sched_getaffinity)},
          {"sched_setaffinity", function_address(rank_sched_setaffinity)},
          {"pthread_getaffinity_np", function_address(rank_thread_getaffinity)},
          {"pthread_setaffinity_np", function_address(rank_thread_setaffinity)}};
}

}  // namespace rehearse::smpi
