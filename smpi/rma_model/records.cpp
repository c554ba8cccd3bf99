// SPDX-License-Identifier: MIT
//
// See records.hpp.
#include "smpi/rma_model/records.hpp"

#include <algorithm>
#include <unordered_map>

#include "simcore/support/hash.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/rma_model/byte_stream.hpp"

namespace rehearse::smpi::model {
namespace {

// What decides about conflicts between two operations.
struct Sort {
  bool is_atomic = false, is_read = false;
  Deed deed = Deed::put;
  OpCode op = OpCode::replace;
  MPI_Datatype element = MPI_DATATYPE_NULL;
};

Sort sort_of(const OperationHeader& header) {
  const bool combines = header.deed == Deed::accumulate || header.deed == Deed::fetch;
  const bool reads = header.deed == Deed::get || (combines && header.op == OpCode::no_op);
  return {is_atomic(header.deed), reads, header.deed, header.op, header.element};
}

bool may_meet(const Sort& a, const Sort& b) {
  if (a.is_read && b.is_read) return true;
  if (!a.is_atomic || !b.is_atomic) return false;
  if (a.element != b.element) return false;
  if (a.is_read || b.is_read) return true;
  const bool a_swaps = a.deed == Deed::swap, b_swaps = b.deed == Deed::swap;
  if (a_swaps || b_swaps) return (a_swaps && b_swaps) || (a_swaps ? b : a).op == OpCode::replace;
  return a.op == b.op;
}

bool reads_only(const Record& record) {
  if (record.kind == RecordKind::load) return true;
  return record.is_operation() && sort_of(OperationView(record.data).header()).is_read;
}

// The separate model: a store and an update by a call, anywhere in one window (MPI 4.1, 12.7).
bool share_window(const Record& store, const Record& update) {
  return store.kind == RecordKind::store && store.separate != 0 && update.is_operation() && !reads_only(update) &&
         store.separate == update.separate && store.owner == update.owner;
}

void write_knowledge(ByteWriter& to, const Knowledge& known) {
  to.add_all(std::span(known.clock));
  to.add_all(std::span(known.issued));
  to.add(static_cast<std::uint64_t>(known.effects.runs().size()));
  for (const auto& [actor, runs] : known.effects.runs()) {
    to.add(std::uint64_t{actor});
    to.add_all(std::span(runs));
  }
}

Knowledge read_knowledge(ByteReader& from) {
  Knowledge known;
  known.clock = from.all<std::uint32_t>();
  known.issued = from.all<std::uint32_t>();
  for (auto count = from.one<std::uint64_t>(); count > 0; --count) {
    const auto actor = static_cast<std::uint32_t>(from.one<std::uint64_t>());
    known.effects.add(actor, from.all<OperationSet::Run>());
  }
  return known;
}

std::uint64_t hash_of(const Knowledge& known) {
  std::uint64_t hash = 0;
  for (const std::uint32_t count : known.clock) hash = hash_with(hash, count);
  for (const std::uint32_t count : known.issued) hash = hash_with(hash, count);
  for (const auto& [actor, runs] : known.effects.runs()) {
    hash = hash_with(hash, actor);
    for (const OperationSet::Run& run : runs) hash = hash_with(hash, std::uint64_t{run.begin} << 32 | run.end);
  }
  return hash;
}

// The knowledge of records, numbered by content: equal knowledge may be several objects.
class KnowledgeTable {
 public:
  explicit KnowledgeTable(const Records& records) {
    std::unordered_multimap<std::uint64_t, std::uint64_t> by_hash;
    for (const auto& [id, record] : records) {
      const Knowledge* known = record->known.get();
      if (!numbers_.emplace(known, all_.size()).second) continue;
      const std::uint64_t hash = hash_of(*known);
      const auto [begin, end] = by_hash.equal_range(hash);
      const auto same = std::find_if(begin, end, [&](const auto& entry) { return *all_[entry.second] == *known; });
      if (same != end) {
        numbers_[known] = same->second;
        continue;
      }
      by_hash.emplace(hash, all_.size());
      all_.push_back(known);
    }
  }

  const std::vector<const Knowledge*>& all() const { return all_; }
  std::uint64_t number_of(const Knowledge& known) const { return numbers_.at(&known); }

