// SPDX-License-Identifier: MIT
//
// Compares runs under several models, and answers whether packets are needed.
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "app/model_comparison.hpp"
#include "app/wording.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

constexpr double absent = -1;
constexpr std::size_t most_names = 3;  // of calls in the answer
constexpr double least_part = 0.01;    // of the time of all ranks: a call with a smaller difference does not count

double relative(double one, double other) {
  const double larger = std::max(one, other);
  return larger > 0 ? std::abs(one - other) / larger : 0;
}

// The calls, phases or links of all runs by name, in the order of their first occurrences.
template <class Element, class NameOf, class ValueOf>
std::vector<ModelDifference> joined(const std::vector<ModelRun>& runs, std::vector<Element> ModelRun::*elements,
                                    const NameOf& name_of, const ValueOf& value_of) {
  std::map<std::pair<std::string, std::string>, std::size_t> known;
  std::vector<ModelDifference> all;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    for (const Element& element : runs[run].*elements) {
      const auto [entry, is_new] = known.try_emplace(name_of(element), all.size());
      if (is_new) {
        ModelDifference& first = all.emplace_back();
        std::tie(first.name, first.place) = entry->first;
        first.values.assign(runs.size(), absent);
      }
      ModelDifference& difference = all[entry->second];
      double& value = difference.values[run];
      value = std::max(value, 0.0) + value_of(element, difference);
    }
  }
  return all;
}

void find_judge(ModelComparison& comparison) {
  const std::vector<ModelRun>& runs = comparison.runs;
  for (std::uint32_t i = 0; i < runs.size() && comparison.judge == ModelComparison::no_run; ++i)
    if (runs[i].has_run() && runs[i].has_packets) comparison.judge = i;
  if (comparison.judge == ModelComparison::no_run) return;
  const auto distance = [&](std::uint32_t run) {
    return relative(runs[run].simulated_seconds, runs[comparison.judge].simulated_seconds);
  };
  for (std::uint32_t i = 0; i < runs.size(); ++i) {
    if (!runs[i].has_run() || runs[i].has_packets) continue;
    if (comparison.nearest == ModelComparison::no_run || distance(i) < distance(comparison.nearest))
      comparison.nearest = i;
  }
}

// The gap between judge and nearest model; without them, that of all models.
void measure_gaps(const ModelComparison& comparison, std::vector<ModelDifference>& differences) {
  for (ModelDifference& difference : differences) {
    std::vector<double> values;
    for (std::uint32_t i = 0; i < comparison.runs.size(); ++i) {
      const bool counts = comparison.has_answer() ? i == comparison.judge || i == comparison.nearest
                                                  : comparison.runs[i].has_run();
      if (counts) values.push_back(std::max(0.0, difference.values[i]));
    }
    if (values.empty()) continue;
    const auto [least, most] = std::ranges::minmax(values);
    difference.gap = most - least;
  }
}

std::uint64_t packets_lost_on(const ModelComparison& comparison, const std::string& link) {
  std::uint64_t lost = 0;
  for (const ModelRun& run : comparison.runs)
    for (const ComparedLink& each : run.links)
      if (each.name == link) lost += each.drops + each.losses + each.pauses;
  return lost;
}

void sort_by_gap(std::vector<ModelDifference>& differences) {
  std::ranges::stable_sort(differences, [](const auto& one, const auto& other) { return one.gap > other.gap; });
}

void sort_links(ModelComparison& comparison) {
  sort_by_gap(comparison.links);
  std::map<std::string, std::uint64_t> lost;
  for (const ModelDifference& link : comparison.links) lost[link.name] = packets_lost_on(comparison, link.name);
  std::ranges::stable_sort(comparison.links,
                           [&](const auto& one, const auto& other) { return lost[one.name] > lost[other.name]; });
}

void mark_calls(ModelComparison& comparison) {
  if (!comparison.has_answer()) return;
  const ModelRun& judge = comparison.runs[comparison.judge];
  const double least_seconds = least_part * judge.simulated_seconds * static_cast<double>(judge.ranks);
  for (ModelDifference& call : comparison.calls) {
    const double by_judge = std::max(0.0, call.values[comparison.judge]);
    const double by_nearest = std::max(0.0, call.values[comparison.nearest]);
    call.differs = relative(by_judge, by_nearest) > comparison.tolerance && call.gap >= least_seconds;
  }
}

std::string in_per_cent(double part) { return fmt::format("{:.3g} %", 100 * part); }

std::string counted_calls(std::uint64_t collectives, std::uint64_t others) {
  std::vector<std::string> parts;
  if (collectives > 0) parts.push_back(counted(collectives, "collective"));
  if (others > 0) parts.push_back(counted(others, collectives > 0 ? "other call" : "call"));
  return list_of(parts);
}

// "lv08 takes 3 % less time than packet", "packet takes 12 times as long as lv08".
std::string difference_of_times(const ModelRun& nearest, const ModelRun& judge) {
  const double by_nearest = nearest.simulated_seconds, by_judge = judge.simulated_seconds;
  if (by_judge > 2 * by_nearest && by_nearest > 0)
    return fmt::format("{} takes {:.3g} times as long as {}", judge.label, by_judge / by_nearest, nearest.label);
  if (by_nearest > 2 * by_judge && by_judge > 0)
    return fmt::format("{} takes {:.3g} times as long as {}", nearest.label, by_nearest / by_judge, judge.label);
  const double change = by_judge > 0 ? by_nearest / by_judge - 1 : 0;
  return fmt::format("{} takes {} {} time than {}", nearest.label, in_per_cent(std::abs(change)),
                     change < 0 ? "less" : "more", judge.label);
}

