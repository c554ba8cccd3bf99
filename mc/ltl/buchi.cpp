// SPDX-License-Identifier: MIT
//
// See buchi.hpp: negation normal form, then the tableau.
#include "mc/ltl/buchi.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace rehearse::mc::ltl {
namespace {

using Source = TemporalFormula;

enum class Code : std::uint8_t { truth, falsity, atom, not_atom, both, either, next, until, release };

struct Normal {
  Code code;
  std::uint32_t first = 0, second = 0;
  auto operator<=>(const Normal&) const = default;
};

// Formulas in negation normal form, each once.
class NormalForms {
 public:
  explicit NormalForms(const Source& source) : source_(source) {}

  std::uint32_t of(std::uint32_t node, bool negated) {
    const auto [found, is_new] = known_.try_emplace({node, negated}, 0);
    if (!is_new) return found->second;
    const std::uint32_t made = make(source_.nodes()[node], negated);
    return known_[{node, negated}] = made;
  }

  const Normal& at(std::uint32_t index) const { return forms_[index]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(forms_.size()); }

 private:
  std::uint32_t make(const Source::Node& node, bool negated) {
    using From = Source::Code;
    switch (node.code) {
      case From::truth: return add({negated ? Code::falsity : Code::truth});
      case From::atom: return add({negated ? Code::not_atom : Code::atom, node.first});
      case From::negate: return of(node.first, !negated);
      case From::next: return add({Code::next, of(node.first, negated)});
      case From::both: return two(negated ? Code::either : Code::both, node, negated);
      case From::either: return two(negated ? Code::both : Code::either, node, negated);
      case From::until: return two(negated ? Code::release : Code::until, node, negated);
      case From::release: break;
    }
    return two(negated ? Code::until : Code::release, node, negated);
  }

  std::uint32_t two(Code code, const Source::Node& node, bool negated) {
    const std::uint32_t first = of(node.first, negated), second = of(node.second, negated);
    return add({code, first, second});
  }

  std::uint32_t add(const Normal& form) {
    const auto [found, is_new] = indices_.try_emplace(form, size());
    if (is_new) forms_.push_back(form);
    return found->second;
  }

  const Source& source_;
  std::vector<Normal> forms_;
  std::map<Normal, std::uint32_t> indices_;
  std::map<std::pair<std::uint32_t, bool>, std::uint32_t> known_;
};

using Set = std::vector<bool>;  // of formulas

// A node of the tableau: what remains to be decomposed, what holds now, and what must hold next.
struct Node {
  std::set<std::uint32_t> to_do;
  Set now, next;
};

class Tableau {
 public:
  Tableau(const NormalForms& forms, std::uint32_t root) : forms_(forms), root_(root) {}

  std::optional<Buchi> build() {
    const Set none(forms_.size(), false);
    expand({{root_}, none, none}, no_state);
    while (!open_.empty() && !is_too_large()) {
      const std::uint32_t state = open_.back();
      open_.pop_back();
      Node successor{{}, none, none};
      const Set next = closed_[state]->second;
      for (std::uint32_t form = 0; form < forms_.size(); ++form)
        if (next[form]) successor.to_do.insert(form);
      expand(std::move(successor), state);
    }
    if (is_too_large()) return std::nullopt;
    find_accepting();
    return std::move(result_);
  }

 private:
  static constexpr std::uint32_t no_state = ~0u;

  bool is_too_large() const { return result_.states.size() > Buchi::states_max || steps_ > steps_max; }

  // Decomposes the node; what becomes of it are successors of `from`, or initial.
  void expand(Node node, std::uint32_t from) {
    while (!node.to_do.empty()) {
      if (++steps_ > steps_max) return;
      const std::uint32_t form = *node.to_do.begin();
      node.to_do.erase(node.to_do.begin());
      if (node.now[form]) continue;
      const Normal& it = forms_.at(form);
      if (is_contradicted(node, it)) return;
      node.now[form] = true;
      switch (it.code) {
        case Code::truth:
        case Code::falsity:
        case Code::atom:
        case Code::not_atom: break;
        case Code::next: node.next[it.first] = true; break;
        case Code::both:
          node.to_do.insert(it.first);
          node.to_do.insert(it.second);
          break;
        case Code::either: {
          Node other = node;
          other.to_do.insert(it.second);
          node.to_do.insert(it.first);
          expand(std::move(other), from);
          break;
        }
        case Code::until: {  // second now, or first now and all of it next
          Node other = node;
          other.to_do.insert(it.second);
          node.to_do.insert(it.first);
          node.next[form] = true;
          expand(std::move(other), from);
          break;
        }
        case Code::release: {  // both now, or second now and all of it next
          Node other = node;
          other.to_do.insert(it.first);
          other.to_do.insert(it.second);
          node.to_do.insert(it.second);
          node.next[form] = true;
          expand(std::move(other), from);
          break;
        }
      }
    }
    close(node, from);
  }

  bool is_contradicted(const Node& node, const Normal& form) const {
    if (form.code == Code::falsity) return true;
    if (form.code != Code::atom && form.code != Code::not_atom) return false;
    const Code opposite = form.code == Code::atom ? Code::not_atom : Code::atom;
    for (std::uint32_t i = 0; i < forms_.size(); ++i)
      if (node.now[i] && forms_.at(i).code == opposite && forms_.at(i).first == form.first) return true;
    return false;
  }

  void close(const Node& node, std::uint32_t from) {
    const auto [found, is_new] =
        states_.try_emplace({node.now, node.next}, static_cast<std::uint32_t>(result_.states.size()));
    if (is_new) {
      closed_.push_back(&found->first);
      open_.push_back(found->second);
      Buchi::State& state = result_.states.emplace_back();
      for (std::uint32_t i = 0; i < forms_.size(); ++i) {
        if (!node.now[i]) continue;
        if (forms_.at(i).code == Code::atom) state.needs |= std::uint64_t{1} << forms_.at(i).first;
        if (forms_.at(i).code == Code::not_atom) state.forbids |= std::uint64_t{1} << forms_.at(i).first;
      }
    }
    if (from == no_state) {
      result_.states[found->second].is_initial = true;
      return;
    }
    std::vector<std::uint32_t>& next = result_.states[from].next;
    if (std::ranges::find(next, found->second) == next.end()) next.push_back(found->second);
  }

  // For each until: the states that do not claim it, or in which it is fulfilled.
  void find_accepting() {
    for (std::uint32_t form = 0; form < forms_.size(); ++form) {
      if (forms_.at(form).code != Code::until) continue;
      ++result_.sets;
      for (std::uint32_t state = 0; state < result_.states.size(); ++state) {
        const Set& now = closed_[state]->first;
        result_.states[state].accepting.push_back(!now[form] || now[forms_.at(form).second]);
      }
    }
  }

  static constexpr std::uint64_t steps_max = 20'000'000;

  const NormalForms& forms_;
  std::uint32_t root_;
  Buchi result_;
  std::uint64_t steps_ = 0;
  std::map<std::pair<Set, Set>, std::uint32_t> states_;
  std::vector<const std::pair<Set, Set>*> closed_;  // by state
  std::vector<std::uint32_t> open_;
};

}  // namespace

std::optional<Buchi> automaton_of(const TemporalFormula& formula, bool negated) {
  NormalForms forms(formula);
  const std::uint32_t root = forms.of(formula.root(), negated);
  return Tableau(forms, root).build();
}

}  // namespace rehearse::mc::ltl
