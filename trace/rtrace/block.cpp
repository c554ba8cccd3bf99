// SPDX-License-Identifier: MIT
//
// See block.hpp.
#include "trace/rtrace/block.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "simcore/support/assert.hpp"
#include "simcore/support/hash.hpp"

namespace rehearse::trace::rtrace {

namespace {

constexpr std::size_t mask_bits = 64;

// Most lists have about five numbers, for which a call of memcmp() takes longer.
bool are_equal(std::span<const std::int64_t> one, std::span<const std::int64_t> other) {
  if (one.size() != other.size()) return false;
  for (std::size_t i = 0; i < one.size(); ++i)
    if (one[i] != other[i]) return false;
  return true;
}

// The columns of a block, in their order in the file.
enum Column : std::size_t {
  key_column,
  head_column,
  mask_column,
  change_column,
  action_column,
  volume_column,
  wildcard_column,
  columns
};

}  // namespace

std::uint32_t BlockWriter::key_of(std::uint64_t name) {
  if (last_key_ != none) {
    const std::uint32_t guess = keys_[last_key_].next;
    if (keys_[guess].name == name) return last_key_ = guess;
  }
  const auto [found, is_new] = key_of_name_.try_emplace(name, static_cast<std::uint32_t>(keys_.size()));
  if (is_new) keys_.emplace_back().name = name;
  if (last_key_ != none) keys_[last_key_].next = found->second;
  return last_key_ = found->second;
}

std::uint32_t BlockWriter::add_row(std::uint32_t key, std::span<const std::int64_t> differences) {
  const auto row = static_cast<std::uint32_t>(rows_.size());
  rows_.push_back(
      {key, static_cast<std::uint32_t>(differences.size()), static_cast<std::uint32_t>(differences_.size())});
  differences_.insert(differences_.end(), differences.begin(), differences.end());
  return row;
}

std::uint32_t BlockWriter::row_of(std::uint32_t index, std::span<const std::int64_t> numbers) {
  Key& key = keys_[index];
  if (key.unchanged != none && are_equal(key.last, numbers)) return key.unchanged;
  scratch_.resize(numbers.size());
  std::uint64_t hash = hash_with(index, numbers.size());
  bool is_changed = false;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    scratch_[i] = difference(numbers[i], i < key.last.size() ? key.last[i] : 0);
    is_changed |= scratch_[i] != 0;
    hash = hash_with(hash, static_cast<std::uint64_t>(scratch_[i]));
  }
  if (key.last.size() != numbers.size()) {
    is_changed = true;
    key.unchanged = none;  // it has as many numbers as key.last
  }
  key.last.assign(numbers.begin(), numbers.end());
  const auto [found, is_new] = row_of_hash_.try_emplace(hash, static_cast<std::uint32_t>(rows_.size()));
  if (!is_new) {
    const Row& row = rows_[found->second];
    const bool is_same = row.key == index && row.numbers == scratch_.size() &&
                         std::equal(scratch_.begin(), scratch_.end(), differences_.begin() + row.differences);
    if (is_same && !is_changed) key.unchanged = found->second;
    return is_same ? found->second : add_row(index, scratch_);
  }
  const std::uint32_t row = add_row(index, scratch_);
  if (!is_changed) key.unchanged = row;
  return row;
}

void BlockWriter::append(const EventView& event) {
  const std::uint32_t key = key_of(event.name);
  const EventKind kind = kind_of_key(event.name);
  rows_of_actions_.push_back(static_cast<std::uint16_t>(row_of(key, event.numbers)));
  if (has_volume(kind))
    put_signed(volumes_, difference(event.volume, std::exchange(keys_[key].last_volume, event.volume)));
  if (is_wildcard(kind, flags_of_key(event.name))) took_.push_back(event.took);
}

void BlockWriter::finish(Bytes& out) {
  std::array<Bytes, columns> column;
  put(column[key_column], std::uint64_t{keys_.size()});
  for (const Key& key : keys_) {
    put(column[key_column], key.name & 0xff);
    put(column[key_column], key.name >> 8 & 0xffffff);
    put(column[key_column], key.name >> 32);
  }
  put(column[head_column], std::uint64_t{rows_.size()});
  for (const Row& row : rows_) {
    put(column[head_column], std::uint64_t{row.key});
    put(column[head_column], std::uint64_t{row.numbers});
    for (std::size_t first = 0; first < row.numbers; first += mask_bits) {
      std::uint64_t mask = 0;
      for (std::size_t i = first; i < std::min<std::size_t>(row.numbers, first + mask_bits); ++i) {
        const std::int64_t difference = differences_[row.differences + i];
        if (difference == 0) continue;
        mask |= std::uint64_t{1} << (i - first);
        put_signed(column[change_column], difference);
      }
      put(column[mask_column], mask);
    }
  }
  fold(rows_of_actions_, column[action_column]);
  column[volume_column] = std::move(volumes_);
  std::int64_t source = 0, tag = 0;
  for (const Took& took : took_) {
    if (took.state != Took::State::message) {
      put(column[wildcard_column], static_cast<std::uint8_t>(took.state));
      continue;
    }
    put(column[wildcard_column], 2 + zigzag(difference(took.source, std::exchange(source, took.source))));
    put_signed(column[wildcard_column], difference(took.tag, std::exchange(tag, took.tag)));
  }
  for (const Bytes& each : column) put(out, std::uint64_t{each.size()});
  for (const Bytes& each : column) out.insert(out.end(), each.begin(), each.end());
  *this = {};
}

