// SPDX-License-Identifier: MIT
//
// The interface of collective algorithms: schedules by rules, and the list.
#include <algorithm>

#include "simcore/collective/between_groups.hpp"
#include "simcore/collective/rules.hpp"
#include "simcore/collective_schedule.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/read_file.hpp"

namespace rehearse {

namespace {

constexpr RuleSet generic{"generic", R"(
barrier:              dissemination
broadcast:            binomial
reduce:               binomial
allreduce:            <=64K recursive_doubling, ring
gather:               binomial
gatherv:              binomial
scatter:              binomial
scatterv:             binomial
allgather:            <=64K bruck, ring
allgatherv:           <=64K bruck, ring
alltoall members<8:   pairwise
alltoall:             <=256 bruck, pairwise
alltoallv:            pairwise
scan:                 hillis_steele
exscan:               hillis_steele
reduce_scatter:       pairwise
reduce_scatter_block: pairwise
)"};

using collective::Rules;

// Layers of rules. The first layer with a matching rule applies; the last layer matches everything.
class RuledSchedules final : public CollectiveSchedules {
 public:
  explicit RuledSchedules(std::vector<Rules> layers) : layers_(std::move(layers)) {}

  std::shared_ptr<const CollectiveSchedule> find(const CollectiveShape& shape) override {
    if (shape.first_group != 0) return collective::between_groups(shape);
    for (const Rules& rules : layers_)
      if (const auto chosen = choose(rules, shape)) return chosen->algorithm->build(shape, chosen->parameters);
    REHEARSE_ASSERT(false, "the generic rules cover every operation");
    return nullptr;
  }

 private:
  std::vector<Rules> layers_;
};

class Reader {
 public:
  explicit Reader(std::span<const RuleSet> sets) : sets_(sets) {}

  // Adds rules by their name, or from a file.
  std::optional<Error> add(const std::string& name) {
    if (layers_.size() > 16) return Error{"'" + name + "': rules that refer to each other"};
    std::string text;
    if (const RuleSet* set = find(name)) {
      text = set->text;
    } else {
      auto read = read_file(name);
      if (!read)
        return Error{"'" + name + "' given; accepted: " + names() +
                     ", a file of rules that can be read, or OPERATION=ALGORITHM"};
      text = std::move(*read);
    }
    auto rules = collective::parse_rules(text, name);
    if (!rules) return rules.error();
    layers_.push_back(rules.value());
    if (rules.value().otherwise.empty()) return std::nullopt;
    return add(rules.value().otherwise);
  }

  std::optional<Error> add_override(std::string_view item) {
    const std::size_t sign = item.find('=');
    auto rule = collective::parse_rule(std::string(item.substr(0, sign)) + ": " + std::string(item.substr(sign + 1)));
    if (!rule) return Error{"'" + std::string(item) + "': " + rule.error().text};
    layers_.emplace_back().by_operation[rule.value().operation].push_back(rule.value());
    return std::nullopt;
  }

  std::vector<Rules> take() { return std::move(layers_); }

 private:
  const RuleSet* find(std::string_view name) const {
    if (name == generic.name) return &generic;
    const auto found = std::ranges::find(sets_, name, &RuleSet::name);
    return found == sets_.end() ? nullptr : &*found;
  }
  std::string names() const {
    std::string names(generic.name);
    for (const RuleSet& set : sets_) names += ", " + std::string(set.name);
    return names;
  }

  std::span<const RuleSet> sets_;
  std::vector<Rules> layers_;
};

}  // namespace

const RuleSet& collective::generic_rules() { return generic; }

Result<std::unique_ptr<CollectiveSchedules>> make_schedules(std::string_view rules, std::span<const RuleSet> sets) {
  Reader reader(sets);
  std::vector<std::string> items;
  for (std::size_t begin = 0; begin <= rules.size();) {
    const std::size_t end = std::min(rules.find(',', begin), rules.size());
    items.emplace_back(rules.substr(begin, end - begin));
    begin = end + 1;
  }
  for (const std::string& item : items)
    if (item.find('=') != std::string::npos)
      if (const auto error = reader.add_override(item)) return *error;
  for (const std::string& item : items)
    if (item.find('=') == std::string::npos)
      if (const auto error = reader.add(item)) return *error;
  if (const auto error = reader.add(std::string(generic.name))) return *error;
  return std::unique_ptr<CollectiveSchedules>(std::make_unique<RuledSchedules>(reader.take()));
}

std::unique_ptr<CollectiveSchedules> make_generic_schedules() {
  return std::move(make_schedules(generic.name, {}).value());
}

std::vector<AlgorithmDescription> collective_algorithms() {
  std::vector<AlgorithmDescription> list;
  for (const collective::Algorithm* each : collective::all_algorithms())
    list.push_back({std::string(collective::name_of(each->operation)), text_of(*each), text_of(each->needs),
                    std::string(each->otherwise)});
  return list;
}

}  // namespace rehearse
