// SPDX-License-Identifier: MIT
//
// See trace_sweep.hpp.
#include "app/cli/trace_sweep.hpp"

#include <algorithm>
#include <iostream>
#include <map>
#include <utility>

#include "app/cli/message.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/report/text_table.hpp"
#include "app/cli/spelling.hpp"
#include "app/cli/verb_options.hpp"
#include "app/exit_status.hpp"
#include "app/json.hpp"
#include "app/model_flags.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

std::vector<std::string> sweepable_options() {
  std::vector<std::string> names = {"on",
                                    "hostfile",
                                    "map",
                                    "collective-algorithms",
                                    "eager",
                                    "handshake",
                                    "os",
                                    "ois",
                                    "or",
                                    "wildcards",
                                    "scale-compute",
                                    "scale-bytes",
                                    "scale-latency",
                                    "scale-bandwidth",
                                    "contention",
                                    "noise",
                                    "noise-seed",
                                    "seed",
                                    "reduction-flops",
                                    "network-file",
                                    "rate",
                                    "rate-file",
                                    "loggops",
                                    "speed"};
  for (const app::ModelFlag& flag : app::model_flags()) names.emplace_back(flag.name);
  return names;
}

std::vector<std::string> values_in(const std::string& text) {
  const char separator = text.find(';') == std::string::npos ? ',' : ';';
  std::vector<std::string> values;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    values.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return values;
}

int badness(int exit_status) {
  return exit_status == app::exit_good ? 0 : exit_status == app::exit_inconclusive ? 1 : 2;
}

std::string in_quotes(const std::string& value) {
  if (value.find_first_of(",\"\n") == std::string::npos) return value;
  std::string text = "\"";
  for (const char letter : value) text += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return text + '"';
}

std::string verdict_of(int exit_status) {
  return exit_status == app::exit_good ? "" : exit_status == app::exit_inconclusive ? "inconclusive" : "violation";
}

}  // namespace

void declare(OptionSet& app, SweepOptions& options) {
  app.add_option("--sweep", options.items,
                 "replay with each of these values of an option, NAME=VALUE,VALUE,... (NAME without dashes; with a "
                 "semicolon between values, they may contain commas), and print a table. Twice: all combinations")
      ->allow_extra_args(false);
  app.add_option("--csv", options.csv, "file to write the table of --sweep to (-: standard output)");
}

Result<Sweep> Sweep::make(const SweepOptions& options, const OptionSet& given) {
  if (options.items.size() > 2) return Error{"--sweep is given more than twice"};
  const std::vector<std::string> names = sweepable_options();
  Sweep sweep;
  std::size_t count = 1;
  for (const std::string& item : options.items) {
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos || equals + 1 == item.size())
      return Error{"--sweep: '" + item + "' given; accepted: NAME=VALUE,VALUE,..."};
    Axis axis{item.substr(0, equals), values_in(item.substr(equals + 1))};
    if (axis.name.starts_with("--")) axis.name.erase(0, 2);
    if (std::ranges::find(names, axis.name) == names.end()) {
      std::string list;
      for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
      return Error{"--sweep: option '" + axis.name + "' given" + suggestion(axis.name, names) + "; accepted: " + list};
    }
    if (given.count("--" + axis.name) > 0) return Error{"--" + axis.name + " has a value, so --sweep cannot set it"};
    for (const Axis& other : sweep.axes_)
      if (other.name == axis.name) return Error{"--sweep: " + axis.name + " is given twice"};
    count *= axis.values.size();
    sweep.axes_.push_back(std::move(axis));
  }
  sweep.points_.resize(count);
  return sweep;
}

const std::string& Sweep::value(std::size_t point, std::size_t axis) const {
  for (std::size_t later = axes_.size() - 1; later > axis; --later) point /= axes_[later].values.size();
  return axes_[axis].values[point % axes_[axis].values.size()];
}

std::vector<std::string> Sweep::arguments(std::size_t point) const {
  std::vector<std::string> arguments;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis)
    arguments.push_back("--" + axes_[axis].name + "=" + value(point, axis));
  return arguments;
}