// The first ones.
std::string names_of_different(const ModelComparison& comparison) {
  std::vector<std::string> names;
  std::uint64_t more = 0;
  for (const ModelDifference& call : comparison.calls) {
    if (!call.differs) continue;
    if (names.size() == most_names) ++more;
    else names.push_back(call.name + (call.place.empty() ? "" : " at " + call.place));
  }
  if (more > 0) names.push_back(fmt::format("{} more", more));
  return list_of(names);
}

void answer(ModelComparison& comparison) {
  const ModelRun& judge = comparison.runs[comparison.judge];
  const ModelRun& nearest = comparison.runs[comparison.nearest];
  std::uint64_t collectives = 0, others = 0;
  for (const ModelDifference& call : comparison.calls)
    if (call.differs) ++(call.is_collective ? collectives : others);
  const double gap = relative(judge.simulated_seconds, nearest.simulated_seconds);
  comparison.needs_packets = collectives + others > 0 || gap > comparison.tolerance;
  const std::string time = difference_of_times(nearest, judge);
  if (!comparison.needs_packets) {
    comparison.answer =
        fmt::format("no: {}, and no call differs by more than {}", time, in_per_cent(comparison.tolerance));
    return;
  }
  comparison.answer = "yes: " + time;
  if (collectives + others > 0)
    comparison.answer += fmt::format("; {} {} by more than {}: {}", counted_calls(collectives, others),
                                     collectives + others == 1 ? "differs" : "differ",
                                     in_per_cent(comparison.tolerance), names_of_different(comparison));
}

struct LinkSum {
  std::uint64_t all = 0;
  std::uint64_t links = 0;
  const ComparedLink* most = nullptr;
};

LinkSum sum_of(const ModelRun& run, std::uint64_t ComparedLink::*count) {
  LinkSum sum;
  for (const ComparedLink& link : run.links) {
    if (link.*count == 0) continue;
    sum.all += link.*count;
    ++sum.links;
    if (sum.most == nullptr || link.*count > sum.most->*count) sum.most = &link;
  }
  return sum;
}

// What the packets met and flows do not have.
std::vector<std::string> causes_of(const ModelRun& judge) {
  std::vector<std::string> causes;
  if (const LinkSum drops = sum_of(judge, &ComparedLink::drops); drops.all > 0)
    causes.push_back(fmt::format("queues overflow: {} {} dropped on {}, {} of them at {} (longest queue: {} bytes)",
                                 counted(drops.all, "packet"), drops.all == 1 ? "is" : "are",
                                 counted(drops.links, "link"), with_commas(drops.most->drops), drops.most->name,
                                 with_commas(drops.most->longest_queue_bytes)));
  if (const LinkSum losses = sum_of(judge, &ComparedLink::losses); losses.all > 0)
    causes.push_back(fmt::format("links lose packets: {} on {}, {} of them on {}", counted(losses.all, "packet"),
                                 counted(losses.links, "link"), with_commas(losses.most->losses), losses.most->name));
  if (judge.timeouts > 0)
    causes.push_back(fmt::format("connections wait for their timers: {}, each of min_rto (default 200 ms) or more",
                                 counted(judge.timeouts, "timeout")));
  if (const LinkSum pauses = sum_of(judge, &ComparedLink::pauses); pauses.all > 0)
    causes.push_back(fmt::format("switches stop links: {}, {} of them on {}", counted(pauses.all, "pause"),
                                 with_commas(pauses.most->pauses), pauses.most->name));
  if (const LinkSum marks = sum_of(judge, &ComparedLink::marks); marks.all > 0)
    causes.push_back(fmt::format("queues mark packets: {}, {} of them at {}", counted(marks.all, "mark"),
                                 with_commas(marks.most->marks), marks.most->name));
  if (causes.empty())
    causes.push_back("no packet is lost, stopped or marked: the difference comes from headers, handshakes, slow start, "
                     "acknowledgements, envelopes, and the order in queues");
  return causes;
}

}  // namespace

ModelComparison compare(std::vector<ModelRun> runs, double tolerance) {
  ModelComparison comparison;
  comparison.runs = std::move(runs);
  comparison.tolerance = tolerance;
  comparison.calls = joined(
      comparison.runs, &ModelRun::calls, [](const ComparedCall& call) { return std::pair(call.call, call.place); },
      [](const ComparedCall& call, ModelDifference& difference) {
        difference.is_collective = difference.is_collective || call.is_collective;
        difference.times = std::max(difference.times, call.times);
        return call.seconds;
      });
  comparison.phases = joined(
      comparison.runs, &ModelRun::phases,
      [](const ComparedPhase& phase) { return std::pair(phase.end, std::string()); },
      [](const ComparedPhase& phase, ModelDifference& difference) {
        difference.times = std::max(difference.times, phase.times);
        return phase.seconds;
      });
  comparison.links = joined(
      comparison.runs, &ModelRun::links, [](const ComparedLink& link) { return std::pair(link.name, std::string()); },
      [](const ComparedLink& link, ModelDifference&) { return link.use; });
  find_judge(comparison);
  for (auto* differences : {&comparison.calls, &comparison.phases, &comparison.links})
    measure_gaps(comparison, *differences);
  sort_by_gap(comparison.calls);
  sort_by_gap(comparison.phases);
  sort_links(comparison);
  mark_calls(comparison);
  if (!comparison.has_answer()) return comparison;
  answer(comparison);
  if (comparison.needs_packets) comparison.causes = causes_of(comparison.runs[comparison.judge]);
  return comparison;
}

}  // namespace rehearse::app
