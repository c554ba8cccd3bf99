// SPDX-License-Identifier: MIT
//
// Message sequence charts as text for Graphviz and Mermaid.
//
// Shape: DOT: a column of calls for each rank; arrows for messages. A message that nobody received is red and dashed,
//        and ends at a separate point. Mermaid: messages in the order of their starts; notes for collectives and for
//        the last calls of ranks that did not end.
#include <algorithm>
#include <map>

#include "app/cli/recording/exports.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

bool is_drawn(const app::Interval& interval) {
  return interval.doing != app::Doing::computation && interval.doing != app::Doing::pause;
}

std::string label_text(std::string_view text) {
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') result += '\\';
    result += letter == '\n' ? ' ' : letter;
  }
  return result + '"';
}

std::string label_of(const app::RecordedMessage& message) {
  return fmt::format("tag {}, {} B", message.tag, message.bytes);
}

// By collective: the intervals of its members, by rank.
std::vector<std::vector<std::uint32_t>> members_of(const app::Recording& recording) {
  std::vector<std::vector<std::uint32_t>> members(recording.collectives.size());
  for (std::uint32_t i = 0; i < recording.intervals.size(); ++i)
    if (recording.intervals[i].collective != app::none) members[recording.intervals[i].collective].push_back(i);
  for (auto& list : members) std::ranges::sort(list, {}, [&](std::uint32_t i) { return recording.intervals[i].rank; });
  return members;
}

void write_columns(std::ostream& out, const app::Recording& recording) {
  std::vector<std::vector<std::uint32_t>> columns(recording.stops.size());
  for (std::uint32_t i = 0; i < recording.intervals.size(); ++i)
    if (is_drawn(recording.intervals[i])) columns[recording.intervals[i].rank].push_back(i);
  for (std::uint32_t rank = 0; rank < columns.size(); ++rank) {
    out << "  subgraph rank_" << rank << " {\n    r" << rank << " [label=\"rank " << rank
        << "\", shape=plaintext, group=g" << rank << "];\n";
    for (const std::uint32_t i : columns[rank]) {
      const app::Interval& interval = recording.intervals[i];
      std::string quoted = label_text(recording.texts[interval.text]);
      if (interval.place != 0) {
        quoted.pop_back();
        quoted += "\\n" + label_text(recording.place_text(interval.place)).substr(1);
      }
      out << "    c" << i << " [label=" << quoted << ", group=g" << rank
          << (interval.is_open ? ", color=red, penwidth=2" : "") << "];\n";
    }
    out << "    r" << rank;
    for (const std::uint32_t i : columns[rank]) out << " -> c" << i;
    out << " [arrowhead=none, color=gray, weight=10];\n  }\n";
  }
}

// Replaces characters that a line of a Mermaid chart cannot contain by their numbers.
std::string for_mermaid(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    if (letter == '#' || letter == ';' || letter == '<' || letter == '>' || letter == '"')
      result += fmt::format("#{};", static_cast<int>(letter));
    else result += letter == '\n' || letter == '\r' ? ' ' : letter;
  }
  return result;
}

// Lines of the chart by date.
class Lines {
 public:
  void add(TimePoint date, std::string text) { lines_.emplace(date, std::move(text)); }
  void write(std::ostream& out) const {
    for (const auto& [date, text] : lines_) out << "  " << text << '\n';
  }

 private:
  std::multimap<TimePoint, std::string> lines_;
};

void add_collectives(Lines& lines, const app::Recording& recording) {
  const auto all = members_of(recording);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].empty()) continue;
    TimePoint date;
    for (const std::uint32_t member : all[i]) date = std::max(date, recording.intervals[member].begin);
    const std::uint32_t first = recording.intervals[all[i].front()].rank;
    const std::uint32_t last = recording.intervals[all[i].back()].rank;
    lines.add(date, fmt::format("Note over r{}{}: {} of {}", first, first == last ? "" : fmt::format(",r{}", last),
                                for_mermaid(recording.texts[recording.collectives[i].name]), all[i].size()));
  }
}

}  // namespace

void write_dot(std::ostream& out, const app::Recording& recording, const Subject& subject) {
  out << "digraph " << label_text(subject.program) << " {\n  node [shape=box, fontsize=10];\n  edge [fontsize=9];\n";
  write_columns(out, recording);
  for (std::size_t i = 0; i < recording.messages.size(); ++i) {
    const app::RecordedMessage& message = recording.messages[i];
    if (message.sender == app::none) continue;
    if (message.receiver == app::none) {
      out << "  lost_" << i << " [label=\"never received by rank " << message.destination
          << "\", shape=plaintext, fontcolor=red];\n  c" << message.sender << " -> lost_" << i
          << " [style=dashed, color=red, label=" << label_text(label_of(message)) << "];\n";
    } else {
      out << "  c" << message.sender << " -> c" << message.receiver
          << " [color=blue, constraint=false, label=" << label_text(label_of(message)) << "];\n";
    }
  }
  for (const auto& members : members_of(recording)) {
    if (members.size() < 2) continue;
    out << "  c" << members[0];
    for (std::size_t k = 1; k < members.size(); ++k) out << " -> c" << members[k];
    out << " [style=dotted, arrowhead=none, constraint=false];\n";
  }
  out << "}\n";
}

void write_mermaid(std::ostream& out, const app::Recording& recording, const Subject& subject) {
  out << "sequenceDiagram\n  %% " << for_mermaid(subject.program) << " on " << for_mermaid(subject.platform.name())
      << '\n';
  for (std::size_t rank = 0; rank < recording.stops.size(); ++rank)
    out << "  participant r" << rank << " as rank " << rank << '\n';
  Lines lines;
  for (const app::RecordedMessage& message : recording.messages) {
    if (message.sender == app::none) continue;
    const bool is_lost = message.receiver == app::none;
    const std::string text = recording.texts[recording.intervals[message.sender].text];
    lines.add(message.sent,
              fmt::format("r{}{}r{}: {}, {}{}", message.source, is_lost ? "-x" : "->>", message.destination,
                          for_mermaid(function_of(text)), label_of(message), is_lost ? ", never received" : ""));
  }
  add_collectives(lines, recording);
  for (std::uint32_t rank = 0; rank < recording.stops.size(); ++rank) {
    const app::RecordedStop& stop = recording.stops[rank];
    if (stop.interval == app::none) continue;
    lines.add(recording.end, fmt::format("Note over r{}: {} in {}", rank, name_of(stop.state),
                                         for_mermaid(recording.texts[recording.intervals[stop.interval].text])));
  }
  lines.write(out);
}

}  // namespace rehearse::cli
