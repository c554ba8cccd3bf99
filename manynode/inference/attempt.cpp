// SPDX-License-Identifier: MIT
//
// See attempt.hpp.
#include "manynode/inference/attempt.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "manynode/inference/merging.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::manynode::inference {

std::string name_of_rank_in(const RecordedRun& run, std::uint32_t rank) {
  return fmt::format("rank {} of {}", rank, run.ranks);
}

std::optional<Inferred> Attempt::infer(const std::vector<ShapeClass>& shapes) {
  problems_.clear();
  auto classes = explain(divided_by_edges(shapes));
  if (!classes) return std::nullopt;
  choose_common(*classes, vocabulary_);
  const Conditions conditions(vocabulary_);
  if (const auto open = find_rules(*classes, conditions, vocabulary_)) {
    add_inseparable(*classes, *open);
    return std::nullopt;
  }
  for (std::size_t i = 0; i < classes->size(); ++i) spread_computations((*classes)[i].body, i, classes->size());
  Inferred inferred;
  auto body = merge(*classes, conditions, vocabulary_);
  inferred.body = body ? std::move(*body) : in_branches(*classes);
  inferred.length = length_of(inferred.body);
  inferred.classes = std::move(*classes);
  return inferred;
}

// The longest ranks first: their shapes have the loops that are executed once elsewhere.
std::vector<ShapeClass> find_classes(const RecordedRuns& runs, KeyLevel level) {
  Tokens maker(runs, level);
  std::vector<std::vector<std::vector<Token>>> tokens;
  std::vector<RankPlace> order;
  for (std::uint32_t run = 0; run < runs.runs.size(); ++run) {
    tokens.push_back(maker.of(runs.runs[run]));
    for (std::uint32_t rank = 0; rank < runs.runs[run].ranks; ++rank) order.push_back({run, rank});
  }
  const auto calls_of = [&](const RankPlace& at) { return runs.runs[at.run].calls[at.rank].size(); };
  std::ranges::stable_sort(order, [&](const RankPlace& one, const RankPlace& other) {
    if (calls_of(one) != calls_of(other)) return calls_of(one) > calls_of(other);
    return one.run > other.run;
  });
  std::vector<ShapeClass> classes;
  for (const RankPlace& at : order) {
    const std::vector<Token>& own = tokens[at.run][at.rank];
    const std::vector<RecordedCall>& calls = runs.runs[at.run].calls[at.rank];
    const auto add_to = [&](ShapeClass& shape) {
      auto instances = parse(shape.shapes, own, calls);
      if (!instances) return false;
      shape.ranks.push_back(at);
      shape.instances.push_back(std::move(*instances));
      return true;
    };
    if (std::ranges::any_of(classes, add_to)) continue;
    ShapeClass& made = classes.emplace_back();
    made.shapes = fold(own);
    if (add_to(made)) continue;
    // A loop took calls that belong behind it.
    made.shapes.clear();
    for (const Token& token : own) made.shapes.push_back({.key = token.key, .body = {}});
    (void)add_to(made);
  }
  return classes;
}

std::vector<ShapeClass> Attempt::divided_by_edges(const std::vector<ShapeClass>& shapes) const {
  std::vector<ShapeClass> made;
  for (const ShapeClass& shape : shapes) {
    std::map<std::uint32_t, std::set<std::uint32_t>> members;
    for (const RankPlace& at : shape.ranks) {
      const std::uint32_t member = vocabulary_.member_of(at.run, at.rank);
      members[vocabulary_.edges_of(member)].insert(member);
    }
    for (const auto& [edges, own] : members) made.push_back(part_of(shape, own));
  }
  return made;
}

