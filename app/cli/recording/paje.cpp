// SPDX-License-Identifier: MIT
//
// Paje traces: a container for each rank and each used link, calls as states, messages as links, rates as variables.
//
// Units: seconds, with twelve decimals: picoseconds.
#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

#include "app/cli/recording/exports.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

constexpr std::array<const char*, app::doings> colours = {"0.60 0.60 0.60", "0.85 0.85 0.85", "0.80 0.80 0.70",
                                                          "0.95 0.90 0.25", "0.90 0.60 0.00", "0.00 0.45 0.70",
                                                          "0.00 0.60 0.50", "0.35 0.70 0.90", "0.80 0.40 0.65"};

constexpr const char* definitions =
    "%EventDef PajeDefineContainerType 0\n%  Alias string\n%  Type string\n%  Name string\n%EndEventDef\n"
    "%EventDef PajeDefineStateType 1\n%  Alias string\n%  Type string\n%  Name string\n%EndEventDef\n"
    "%EventDef PajeDefineVariableType 2\n%  Alias string\n%  Type string\n%  Name string\n%  Color color\n"
    "%EndEventDef\n"
    "%EventDef PajeDefineLinkType 3\n%  Alias string\n%  Type string\n%  StartContainerType string\n"
    "%  EndContainerType string\n%  Name string\n%EndEventDef\n"
    "%EventDef PajeDefineEntityValue 4\n%  Alias string\n%  Type string\n%  Name string\n%  Color color\n"
    "%EndEventDef\n"
    "%EventDef PajeCreateContainer 5\n%  Time date\n%  Alias string\n%  Type string\n%  Container string\n"
    "%  Name string\n%EndEventDef\n"
    "%EventDef PajeDestroyContainer 6\n%  Time date\n%  Type string\n%  Name string\n%EndEventDef\n"
    "%EventDef PajePushState 7\n%  Time date\n%  Type string\n%  Container string\n%  Value string\n"
    "%  Call string\n%  Place string\n%EndEventDef\n"
    "%EventDef PajePopState 8\n%  Time date\n%  Type string\n%  Container string\n%EndEventDef\n"
    "%EventDef PajeStartLink 9\n%  Time date\n%  Type string\n%  Container string\n%  StartContainer string\n"
    "%  Value string\n%  Key string\n%EndEventDef\n"
    "%EventDef PajeEndLink 10\n%  Time date\n%  Type string\n%  Container string\n%  EndContainer string\n"
    "%  Value string\n%  Key string\n%EndEventDef\n"
    "%EventDef PajeSetVariable 11\n%  Time date\n%  Type string\n%  Container string\n%  Value double\n"
    "%EndEventDef\n";

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char letter : text) result += letter == '"' ? '\'' : letter == '\n' ? ' ' : letter;
  return result + '"';
}

std::string in_seconds(TimePoint date) {
  char text[48];
  std::snprintf(text, sizeof text, "%lld.%012lld", static_cast<long long>(date.picoseconds / 1'000'000'000'000),
                static_cast<long long>(date.picoseconds % 1'000'000'000'000));
  return text;
}

class Paje {
 public:
  Paje(std::ostream& out, const app::Recording& recording, const Subject& subject)
      : out_(out), recording_(recording), subject_(subject) {}

  void write() {
    out_ << definitions;
    define();
    collect();
    for (const Event& event : events_) write(event);
    const std::string end = in_seconds(recording_.end);
    for (std::size_t i = 0; i < recording_.stops.size(); ++i) out_ << "6 " << end << " R r" << i << '\n';
    for (const app::RecordedLink& link : recording_.links) out_ << "6 " << end << " N l" << link.link.value << '\n';
    out_ << "6 " << end << " P p\n";
  }

 private:
  struct Event {
    TimePoint date;
    enum class Kind : std::uint8_t { push, pop, depart, arrive, rate } kind{};
    std::uint32_t subject = 0;  // interval, message or link
    std::uint32_t part = 0;     // of a link: slice
  };

