// SPDX-License-Identifier: MIT
//
// See pair_measurements.hpp.
#include "app/last_mile/pair_measurements.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>

#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

constexpr std::array<const char*, 5> column_names = {"from", "to", "latency", "round_trip", "bandwidth"};
struct AcceptedRange {
  double least, most;  // beyond all networks, and far from the ends of floating-point numbers
  const char* unit;
};
constexpr AcceptedRange accepted_seconds = {1e-12, 1e6, "seconds"}, accepted_rates = {1e-3, 1e15, "bytes/s"};

constexpr const char* accepted_columns =
    "from,to and latency (seconds, one way) or round_trip (seconds), and bandwidth (bytes/s), or one of them";

// Without blanks around it, and without the quotes that some programs put around texts.
std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  return text;
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t comma = line.find(','); comma != std::string_view::npos; comma = line.find(',')) {
    cells.push_back(trimmed(line.substr(0, comma)));
    line.remove_prefix(comma + 1);
  }
  cells.push_back(trimmed(line));
  return cells;
}

std::string refusal_of(const char* what, std::string_view value, const char* accepted) {
  return fmt::format("{} '{}' given; accepted: {}", what, value, accepted);
}

// Reads the lines of one file. Each function returns the fault, or nothing.
class PairReader {
 public:
  explicit PairReader(PairMeasurements& all) : all_(all) {}

  bool has_columns() const { return columns_.size() > 0; }

  std::string read_columns(std::string_view line) {
    for (const std::string_view cell : cells_of(line)) {
      const auto found = std::ranges::find(column_names, cell);
      if (found == column_names.end()) return refusal_of("column", cell, accepted_columns);
      const auto column = static_cast<std::size_t>(found - column_names.begin());
      if (has(column)) return refusal_of("the second column", cell, "each column once");
      columns_.push_back(column);
    }
    if (!has(from) || !has(to) || (!has(latency) && !has(round_trip) && !has(bandwidth)))
      return refusal_of("columns", line, accepted_columns);
    if (has(latency) && has(round_trip)) return refusal_of("columns", line, "one of latency and round_trip");
    return {};
  }

  std::string read_line(std::string_view line) {
    const std::vector<std::string_view> cells = cells_of(line);
    if (cells.size() != columns_.size())
      return fmt::format("line '{}' has {} cells; accepted: {}, as in the line of the columns", line, cells.size(),
                         columns_.size());
    HostPair pair;
    std::optional<double> half_way, rate;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      std::string fault;
      if (columns_[i] == from) fault = read_host(cells[i], pair.first);
      else if (columns_[i] == to) fault = read_host(cells[i], pair.second);
      else if (columns_[i] == bandwidth) fault = read_value("bandwidth", accepted_rates, cells[i], rate);
      else fault = read_value(column_names[columns_[i]], accepted_seconds, cells[i], half_way);
      if (!fault.empty()) return fault;
    }
    if (pair.first == pair.second) return refusal_of("from and to", all_.hosts[pair.first], "two different hosts");
    if (half_way) all_.latencies[pair].push_back(has(round_trip) ? *half_way / 2 : *half_way);
    if (rate) all_.bandwidths[pair].push_back(*rate);
    if (!half_way && !rate) ++all_.empty_lines;
    return {};
  }

 private:
  enum Column : std::size_t { from, to, latency, round_trip, bandwidth };

  bool has(std::size_t column) const { return std::ranges::find(columns_, column) != columns_.end(); }

  std::string read_host(std::string_view name, std::uint32_t& number) {
    const bool is_printable = std::ranges::none_of(name, [](unsigned char c) { return c < ' '; });
    if (name.empty() || !is_printable) return refusal_of("host", name, "a name");
    const auto [at, is_new] = all_.numbers.emplace(std::string(name), static_cast<std::uint32_t>(all_.hosts.size()));
    if (is_new) all_.hosts.emplace_back(name);
    number = at->second;
    return {};
  }

  static std::string read_value(const char* name, const AcceptedRange& accepted, std::string_view cell,
                                std::optional<double>& value) {
    if (cell.empty()) return {};
    double number = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
    if (error != std::errc{} || end != cell.data() + cell.size() ||
        !(number >= accepted.least && number <= accepted.most))
      return fmt::format(
          "{} '{}' given; accepted: a number from {:g} to {:g}, in {}, or no text if it was not measured", name, cell,
          accepted.least, accepted.most, accepted.unit);
    value = number;
    return {};
  }

  PairMeasurements& all_;
  std::vector<std::size_t> columns_;
};

}  // namespace

Result<void> read_pairs(std::istream& in, const std::string& file, PairMeasurements& all) {
  PairReader reader(all);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (number == 1 && line.starts_with("\xef\xbb\xbf"))
      line.erase(0, 3);  // the mark of UTF-8 that some programs write
    if (!line.empty() && line.back() == '\r') line.pop_back();
    const std::string_view text = trimmed(line);
    if (text.empty() || text.starts_with("#")) continue;
    const std::string fault = reader.has_columns() ? reader.read_line(line) : reader.read_columns(line);
    if (!fault.empty()) return Error{fmt::format("{}:{}: {}", file, number, fault)};
  }
  if (in.bad()) return Error{fmt::format("{}: cannot read: {}", file, std::strerror(errno))};
  if (!reader.has_columns())
    return Error{fmt::format("{}: no line with columns; accepted: {}", file, accepted_columns)};
  return {};
}

Result<PairMeasurements> read_pair_files(const std::vector<std::string>& files) {
  PairMeasurements all;
  for (const std::string& file : files) {
    std::ifstream in(file);
    if (!in) return Error{fmt::format("{}: cannot read: {}", file, std::strerror(errno))};
    if (const auto read = read_pairs(in, file, all); !read) return read.error();
  }
  if (all.latencies.empty() && all.bandwidths.empty())
    return Error{
        fmt::format("{}: no measurements; accepted: a line with a value for each measured pair", files.front())};
  return all;
}

}  // namespace rehearse::app
