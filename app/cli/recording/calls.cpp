// SPDX-License-Identifier: MIT
//
// From intervals to calls.
#include "app/cli/recording/calls.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace rehearse::cli {
namespace {

// Actions of time-independent text whose function has another spelling.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> other_spellings = {
    {{"reducescatter", "MPI_Reduce_scatter"},
     {"ireducescatter", "MPI_Ireduce_scatter"},
     {"isendrecv", "MPI_Isendrecv"},
     {"end", "MPI_Finalize"}}};

bool is_exchange(std::string_view function) {
  return function == "MPI_Sendrecv" || function == "MPI_Sendrecv_replace" || function == "MPI_Isendrecv";
}

bool continues(const RecordedCall& call, const app::Interval& interval, const app::Recording& recording) {
  if (!is_exchange(call.function) || call.end != interval.begin) return false;
  const app::Interval& before = recording.intervals[call.last];
  const bool is_started = before.begin == before.end && before.doing != app::Doing::wait;
  return is_started && before.place == interval.place && !before.is_open &&
         call.function == mpi_function_of(recording.texts[interval.text]);
}

}  // namespace

std::string mpi_function_of(std::string_view text) {
  const std::string_view word = text.substr(0, text.find_first_of("(: "));
  if (word.starts_with("MPI_") || word.empty()) return std::string(word);
  std::string name(word);
  std::ranges::transform(name, name.begin(), [](unsigned char letter) { return std::tolower(letter); });
  const auto other = std::ranges::find(other_spellings, name, &std::pair<std::string_view, std::string_view>::first);
  if (other != other_spellings.end()) return std::string(other->second);
  name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
  return "MPI_" + name;
}

RecordedCalls calls_of(const app::Recording& recording) {
  RecordedCalls result;
  std::vector<std::uint32_t> last(recording.stops.size(), app::none);  // by rank: call
  for (std::uint32_t i = 0; i < recording.intervals.size(); ++i) {
    const app::Interval& interval = recording.intervals[i];
    const bool is_call = interval.doing != app::Doing::computation && interval.doing != app::Doing::pause;
    std::uint32_t& before = last[interval.rank];
    if (is_call && before != app::none && continues(result.calls[before], interval, recording)) {
      RecordedCall& call = result.calls[before];
      call.last = i;
      call.end = interval.end;
      call.doing = app::Doing::exchange;
      call.is_open = interval.is_open;
    } else {
      before = static_cast<std::uint32_t>(result.calls.size());
      result.calls.push_back({i, i, interval.rank, interval.doing,
                              is_call ? mpi_function_of(recording.texts[interval.text]) : std::string(), interval.begin,
                              interval.end, interval.is_open});
    }
    result.of_interval.push_back(before);
  }
  return result;
}

}  // namespace rehearse::cli
