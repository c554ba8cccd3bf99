// SPDX-License-Identifier: MIT
//
// See computation.hpp. A call can be several operations at one place; between these there is no computation.
#include "trace/computation.hpp"

#include <bit>
#include <unordered_map>

#include "simcore/support/format.hpp"
#include "trace/format.hpp"
#include "trace/rtrace/file.hpp"

namespace rehearse::trace {
namespace {

using rtrace::EventKind;

bool is_call(const rtrace::Event& event) {
  switch (event.kind) {
    case EventKind::send:
    case EventKind::receive:
    case EventKind::collective: return true;
    case EventKind::observe:
    case EventKind::probe: return event.has(rtrace::flag::blocking) || event.has(rtrace::flag::yes);
    default: return false;
  }
}

double flops_of(const rtrace::Event& event) {
  const bool is_fraction = event.kind == EventKind::compute && event.has(rtrace::flag::fraction);
  return is_fraction ? std::bit_cast<double>(event.volume) : static_cast<double>(event.volume);
}

// The texts of markers, each made once.
class MarkerNames {
 public:
  static constexpr std::uint32_t start = ~0u, end = ~0u - 1;

  explicit MarkerNames(const rtrace::Tables& tables) : tables_(tables) {}

  const std::string& name(std::uint32_t before, std::uint32_t after) {
    std::string& text = names_[std::uint64_t{before} << 32 | after];
    if (text.empty()) text = marker_name(site_name(before), site_name(after));
    return text;
  }

 private:
  std::string site_name(std::uint32_t site) const {
    if (site == start) return "start";
    if (site == end) return "end";
    if (site >= tables_.sites().size()) return "?";
    const rtrace::Site& at = tables_.sites()[site];
    return call_name(at.call, at.function, at.file, at.line);
  }

  const rtrace::Tables& tables_;
  std::unordered_map<std::uint64_t, std::string> names_;
};

Result<void> read_rank(const rtrace::File& file, std::uint32_t rank, MarkerNames& names, ComputationSink& sink) {
  rtrace::Reader reader(file, rank);
  rtrace::Event event;
  double flops = 0;
  std::uint32_t before = MarkerNames::start;
  while (reader.next(event)) {
    if (event.kind == EventKind::compute || event.kind == EventKind::stretch ||
        event.kind == EventKind::shown_stretch) {
      flops += flops_of(event);
    } else if (event.kind == EventKind::end || event.kind == EventKind::fail) {
      sink.on_interval(rank, names.name(before, MarkerNames::end), flops);
      return {};
    } else if (is_call(event)) {
      if (flops > 0 || event.site != before) sink.on_interval(rank, names.name(before, event.site), flops);
      before = event.site;
      flops = 0;
      const bool is_send = event.kind == EventKind::send;
      if ((is_send || event.kind == EventKind::collective) && event.numbers.size() > rtrace::place::bytes) {
        sink.on_sent(rank, is_send, static_cast<std::uint64_t>(event.numbers[rtrace::place::bytes]));
      }
    }
  }
  if (reader.problem()) return *reader.problem();
  return {};
}

}  // namespace

std::string call_name(std::string_view call, std::string_view function, std::string_view file, std::uint32_t line) {
  const std::string_view base = file.substr(file.rfind('/') + 1);
  if (base.empty()) return fmt::format("{}@{}", call, function.empty() ? "?" : function);
  return fmt::format("{}@{}:{}", call, base, line);
}

std::string marker_name(std::string_view before, std::string_view after) {
  return fmt::format("{} > {}", before, after);
}

bool has_computation(const std::string& path) {
  const auto format = find_format(path);
  return format && format.value() == Format::rtrace;
}

Result<void> read_computation(const std::string& path, ComputationSink& sink) {
  const auto file = rtrace::File::open(path);
  if (!file) return file.error();
  sink.begin({file.value()->ranks(), file.value()->about()});
  MarkerNames names(file.value()->tables());
  for (std::uint32_t rank = 0; rank < file.value()->ranks(); ++rank) {
    if (auto read = read_rank(*file.value(), rank, names, sink); !read) return read;
  }
  return {};
}

}  // namespace rehearse::trace
