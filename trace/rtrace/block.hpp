// SPDX-License-Identifier: MIT
//
// A block: consecutive actions of one rank, in columns.
//
// Content: a key is a kind with flags and a site. A row is a key with the differences of the numbers from those of the
//          last action with this key. The actions are row numbers, folded (folding.hpp), so a loop in which only
//          volumes change is one repetition. Volumes, as differences from the last one of the key, and the messages
//          that wildcards took are columns of their own. Every block starts with empty tables.
// Memory:  while it is written, two bytes an action, eight bytes for a volume or a wildcard, and the rows.
// Errors:  BlockReader: load() and next() say what is malformed; no input makes them read outside of it.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "trace/rtrace/bytes.hpp"
#include "trace/rtrace/event.hpp"
#include "trace/rtrace/folding.hpp"

namespace rehearse::trace::rtrace {

inline constexpr std::uint32_t most_block_actions = 65536;

// An event without its own memory.
struct EventView {
  std::uint64_t name = 0;  // name_of_key()
  std::span<const std::int64_t> numbers;
  std::int64_t volume = 0;
  Took took = {};
};

// Kind, flags and site in one number.
constexpr std::uint64_t name_of_key(const Event& event) {
  return std::uint64_t{event.site} << 32 | std::uint64_t{event.flags} << 8 | static_cast<std::uint8_t>(event.kind);
}
constexpr EventKind kind_of_key(std::uint64_t name) { return static_cast<EventKind>(name & 0xff); }
constexpr std::uint32_t flags_of_key(std::uint64_t name) { return static_cast<std::uint32_t>(name >> 8 & 0xffffff); }

class BlockWriter {
 public:
  std::uint32_t size() const { return static_cast<std::uint32_t>(rows_of_actions_.size()); }

  // Requires: size() < most_block_actions.
  void append(const EventView& event);
  void append(const Event& event) { append({name_of_key(event), event.numbers, event.volume, event.took}); }
  // Of wildcards in this block, in their order.
  std::uint32_t wildcards() const { return static_cast<std::uint32_t>(took_.size()); }
  void set_took(std::uint32_t wildcard, const Took& took) { took_[wildcard] = took; }

  // Appends the columns; then the block is empty.
  void finish(Bytes& out);

 private:
  struct Key {
    std::uint64_t name = 0;  // kind, flags, site
    std::vector<std::int64_t> last;
    std::int64_t last_volume = 0;
    std::uint32_t unchanged = none;  // the row of an action like the last one
    std::uint32_t next = 0;          // the key that followed last time
  };
  struct Row {
    std::uint32_t key = 0;
    std::uint32_t numbers = 0;
    std::uint32_t differences = 0;  // index
  };
  static constexpr std::uint32_t none = ~0u;

  std::uint32_t key_of(std::uint64_t name);
  std::uint32_t row_of(std::uint32_t key, std::span<const std::int64_t> numbers);
  std::uint32_t add_row(std::uint32_t key, std::span<const std::int64_t> differences);

  std::vector<Key> keys_;
  std::unordered_map<std::uint64_t, std::uint32_t> key_of_name_;
  std::uint32_t last_key_ = none;
  std::vector<Row> rows_;
  std::vector<std::int64_t> differences_;  // of all rows
  std::unordered_map<std::uint64_t, std::uint32_t> row_of_hash_;
  std::vector<std::int64_t> scratch_;
  std::vector<std::uint16_t> rows_of_actions_;
  Bytes volumes_;
  std::vector<Took> took_;
};

class BlockReader {
 public:
  // Null: done. Otherwise: what is wrong.
  const char* load(Bytes columns, std::uint32_t actions);

  static constexpr std::uint32_t none = ~0u;

  bool is_at_end() const { return actions_.is_at_end(); }
  // Requires: not at the end. Null: done.
  const char* next(Event& event);
  // A state is a key with its numbers: a small number. Of the last action; none: it has a wildcard, or its key has too
  // many states.
  std::uint32_t last_state() const { return keys_[last_key_].state; }
  // That of the next action, if it is known without its numbers: the last row behind the state of its key led to it.
  // Otherwise, and at the end: none.
  std::uint32_t next_state() const {
    if (is_at_end()) return none;
    const std::uint32_t next = actions_.peek();
    const Row& row = rows_[next];
    const std::uint32_t from = keys_[row.key].state;
    if (row.first == row.end || from == none) return row.may_repeat ? from : none;
    return states_[from].row == next ? states_[from].to : none;
  }
  // Requires: next_state() is known. Null: done.
  const char* skip() {
    const Row& row = rows_[actions_.take()];
    last_key_ = row.key;
    Key& key = keys_[row.key];
    if (row.first != row.end) {
      key.state = states_[key.state].to;
      key.has_numbers = false;
    }
    return row.has_volume ? take_volume() : nullptr;
  }
  // Of the last action.
  std::int64_t last_volume() const { return keys_[last_key_].last_volume; }
  // The last action again.
  void repeat(Event& event) const;

 private:
  struct Key {
    EventKind kind{};
    std::uint32_t flags = 0;
    std::uint32_t site = 0;
    std::vector<std::int64_t> last;
    bool has_numbers = true;  // otherwise `last` is old, and the numbers are those of the state
    std::uint32_t state = none;
    std::uint32_t first_state = none;  // of a list
    std::uint32_t states = 0;
    std::int64_t last_volume = 0;
    std::uint32_t numbers = 0;  // of its first row
    bool has_rows = false;
    bool is_uniform = true;  // all its rows have so many numbers
  };
  struct State {
    std::uint32_t numbers = 0;  // index of the first one
    std::uint32_t next = none;  // of the key
    std::uint32_t row = none;   // that came last behind it,
    std::uint32_t to = none;    // and led to this state
  };
  struct Change {
    std::uint32_t index = 0;
    std::int64_t difference = 0;
  };
  struct Row {
    std::uint32_t key = 0;
    std::uint32_t numbers = 0;
    std::uint32_t first = 0, end = 0;  // changes
    bool may_repeat = false;           // it has no wildcard, and all rows of the key have as many numbers
    bool has_volume = false;
  };
  static constexpr std::uint32_t most_states = 8;  // of a key
  static constexpr const char* few_volumes = "too few volumes";
  const char* take_volume() {
    std::int64_t& volume = keys_[last_key_].last_volume;
    volume = sum(volume, volumes_.get_signed());
    return volumes_.is_good() ? nullptr : few_volumes;
  }
  std::span<const std::int64_t> numbers_of(const Key& key) const {
    if (key.has_numbers) return key.last;
    return std::span(state_numbers_).subspan(states_[key.state].numbers, key.numbers);
  }
  std::uint32_t find_state(Key& key);
  const char* load_keys(ByteReader in);
  const char* load_rows(ByteReader heads, ByteReader masks, ByteReader differences);

  Bytes columns_;
  std::vector<Key> keys_;
  std::vector<Row> rows_;
  std::vector<Change> changes_;
  std::vector<State> states_;
  std::vector<std::int64_t> state_numbers_;
  Unfolder actions_;
  std::uint32_t last_key_ = none;
  ByteReader volumes_, took_;
  std::int64_t last_source_ = 0, last_tag_ = 0;
};

}  // namespace rehearse::trace::rtrace
