// SPDX-License-Identifier: MIT
//
// Entries, paths, donations, and the estimate of the position.
#include "mc/reduction/trail.hpp"

#include <algorithm>

#include "simcore/support/hash.hpp"

namespace rehearse::mc::reduction {

using graph::EventRef;

Trail::Entry& Trail::push(Entry::Kind kind, std::uint32_t actor, const graph::Graph& graph) {
  std::uint64_t check = 0;
  std::uint32_t deviations = kind == Entry::Kind::revisit;
  const auto mix = [&check](std::uint64_t word) { check = hash_with(check, word); };
  if (!entries_.empty()) {
    const Entry& before = entries_.back();
    deviations += before.deviations;
    mix(before.check);
    mix(before.next);
    if (before.candidate) {
      mix(before.candidate->reader);
      mix(before.candidate->index);
    }
  }
  mix(static_cast<std::uint64_t>(kind));
  mix(actor);
  const std::vector<graph::Event>& events = graph.actor(actor).events;
  mix(events.back().node->asked);
  Entry& entry = entries_.emplace_back();
  entry.kind = kind;
  entry.actor = actor;
  entry.event = static_cast<graph::EventIndex>(events.size() - 1);
  entry.check = check;
  entry.deviations = deviations;
  return entry;
}

std::vector<EventRef> Trail::deviating_events() const {
  std::vector<EventRef> events;
  for (const Entry& entry : entries_)
    if (entry.is_deviation()) events.push_back({entry.actor, entry.event});
  return events;
}

std::optional<EventRef> Trail::last_deviating_event() const {
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry)
    if (entry->is_deviation()) return EventRef{entry->actor, entry->event};
  return std::nullopt;
}

Path Trail::write_down(std::size_t length, bool is_done) const {
  Path path;
  path.length = static_cast<std::uint32_t>(length);
  path.is_done = is_done;
  path.floor = cut_.floor;
  path.floor_limit = cut_.limit;
  if (length == 0) return path;
  for (std::uint32_t i = 0; i < length; ++i) {
    const Entry& entry = entries_[i];
    if (entry.kind == Entry::Kind::choice && entry.next > 1 && (i + 1 < length || !is_done))
      path.deviations.push_back({i, entry.next - 1, std::nullopt});
    if (entry.kind == Entry::Kind::offer && i + 1 < length && entries_[i + 1].kind == Entry::Kind::revisit)
      path.deviations.push_back({i, entry.next - 1, entry.candidate});
  }
  const Entry& last = entries_[length - 1];
  path.check = last.check;
  path.next = last.next;
  path.candidate = last.candidate;
  return path;
}

bool Trail::may_have_alternatives() const {
  const auto first = entries_.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(cut_.floor, size()));
  return std::any_of(first, entries_.end(), [](const Entry& entry) { return entry.is_open(); });
}

// The shallowest entry that certainly has alternatives, if the donor keeps work then; otherwise one before it that may
// have some.
std::optional<std::size_t> Trail::position_to_donate() const {
  std::optional<std::size_t> before;
  std::size_t open = 0;
  for (std::size_t i = cut_.floor; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    if (!entry.is_open()) continue;
    ++open;
    if (entry.kind == Entry::Kind::choice) {
      const auto behind = entries_.begin() + static_cast<std::ptrdiff_t>(i) + 1;
      const bool has_two = entry.options.size() - entry.next >= 2;
      return has_two || std::any_of(behind, entries_.end(), [](const Entry& other) { return other.is_open(); })
                 ? i
                 : before;
    }
    if (!before) before = i;
  }
  return open >= 2 ? before : std::nullopt;
}

std::optional<Donation> Trail::donate() {
  const std::optional<std::size_t> found = position_to_donate();
  if (!found) return std::nullopt;
  const std::size_t at = *found;
  Donation donation;
  donation.path = write_down(at + 1, true);
  const Stretch before = stretch(at);
  if (entries_[at].kind == Entry::Kind::choice) {
    const auto size = static_cast<std::uint32_t>(entries_[at].options.size());
    donation.path.next = entries_[at].next + (size - entries_[at].next) / 2;
    donation.cut = {static_cast<std::uint32_t>(at), donation.path.next};
    donation.position = before.begin + before.length * donation.path.next / entries_[at].width;
  } else {
    donation.position = before.begin + before.length;
    donation.cut = {static_cast<std::uint32_t>(at + 1), no_limit};
  }
  give_up(donation.cut);
  return donation;
}

void Trail::give_up(const Cut& cut) {
  cut_ = cut;
  if (cut.floor >= entries_.size() || entries_[cut.floor].kind != Entry::Kind::choice) return;
  Entry& entry = entries_[cut.floor];
  if (cut.limit >= entry.options.size()) return;
  const auto first = entry.options.begin() + cut.limit;
  entry.donated.insert(entry.donated.begin(), first, entry.options.end());
  entry.options.erase(first, entry.options.end());
}

double Trail::revisits_expected() const {
  return (static_cast<double>(revisits_taken_) + 1) / (static_cast<double>(offers_tried_) + 10);
}

// The interval of the executions that begin with the prefix of this length.
Trail::Stretch Trail::stretch(std::size_t length) const {
  Stretch all;
  const double onwards = 1 / (1 + revisits_expected());  // share of the executions behind an offer without a revisit
  for (std::size_t i = 0; i < length; ++i) {
    const Entry& entry = entries_[i];
    if (entry.kind == Entry::Kind::choice) {
      all.length /= entry.width;
      all.begin += all.length * (entry.next - 1);
    } else if (entry.kind == Entry::Kind::offer && entry.next != graph::no_event) {
      const bool revisits = i + 1 < entries_.size() && entries_[i + 1].kind == Entry::Kind::revisit;
      all.begin += revisits ? all.length * onwards : 0;
      all.length *= revisits ? 1 - onwards : onwards;
    }
  }
  return all;
}

double Trail::position(bool is_done) const {
  const Stretch now = stretch(entries_.size());
  return now.begin + (is_done ? now.length : 0);
}

}  // namespace rehearse::mc::reduction
