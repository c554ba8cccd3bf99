// SPDX-License-Identifier: MIT
//
// See folding.hpp.
#include "manynode/inference/folding.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace rehearse::manynode::inference {
namespace {

// A number, or passes of a body.
struct Piece {
  std::uint32_t number = 0;  // of the body, if it is a loop
  std::uint64_t times = 0;   // 0: no loop
  auto operator<=>(const Piece&) const = default;
};

// Builds loops while numbers are added at the end.
class PieceList {
 public:
  void add(std::uint32_t number) {
    list_.push_back({number, 0});
    while (fold_end()) {
    }
  }

  const std::vector<Piece>& list() const { return list_; }
  const std::vector<Piece>& body(std::uint32_t number) const { return *bodies_[number]; }

 private:
  // The last sequence repeats the passes of a loop, or the sequence, before it.
  bool fold_end() {
    const std::size_t size = list_.size();
    const Piece last = list_.back();
    for (std::size_t length = 1; length < size && length <= longest_body; ++length) {
      Piece& before = list_[size - 1 - length];
      if (before.times > 0 && repeats_body(before, length)) {
        ++before.times;
        list_.resize(size - length);
        return true;
      }
      if (before != last || 2 * length > size) continue;
      const auto second = list_.end() - static_cast<std::ptrdiff_t>(length);
      const auto first = second - static_cast<std::ptrdiff_t>(length);
      if (!std::equal(first, second, second)) continue;
      const std::uint32_t body = number_of({second, list_.end()});
      list_.resize(size - 2 * length);
      list_.push_back({body, 2});
      return true;
    }
    return false;
  }

  bool repeats_body(const Piece& loop, std::size_t length) const {
    const std::vector<Piece>& body = *bodies_[loop.number];
    return body.size() == length &&
           std::equal(body.begin(), body.end(), list_.end() - static_cast<std::ptrdiff_t>(length));
  }

  std::uint32_t number_of(std::vector<Piece> body) {
    const auto [found, is_new] = by_body_.try_emplace(std::move(body), static_cast<std::uint32_t>(bodies_.size()));
    if (is_new) bodies_.push_back(&found->first);
    return found->second;
  }

  std::vector<Piece> list_;
  std::map<std::vector<Piece>, std::uint32_t> by_body_;
  std::vector<const std::vector<Piece>*> bodies_;
};

// Shapes that stay together in the list of a loop.
using Group = std::vector<Shape>;

class ShapeMaker {
 public:
  // `exact` has numbers of groups.
  ShapeMaker(const PieceList& exact, const std::vector<Group>& groups) : exact_(exact), groups_(groups) {}

  std::vector<Shape> make(const std::vector<Piece>& pieces) {
    std::vector<Group> made;
    for (const Piece& piece : pieces) {
      if (piece.times == 0) {
        made.push_back(groups_[piece.number]);
        continue;
      }
      Shape& loop = made.emplace_back().emplace_back();
      loop.is_loop = loop.is_exact = true;
      loop.times = piece.times;
      loop.body = make(exact_.body(piece.number));
    }
    return with_varying_loops(made);
  }

 private:
  std::vector<Shape> with_varying_loops(const std::vector<Group>& groups) {
    PieceList list;
    std::vector<const Group*> first_of;  // by number in the list
    std::map<std::string, std::uint32_t> numbers;
    for (const Group& group : groups) {
      const auto [found, is_new] = numbers.try_emplace(text_of(group), static_cast<std::uint32_t>(first_of.size()));
      if (is_new) first_of.push_back(&group);
      list.add(found->second);
    }
    return unfolded(list, list.list(), first_of);
  }

  static std::vector<Shape> unfolded(const PieceList& list, const std::vector<Piece>& pieces,
                                     const std::vector<const Group*>& first_of) {
    std::vector<Shape> made;
    for (const Piece& piece : pieces) {
      if (piece.times == 0) {
        made.insert(made.end(), first_of[piece.number]->begin(), first_of[piece.number]->end());
        continue;
      }
      Shape& loop = made.emplace_back();
      loop.is_loop = true;
      loop.body = unfolded(list, list.body(piece.number), first_of);
    }
    return made;
  }

  // Equal for groups that differ in numbers only.
  static std::string text_of(const Group& group) {
    std::string text;
    for (const Shape& shape : group) {
      if (!shape.is_loop) text += std::to_string(shape.key) + " ";
      else text += (shape.is_exact ? "(" : "[") + text_of(shape.body) + ")";
    }
    return text;
  }

  const PieceList& exact_;
  const std::vector<Group>& groups_;
};

// Each token for itself.
Group fold_group(std::span<const Token> tokens) {
  PieceList exact;
  std::map<std::uint32_t, std::uint32_t> numbers;
  std::vector<Group> single;
  for (const Token& token : tokens) {
    const auto [found, is_new] = numbers.try_emplace(token.exact, static_cast<std::uint32_t>(single.size()));
    if (is_new) single.emplace_back().emplace_back().key = token.key;
    exact.add(found->second);
  }
  return ShapeMaker(exact, single).make(exact.list());
}

// Of the first group.
std::size_t length_of_group(std::span<const Token> tokens) {
  std::int64_t open = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    open = tokens[i].opens == closes_all ? 0 : open + tokens[i].opens;
    if (open <= 0) return i + 1;
  }
  return tokens.size();
}

}  // namespace

std::vector<Shape> fold(std::span<const Token> tokens) {
  PieceList exact;
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers;
  std::vector<Group> groups;
  while (!tokens.empty()) {
    const std::span<const Token> own = tokens.first(length_of_group(tokens));
    tokens = tokens.subspan(own.size());
    std::vector<std::uint32_t> calls;
    for (const Token& token : own) calls.push_back(token.exact);
    const auto [found, is_new] = numbers.try_emplace(std::move(calls), static_cast<std::uint32_t>(groups.size()));
    if (is_new) groups.push_back(fold_group(own));
    exact.add(found->second);
  }
  return ShapeMaker(exact, groups).make(exact.list());
}

}  // namespace rehearse::manynode::inference
