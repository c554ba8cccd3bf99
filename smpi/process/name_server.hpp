// SPDX-License-Identifier: MIT
//
// The names that ranks publish (MPI_Publish_name): an actor behind the ranks that answers one request after the other.
// Which of several requests comes first is a choice of messages, as for any receive from any rank.
//
// Protocol:  a request is a message in the context of births (simcore/birth.hpp), so that an idle server counts as an
//            actor that has ended: its tag is the question, its data the name and the port, each with a zero byte
//            behind it. The answer has the tag of its error class, and the port as data.
// Ownership: a value: a copy is a snapshot. The current operation points into it.
// Threads:   none.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "simcore/observation.hpp"
#include "simcore/operation.hpp"

namespace rehearse::smpi {

enum class NameQuestion : std::uint8_t { publish = 1, unpublish, look_up };

class NameServer {
 public:
  const Operation& next();
  void resume(const Observation& answer);

 private:
  void take(const Completion& request);

  std::map<std::string, std::string> ports_;  // by name
  std::uint32_t requests_ = 0;                // started so far
  bool has_answer_ = false;
  ActorId asker_;
  Tag error_ = 0;
  std::string port_;  // of the answer
  Operation operation_ = Release{};
};

}  // namespace rehearse::smpi
