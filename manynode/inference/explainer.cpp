// SPDX-License-Identifier: MIT
//
// See explainer.hpp.
#include "manynode/inference/explainer.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace rehearse::manynode::inference {
namespace {

constexpr Slot all_slots[slots] = {Slot::peer,     Slot::bytes, Slot::tag,    Slot::from,
                                   Slot::from_tag, Slot::root,  Slot::waited, Slot::elements};

bool is_peer(Slot slot) { return slot == Slot::peer || slot == Slot::from || slot == Slot::root; }

// Calls that take any have their own shapes.
bool takes_any(Slot slot) {
  return slot == Slot::peer || slot == Slot::from || slot == Slot::tag || slot == Slot::from_tag;
}

// Numbers that a skeleton can do without: the room of a receive, the number of elements, and which request a wait
// takes, which can be any.
bool is_optional(const RecordedCall& call, Slot slot) {
  if (slot == Slot::elements || slot == Slot::waited) return true;
  return slot == Slot::bytes && call.kind == CallKind::receive;
}

// Whether the cheapest expressions need the counter.
bool has_counter(const std::vector<Item>& items, std::size_t depth) {
  const auto needs = [depth](const std::optional<Answers>& answers) {
    return answers && answers->term().has_counter(depth);
  };
  return std::ranges::any_of(items, [&](const Item& item) {
    return std::ranges::any_of(item.values, needs) || needs(item.parts) || needs(item.times) ||
           has_counter(item.body, depth);
  });
}

}  // namespace

std::optional<std::vector<Item>> Explainer::explain(const std::vector<Shape>& shapes, const std::vector<Row>& rows) {
  unexplained_.reset();
  groups_.clear();
  Contexts contexts;
  for (const Row& row : rows) contexts.push_back({row, {}});
  auto items = explain_list(shapes, contexts, {});
  made_.clear();
  return items;
}

std::optional<Explainer::Items> Explainer::explain_list(const std::vector<Shape>& shapes, const Contexts& contexts,
                                                        const Level& level) {
  Items items;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (shapes[i].is_loop) {
      auto loop = explain_loop(shapes[i], i, contexts, level);
      if (!loop) return std::nullopt;
      std::ranges::move(*loop, std::back_inserter(items));
    } else {
      auto call = explain_call(i, contexts, level);
      if (!call) return std::nullopt;
      items.push_back(std::move(*call));
    }
  }
  return items;
}

std::optional<Item> Explainer::explain_call(std::size_t index, const Contexts& contexts, const Level& level) {
  Item item;
  item.call = *(*contexts.front().row.instances)[index].call;
  item.computations.resize(runs_.runs.size());
  for (const Context& context : contexts) {
    const Instance& instance = (*context.row.instances)[index];
    item.computations[context.row.run].seconds += instance.seconds;
    item.computations[context.row.run].occurrences += instance.occurrences;
    // The first one came there first, the last one most often.
    if (!instance.sites_before.empty()) ++item.computations[context.row.run].sites_before[instance.sites_before.back()];
  }
  for (const Slot slot : all_slots)
    if (!explain_slot(slot, index, contexts, level, item)) return std::nullopt;
  if (!explain_parts(index, contexts, level, item)) return std::nullopt;
  return item;
}

bool Explainer::explain_slot(Slot slot, std::size_t index, const Contexts& contexts, const Level& level, Item& item) {
  Question question{is_peer(slot) ? Wanted::peer : Wanted::size, {}, level.counters};
  std::size_t missing = 0;
  for (const Context& context : contexts) {
    const std::int64_t value = (*(*context.row.instances)[index].call)[slot];
    if (value == absent) ++missing;
    else question.samples.push_back({context.row.member, context.counters, value});
  }
  if (question.samples.empty()) return true;
  if (missing > 0 && is_optional(item.call, slot)) return true;
  // Any is no number: expressions may give -1, too.
  if (takes_any(slot) && question.samples.front().value == anyone && missing == 0) {
    item.values[static_cast<std::size_t>(slot)] = Answers{{Term(static_cast<double>(anyone))}, 0, {}};
    return true;
  }
  std::vector<Term> found;
  if (missing == 0) found = inference::explain(vocabulary_, question);
  if (!found.empty()) {
    item.values[static_cast<std::size_t>(slot)] = Answers{std::move(found), 0, std::move(question.samples)};
    return true;
  }
  if (is_optional(item.call, slot)) return true;
  note({item.call, false, slot, different(question.samples)}, question);
  return false;
}

