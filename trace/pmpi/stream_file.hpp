// SPDX-License-Identifier: MIT
//
// The stream of one rank, as the profiling library left it.
//
// Errors: open(): not a stream, another version, or damage of the head; one line that begins with the path.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "simcore/support/result.hpp"
#include "trace/mapped_file.hpp"
#include "trace/pmpi/stream.h"

namespace rehearse::trace::pmpi {

class StreamFile {
 public:
  static Result<std::unique_ptr<StreamFile>> open(const std::string& path);

  const std::string& path() const { return path_; }
  const rehearse_stream_head& head() const { return head_; }
  std::uint32_t rank() const { return head_.rank; }
  // "machine", "processor", "command" or "mpi"; empty: unknown.
  const std::string& about(const std::string& key) const;
  // The whole records.
  std::span<const std::uint8_t> records() const;

 private:
  explicit StreamFile(std::string path) : path_(std::move(path)), file_(path_) {}
  Result<void> read();

  std::string path_;
  MappedFile file_;
  rehearse_stream_head head_{};
  std::map<std::string, std::string> about_;
};

}  // namespace rehearse::trace::pmpi
