// SPDX-License-Identifier: MIT
//
// See format.hpp.
#include "trace/format.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "trace/goal.hpp"
#include "trace/otf2_archive.hpp"
#include "trace/rtrace/file.hpp"
#include "trace/ti/index.hpp"

namespace rehearse::trace {

namespace {

Result<std::string> read_beginning(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return Error{path + ": cannot read: " + std::strerror(errno)};
  std::string beginning(4096, '\0');
  in.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  beginning.resize(static_cast<std::size_t>(in.gcount()));
  return beginning;
}

}  // namespace

Result<Format> find_format(const std::string& path) {
  const auto beginning = read_beginning(path);
  if (!beginning) return beginning.error();
  if (rtrace::looks_like_rtrace(beginning.value())) return Format::rtrace;
  if (looks_like_archive(beginning.value())) return Format::otf2;
  if (const auto form = goal_form(beginning.value())) return *form;
  if (ti::looks_like_text_trace(beginning.value())) return Format::ti;
  return Error{
      path +
      ": not a trace; accepted: a recording (rehearse trace record), a time-independent trace (text), "
      "an index that names a file for each rank, a GOAL schedule (text or binary), or the anchor file of an OTF2 "
      "archive (FILE.otf2)"};
}

bool is_surely_trace(const std::string& path) {
  const auto format = find_format(path);
  return format && (format.value() != Format::ti || path.ends_with(".ti"));
}

}  // namespace rehearse::trace