 private:
  std::vector<const Knowledge*> all_;
  std::unordered_map<const Knowledge*, std::uint64_t> numbers_;
};

void write_record(ByteWriter& to, const Record& record, std::uint64_t known) {
  to.add(record.id);
  to.add(static_cast<std::uint64_t>(record.kind));
  to.add(static_cast<std::uint64_t>(record.is_settled));
  to.add(static_cast<std::uint64_t>(record.is_exposed));
  to.add(std::uint64_t{record.owner});
  to.add(record.lamport);
  to.add(record.window);
  to.add(record.exposure);
  to.add(record.separate);
  to.add(reinterpret_cast<std::uint64_t>(record.site.function));
  to.add(reinterpret_cast<std::uint64_t>(record.site.return_address));
  to.add_all(std::span(record.memory));
  to.add_all(std::span(record.data));
  to.add_all(std::span(record.prior));
  to.add(known);
}

Record read_record(ByteReader& from, const std::vector<KnowledgeRef>& known) {
  Record record;
  record.id = from.one<RecordId>();
  record.kind = static_cast<RecordKind>(from.one<std::uint64_t>());
  record.is_settled = from.one<std::uint64_t>() != 0;
  record.is_exposed = from.one<std::uint64_t>() != 0;
  record.owner = static_cast<std::uint32_t>(from.one<std::uint64_t>());
  record.lamport = from.one<std::uint64_t>();
  record.window = from.one<std::uint64_t>();
  record.exposure = from.one<std::uint64_t>();
  record.separate = from.one<std::uint64_t>();
  record.site.function = reinterpret_cast<const char*>(from.one<std::uint64_t>());
  record.site.return_address = reinterpret_cast<const void*>(from.one<std::uint64_t>());
  record.memory = from.all<Bytes>();
  record.data = from.all<std::byte>();
  record.prior = from.all<RecordId>();
  record.known = known[from.one<std::uint64_t>()];
  return record;
}

}  // namespace

void Knowledge::join(const Knowledge& other) {
  const auto join_clock = [](std::vector<std::uint32_t>& own, const std::vector<std::uint32_t>& others) {
    if (own.size() < others.size()) own.resize(others.size());
    for (std::size_t i = 0; i < others.size(); ++i) own[i] = std::max(own[i], others[i]);
  };
  join_clock(clock, other.clock);
  join_clock(issued, other.issued);
  effects.join(other.effects);
}

bool Record::changes_memory() const {
  switch (kind) {
    case RecordKind::content:
    case RecordKind::change: return true;
    case RecordKind::load:
    case RecordKind::store:
    case RecordKind::publish:
    case RecordKind::absorb: return false;
    case RecordKind::operation: return OperationView(data).updates();
  }
  return false;
}

bool needs_order(const OperationHeader& header) {
  return header.deed == Deed::fetch || header.deed == Deed::swap || is_replacement(header);
}

bool is_replacement(const OperationHeader& header) {
  return header.deed == Deed::accumulate && header.op == OpCode::replace;
}

bool is_idle(const OperationHeader& header) { return header.deed == Deed::accumulate && header.op == OpCode::no_op; }

std::uint8_t version_of(const Record& record) { return (record.is_settled ? 1 : 0) + (record.is_exposed ? 1 : 0); }

bool is_later_version(const Record& record, const Record& than) { return version_of(record) > version_of(than); }

RecordRef exposed_version(const Record& record, const Opening& opening) {
  Record exposed = record;
  Knowledge known = *record.known;
  known.join(*opening.known);
  exposed.known = std::make_shared<const Knowledge>(std::move(known));
  exposed.lamport = std::max(record.lamport, opening.lamport) + 1;
  exposed.is_exposed = true;
  return std::make_shared<const Record>(std::move(exposed));
}

Opening opening_of(const News& news) {
  Opening opening;
  opening.known = std::make_shared<const Knowledge>(news.known);
  opening.lamport = news.lamport;
  return opening;
}

bool is_known(RecordId record, const Knowledge& moment) {
  if (record.is_operation()) return moment.effects.contains(record);
  return record.actor < moment.clock.size() && moment.clock[record.actor] > record.number;
}

bool is_issued(const Record& operation, const Record& record) {
  if (!operation.is_operation()) return false;
  if (record.is_operation() && record.id.actor == operation.id.actor) return operation.id < record.id;
  return (operation.id.number & ~RecordId::operation_bit) < record.known->issued[operation.id.actor];
}

bool are_ordered(const Record& a, const Record& b) { return is_known(a, *b.known) || is_known(b, *a.known); }

bool needs_carrier(const Record& first, const Record& second) {
  if (first.separate == 0 || first.is_operation() == second.is_operation()) return false;
  return first.is_operation() ? !reads_only(first) : first.kind == RecordKind::store;
}

bool conflict(const Record& a, const Record& b) {
  if (!a.is_access() || !b.is_access()) return false;
  if (!a.is_operation() && !b.is_operation() && a.id.actor == b.id.actor) return false;
  const auto meets = [&](const Bytes& one) {
    return std::ranges::any_of(b.memory, [&](const Bytes& other) { return one.meets(other); });
  };
  if (share_window(a, b) || share_window(b, a)) return true;
  if (std::ranges::none_of(a.memory, meets)) return false;
  if (!a.is_operation() || !b.is_operation()) return !reads_only(a) || !reads_only(b);
  const Sort sort = sort_of(OperationView(a.data).header()), other = sort_of(OperationView(b.data).header());
  if (!may_meet(sort, other)) return true;
  if (!sort.is_atomic || !other.is_atomic || (sort.is_read && other.is_read)) return false;
  const auto extent = static_cast<std::uintptr_t>(predefined_datatype(sort.element)->extent());
  return std::ranges::any_of(a.memory, [&](const Bytes& one) {
    return std::ranges::any_of(b.memory, [&](const Bytes& two) {
      return one.meets(two) && (std::max(one.begin, two.begin) - std::min(one.begin, two.begin)) % extent != 0;
    });
  });
}

std::optional<std::uintptr_t> differing_replacement(const Record& a, const Record& b) {
  if (!a.is_operation() || !b.is_operation() || a.owner != b.owner) return std::nullopt;
  const OperationView one(a.data), other(b.data);
  if (!is_replacement(one.header()) || !is_replacement(other.header())) return std::nullopt;
  if (one.header().element != other.header().element) return std::nullopt;
  const Datatype& type = *predefined_datatype(one.header().element);
  const auto extent = static_cast<std::uint64_t>(type.extent()), size = static_cast<std::uint64_t>(type.size());
  std::uint64_t before = 0;  // elements in earlier blocks
  for (std::uint64_t i = 0; i < one.header().blocks; before += one.block(i++).count) {
    const TargetBlock block = one.block(i);
    std::uint64_t other_before = 0;
    for (std::uint64_t k = 0; k < other.header().blocks; other_before += other.block(k++).count) {
      const TargetBlock other_block = other.block(k);
      const std::byte* begin = std::max(block.address, other_block.address);
      const std::byte* end =
          std::min(block.address + block.count * extent, other_block.address + other_block.count * extent);
      const bool is_aligned = (block.address - other_block.address) % static_cast<std::int64_t>(extent) == 0;
      for (; is_aligned && begin < end; begin += extent) {
        const auto at = before + static_cast<std::uint64_t>(begin - block.address) / extent;
        const auto other_at = other_before + static_cast<std::uint64_t>(begin - other_block.address) / extent;
        if (!std::ranges::equal(one.data().subspan(at * size, size), other.data().subspan(other_at * size, size)))
          return reinterpret_cast<std::uintptr_t>(begin);
      }
    }
  }
  return std::nullopt;
}

std::vector<std::byte> write_news(const News& news) {
  ByteWriter to;
  write_knowledge(to, news.known);
  to.add(news.lamport);
  to.add(std::uint64_t{news.from ? *news.from + 1 : 0});
  to.add_all(std::span(news.held));
  to.add(static_cast<std::uint64_t>(news.held_by_others.size()));
  for (const auto& [rank, held] : news.held_by_others) {
    to.add(rank);
    to.add_all(std::span(held));
  }
  const KnowledgeTable table(news.records);
  to.add(static_cast<std::uint64_t>(table.all().size()));
  for (const Knowledge* one : table.all()) write_knowledge(to, *one);
  to.add(static_cast<std::uint64_t>(news.records.size()));
  for (const auto& [id, record] : news.records) write_record(to, *record, table.number_of(*record->known));
  return to.take();
}

News read_news(std::span<const std::byte> bytes) {
  ByteReader from(bytes);
  News news;
  news.known = read_knowledge(from);
  news.lamport = from.one<std::uint64_t>();
  if (const auto rank = from.one<std::uint64_t>(); rank > 0) news.from = static_cast<std::uint32_t>(rank - 1);
  news.held = from.all<std::uint32_t>();
  for (auto count = from.one<std::uint64_t>(); count > 0; --count) {
    const auto rank = from.one<std::uint32_t>();
    news.held_by_others[rank] = from.all<std::uint32_t>();
  }
  std::vector<KnowledgeRef> table;
  for (auto count = from.one<std::uint64_t>(); count > 0; --count)
    table.push_back(std::make_shared<const Knowledge>(read_knowledge(from)));
  for (auto count = from.one<std::uint64_t>(); count > 0; --count) {
    const auto record = std::make_shared<const Record>(read_record(from, table));
    news.records.emplace(record->id, record);
  }
  return news;
}

}  // namespace rehearse::smpi::model