std::string Sweep::table() const {
  TextTable table;
  std::vector<std::string> header;
  for (const Axis& axis : axes_) header.push_back(axis.name);
  header.insert(header.end(), {"simulated time", "first / this", ""});
  table.add(std::move(header));
  for (std::size_t i = 0; i < points_.size(); ++i) {
    std::vector<std::string> row;
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) row.push_back(value(i, axis));
    const bool is_known = points_[i].exit_status == app::exit_good;
    const bool is_compared = is_known && points_[0].exit_status == app::exit_good && points_[i].seconds > 0;
    row.push_back(is_known ? fmt::format("{:.9f} s", points_[i].seconds) : "");
    row.push_back(is_compared ? fmt::format("{:.3f}", points_[0].seconds / points_[i].seconds) : "");
    row.push_back(verdict_of(points_[i].exit_status));
    table.add(std::move(row));
  }
  return table.text();
}

std::string Sweep::comma_separated() const {
  std::string text;
  for (const Axis& axis : axes_) text += axis.name + ",";
  text += "simulated_seconds,exit_status\n";
  for (std::size_t i = 0; i < points_.size(); ++i) {
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) text += in_quotes(value(i, axis)) + ",";
    text += fmt::format("{:.12g},{}\n", points_[i].seconds, points_[i].exit_status);
  }
  return text;
}

// Of an option whose values do not change the simulated time while all others stay the same.
std::vector<app::RunWarning> Sweep::warnings() const {
  constexpr double least_part = 1e-3;
  std::vector<app::RunWarning> warnings;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    if (axes_[axis].values.size() < 2) continue;
    std::map<std::string, std::pair<double, double>> ranges;  // by the values of the other options
    bool is_complete = true;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      is_complete &= points_[i].exit_status == app::exit_good;
      std::string others;
      for (std::size_t other = 0; other < axes_.size(); ++other)
        if (other != axis) others += value(i, other) + '\n';
      auto& [least, most] = ranges.try_emplace(others, points_[i].seconds, points_[i].seconds).first->second;
      least = std::min(least, points_[i].seconds);
      most = std::max(most, points_[i].seconds);
    }
    double change = 0;
    for (const auto& [others, range] : ranges)
      if (range.second > 0) change = std::max(change, (range.second - range.first) / range.second);
    if (!is_complete || change >= least_part) continue;
    warnings.push_back({"sweep.insensitive",
                        fmt::format("the simulated time does not depend on {} (it changes by {:.3g} %): something else "
                                    "limits this replay, such as its computation or ranks that share hosts",
                                    axes_[axis].name, 100 * change)});
  }
  return warnings;
}

int Sweep::finish(const Output& output) const {
  int status = app::exit_good;
  for (const SweepPoint& point : points_)
    if (badness(point.exit_status) > badness(status)) status = point.exit_status;
  const bool uses_output = output.json == "-" || output.csv == "-";
  if (!output.is_quiet && !uses_output) std::cout << table();
  if (!output.is_quiet && !uses_output)
    for (const app::RunWarning& warning : warnings()) std::cerr << "note: " << warning.text << '\n';
  if (!output.csv.empty())
    if (const auto written = write_text(output.csv, comma_separated()); !written)
      return report_error({"trace replay: --csv: " + written.error().text});
  if (output.json.empty()) return status;
  app::Json json = {{"trace", output.trace}, {"options", app::Json::array()}, {"replays", app::Json::array()}};
  for (const Axis& axis : axes_) json["options"].push_back(axis.name);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    app::Json values = app::Json::object();
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) values[axes_[axis].name] = value(i, axis);
    json["replays"].push_back({{"values", std::move(values)},
                               {"simulated_seconds", points_[i].seconds},
                               {"exit_status", points_[i].exit_status}});
  }
  json["warnings"] = app::to_json(warnings());
  const Result<void> written = write_json(output.json, json);
  return written ? status : report_error({"trace replay: --json: " + written.error().text});
}

}  // namespace rehearse::cli
