// SPDX-License-Identifier: MIT
//
// A recording as a trace of calls, for its conversion into other formats.
//
// Communicators: a recording has contexts, of which those of collectives have members. Contexts 2k and 2k+1 are the
//                messages and the collectives of one communicator. One without collectives is a duplicate of the world.
// Errors:        open(): the file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "simcore/support/result.hpp"
#include "trace/rtrace/contributions.hpp"
#include "trace/rtrace/file.hpp"
#include "trace/trace.hpp"

namespace rehearse::trace::rtrace {

class RecordedTrace final : public Trace {
 public:
  static Result<std::unique_ptr<Trace>> open(const std::string& path, Wildcards wildcards);

  std::string format() const override { return "rtrace"; }
  std::uint32_t ranks() const override { return file_->ranks(); }
  const Communicators& communicators() const override { return communicators_; }
  std::unique_ptr<ActionReader> read(std::uint32_t rank) const override;
  std::string site_name(std::uint32_t site) const override;
  std::string about() const override { return file_->about(); }

  const File& file() const { return *file_; }
  Wildcards wildcards() const { return wildcards_; }
  // Of the communicator with this context of the file.
  std::uint32_t communicator_of(std::size_t context) const { return communicator_of_context_[context]; }
  // Reads the file once, when it is called first. Null: the file has a problem, which its readers report, too.
  const Contributions* contributions() const;

 private:
  RecordedTrace(std::unique_ptr<File> file, Wildcards wildcards);

  std::unique_ptr<File> file_;
  Wildcards wildcards_;
  Communicators communicators_{1};
  std::vector<std::uint32_t> communicator_of_context_;
  mutable std::unique_ptr<Contributions> contributions_;
  mutable bool has_read_contributions_ = false;
};

}  // namespace rehearse::trace::rtrace
