// SPDX-License-Identifier: MIT
//
// Parses profiles, line by line.
#include <charconv>
#include <cmath>
#include <optional>

#include "simcore/profile.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/read_file.hpp"

namespace rehearse {

namespace {

constexpr std::size_t points_max = 50'000'000;
constexpr double period_min = 1e-9;
constexpr double date_max = 1e12;
constexpr double number_max = 1e30;  // beyond it, sums of times and rates could be infinite

std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view blanks = " \t\r\f\v";
  std::vector<std::string_view> words;
  std::size_t at = line.find_first_not_of(blanks);
  while (at != std::string_view::npos) {
    const std::size_t end = line.find_first_of(blanks, at);
    words.push_back(line.substr(at, end - at));
    at = end == std::string_view::npos ? end : line.find_first_not_of(blanks, end);
  }
  return words;
}

std::optional<double> number(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool whole = code == std::errc() && end == word.data() + word.size();
  return whole && std::fabs(value) <= number_max ? std::optional(value) : std::nullopt;
}

// Reads the text line by line; records the first mistake.
class Reader {
 public:
  Reader(const std::string& file, int first_line) : file_(file), line_(first_line) {}

  Result<Profile> read(std::string_view text, double periodicity);

 private:
  void read_line(std::string_view line);
  void read_point(const std::vector<std::string_view>& words);
  void read_step(const std::vector<std::string_view>& words);
  std::optional<ProfileLaw> read_law(const std::vector<std::string_view>& words, std::size_t& at);
  void read_length(const std::vector<std::string_view>& words, std::optional<double>& length);
  Result<Profile> deterministic(double periodicity);
  Result<Profile> stochastic(double periodicity);
  void refuse(const std::string& what) {
    if (!mistake_) mistake_ = Error{fmt::format("{}:{}: {}", file_, line_, what)};
  }

