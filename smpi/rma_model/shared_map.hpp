// SPDX-License-Identifier: MIT
//
// A sorted map whose copies share their entries: a copy costs one pointer for each chunk of entries, and a change
// copies one chunk if another map shares it. So snapshots of a rank that knows many records are small.
//
// Cost:       a search is logarithmic; an insertion moves at most one chunk, and the list of chunks when one is full.
// Iterators:  invalid after any change of the map.
// Threads:    none.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace rehearse::smpi::model {

template <class Key, class Value>
class SharedMap {
 public:
  using Entry = std::pair<Key, Value>;

  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Entry;
    using difference_type = std::ptrdiff_t;
    using pointer = const Entry*;
    using reference = const Entry&;

    Iterator() = default;
    const Entry& operator*() const { return (*map_->chunks_[chunk_])[place_]; }
    const Entry* operator->() const { return &**this; }
    Iterator& operator++() {
      if (++place_ == map_->chunks_[chunk_]->size()) ++chunk_, place_ = 0;
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const Iterator& other) const { return chunk_ == other.chunk_ && place_ == other.place_; }

   private:
    friend class SharedMap;
    Iterator(const SharedMap& map, std::size_t chunk, std::size_t place) : map_(&map), chunk_(chunk), place_(place) {}

    const SharedMap* map_ = nullptr;
    std::size_t chunk_ = 0, place_ = 0;
  };

  Iterator begin() const { return {*this, 0, 0}; }
  Iterator end() const { return {*this, chunks_.size(), 0}; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void clear() { *this = {}; }

  // The first entry whose key is not smaller.
  Iterator lower_bound(const Key& key) const {
    const auto chunk = std::ranges::partition_point(chunks_, [&](const auto& one) { return one->back().first < key; });
    const auto number = static_cast<std::size_t>(chunk - chunks_.begin());
    if (chunk == chunks_.end()) return end();
    return {*this, number, place_in(**chunk, key)};
  }

  // Null: there is none.
  const Value* find(const Key& key) const {
    const Iterator at = lower_bound(key);
    return at == end() || key < at->first ? nullptr : &at->second;
  }
  bool contains(const Key& key) const { return find(key) != nullptr; }

  // Whether the key is new; if it is not, its value stays.
  bool emplace(const Key& key, Value value) {
    const Iterator at = lower_bound(key);
    if (at != end() && !(key < at->first)) return false;
    insert(at, {key, std::move(value)});
    return true;
  }

  // Sets the value of a key that may be new.
  void assign(const Key& key, Value value) {
    const Iterator at = lower_bound(key);
    if (at == end() || key < at->first) insert(at, {key, std::move(value)});
    else own(at.chunk_)[at.place_].second = std::move(value);
  }

  // The value of a key, which is new with a default value otherwise. Valid until the next change or copy.
  Value& operator[](const Key& key) {
    emplace(key, Value());
    const Iterator at = lower_bound(key);
    return own(at.chunk_)[at.place_].second;
  }

  // Whether there was one.
  bool erase(const Key& key) {
    const Iterator at = lower_bound(key);
    if (at == end() || key < at->first) return false;
    Chunk& chunk = own(at.chunk_);
    chunk.erase(chunk.begin() + static_cast<std::ptrdiff_t>(at.place_));
    if (chunk.empty()) chunks_.erase(chunks_.begin() + static_cast<std::ptrdiff_t>(at.chunk_));
    --size_;
    return true;
  }

 private:
  static constexpr std::size_t most = 64;  // entries of a chunk
  using Chunk = std::vector<Entry>;        // ascending, not empty

  static std::size_t place_in(const Chunk& chunk, const Key& key) {
    const auto entry = std::ranges::partition_point(chunk, [&](const Entry& one) { return one.first < key; });
    return static_cast<std::size_t>(entry - chunk.begin());
  }

  // The chunk, of which no other map has a share from now on.
  Chunk& own(std::size_t number) {
    std::shared_ptr<Chunk>& chunk = chunks_[number];
    if (chunk.use_count() > 1) chunk = std::make_shared<Chunk>(*chunk);
    return *chunk;
  }

  void insert(const Iterator& at, Entry entry) {
    ++size_;
    std::size_t number = at.chunk_, place = at.place_;
    if (place == 0 && number > 0) place = chunks_[--number]->size();  // behind the chunk before
    const auto position = [&](std::size_t chunk) { return chunks_.begin() + static_cast<std::ptrdiff_t>(chunk); };
    if (number == chunks_.size() || (place == most && chunks_[number]->size() == most)) {
      const std::size_t behind = chunks_.empty() ? 0 : number + 1;
      chunks_.insert(position(behind), std::make_shared<Chunk>(1, std::move(entry)));
      return;
    }
    if (chunks_[number]->size() == most) {
      Chunk& full = own(number);
      const auto half = full.begin() + most / 2;
      auto rest = std::make_shared<Chunk>(std::make_move_iterator(half), std::make_move_iterator(full.end()));
      full.erase(half, full.end());
      chunks_.insert(position(number + 1), std::move(rest));
      if (place > most / 2) ++number, place -= most / 2;
    }
    Chunk& chunk = own(number);
    chunk.insert(chunk.begin() + static_cast<std::ptrdiff_t>(place), std::move(entry));
  }

  std::vector<std::shared_ptr<Chunk>> chunks_;
  std::size_t size_ = 0;
};

}  // namespace rehearse::smpi::model