bool Explainer::explain_parts(std::size_t index, const Contexts& contexts, const Level& level, Item& item) {
  Question question{Wanted::size, {}, level.counters};
  question.counters.push_back(depth_of_member);
  for (const Context& context : contexts) {
    const RecordedCall& call = *(*context.row.instances)[index].call;
    if (call.parts == 0) continue;
    const std::vector<std::int64_t>& parts = runs_.runs[context.row.run].parts[call.parts];
    for (std::size_t member = 0; member < parts.size(); ++member) {
      if (parts[member] == absent) continue;
      Sample& sample = question.samples.emplace_back();
      sample.member = context.row.member;
      sample.counters = context.counters;
      sample.counters[depth_of_member] = static_cast<std::int32_t>(member);
      sample.value = parts[member];
    }
  }
  if (question.samples.empty()) return true;
  std::vector<Term> found = inference::explain(vocabulary_, question);
  if (found.empty()) {
    note({item.call, false, std::nullopt, different(question.samples)}, question);
    return false;
  }
  item.parts = Answers{std::move(found), 0};
  return true;
}

std::optional<Explainer::Items> Explainer::explain_loop(const Shape& shape, std::size_t index, const Contexts& contexts,
                                                        const Level& level) {
  const auto is_one_pass = [index](const Context& context) { return (*context.row.instances)[index].times == 1; };
  if (std::ranges::all_of(contexts, is_one_pass)) return unroll(shape, index, contexts, level);
  if (auto whole = explain_whole_loop(shape, index, contexts, level)) {
    Items items;
    items.push_back(std::move(*whole));
    if (shape.is_exact || !has_counter(items.front().body, level.depth)) return items;
    // A few calls in a row, with peers that happen to be on a line.
    const bool is_short = std::ranges::all_of(contexts, [index](const Context& context) {
      return (*context.row.instances)[index].times <= most_preferably_unrolled;
    });
    if (!is_short) return items;
    Level inner = level;
    ++inner.taken_apart;
    ++silence_;
    auto unrolled = unroll(shape, index, contexts, inner);
    --silence_;
    return unrolled ? unrolled : items;
  }
  if (shape.is_exact || level.taken_apart >= most_taken_apart) return std::nullopt;
  ++silence_;
  auto items = take_apart(shape, index, contexts, level);
  --silence_;
  return items;
}

std::optional<Explainer::Items> Explainer::take_apart(const Shape& shape, std::size_t index, const Contexts& contexts,
                                                      const Level& level) {
  Level inner = level;
  ++inner.taken_apart;
  ++unrolled_;
  auto unrolled = unroll(shape, index, contexts, inner);
  --unrolled_;
  if (unrolled) return unrolled;
  for (const bool last : {true, false})
    if (auto items = peel(shape, index, contexts, inner, last)) return items;
  for (const std::uint64_t parts : {2, 3, 4, 6, 8})
    for (const bool parts_are_inner : {true, false})
      if (auto items = nest(shape, index, contexts, inner, parts, parts_are_inner)) return items;
  return std::nullopt;
}

std::optional<Item> Explainer::explain_whole_loop(const Shape& shape, std::size_t index, const Contexts& contexts,
                                                  const Level& level) {
  if (level.depth >= most_loops) return std::nullopt;
  Question question{Wanted::count, {}, level.counters};
  Contexts passes;
  for (const Context& context : contexts) {
    const Instance& loop = (*context.row.instances)[index];
    question.samples.push_back({context.row.member, context.counters, static_cast<std::int64_t>(loop.times)});
    for (std::size_t i = 0; i < loop.passes.size(); ++i) {
      Context& pass = passes.emplace_back(context);
      pass.row.instances = &loop.passes[i];
      pass.counters[level.depth] = static_cast<std::int32_t>(i);
    }
  }
  Level inner = level;
  ++inner.depth;
  if (!shape.is_exact) inner.counters.push_back(level.depth);
  Item item;
  item.kind = ItemKind::loop;
  item.times = Answers{{Term(0)}, 0};
  if (passes.empty()) return item;
  std::vector<Term> times = inference::explain(vocabulary_, question);
  if (times.empty()) {
    const auto first_call = [](const std::vector<Instance>& list) {
      const std::vector<Instance>* at = &list;
      while (at->front().call == nullptr) at = &at->front().passes.front();
      return at->front().call;
    };
    const RecordedCall* call = first_call(*passes.front().row.instances);
    note({*call, true, std::nullopt, different(question.samples)}, question);
    return std::nullopt;
  }
  auto body = explain_list(shape.body, passes, inner);
  if (!body) return std::nullopt;
  item.times = Answers{std::move(times), 0};
  item.body = std::move(*body);
  return item;
}

Explainer::Context Explainer::with(const Context& context, std::vector<Instance> instances) {
  Context made = context;
  made.row.instances = &made_.emplace_back(std::move(instances));
  return made;
}

