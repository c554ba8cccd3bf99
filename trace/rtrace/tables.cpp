// SPDX-License-Identifier: MIT
//
// See tables.hpp. Additions are: contexts, members of contexts, texts, sites; each a count and so many entries. Members
// are ranges of consecutive ranks.
#include "trace/rtrace/tables.hpp"

#include <utility>

namespace rehearse::trace::rtrace {

Tables::Tables() : sites_(1) {}

std::uint32_t Tables::context(ContextId id) {
  if (!contexts_.empty() && last_context_id_ == id.value) return last_context_;
  const auto [found, is_new] = context_of_.try_emplace(id.value, static_cast<std::uint32_t>(contexts_.size()));
  if (is_new) contexts_.push_back({id, {}});
  last_context_id_ = id.value;
  return last_context_ = found->second;
}

void Tables::set_members(std::uint32_t context, std::span<const ActorId> members) {
  if (!contexts_[context].members.empty() || members.empty()) return;
  contexts_[context].members.assign(members.begin(), members.end());
  given_members_.push_back(context);
}

// The last text is known by its address: names of calls have static storage.
std::uint32_t Tables::text(std::string_view text) {
  if (last_text_data_ == text.data() && !texts_.empty() && texts_[last_text_] == text) return last_text_;
  const auto [found, is_new] = text_of_.try_emplace(std::string(text), static_cast<std::uint32_t>(texts_.size()));
  if (is_new) texts_.emplace_back(text);
  last_text_data_ = text.data();
  return last_text_ = found->second;
}

std::uint32_t Tables::site(std::uint64_t number) {
  if (number == 0) return 0;
  if (last_site_number_ == number) return last_site_;
  const auto [found, is_new] = site_of_.try_emplace(number, static_cast<std::uint32_t>(sites_.size()));
  if (is_new) {
    sites_.emplace_back();
    sites_.back().number = number;
  }
  last_site_number_ = number;
  return last_site_ = found->second;
}

namespace {

void put_members(Bytes& out, const std::vector<ActorId>& members) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;  // first, how many
  for (const ActorId member : members) {
    if (!ranges.empty() && ranges.back().first + ranges.back().second == member.value) ++ranges.back().second;
    else ranges.emplace_back(member.value, 1);
  }
  put(out, std::uint64_t{ranges.size()});
  for (const auto& [first, count] : ranges) {
    put(out, std::uint64_t{first});
    put(out, std::uint64_t{count});
  }
}

bool get_members(ByteReader& in, std::vector<ActorId>& members, std::uint32_t ranks) {
  const std::size_t ranges = in.get_count();
  std::vector<bool> is_member(ranks);
  for (std::size_t i = 0; i < ranges; ++i) {
    const std::uint64_t first = in.get(), count = in.get();
    if (!in.is_good() || first >= ranks || count > ranks - first) return false;
    for (std::uint64_t rank = first; rank < first + count; ++rank) {
      if (is_member[rank]) return false;
      is_member[rank] = true;
      members.push_back({static_cast<std::uint32_t>(rank)});
    }
  }
  return !members.empty();
}

}  // namespace

Bytes Tables::take_additions() {
  if (written_contexts_ == contexts_.size() && written_texts_ == texts_.size() && written_sites_ == sites_.size() &&
      given_members_.empty())
    return {};
  Bytes out;
  put(out, contexts_.size() - written_contexts_);
  for (; written_contexts_ < contexts_.size(); ++written_contexts_) put(out, contexts_[written_contexts_].id.value);
  put(out, std::uint64_t{given_members_.size()});
  for (const std::uint32_t context : std::exchange(given_members_, {})) {
    put(out, std::uint64_t{context});
    put_members(out, contexts_[context].members);
  }
  put(out, texts_.size() - written_texts_);
  for (; written_texts_ < texts_.size(); ++written_texts_) put(out, std::string_view(texts_[written_texts_]));
  put(out, sites_.size() - written_sites_);
  for (; written_sites_ < sites_.size(); ++written_sites_) put(out, sites_[written_sites_].number);
  return out;
}

bool Tables::add(std::span<const std::uint8_t> additions, std::uint32_t ranks) {
  ByteReader in(additions);
  for (std::size_t left = in.get_count(); left > 0; --left) contexts_.push_back({{in.get()}, {}});
  for (std::size_t left = in.get_count(); left > 0; --left) {
    const std::uint64_t context = in.get();
    if (!in.is_good() || context >= contexts_.size() || !contexts_[context].members.empty()) return false;
    if (!get_members(in, contexts_[context].members, ranks)) return false;
  }
  for (std::size_t left = in.get_count(); left > 0; --left) texts_.push_back(in.get_text());
  for (std::size_t left = in.get_count(); left > 0; --left) {
    sites_.emplace_back();
    sites_.back().number = in.get();
  }
  return in.is_good() && in.is_at_end();
}

}  // namespace rehearse::trace::rtrace