// A class whose numbers have no common expressions is divided.
std::optional<std::vector<RankClass>> Attempt::explain(std::vector<ShapeClass> shapes) {
  std::vector<RankClass> classes;
  Explainer explainer(runs_, vocabulary_);
  for (std::size_t next = 0; next < shapes.size(); ++next) {
    const ShapeClass& shape = shapes[next];
    std::vector<Explainer::Row> rows;
    RankClass made;
    for (std::size_t i = 0; i < shape.ranks.size(); ++i) {
      const std::uint32_t member = vocabulary_.member_of(shape.ranks[i].run, shape.ranks[i].rank);
      rows.push_back({member, shape.ranks[i].run, &shape.instances[i]});
      made.members.push_back(member);
    }
    if (auto body = explainer.explain(shape.shapes, rows)) {
      made.body = std::move(*body);
      classes.push_back(std::move(made));
      continue;
    }
    const bool by_sizes = !explainer.groups_differ_in_peers();
    const bool may_divide = shapes.size() <= most_classes && (!by_sizes || shape.divided_by_sizes < most_by_sizes);
    if (explainer.groups().size() < 2 || !may_divide) {
      add_unexplained(*explainer.unexplained(), shape);
      continue;
    }
    for (const std::set<std::uint32_t>& group : explainer.groups()) {
      ShapeClass part = part_of(shapes[next], group);
      if (by_sizes) ++part.divided_by_sizes;
      shapes.push_back(std::move(part));
    }
  }
  if (!problems_.empty()) return std::nullopt;
  return classes;
}

ShapeClass Attempt::part_of(const ShapeClass& shape, const std::set<std::uint32_t>& members) const {
  ShapeClass part;
  part.shapes = shape.shapes;
  part.divided_by_sizes = shape.divided_by_sizes;
  for (std::size_t i = 0; i < shape.ranks.size(); ++i) {
    if (!members.contains(vocabulary_.member_of(shape.ranks[i].run, shape.ranks[i].rank))) continue;
    part.ranks.push_back(shape.ranks[i]);
    part.instances.push_back(shape.instances[i]);
  }
  return part;
}

void Attempt::spread_computations(std::vector<Item>& items, std::size_t number, std::size_t classes) const {
  for (Item& item : items) {
    spread_computations(item.body, number, classes);
    if (item.kind != ItemKind::call) continue;
    std::vector<Computation> all(classes * runs_.runs.size());
    std::ranges::copy(item.computations, all.begin() + static_cast<std::ptrdiff_t>(number * runs_.runs.size()));
    item.computations = std::move(all);
  }
}

std::string Attempt::place_of(std::uint32_t member) const {
  const Vocabulary::Member& at = vocabulary_.member(member);
  return fmt::format("rank {} of {}", at.rank, at.ranks);
}

void Attempt::add_unexplained(const Unexplained& why, const ShapeClass& shape) {
  std::string values;
  for (const Sample& sample : why.samples) {
    values += fmt::format("{}{} {}", values.empty() ? "" : ", ", sample.value, "in " + place_of(sample.member));
    const bool has_counter = std::ranges::any_of(sample.counters, [](std::int32_t i) { return i != 0; });
    if (has_counter) values += " (a later pass)";
  }
  const std::string place = call_of(runs_, why.call);
  std::string what = "the number of passes of the loop that begins with " + place;
  if (!why.is_loop) what = fmt::format("the {} of {}", why.slot ? name_of(*why.slot) : "sizes by member", place);
  const std::string problem = "no expression gives " + what;
  if (std::ranges::any_of(problems_, [&](const std::string& each) { return each.starts_with(problem); })) return;
  problems_.push_back(fmt::format("{}: {} ({} ranks of all runs make this call)", problem, values, shape.ranks.size()));
}

void Attempt::add_inseparable(const std::vector<RankClass>& classes, const std::vector<std::size_t>& open) {
  std::string text;
  static constexpr std::size_t shown = 3;
  for (std::size_t i = 0; i < std::min(open.size(), shown); ++i) {
    const std::vector<std::uint32_t>& members = classes[open[i]].members;
    text += text.empty() ? "" : "; ";
    for (std::size_t k = 0; k < std::min(members.size(), shown); ++k)
      text += fmt::format("{}{}", k == 0 ? "" : ", ", place_of(members[k]));
    if (members.size() > shown) text += ", ...";
  }
  problems_.push_back(
      fmt::format("{} classes of ranks make different calls, and no condition separates them: {}", open.size(), text));
}

}  // namespace rehearse::manynode::inference
