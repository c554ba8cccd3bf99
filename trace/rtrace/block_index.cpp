// SPDX-License-Identifier: MIT
//
// See block_index.hpp. The index is: offsets of tables, blocks (offset after the last one, rank, actions), late
// wildcards by rank, withdrawn receives by rank, sites, about.
#include "trace/rtrace/block_index.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace rehearse::trace::rtrace {

Bytes write_index(const Index& index, const Tables& tables) {
  Bytes out;
  put(out, std::uint64_t{index.tables.size()});
  for (const std::uint64_t offset : index.tables) put(out, offset);
  put(out, std::uint64_t{index.blocks.size()});
  std::uint64_t offset = 0;
  for (const BlockPlace& block : index.blocks) {
    put(out, block.offset - std::exchange(offset, block.offset));
    put(out, std::uint64_t{block.rank});
    put(out, std::uint64_t{block.actions});
  }
  for (const RankIndex& rank : index.ranks) {
    put(out, std::uint64_t{rank.late.size()});
    for (const LateTook& late : rank.late) {
      put(out, std::uint64_t{late.request});
      put(out, std::uint64_t{late.took.source});
      put_signed(out, late.took.tag);
    }
    put(out, std::uint64_t{rank.withdrawn.size()});
    for (const std::uint32_t request : rank.withdrawn) put(out, std::uint64_t{request});
  }
  put(out, std::uint64_t{tables.sites().size()});
  for (const Site& site : tables.sites()) {
    put(out, std::string_view(site.call));
    put(out, std::string_view(site.function));
    put(out, std::string_view(site.file));
    put(out, std::uint64_t{site.line});
  }
  if (!index.about.empty()) put(out, std::string_view(index.about));
  return out;
}

std::vector<std::uint64_t> read_table_offsets(ByteReader& in) {
  std::vector<std::uint64_t> offsets(in.get_count());
  for (std::uint64_t& offset : offsets) offset = in.get();
  return offsets;
}

bool read_index(ByteReader& in, std::uint32_t ranks, Index& index, Tables& tables) {
  std::uint64_t offset = 0;
  for (std::size_t left = in.get_count(); left > 0; --left) {
    offset += in.get();
    const std::uint64_t rank = in.get(), actions = in.get();
    if (!in.is_good() || rank >= ranks || actions > 0xffffffff) return false;
    index.blocks.push_back({offset, static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(actions)});
  }
  index.ranks.resize(ranks);
  for (RankIndex& rank : index.ranks) {
    for (std::size_t left = in.get_count(); left > 0; --left) {
      const auto request = static_cast<std::uint32_t>(in.get());
      const std::uint64_t source = in.get();
      const auto tag = static_cast<Tag>(in.get_signed());
      if (source >= ranks) return false;
      rank.late.push_back({request, {Took::State::message, static_cast<std::uint32_t>(source), tag}});
    }
    for (std::size_t left = in.get_count(); left > 0; --left)
      rank.withdrawn.push_back(static_cast<std::uint32_t>(in.get()));
    std::ranges::sort(rank.late, {}, &LateTook::request);
    std::ranges::sort(rank.withdrawn);
  }
  if (in.get() != tables.sites().size()) return false;
  for (Site& site : tables.sites()) {
    site.call = in.get_text();
    site.function = in.get_text();
    site.file = in.get_text();
    site.line = static_cast<std::uint32_t>(in.get());
  }
  if (in.is_good() && !in.is_at_end()) index.about = in.get_text();
  return in.is_good() && in.is_at_end();
}

}  // namespace rehearse::trace::rtrace
