// SPDX-License-Identifier: MIT
//
// Folds from the end: the last statements, with the sequences before them.
#include "trace/c/folded_calls.hpp"

#include <algorithm>

namespace rehearse::trace::c {

std::uint32_t Statements::number_of(const std::string& text) {
  const auto [known, is_new] = by_text_.try_emplace(text, static_cast<std::uint32_t>(texts_.size()));
  if (is_new) texts_.push_back(&known->first);
  return known->second;
}

std::uint32_t Statements::number_of(const std::vector<Item>& body) {
  const auto [known, is_new] = by_body_.try_emplace(body, static_cast<std::uint32_t>(bodies_.size()));
  if (is_new) bodies_.push_back(&known->first);
  return known->second;
}

void Statements::write(std::ostream& out, const std::vector<Item>& list, int depth) const {
  const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
  for (const Item& item : list) {
    if (item.times == 0) {
      out << indent << *texts_[item.number] << '\n';
      continue;
    }
    out << indent << "for (long i" << depth << " = 0; i" << depth << " < " << item.times << "; ++i" << depth << ") {\n";
    write(out, body(item.number), depth + 1);
    out << indent << "}\n";
  }
}

void FoldedCalls::add(const std::string& text) {
  list_.push_back({statements_.number_of(text), 0});
  while (fold()) continue;
}

bool FoldedCalls::fold() {
  const std::size_t size = list_.size();
  for (std::size_t length = 1; length < size && length <= longest_body; ++length) {
    const auto last = list_.end() - static_cast<std::ptrdiff_t>(length);
    Item& before = *(last - 1);
    // One more pass of the loop before them.
    if (before.times > 0 && std::ranges::equal(last, list_.end(), statements_.body(before.number).begin(),
                                               statements_.body(before.number).end())) {
      ++before.times;
      list_.erase(last, list_.end());
      return true;
    }
    if (2 * length > size || list_.back() != before) continue;
    if (!std::equal(last, list_.end(), last - static_cast<std::ptrdiff_t>(length))) continue;
    const Item loop{statements_.number_of(std::vector(last, list_.end())), 2};
    list_.resize(size - 2 * length);
    list_.push_back(loop);
    return true;
  }
  return false;
}

}  // namespace rehearse::trace::c
