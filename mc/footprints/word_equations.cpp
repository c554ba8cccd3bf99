// SPDX-License-Identifier: MIT
//
// The three questions: a failing step, a wait that never ends, a message that is never received.
#include "mc/footprints/word_equations.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace rehearse::mc::footprints {

namespace {

using flow::Effort;
using flow::Question;
using flow::Refutation;
using flow::Variable;

constexpr double seconds_per_question = 8;
constexpr std::uint32_t most_divisions = 64;

bool is_waiting(const Point& point) {
  return point.place.kind == Place::Kind::receives || point.place.kind == Place::Kind::sends;
}

}  // namespace

void WordEquations::count(const Part& part) {
  equations_ = std::max<std::uint64_t>(equations_, part.model.system().rows().size());
  questions_ += part.solver.statistics().questions;
}

bool WordEquations::note(Part& part, const Elements& elements, const std::optional<Refutation>& refutation) {
  if (refutation && writer_ != nullptr) writer_->add(part.kind, elements, part.model, *refutation);
  return refutation.has_value();
}

// Nobody stands at one of these points, or none of these messages is there.
bool WordEquations::excludes_any(Part& part, const Elements& elements) {
  if (elements.empty()) return true;
  std::vector<Variable> variables;
  for (const std::uint32_t element : elements)
    variables.push_back(part.kind == Kind::loss ? part.model.message(element) : part.model.point(element));
  return note(part, elements, part.solver.refute({{at_least_one(variables)}, {}}));
}

std::string WordEquations::possible_failure() {
  std::map<std::pair<PointId, MessageId>, std::string> failing;
  for (const Step& step : net_.steps()) {
    const Place& end = net_.points()[step.to].place;
    if (end.kind != Place::Kind::failed) continue;
    if (step.from == none) return end.reason;
    failing.emplace(std::pair(step.from, step.taken), end.reason);
  }
  if (failing.empty()) return "";
  const WordModel model(net_);
  Part part{Kind::failure, model, {model.system(), seconds_per_question, goes_on_}};
  std::string possible;
  for (const auto& [where, reason] : failing) {
    Question question{{}, {{model.point(where.first), true}}};
    if (where.second != none) question.fixed.push_back({model.message(where.second), true});
    const auto refutation = part.solver.refute(question, Effort::thorough, most_divisions);
    if (note(part, {where.first, where.second}, refutation)) continue;
    possible = reason;
    break;
  }
  count(part);
  return possible;
}

// Asked about all points together first: what is refuted for several is refuted for each of them. Then about one point
// after the other, those with few messages first: in a deadlock, nobody stands at a refuted point, which makes the
// questions about later points easier.
std::string WordEquations::possible_deadlock() {
  WordModel model(net_);
  model.forbid_takes();
  model.add_holds();
  Part part{Kind::deadlock, model, {model.system(), seconds_per_question, goes_on_}};
  Elements waiting;
  for (PointId p = 0; p < net_.points().size(); ++p)
    if (is_waiting(net_.points()[p])) waiting.push_back(p);
  bool is_excluded = excludes_any(part, waiting);
  if (!is_excluded) {
    std::ranges::stable_sort(waiting, {}, [&](PointId point) { return net_.total_at(net_.points()[point]); });
    is_excluded = excludes_all(part, std::move(waiting));
  }
  count(part);
  return is_excluded ? "" : "a wait that never ends";
}

// Whether nobody stands at any of these points. Those that were not refuted are asked about again, when there are more
// refuted ones, and at last with divisions.
bool WordEquations::excludes_all(Part& part, Elements left) {
  std::vector<flow::Fixed> refuted;
  part.kind = Kind::deadlock_after;
  for (const std::uint32_t divisions : {0u, most_divisions}) {
    for (std::size_t before = left.size() + 1; !left.empty() && left.size() < before;) {
      before = left.size();
      std::erase_if(left, [&](PointId point) {
        Question question{{}, refuted};
        question.fixed.push_back({part.model.point(point), true});
        if (!note(part, {point}, part.solver.refute(question, Effort::fine, divisions))) return false;
        refuted.push_back({part.model.point(point), false});
        return true;
      });
      if (!goes_on_()) return false;
    }
  }
  return left.empty();
}

std::string WordEquations::possible_loss() {
  if (net_.messages().empty()) return "";
  WordModel model(net_);
  model.forbid_waits();
  Part part{Kind::loss, model, {model.system(), seconds_per_question, goes_on_}};
  Elements all(net_.messages().size());
  std::iota(all.begin(), all.end(), MessageId{0});
  const bool is_excluded = excludes_any(part, all) || std::ranges::all_of(all, [&](MessageId message) {
                             const Question question{{}, {{model.message(message), true}}};
                             const auto refutation = part.solver.refute(question, Effort::thorough, most_divisions);
                             return note(part, {message}, refutation);
                           });
  count(part);
  return is_excluded ? "" : "a message that is never received";
}

std::string WordEquations::possible_error() {
  if (std::string failure = possible_failure(); !failure.empty()) return failure;
  if (std::string deadlock = possible_deadlock(); !deadlock.empty()) return deadlock;
  return possible_loss();
}

}  // namespace rehearse::mc::footprints
