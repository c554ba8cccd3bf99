// SPDX-License-Identifier: MIT
//
// The ways in which the processes of a program start: as children, by ssh, in network namespaces.
//
// Ownership: the destructor ends the processes that are left.
// Errors:    the system's; no permission for namespaces.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/attach/file_handle.hpp"
#include "app/attach/job_folder.hpp"
#include "app/attach/warden.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

struct StartedProcess {
  std::vector<std::string> words;
  std::string variable;  // NAME=VALUE, which it finds in its environment
  std::string machine;   // of ssh
};

struct ProcessStreams {
  FileHandle output, errors;  // readable
};

class ProcessStarter {
 public:
  using Ended = std::function<void(std::uint32_t process, int status)>;  // of waitpid()
  virtual ~ProcessStarter() = default;
  // Processes are numbered from 0 in the order of their starts.
  virtual Result<ProcessStreams> start(const StartedProcess& process) = 0;
  // To wait for, besides the streams; called when one of them is readable, and now and then.
  virtual std::vector<int> descriptors() const { return {}; }
  virtual Result<void> turn(const Ended& ended) = 0;
  virtual void end_all() = 0;
};

// On this machine.
std::unique_ptr<ProcessStarter> make_local_starter();
// `ssh`: the command in front of the machine. A machine of no name is this one.
std::unique_ptr<ProcessStarter> make_ssh_starter(std::vector<std::string> ssh);
// `hosts`: names of the namespaces. Frames between them are forwarded at once.
Result<std::unique_ptr<ProcessStarter>> make_namespace_starter(const std::vector<std::string>& hosts,
                                                               const JobFolder& folder);

}  // namespace rehearse::app