  void define() {
    out_ << "0 P 0 Platform\n0 R P Rank\n0 N P Link\n1 S R Call\n2 B N \"Bytes per second\" \"0.00 0.45 0.70\"\n"
            "3 M P R R Message\n4 m M message \"0.00 0.00 0.00\"\n";
    std::map<std::string, app::Doing> names;
    for (const app::Interval& interval : recording_.intervals) names.emplace(state_name(interval), interval.doing);
    for (const auto& [name, doing] : names) {
      const std::string alias = fmt::format("s{}", states_.size());
      states_.emplace(name, alias);
      out_ << "4 " << alias << " S " << in_quotes(name) << " \"" << colours[static_cast<std::size_t>(doing)] << "\"\n";
    }
    const std::string begin = "5 " + in_seconds({}) + " ";
    out_ << begin << "p P 0 " << in_quotes(subject_.platform.name()) << '\n';
    for (std::size_t i = 0; i < recording_.stops.size(); ++i)
      out_ << begin << 'r' << i << " R p " << in_quotes(recording_.lane_name(static_cast<std::uint32_t>(i))) << '\n';
    for (const app::RecordedLink& link : recording_.links)
      out_ << begin << 'l' << link.link.value << " N p " << in_quotes(subject_.platform.link(link.link).name) << '\n';
  }

  std::string state_name(const app::Interval& interval) const {
    return std::string(interval.text == 0 ? name_of(interval.doing) : function_of(recording_.texts[interval.text]));
  }

  // Sorts the events by date; events of one rank at one date keep their order.
  void collect() {
    for (std::uint32_t i = 0; i < recording_.intervals.size(); ++i) {
      events_.push_back({recording_.intervals[i].begin, Event::Kind::push, i, 0});
      events_.push_back({recording_.intervals[i].end, Event::Kind::pop, i, 0});
    }
    for (std::uint32_t i = 0; i < recording_.messages.size(); ++i) {
      const app::RecordedMessage& message = recording_.messages[i];
      if (message.receiver == app::none) continue;
      events_.push_back({message.sent, Event::Kind::depart, i, 0});
      events_.push_back({message.arrived, Event::Kind::arrive, i, 0});
    }
    for (std::uint32_t i = 0; i < recording_.links.size(); ++i) {
      const std::vector<float>& rates = recording_.links[i].rates;
      for (std::uint32_t k = 0; k < rates.size(); ++k)
        if (k == 0 || rates[k] != rates[k - 1])
          events_.push_back({{k * recording_.slice.picoseconds}, Event::Kind::rate, i, k});
    }
    std::ranges::stable_sort(events_, {}, &Event::date);
  }

  void write(const Event& event) {
    const std::string date = in_seconds(event.date);
    const bool is_of_interval = event.kind == Event::Kind::push || event.kind == Event::Kind::pop;
    if (is_of_interval) {
      const app::Interval& interval = recording_.intervals[event.subject];
      if (event.kind == Event::Kind::pop) {
        out_ << "8 " << date << " S r" << interval.rank << '\n';
      } else {
        out_ << "7 " << date << " S r" << interval.rank << ' ' << states_.at(state_name(interval)) << ' '
             << in_quotes(recording_.texts[interval.text]) << ' ' << in_quotes(recording_.place_text(interval.place))
             << '\n';
      }
    } else if (event.kind == Event::Kind::rate) {
      const app::RecordedLink& link = recording_.links[event.subject];
      char rate[40];
      std::snprintf(rate, sizeof rate, "%.6g", static_cast<double>(link.rates[event.part]));
      out_ << "11 " << date << " B l" << link.link.value << ' ' << rate << '\n';
    } else {
      const app::RecordedMessage& message = recording_.messages[event.subject];
      const bool departs = event.kind == Event::Kind::depart;
      out_ << (departs ? "9 " : "10 ") << date << " M p r" << (departs ? message.source : message.destination) << " m k"
           << event.subject << '\n';
    }
  }

  std::ostream& out_;
  const app::Recording& recording_;
  const Subject& subject_;
  std::map<std::string, std::string> states_;  // alias by name
  std::vector<Event> events_;
};

}  // namespace

void write_paje(std::ostream& out, const app::Recording& recording, const Subject& subject) {
  Paje(out, recording, subject).write();
}

}  // namespace rehearse::cli
