// SPDX-License-Identifier: MIT
//
// Receives-from exploration in parts: saying what is left, leaving some of it to others, going where others left off.
//
// Why a gift comes last: the alternatives of an entry are tried when everything behind it was, so those of the
// shallowest entry, from any one of them on, come behind all else.
#include <algorithm>

#include "mc/reduction/receives_from.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::mc {

// Whether it has alternatives left, or, of an offer, may have some.
bool Matching::is_open(const Entry& entry) const {
  switch (entry.kind) {
    case Entry::Kind::choice: return entry.next < entry.options.size();
    case Entry::Kind::offer: return entry.next != no_event;
    default: return false;
  }
}

// The prefix of this length. The alternative that its last entry has taken is told only where it was not done with.
Path Matching::write_down(std::size_t length, bool is_done) const {
  Path path;
  path.length = static_cast<std::uint32_t>(length);
  path.is_done = is_done;
  path.floor = cut_.floor;
  path.floor_limit = cut_.limit;
  if (length == 0) return path;
  for (std::uint32_t i = 0; i < length; ++i) {
    const Entry& entry = trail_[i];
    if (entry.kind == Entry::Kind::choice && entry.next > 1 && (i + 1 < length || !is_done))
      path.turns.push_back({i, entry.next - 1, -1});
    if (entry.kind == Entry::Kind::offer && i + 1 < length && trail_[i + 1].kind == Entry::Kind::revisit)
      path.turns.push_back({i, entry.next - 1, entry.candidate});
  }
  const Entry& last = trail_[length - 1];
  path.check = last.check;
  path.next = last.next;
  path.candidate = last.candidate;
  return path;
}

Path Matching::remaining() const { return write_down(trail_.size(), is_at_leaf_); }

// The shallowest entry that surely has alternatives, if then something is left; else one before it that may have some.
std::optional<std::size_t> Matching::to_give() const {
  std::optional<std::size_t> before;
  std::size_t open = 0;
  for (std::size_t i = cut_.floor; i < trail_.size(); ++i) {
    const Entry& entry = trail_[i];
    if (!is_open(entry)) continue;
    ++open;
    if (entry.kind == Entry::Kind::choice) {
      const auto is_left = [this](const Entry& other) { return is_open(other); };
      if (entry.options.size() - entry.next >= 2 ||
          std::any_of(trail_.begin() + static_cast<std::ptrdiff_t>(i) + 1, trail_.end(), is_left))
        return i;
      return before;
    }
    if (!before) before = i;
  }
  return open >= 2 ? before : std::nullopt;
}

std::optional<Matching::Gift> Matching::give_away() {
  REHEARSE_ASSERT(is_at_leaf_, "something is given away between two executions");
  const std::optional<std::size_t> found = to_give();
  if (!found) return std::nullopt;
  const std::size_t at = *found;
  Gift gift;
  gift.path = write_down(at + 1, true);
  const Stretch before = stretch(at);
  if (trail_[at].kind == Entry::Kind::choice) {
    const auto size = static_cast<std::uint32_t>(trail_[at].options.size());
    gift.path.next = trail_[at].next + (size - trail_[at].next) / 2;
    gift.cut = {static_cast<std::uint32_t>(at), gift.path.next};
    gift.position = before.begin + before.length * gift.path.next / trail_[at].width;
  } else {
    gift.position = before.begin + before.length;
    gift.cut = {static_cast<std::uint32_t>(at + 1), no_limit};
  }
  give_up(gift.cut);
  return gift;
}

double Matching::revisits_expected() const {
  return (static_cast<double>(revisits_taken_) + 1) / (static_cast<double>(offers_tried_) + 10);
}

// What begins with the prefix of this length.
Matching::Stretch Matching::stretch(std::size_t length) const {
  Stretch all;
  const double onwards = 1 / (1 + revisits_expected());  // of an offer that may revisit, with what it does not revisit
  for (std::size_t i = 0; i < length; ++i) {
    const Entry& entry = trail_[i];
    if (entry.kind == Entry::Kind::choice) {
      all.length /= entry.width;
      all.begin += all.length * (entry.next - 1);
    } else if (entry.kind == Entry::Kind::offer && entry.next != no_event) {
      const bool revisits = i + 1 < trail_.size() && trail_[i + 1].kind == Entry::Kind::revisit;
      all.begin += revisits ? all.length * onwards : 0;
      all.length *= revisits ? 1 - onwards : onwards;
    }
  }
  return all;
}

double Matching::position() const {
  const Stretch now = stretch(trail_.size());
  return now.begin + (is_at_leaf_ ? now.length : 0);
}

void Matching::give_up(const Cut& cut) {
  cut_ = cut;
  if (cut.floor >= trail_.size() || trail_[cut.floor].kind != Entry::Kind::choice) return;
  Entry& entry = trail_[cut.floor];
  if (cut.limit >= entry.options.size()) return;
  const auto first = entry.options.begin() + cut.limit;
  entry.given.insert(entry.given.begin(), first, entry.options.end());
  entry.options.erase(first, entry.options.end());
}

void Matching::grow_to(std::size_t length) {
  if (trail_.size() > length) throw PathLost();
  while (trail_.size() < length)
    if (!step()) throw PathLost();
}

void Matching::take_turn(const Turn& turn) {
  grow_to(std::size_t{turn.position} + 1);
  Entry& entry = trail_.back();
  if (entry.kind == Entry::Kind::choice && turn.candidate < 0) {
    if (turn.option >= entry.options.size()) throw PathLost();
    entry.next = turn.option;
    next_option(entry);
    return;
  }
  if (entry.kind != Entry::Kind::offer || turn.candidate < 0) throw PathLost();
  const EventRef offered = newest_of(entry);
  entry.candidate = turn.candidate;
  const Candidate candidate = candidate_of(entry, offered);
  if (!load_candidate(entry, offered) || turn.option >= entry.options.size()) throw PathLost();
  entry.next = turn.option + 1;
  const Option option = entry.options[turn.option];
  if (!try_revisit(offered, candidate, option)) throw PathLost();
}

void Matching::load(const Path& path) {
  REHEARSE_ASSERT(trail_.empty(), "a path begins where an exploration begins");
  for (const Turn& turn : path.turns) take_turn(turn);
  grow_to(path.length);
  is_at_leaf_ = path.is_done;
  if (!trail_.empty()) {
    Entry& last = trail_.back();
    if (last.check != path.check) throw PathLost();
    if (last.kind == Entry::Kind::offer && path.candidate >= 0) {
      last.candidate = path.candidate;
      if (!load_candidate(last, newest_of(last))) throw PathLost();
    }
    last.next = path.next;
  }
  give_up({path.floor, path.floor_limit});
}

}  // namespace rehearse::mc
