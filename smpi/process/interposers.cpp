// SPDX-License-Identifier: MIT
//
// All interposed functions in one table.
#include "smpi/process/interposers.hpp"

#include "smpi/openmp/team.hpp"

namespace rehearse::smpi {

Symbols::Interposers all_interposers() {
  Symbols::Interposers all;
  for (const auto list :
       {exit_interposers,       concurrency_interposers, waiting_interposers,     signal_interposers,
        stream_interposers,     file_interposers,        environment_interposers, getopt_interposers,
        socket_interposers,     host_name_interposers,   random_interposers,      time_interposers,
        text_interposers,       identity_interposers,    processor_interposers,   thread_interposers,
        page_interposers,       locale_interposers,      wide_interposers,        heap_interposers,
        allocation_interposers, freeing_interposers,     unwinding_interposers,   plugin_interposers,
        user_interposers,       sample_interposers,      folding_interposers,     unsupported_interposers,
        cxx_binding_interposers})
    for (const auto& [name, function] : list()) all.emplace(name, function);
  return all;
}

Symbols::Interposers overriding_interposers() {
  Symbols::Interposers all;
  for (const auto list : {random_device_interposers, openmp_interposers})
    for (const auto& [name, function] : list()) all.emplace(name, function);
  return all;
}

}  // namespace rehearse::smpi
