// SPDX-License-Identifier: MIT
//
// See recording_inspection.hpp.
#include "trace/rtrace/recording_inspection.hpp"

#include <utility>
#include <variant>

#include "trace/rtrace/action_text.hpp"
#include "trace/rtrace/event_conversion.hpp"
#include "trace/rtrace/file.hpp"

namespace rehearse::trace::rtrace {

namespace {

// The actions of one rank, as they were asked for.
class AskedReader {
 public:
  AskedReader(const File& file, std::uint32_t rank) : file_(file), reader_(file, rank) {}

  bool next() {
    if (!reader_.next(event_)) return false;
    const char* problem = to_operation(event_, reader_.next_request(), file_.tables(), reader_.caller(), asked_);
    if (problem == nullptr && asked_.site >= file_.tables().sites().size()) problem = "unknown site";
    if (problem == nullptr) return true;
    reader_.fail(problem);
    return false;
  }
  // Whether two runs of the program have this action for sure.
  bool is_essential() const {
    const EventKind kind = event_.kind;
    if (kind == EventKind::stretch || kind == EventKind::shown_stretch || kind == EventKind::clock ||
        kind == EventKind::note)  // recorded only where messages cost the ranks time
      return false;
    return asked_.yes || asked_.is_unanswered || (kind != EventKind::observe && kind != EventKind::probe);
  }
  const Event& event() const { return event_; }
  const Asked& asked() const { return asked_; }
  const std::optional<Error>& problem() const { return reader_.problem(); }
  std::uint64_t number() const { return reader_.number(); }
  const File& file() const { return file_; }

 private:
  const File& file_;
  Reader reader_;
  Event event_;
  Asked asked_;
};

void count(const Asked& asked, KindCount& counted) {
  ++counted.actions;
  if (const auto* send = std::get_if<Send>(&asked.operation)) counted.bytes += send->data.size();
  else if (const auto* collective = std::get_if<Collective>(&asked.operation))
    counted.bytes += collective->contribution.size();
  else if (const auto* compute = std::get_if<Compute>(&asked.operation)) counted.flops += compute->flops;
}

// Numbers of files, such as those of contexts and sites, differ between two recordings; the words do not.
std::string words_of(const AskedReader& reader) { return text_of(reader.asked(), reader.file().tables()); }

void describe(const AskedReader& reader, std::size_t side, TraceDifference& difference) {
  const Site& site = reader.file().tables().sites()[reader.asked().site];
  difference.number[side] = reader.number();
  difference.text[side] = words_of(reader);
  if (!site.file.empty()) difference.place[side] = site.file + ":" + std::to_string(site.line);
}

bool next_compared(AskedReader& reader, bool with_volumes) {
  while (reader.next())
    if (with_volumes || reader.is_essential()) return true;
  return false;
}

}  // namespace

Result<Summary> summarise_recording(const std::string& path) {
  auto opened = File::open(path);
  if (!opened) return opened.error();
  const File& file = *opened.value();
  Summary summary;
  summary.format = "rtrace";
  summary.ranks = file.ranks();
  summary.about = file.about();
  summary.bytes = file.bytes();
  summary.blocks = file.index().blocks.size();
  summary.sites = file.tables().sites().size() - 1;
  summary.cut_off = file.cut_off();
  std::array<KindCount, event_kinds> kinds;
  for (std::uint32_t rank = 0; rank < file.ranks(); ++rank) {
    AskedReader reader(file, rank);
    while (reader.next()) {
      count(reader.asked(), kinds[static_cast<std::size_t>(reader.event().kind)]);
      summary.unanswered += reader.asked().is_unanswered;
      ++summary.actions;
    }
    if (reader.problem()) return *reader.problem();
    summary.late_wildcards += file.index().ranks[rank].late.size();
    summary.withdrawn += file.index().ranks[rank].withdrawn.size();
  }
  for (std::uint8_t kind = 0; kind < event_kinds; ++kind) {
    kinds[kind].kind = name_of(static_cast<EventKind>(kind));
    if (kinds[kind].actions > 0) summary.kinds.push_back(std::move(kinds[kind]));
  }
  for (const Context& context : file.tables().contexts())
    if (!context.members.empty()) summary.communicators.push_back(context.members.size());
  return summary;
}

Result<std::uint64_t> count_recorded_sends(const std::string& path, std::uint64_t above, std::uint64_t to) {
  auto opened = File::open(path);
  if (!opened) return opened.error();
  std::uint64_t count = 0;
  for (std::uint32_t rank = 0; rank < opened.value()->ranks(); ++rank) {
    AskedReader reader(*opened.value(), rank);
    while (reader.next())
      if (const auto* send = std::get_if<Send>(&reader.asked().operation))
        count += send->data.size() > above && send->data.size() <= to;
    if (reader.problem()) return *reader.problem();
  }
  return count;
}

Result<std::vector<TraceDifference>> compare_recordings(const std::string& one, const std::string& other,
                                                        bool with_volumes) {
  auto first = File::open(one);
  if (!first) return first.error();
  auto second = File::open(other);
  if (!second) return second.error();
  if (const auto error = other_ranks({one, first.value()->ranks()}, {other, second.value()->ranks()})) return *error;
  std::vector<TraceDifference> differences;
  for (std::uint32_t rank = 0; rank < first.value()->ranks(); ++rank) {
    AskedReader left(*first.value(), rank), right(*second.value(), rank);
    while (true) {
      const bool has_left = next_compared(left, with_volumes), has_right = next_compared(right, with_volumes);
      if (left.problem()) return *left.problem();
      if (right.problem()) return *right.problem();
      if (!has_left && !has_right) break;
      if (has_left && has_right && words_of(left) == words_of(right)) continue;
      TraceDifference& difference = differences.emplace_back();
      difference.rank = rank;
      if (has_left) describe(left, 0, difference);
      if (has_right) describe(right, 1, difference);
      break;
    }
  }
  return differences;
}

}  // namespace rehearse::trace::rtrace