const char* BlockReader::load(Bytes given, std::uint32_t count) {
  columns_ = std::move(given);
  ByteReader in(columns_);
  std::array<std::uint64_t, columns> sizes{};
  for (std::uint64_t& size : sizes) size = in.get();
  std::array<ByteReader, columns> column;
  std::span<const std::uint8_t> folded;
  for (std::size_t i = 0; i < columns; ++i) {
    const auto bytes = in.get_bytes(sizes[i]);
    if (i == action_column) folded = bytes;
    column[i] = ByteReader(bytes);
  }
  if (!in.is_good() || !in.is_at_end()) return "the columns do not fit the block";
  if (const char* problem = load_keys(column[key_column])) return problem;
  if (const char* problem = load_rows(column[head_column], column[mask_column], column[change_column])) return problem;
  if (!actions_.load(folded, count, rows_.size())) return "the actions do not fit the block";
  last_key_ = none;
  states_.clear();
  state_numbers_.clear();
  volumes_ = column[volume_column];
  took_ = column[wildcard_column];
  last_source_ = last_tag_ = 0;
  return nullptr;
}

const char* BlockReader::load_keys(ByteReader in) {
  keys_.clear();
  const std::size_t count = in.get_count();
  keys_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t kind = in.get(), flags = in.get(), site = in.get();
    if (!in.is_good() || kind >= event_kinds || flags > flag::all || site > 0xffffffff) return "unknown kind of action";
    Key& key = keys_.emplace_back();
    key.kind = static_cast<EventKind>(kind);
    key.flags = static_cast<std::uint32_t>(flags);
    key.site = static_cast<std::uint32_t>(site);
  }
  return in.is_good() && in.is_at_end() ? nullptr : "malformed keys";
}

const char* BlockReader::load_rows(ByteReader heads, ByteReader masks, ByteReader differences) {
  constexpr const char* malformed = "malformed rows";
  rows_.clear();
  changes_.clear();
  const std::size_t count = heads.get_count();
  rows_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t key = heads.get(), numbers = heads.get();
    if (!heads.is_good() || key >= keys_.size() || numbers / mask_bits > masks.remaining()) return malformed;
    Row& row = rows_.emplace_back();
    row.key = static_cast<std::uint32_t>(key);
    row.numbers = static_cast<std::uint32_t>(numbers);
    row.first = static_cast<std::uint32_t>(changes_.size());
    for (std::size_t first = 0; first < numbers; first += mask_bits) {
      for (std::uint64_t mask = masks.get(), bit = first; mask != 0; mask >>= 1, ++bit) {
        if ((mask & 1) == 0) continue;
        if (bit >= numbers) return malformed;
        changes_.push_back({static_cast<std::uint32_t>(bit), differences.get_signed()});
      }
    }
    row.end = static_cast<std::uint32_t>(changes_.size());
    Key& of = keys_[row.key];
    if (!std::exchange(of.has_rows, true)) of.numbers = row.numbers;
    of.is_uniform &= row.numbers == of.numbers;
  }
  for (Row& row : rows_) {
    const Key& of = keys_[row.key];
    row.may_repeat = of.is_uniform && !is_wildcard(of.kind, of.flags);
    row.has_volume = has_volume(of.kind);
  }
  changes_.shrink_to_fit();
  const bool is_good = heads.is_good() && masks.is_good() && differences.is_good();
  return is_good && heads.is_at_end() && masks.is_at_end() && differences.is_at_end() ? nullptr : malformed;
}

void BlockReader::repeat(Event& event) const {
  const Key& key = keys_[last_key_];
  event.kind = key.kind;
  event.flags = key.flags;
  event.site = key.site;
  const auto numbers = numbers_of(key);
  event.numbers.assign(numbers.begin(), numbers.end());
  if (has_volume(key.kind)) event.volume = key.last_volume;
}

// That of the numbers of the key, which may be new; none: the key has too many.
std::uint32_t BlockReader::find_state(Key& key) {
  for (std::uint32_t state = key.first_state; state != none; state = states_[state].next)
    if (are_equal(std::span(state_numbers_).subspan(states_[state].numbers, key.numbers), key.last)) return state;
  if (key.states == most_states) return none;
  ++key.states;
  states_.push_back({static_cast<std::uint32_t>(state_numbers_.size()), key.first_state, none, none});
  state_numbers_.insert(state_numbers_.end(), key.last.begin(), key.last.end());
  return key.first_state = static_cast<std::uint32_t>(states_.size() - 1);
}

const char* BlockReader::next(Event& event) {
  const std::uint32_t number = actions_.take();
  const Row& row = rows_[number];
  last_key_ = row.key;
  Key& key = keys_[row.key];
  if (!key.has_numbers) {
    const auto numbers = numbers_of(key);
    key.last.assign(numbers.begin(), numbers.end());
    key.has_numbers = true;
  }
  const std::uint32_t from = key.state;
  if (key.last.size() != row.numbers) key.last.resize(row.numbers);
  for (std::uint32_t i = row.first; i < row.end; ++i) {
    std::int64_t& number = key.last[changes_[i].index];
    number = sum(number, changes_[i].difference);
  }
  key.state = row.may_repeat ? find_state(key) : none;
  if (from != none) {
    states_[from].row = number;
    states_[from].to = key.state;
  }
  if (has_volume(key.kind) && take_volume() != nullptr) return few_volumes;
  repeat(event);
  if (is_wildcard(key.kind, key.flags)) {
    const std::uint64_t how = took_.get();
    event.took = {};
    if (how < 2) {
      event.took.state = static_cast<Took::State>(how);
    } else {
      last_source_ = sum(last_source_, unzigzag(how - 2));
      last_tag_ = sum(last_tag_, took_.get_signed());
      event.took = {Took::State::message, static_cast<std::uint32_t>(last_source_), static_cast<Tag>(last_tag_)};
    }
  }
  return took_.is_good() ? nullptr : few_volumes;
}

}  // namespace rehearse::trace::rtrace
