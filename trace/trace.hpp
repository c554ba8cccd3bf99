// SPDX-License-Identifier: MIT
//
// A recorded execution of an MPI program: for each rank the list of what it did, without data.
//
// Memory:  independent of the length: readers keep a window of the file each.
// Errors:  open_trace() of what can be seen at once; a reader of what it comes to. Each is one line with file, line,
//          rank, the value found and what is accepted.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "simcore/support/result.hpp"
#include "trace/action.hpp"
#include "trace/communicators.hpp"
#include "trace/losses.hpp"
#include "trace/wildcards.hpp"

namespace rehearse::trace {

// The actions of one rank, in their order.
class ActionReader {
 public:
  virtual ~ActionReader() = default;

  // False: there are no more, or problem() says what is wrong with the next one.
  virtual bool next(Action& action) = 0;

  // Of the file; exit status 2.
  virtual const std::optional<Error>& problem() const = 0;
  // The next action is one that nobody replays: its name and why. Exit status 3.
  virtual const std::optional<std::string>& unsupported() const = 0;

  // The action that was read last as it is written in the file, which file that is, and where it is: "FILE:LINE".
  virtual std::string text() const = 0;
  virtual std::string file() const = 0;
  virtual std::string place() const = 0;

  // The facts in the file that the actions so far do not have.
  virtual Losses losses() const { return {}; }
};

class Trace {
 public:
  virtual ~Trace() = default;

  virtual std::string format() const = 0;  // "ti", "rtrace", "otf2"
  virtual std::uint32_t ranks() const = 0;
  virtual const Communicators& communicators() const = 0;
  // Whether a RequestName is a number that means one request of the rank, and not the ends and the tag of a message.
  virtual bool has_request_numbers() const { return false; }
  // Of an action, as in computation.hpp: MPI_Wait@cg.c:141.
  virtual std::string site_name(std::uint32_t) const { return {}; }
  // JSON about the recorded run; empty: unknown.
  virtual std::string about() const { return {}; }

  // The Trace must outlive the reader.
  virtual std::unique_ptr<ActionReader> read(std::uint32_t rank) const = 0;
};

// A time-independent trace or a recording, which is recognised by its content. `wildcards` matters for recordings.
Result<std::unique_ptr<Trace>> open_trace(const std::string& path, Wildcards wildcards = Wildcards::recorded);

}  // namespace rehearse::trace
