// SPDX-License-Identifier: MIT
//
// See skeleton_inference.hpp.
#include <algorithm>
#include <memory>
#include <utility>

#include "manynode/inference/attempt.hpp"
#include "manynode/inference/communicators.hpp"
#include "manynode/inference/description.hpp"
#include "manynode/inference/expansion.hpp"
#include "manynode/skeleton_inference.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::manynode {

const char* name_of(Slot slot) {
  static constexpr const char* names[slots] = {"peer",         "size", "tag",     "source of the received message",
                                               "received tag", "root", "request", "number of elements"};
  return names[static_cast<std::size_t>(slot)];
}

std::string call_of(const RecordedRuns& runs, const RecordedCall& call) {
  std::string name;
  switch (call.kind) {
    case CallKind::send: name = call.blocking ? "send" : "isend"; break;
    case CallKind::receive: name = call.blocking ? "recv" : "irecv"; break;
    case CallKind::exchange: name = "sendrecv"; break;
    case CallKind::wait: name = "wait"; break;
    case CallKind::wait_all: name = "waitall"; break;
    case CallKind::wait_any: name = "waitany"; break;
    case CallKind::collective: name = runs.names[call.name]; break;
  }
  return call.site == 0 ? name : name + " at " + runs.sites[call.site];
}

std::string text_of(const RecordedRuns& runs, const RecordedCall& call) {
  std::string text = call_of(runs, call);
  const auto rank = [](std::int64_t number) { return number == anyone ? "any" : std::to_string(number); };
  if (call[Slot::peer] != absent) text += (call.kind == CallKind::receive ? " from " : " to ") + rank(call[Slot::peer]);
  if (call[Slot::root] != absent && call[Slot::root] != 0) text += fmt::format(", root {}", call[Slot::root]);
  if (call[Slot::bytes] != absent) text += fmt::format(", {} bytes", call[Slot::bytes]);
  if (call[Slot::tag] != absent) text += ", tag " + rank(call[Slot::tag]);
  if (call[Slot::from] != absent) text += ", from " + rank(call[Slot::from]);
  if (call[Slot::waited] != absent) text += fmt::format(" for open request {}", call[Slot::waited]);
  return text;
}

namespace inference {
namespace {

class Inference {
 public:
  Inference(const RecordedRuns& runs, bool holds_back) : runs_(runs) {
    for (RecordedRun& run : runs_.runs) {
      communicators_.push_back(number_communicators(run));
      for (const std::vector<RecordedCall>& calls : run.calls) result_.calls += calls.size();
    }
    if (!holds_back || runs_.runs.size() < least_runs_with_prediction) return;
    held_back_ = std::move(runs_.runs.back());
    runs_.runs.pop_back();
    for (const std::vector<RecordedCall>& calls : held_back_->calls) result_.held_back += calls.size();
  }

  SkeletonInference run() {
    std::vector<std::uint32_t> sizes;
    for (const RecordedRun& run : runs_.runs) sizes.push_back(run.ranks);
    const std::vector<Hypothesis> hypotheses = hypotheses_for(sizes);
    std::vector<ShapeClass> last;
    for (const KeyLevel level : {KeyLevel::sizes_and_tags, KeyLevel::tags, KeyLevel::calls}) {
      std::vector<ShapeClass> shapes = find_classes(runs_, level);
      if (is_same(shapes, last)) continue;
      std::vector<Candidate> candidates;
      for (const Hypothesis& hypothesis : hypotheses)
        add_candidate(shapes, std::make_unique<Vocabulary>(sizes, hypothesis), candidates);
      last = std::move(shapes);
      std::ranges::stable_sort(candidates, {}, [](const Candidate& each) { return each.inferred.length; });
      for (const Candidate& each : candidates)
        if (accept(each)) return std::move(result_);
    }
    return std::move(result_);
  }

 private:
  std::vector<std::vector<std::vector<std::uint32_t>>> communicators_without_held_back() const {
    auto all = communicators_;
    all.resize(runs_.runs.size());
    return all;
  }

  struct Candidate {
    std::unique_ptr<Vocabulary> vocabulary;
    Inferred inferred;
    std::vector<Term> colours;
  };