  const std::string& file_;
  int line_;
  std::optional<Error> mistake_;
  std::vector<ProfilePoint> points_;
  std::vector<ProfileStep> steps_;
  std::optional<double> period_;
  std::optional<double> loop_after_;
  double last_date_ = 0;
  bool has_dates_ = false;
  bool is_stochastic_ = false;
  bool repeats_ = false;
};

std::string quoted(std::string_view text) {
  constexpr std::size_t shown_max = 60;
  return "'" + std::string(text.substr(0, shown_max)) + (text.size() > shown_max ? "...'" : "'");
}

void Reader::read_length(const std::vector<std::string_view>& words, std::optional<double>& length) {
  const auto value = words.size() == 2 ? number(words[1]) : std::nullopt;
  if (is_stochastic_) refuse(std::string(words[0]) + " cannot be combined with STOCHASTIC; accepted: STOCHASTIC LOOP");
  else if (!value || *value < 0 || *value > date_max)
    refuse(std::string(words[0]) + " needs one number of seconds from 0 to 1e12");
  else if (period_ || loop_after_) refuse("a second PERIODICITY or LOOPAFTER; accepted: one of them");
  else length = value;
}

void Reader::read_point(const std::vector<std::string_view>& words) {
  const auto date = words.size() == 2 ? number(words[0]) : std::nullopt;
  const auto value = words.size() == 2 ? number(words[1]) : std::nullopt;
  if (!date || !value)
    return refuse(quoted(words[0]) +
                  " is not the beginning of a line of a profile; accepted: DATE VALUE, PERIODICITY SECONDS, "
                  "LOOPAFTER SECONDS, STOCHASTIC [LOOP], # comment");
  if (*date > date_max) return refuse("date " + quoted(words[0]) + "; accepted: up to 1e12 s");
  if (*date < last_date_)
    return refuse("date " + quoted(words[0]) +
                  " is before the one in front of it (or negative); dates are in seconds from the "
                  "start and must not fall");
  if (points_.size() == points_max) return refuse("more points than are accepted");
  last_date_ = *date;
  has_dates_ = true;
  if (*value >= 0) points_.push_back({*date, *value});
}

std::optional<ProfileLaw> Reader::read_law(const std::vector<std::string_view>& words, std::size_t& at) {
  struct Name {
    std::string_view text;
    ProfileLaw::Kind kind;
    std::size_t parameters;
  };
  using Kind = ProfileLaw::Kind;
  static constexpr Name names[] = {{"DET", Kind::constant, 1},           {"NORM", Kind::normal, 2},
                                   {"NORMAL", Kind::normal, 2},          {"GAUSS", Kind::normal, 2},
                                   {"GAUSSIAN", Kind::normal, 2},        {"UNIF", Kind::uniform, 2},
                                   {"UNIFORM", Kind::uniform, 2},        {"EXP", Kind::exponential, 1},
                                   {"EXPONENTIAL", Kind::exponential, 1}};
  for (const Name& name : names) {
    if (at >= words.size() || words[at] != name.text) continue;
    ProfileLaw law{name.kind};
    for (std::size_t i = 0; i < name.parameters; ++i) {
      const auto value = at + 1 + i < words.size() ? number(words[at + 1 + i]) : std::nullopt;
      if (!value) return std::nullopt;
      (i == 0 ? law.first : law.second) = *value;
    }
    at += 1 + name.parameters;
    const bool is_law = law.kind == Kind::uniform       ? law.second >= law.first
                        : law.kind == Kind::normal      ? law.second >= 0
                        : law.kind == Kind::exponential ? law.first > 0
                                                        : true;
    return is_law ? std::optional(law) : std::nullopt;
  }
  return std::nullopt;
}

void Reader::read_step(const std::vector<std::string_view>& words) {
  std::size_t at = 0;
  const auto delay = read_law(words, at);
  const auto value = delay ? read_law(words, at) : std::nullopt;
  if (!value || at != words.size())
    return refuse(quoted(words[0]) +
                  " does not begin a pair of laws; accepted: twice one of DET x, NORM mean deviation, "
                  "UNIF low high, EXP rate");
  if (steps_.size() == points_max) return refuse("more points than are accepted");
  steps_.push_back({*delay, *value});
}

void Reader::read_line(std::string_view line) {
  const std::vector<std::string_view> words = words_of(line.substr(0, line.find_first_of("#%")));
  if (words.empty()) return;
  if (words[0] == "PERIODICITY") return read_length(words, period_);
  if (words[0] == "LOOPAFTER") return read_length(words, loop_after_);
  if (words[0] != "STOCHASTIC") return is_stochastic_ ? read_step(words) : read_point(words);
  if (has_dates_ || is_stochastic_ || period_ || loop_after_)
    return refuse("STOCHASTIC must be the first line, and without PERIODICITY or LOOPAFTER");
  if (words.size() > 2 || (words.size() == 2 && words[1] != "LOOP"))
    return refuse("accepted: STOCHASTIC or STOCHASTIC LOOP");
  is_stochastic_ = true;
  repeats_ = words.size() == 2;
}

double highest(const ProfileLaw& law) {
  switch (law.kind) {
    case ProfileLaw::Kind::constant: return law.first;
    case ProfileLaw::Kind::uniform: return law.second;
    case ProfileLaw::Kind::normal: return law.first + 3 * law.second;
    case ProfileLaw::Kind::exponential: break;
  }
  return 1 / law.first;
}

Result<Profile> Reader::stochastic(double periodicity) {
  if (periodicity > 0) refuse("STOCHASTIC cannot be combined with a periodicity; accepted: STOCHASTIC LOOP");
  if (steps_.empty()) refuse("a profile needs at least one line with two laws");
  bool moves = false;
  for (const ProfileStep& step : steps_) {
    moves = moves || highest(step.delay) > 0;
    if (highest(step.value) < 0) refuse("a law whose values are all negative");
  }
  if (repeats_ && !moves) refuse("it repeats without passing time: each delay is 0");
  if (mistake_) return *mistake_;
  return Profile(std::move(steps_), repeats_);
}

Result<Profile> Reader::deterministic(double periodicity) {
  if (periodicity > 0 && (period_ || loop_after_))
    refuse("a periodicity and a line PERIODICITY or LOOPAFTER; accepted: one of them");
  if (periodicity > date_max) refuse("a period of more than 1e12 s");
  if (periodicity > 0) period_ = periodicity;
  if (loop_after_) period_ = last_date_ + *loop_after_;
  if (points_.empty()) refuse("a profile needs at least one line DATE VALUE with a value >= 0");
  if (period_ && *period_ < last_date_)
    refuse(fmt::format("the period is shorter than the last date, {:f}", last_date_));
  if (period_ && *period_ < period_min) refuse("a profile that repeats needs a period of at least 1 ns");
  if (mistake_) return *mistake_;
  return Profile(std::move(points_), period_.value_or(0));
}

Result<Profile> Reader::read(std::string_view text, double periodicity) {
  while (!text.empty() && !mistake_) {
    const std::size_t end = text.find('\n');
    read_line(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
    ++line_;
  }
  return is_stochastic_ ? stochastic(periodicity) : deterministic(periodicity);
}

}  // namespace

Result<Profile> parse_profile(std::string_view text, const std::string& file, int first_line, double periodicity) {
  return Reader(file, first_line).read(text, periodicity);
}

Result<Profile> read_profile(const std::string& file, double periodicity) {
  const std::optional<std::string> text = read_file(file);
  if (!text) return Error{"profile '" + file + "': no such readable file"};
  return parse_profile(*text, file, 1, periodicity);
}

}  // namespace rehearse