std::optional<Explainer::Items> Explainer::unroll(const Shape& shape, std::size_t index, const Contexts& contexts,
                                                  const Level& level) {
  const std::uint64_t times = (*contexts.front().row.instances)[index].times;
  if (times < 1 || times > most_unrolled) return std::nullopt;
  for (const Context& context : contexts)
    if ((*context.row.instances)[index].times != times) return std::nullopt;
  std::vector<Shape> shapes;
  for (std::uint64_t i = 0; i < times; ++i) shapes.insert(shapes.end(), shape.body.begin(), shape.body.end());
  Contexts unrolled;
  for (const Context& context : contexts) {
    std::vector<Instance> all;
    for (const std::vector<Instance>& pass : (*context.row.instances)[index].passes)
      all.insert(all.end(), pass.begin(), pass.end());
    unrolled.push_back(with(context, std::move(all)));
  }
  return explain_list(shapes, unrolled, level);
}

std::optional<Explainer::Items> Explainer::peel(const Shape& shape, std::size_t index, const Contexts& contexts,
                                                const Level& level, bool last) {
  bool some_remain = false;
  for (const Context& context : contexts) {
    const std::uint64_t times = (*context.row.instances)[index].times;
    if (times == 0) return std::nullopt;
    some_remain = some_remain || times > 1;
  }
  if (!some_remain) return std::nullopt;
  std::vector<Shape> shapes = shape.body;
  shapes.insert(last ? shapes.begin() : shapes.end(), shape);
  Contexts peeled;
  for (const Context& context : contexts) {
    Instance loop = (*context.row.instances)[index];
    const auto pass = last ? loop.passes.end() - 1 : loop.passes.begin();
    std::vector<Instance> all = *pass;
    loop.passes.erase(pass);
    --loop.times;
    all.insert(last ? all.begin() : all.end(), std::move(loop));
    peeled.push_back(with(context, std::move(all)));
  }
  return explain_list(shapes, peeled, level);
}

// A loop of n passes as one of n / parts around one of `parts`, or the other way round.
std::optional<Explainer::Items> Explainer::nest(const Shape& shape, std::size_t index, const Contexts& contexts,
                                                const Level& level, std::uint64_t parts, bool parts_are_inner) {
  bool is_more = false;
  for (const Context& context : contexts) {
    const std::uint64_t times = (*context.row.instances)[index].times;
    if (times % parts != 0 || times == 0) return std::nullopt;
    is_more = is_more || times > parts;
  }
  if (!is_more) return std::nullopt;
  Shape outer = shape;
  outer.body = {shape};
  Contexts nested;
  for (const Context& context : contexts) {
    const Instance& loop = (*context.row.instances)[index];
    const std::uint64_t inner_times = parts_are_inner ? parts : loop.times / parts;
    Instance all;
    all.times = loop.times / inner_times;
    for (std::uint64_t i = 0; i < all.times; ++i) {
      Instance inner;
      inner.times = inner_times;
      const auto first = loop.passes.begin() + static_cast<std::ptrdiff_t>(i * inner_times);
      inner.passes.assign(first, first + static_cast<std::ptrdiff_t>(inner_times));
      std::vector<Instance>& pass = all.passes.emplace_back();
      pass.push_back(std::move(inner));
    }
    nested.push_back(with(context, {std::move(all)}));
  }
  auto item = explain_whole_loop(outer, 0, nested, level);
  if (!item) return std::nullopt;
  Items items;
  items.push_back(std::move(*item));
  return items;
}

void Explainer::note(const Unexplained& unexplained, const Question& question) {
  if (silence_ == 0) unexplained_ = unexplained;
  if (silence_ > unrolled_) return;
  groups_differ_in_peers_ = question.wanted != Wanted::size;
  groups_ = unexplained.is_loop ? groups_by_value(question) : std::vector<std::set<std::uint32_t>>{};
  if (groups_.size() > 1) return;
  std::set<std::uint32_t> members, rest;
  for (const Sample& sample : question.samples) rest.insert(sample.member);
  members = explain_most(vocabulary_, question);
  for (const std::uint32_t member : members) rest.erase(member);
  if (members.empty() || rest.empty()) return;
  groups_ = {std::move(members), std::move(rest)};
}

// Members with the same few values.
std::vector<std::set<std::uint32_t>> Explainer::groups_by_value(const Question& question) {
  static constexpr std::size_t most_groups = 8;
  std::map<std::uint32_t, std::set<std::int64_t>> values;
  for (const Sample& sample : question.samples) values[sample.member].insert(sample.value);
  std::map<std::set<std::int64_t>, std::set<std::uint32_t>> groups;
  for (const auto& [member, own] : values) groups[own].insert(member);
  std::vector<std::set<std::uint32_t>> made;
  if (groups.size() > most_groups) return made;
  for (auto& [own, members] : groups) made.push_back(std::move(members));
  return made;
}

std::vector<Sample> Explainer::different(const std::vector<Sample>& samples) {
  static constexpr std::size_t shown = 4;
  std::vector<Sample> chosen;
  std::set<std::int64_t> values;
  for (const Sample& sample : samples)
    if (chosen.size() < shown && values.insert(sample.value).second) chosen.push_back(sample);
  return chosen;
}

}  // namespace rehearse::manynode::inference
