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
    return body.size() == length && std::equal(body.begin(), body.end(), list_.end() - static_cast<std::ptrdiff_t>(length));
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

class ShapeMaker {
 public:
  explicit ShapeMaker(const PieceList& exact, const std::vector<std::uint32_t>& key_of)
      : exact_(exact), key_of_(key_of) {}

  std::vector<Shape> make(const std::vector<Piece>& pieces) {
    std::vector<Shape> shapes;
    for (const Piece& piece : pieces) {
      Shape& shape = shapes.emplace_back();
      shape.is_loop = shape.is_exact = piece.times > 0;
      shape.times = piece.times;
      if (piece.times > 0) shape.body = make(exact_.body(piece.number));
      else shape.key = key_of_[piece.number];
    }
    return with_varying_loops(std::move(shapes));
  }

 private:
  std::vector<Shape> with_varying_loops(std::vector<Shape> shapes) {
    PieceList list;
    std::vector<const Shape*> first_of;  // by number in the list
    std::map<std::uint32_t, std::uint32_t> local;
    for (const Shape& shape : shapes) {
      const auto [found, is_new] =
          local.try_emplace(number_of(shape), static_cast<std::uint32_t>(first_of.size()));
      if (is_new) first_of.push_back(&shape);
      list.add(found->second);
    }
    return unfolded(list, list.list(), first_of);
  }

  static std::vector<Shape> unfolded(const PieceList& list, const std::vector<Piece>& pieces,
                                     const std::vector<const Shape*>& first_of) {
    std::vector<Shape> made;
    for (const Piece& piece : pieces) {
      if (piece.times == 0) {
        made.push_back(*first_of[piece.number]);
        continue;
      }
      Shape& loop = made.emplace_back();
      loop.is_loop = true;
      loop.body = unfolded(list, list.body(piece.number), first_of);
    }
    return made;
  }

  // Equal for shapes that differ in numbers only.
  std::uint32_t number_of(const Shape& shape) {
    return numbers_.try_emplace(text_of(shape), static_cast<std::uint32_t>(numbers_.size())).first->second;
  }
  static std::string text_of(const Shape& shape) {
    if (!shape.is_loop) return std::to_string(shape.key) + " ";
    std::string text = shape.is_exact ? "(" : "[";
    for (const Shape& each : shape.body) text += text_of(each);
    return text + ")";
  }

  const PieceList& exact_;
  const std::vector<std::uint32_t>& key_of_;  // by exact number
  std::map<std::string, std::uint32_t> numbers_;
};

}  // namespace

std::vector<Shape> fold(std::span<const Token> tokens) {
  PieceList exact;
  std::vector<std::uint32_t> key_of;
  for (const Token& token : tokens) {
    if (key_of.size() <= token.exact) key_of.resize(token.exact + 1);
    key_of[token.exact] = token.key;
    exact.add(token.exact);
  }
  return ShapeMaker(exact, key_of).make(exact.list());
}

}  // namespace rehearse::manynode::inference
