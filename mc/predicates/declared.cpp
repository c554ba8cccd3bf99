// SPDX-License-Identifier: MIT
//
// Makes a GlobalState of a contradicting state.
#include "mc/predicates/declared.hpp"

#include <algorithm>

namespace rehearse::mc::predicates {

namespace {

Location where_published(std::uint32_t actor, const Published& published, Program& program) {
  const Frame frame = program.locate({actor}, {"", published.address});
  return {{actor}, "", frame.file, frame.line, frame.function, ""};
}

}  // namespace

std::vector<Declared> declared_in(const std::vector<std::vector<Publication>>& publications) {
  std::vector<Declared> declared;
  for (std::uint32_t a = 0; a < publications.size(); ++a)
    for (const Publication& reported : publications[a]) {
      const Declared one{a, reported.published};
      const bool is_predicate = one.published->kind == Published::Kind::never ||
                                one.published->kind == Published::Kind::always;
      if (is_predicate && std::ranges::find(declared, one.key(), &Declared::key) == declared.end())
        declared.push_back(one);
    }
  return declared;
}

GlobalState state_of(const Declared& declared, const std::vector<StateSearch::Held>& held, Program& program) {
  GlobalState state;
  state.is_never = declared.is_never();
  state.predicate = declared.published->name;
  state.declared_by = {declared.actor};
  state.declared_at = where_published(declared.actor, *declared.published, program);
  for (const auto& [actor, published] : held)
    state.values.push_back({{actor}, published->name, published->value, where_published(actor, *published, program)});
  return state;
}

std::optional<GlobalState> state_against(const Declared& declared, StateSearch& search, bool has_ended,
                                         Program& program) {
  if (!search.missing().empty()) {
    if (!has_ended) return std::nullopt;
    GlobalState state = state_of(declared, {}, program);
    state.missing = search.missing();
    return state;
  }
  const std::vector<StateSearch::Held> held = search.find(declared.is_never());
  if (held.empty()) return std::nullopt;
  return state_of(declared, held, program);
}

}  // namespace rehearse::mc::predicates
