// SPDX-License-Identifier: MIT
//
// See window_objects.hpp.
#include "smpi/rma_model/window_objects.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"
#include "smpi/rma_model/atomic_object.hpp"
#include "smpi/rma_model/gate_object.hpp"
#include "smpi/window_model.hpp"

namespace rehearse::smpi::model {
namespace {

constexpr std::array<std::string_view, 5> kinds = {"lock", "read", "gate", "atom", "poll"};

std::optional<ObjectName> parse_name(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('/', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  const auto kind = std::ranges::find(kinds, words.front());
  if (kind == kinds.end() || words.size() < 3) return std::nullopt;
  ObjectName name;
  name.kind = static_cast<ObjectKind>(kind - kinds.begin());
  const auto read = [](std::string_view word, auto& number, int base) {
    std::from_chars(word.data(), word.data() + word.size(), number, base);
  };
  read(words[1], name.window, 16);
  read(words[2], name.owner, 10);
  if (words.size() > 3) read(words[3], name.place, 10);
  return name;
}

}  // namespace

std::string to_text(const ObjectName& name) {
  const std::string_view kind = kinds[static_cast<std::size_t>(name.kind)];
  std::string text = fmt::format("{}/{:x}/{}", kind, name.window, name.owner);
  if (name.kind != ObjectKind::lock) text += fmt::format("/{}", name.place);
  return text;
}

std::string missing_objects(const std::vector<ObjectName>& names) {
  constexpr std::size_t most = 16;  // the others are missing again behind the next start
  std::string text(window_object_missing);
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    text += (i == 0 ? "" : std::string(between_objects)) + to_text(names[i]);
  return text;
}

WindowObjects::WindowObjects(const std::vector<std::string>& names, std::uint32_t ranks) : ranks_(ranks) {
  for (const std::string& text : names)
    if (text.starts_with(accesses_as_messages) && text.size() > accesses_as_messages.size() + 1)
      polls_ = static_cast<std::uint32_t>(std::strtoul(text.c_str() + accesses_as_messages.size() + 1, nullptr, 10));
  for (const std::string& text : names)
    if (const auto name = parse_name(text)) names_.push_back(*name);
  std::ranges::sort(names_);
  names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
  for (const ObjectName& name : names_)
    if (name.kind != ObjectKind::poll) actors_.push_back(name);
}

std::optional<ActorId> WindowObjects::find(const ObjectName& name) const {
  const auto known = std::ranges::lower_bound(actors_, name);
  if (known == actors_.end() || *known != name) return std::nullopt;
  return ActorId{ranks_ + 1 + static_cast<std::uint32_t>(known - actors_.begin())};
}

bool WindowObjects::contains(const ObjectName& name) const { return std::ranges::binary_search(names_, name); }

bool WindowObjects::contains_element(const ObjectName& first, std::uint64_t count, std::uint64_t extent) const {
  ObjectName behind = first;
  behind.place += count * extent;
  for (auto at = std::ranges::lower_bound(names_, first); at != names_.end() && *at < behind; ++at)
    if ((at->place - first.place) % extent == 0) return true;
  return false;
}

std::uint32_t WindowObjects::ended_by(std::uint32_t number) const {
  if (number == 0 || actors_[number - 1].kind != ObjectKind::gate) return 0;
  return static_cast<std::uint32_t>(actors_[number - 1].place);
}

std::unique_ptr<ObjectActor> WindowObjects::make(std::uint32_t number) const {
  const ActorId self{ranks_ + number};
  if (number == 0) return std::make_unique<FirstObject>(self);
  const ObjectName& name = actors_[number - 1];
  switch (name.kind) {
    case ObjectKind::lock: {
      std::vector<ActorId> readers;
      for (const ObjectName& other : actors_)
        if (other.kind == ObjectKind::read && other.window == name.window && other.owner == name.owner)
          readers.push_back(*find(other));
      return std::make_unique<LockObject>(self, name.owner, std::move(readers));
    }
    case ObjectKind::read: {
      const auto lock = find({ObjectKind::lock, name.window, name.owner, 0});
      REHEARSE_ASSERT(lock.has_value(), "readers of a lock that exists");
      return std::make_unique<ReaderObject>(self, *lock, ActorId{static_cast<std::uint32_t>(name.place)});
    }
    case ObjectKind::atom: {
      const bool is_polled = contains({ObjectKind::poll, name.window, name.owner, name.place});
      std::vector<ActorId> senders;
      for (std::uint32_t rank = 0; rank < ranks_; ++rank)
        senders.push_back(find({ObjectKind::gate, name.window, name.owner, rank}).value_or(ActorId{rank}));
      return std::make_unique<AtomicObject>(self, name.owner, std::move(senders), is_polled, polls_);
    }
    case ObjectKind::gate:
      return std::make_unique<GateObject>(self, name.owner, static_cast<std::uint32_t>(name.place));
    case ObjectKind::poll: break;
  }
  REHEARSE_ASSERT(false, "a kind of object that is an actor");
  return nullptr;
}

}  // namespace rehearse::smpi::model