  static bool is_same(const std::vector<ShapeClass>& one, const std::vector<ShapeClass>& other) {
    return std::ranges::equal(one, other, [](const ShapeClass& a, const ShapeClass& b) {
      return a.ranks.size() == b.ranks.size() && is_same_shape(a.shapes, b.shapes);
    });
  }
  // But for the keys.
  static bool is_same_shape(const std::vector<Shape>& one, const std::vector<Shape>& other) {
    return std::ranges::equal(one, other, [](const Shape& a, const Shape& b) {
      return a.is_loop == b.is_loop && a.is_exact == b.is_exact && is_same_shape(a.body, b.body);
    });
  }

  // If it reproduces the runs.
  void add_candidate(const std::vector<ShapeClass>& shapes, std::unique_ptr<Vocabulary> vocabulary,
                     std::vector<Candidate>& candidates) {
    Attempt attempt(runs_, *vocabulary);
    auto inferred = attempt.infer(shapes);
    if (!inferred) return keep_fewer(attempt.problems());
    const auto colours = find_colours(runs_, communicators_without_held_back(), *vocabulary);
    if (!colours) return keep_fewer({colours.error().text});
    std::vector<std::string> problems;
    for (const RecordedRun& run : runs_.runs) add_differences(*inferred, run, *vocabulary, "", problems);
    if (!problems.empty()) return keep_fewer(problems);
    candidates.push_back({std::move(vocabulary), std::move(*inferred), colours.value()});
  }

  bool accept(const Candidate& candidate) {
    std::vector<std::string> problems;
    if (held_back_) add_predictions(candidate, problems);
    if (!problems.empty()) {
      if (!has_prediction_) result_.problems = std::move(problems);  // of the shortest program
      has_prediction_ = true;
      return false;
    }
    result_.skeleton = describe(runs_, *candidate.vocabulary, candidate.inferred, candidate.colours);
    result_.problems.clear();
    return true;
  }

  void add_predictions(const Candidate& candidate, std::vector<std::string>& problems) const {
    const std::string held = "the run that was held back: ";
    add_differences(candidate.inferred, *held_back_, *candidate.vocabulary, held, problems);
    for (std::size_t i = 0; i < candidate.colours.size(); ++i)
      if (!is_colour(candidate.colours[i], i + 1, *held_back_, communicators_.back(), *candidate.vocabulary))
        problems.push_back(fmt::format("{}{}the communicators number {} have other members", held,
                                       held_back_->file.empty() ? "" : held_back_->file + ": ", i + 1));
  }

  // Of several attempts that fail: one that names calls, with the fewest problems, came closest.
  void keep_fewer(const std::vector<std::string>& problems) {
    if (has_prediction_) return;
    const auto rank = [](const std::vector<std::string>& each) {
      return std::pair(!each.front().starts_with("no expression"), each.size());
    };
    if (result_.problems.empty() || rank(problems) < rank(result_.problems)) result_.problems = problems;
  }

  void add_differences(const Inferred& inferred, const RecordedRun& run, const Vocabulary& vocabulary,
                       const std::string& prefix, std::vector<std::string>& problems) const {
    static constexpr std::size_t shown = 3;
    std::size_t count = 0;
    for (std::uint32_t rank = 0; rank < run.ranks; ++rank) {
      const auto mismatch = compare(inferred.body, vocabulary.values_at(run.ranks, rank), run.calls[rank], run.parts);
      if (!mismatch || ++count > shown) continue;
      const bool is_behind_end = mismatch->call >= run.calls[rank].size();
      std::string expected = "no call";
      if (mismatch->expected) expected = text_of(runs_, *mismatch->expected);
      if (mismatch->bad_value) expected = "no integer for " + *mismatch->bad_value;
      problems.push_back(
          fmt::format("{}{}{}: call {} is {}, but the skeleton has {}", prefix, run.file.empty() ? "" : run.file + ": ",
                      name_of_rank_in(run, rank), mismatch->call + 1,
                      is_behind_end ? "the end" : text_of(runs_, run.calls[rank][mismatch->call]), expected));
    }
    if (count > shown) problems.push_back(fmt::format("{}{} other ranks differ, too", prefix, count - shown));
  }

  static constexpr std::size_t least_runs_with_prediction = 3;

  RecordedRuns runs_;
  std::vector<std::vector<std::vector<std::uint32_t>>> communicators_;
  std::optional<RecordedRun> held_back_;
  bool has_prediction_ = false;
  SkeletonInference result_;
};

}  // namespace
}  // namespace inference

SkeletonInference infer_skeleton(const RecordedRuns& runs, bool holds_back) {
  return inference::Inference(runs, holds_back).run();
}

}  // namespace rehearse::manynode
