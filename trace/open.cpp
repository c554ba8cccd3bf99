// SPDX-License-Identifier: MIT
//
// Traces of all formats.
#include <algorithm>
#include <array>
#include <utility>

#include "trace/format.hpp"
#include "trace/otf2_archive.hpp"
#include "trace/recorded_program.hpp"
#include "trace/replayed_program.hpp"
#include "trace/rtrace/file.hpp"
#include "trace/rtrace/recorded_trace.hpp"
#include "trace/ti/index.hpp"
#include "trace/ti/reader.hpp"
#include "trace/trace.hpp"
#include "trace/trace_program.hpp"

namespace rehearse::trace {

namespace {

class TextTrace final : public Trace {
 public:
  TextTrace(ti::Index index, Communicators communicators)
      : index_(std::move(index)), communicators_(std::move(communicators)) {}

  std::string format() const override { return "ti"; }
  std::uint32_t ranks() const override { return static_cast<std::uint32_t>(index_.ranks.size()); }
  const Communicators& communicators() const override { return communicators_; }

  std::unique_ptr<ActionReader> read(std::uint32_t rank) const override {
    return std::make_unique<ti::Reader>(index_, communicators_, rank, window());
  }

 private:
  // All windows together take about 32 MiB.
  std::size_t window() const {
    constexpr std::size_t all = std::size_t{1} << 25, least = 1024, most = 65536;
    return std::clamp(all / ranks(), least, most);
  }

  ti::Index index_;
  Communicators communicators_;
};

}  // namespace

Result<std::unique_ptr<ReplayedProgram>> open_program(const std::string& path, Wildcards wildcards, Reports reports) {
  const auto format = find_format(path);
  if (!format) return format.error();
  if (format.value() == Format::rtrace) {
    auto file = rtrace::File::open(path);
    if (!file) return file.error();
    return std::unique_ptr<ReplayedProgram>(std::make_unique<RecordedProgram>(std::move(file.value()), wildcards));
  }
  auto trace = open_trace(path);
  if (!trace) return trace.error();
  return std::unique_ptr<ReplayedProgram>(std::make_unique<TraceProgram>(std::move(trace.value()), reports));
}

Result<std::unique_ptr<Trace>> open_trace(const std::string& path, Wildcards wildcards) {
  const auto format = find_format(path);
  if (!format) return format.error();
  if (format.value() == Format::rtrace) return rtrace::RecordedTrace::open(path, wildcards);
  if (format.value() == Format::otf2) return open_archive(path);
  if (format.value() != Format::ti)
    return Error{path + ": not a trace of calls; accepted: a recording, a time-independent trace (text), an index "
                        "that names a file for each rank, or an OTF2 archive"};
  auto index = ti::make_index(path);
  if (!index) return index.error();
  auto communicators = Communicators::make(index.value().splits);
  if (!communicators) return Error{path + ": " + communicators.error().text};
  return std::unique_ptr<Trace>(
      std::make_unique<TextTrace>(std::move(index.value()), std::move(communicators.value())));
}

}  // namespace rehearse::trace
