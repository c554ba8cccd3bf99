// SPDX-License-Identifier: MIT
//
// See exchange.hpp. The contributions are remarks of the collectives: they take no time.
#include "smpi/file/exchange.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "simcore/support/format.hpp"
#include "smpi/collective/collective.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/file/atomic_log.hpp"
#include "smpi/file/doubts.hpp"
#include "smpi/file/second_handle.hpp"
#include "smpi/file/storage.hpp"
#include "smpi/file/use_comparison.hpp"
#include "smpi/process/files.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::size_t races_max = 16;  // reported by one exchange

class Writer {
 public:
  void number(std::uint64_t value) { bytes(&value, sizeof value); }
  void bytes(const void* from, std::size_t count) {
    const auto* begin = static_cast<const std::byte*>(from);
    data_.insert(data_.end(), begin, begin + count);
  }
  std::span<const std::byte> data() const { return data_; }

 private:
  std::vector<std::byte> data_;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> data) : data_(data) {}
  std::uint64_t number() {
    std::uint64_t value = 0;
    std::memcpy(&value, data_.data(), sizeof value);
    data_ = data_.subspan(sizeof value);
    return value;
  }
  const char* bytes(std::size_t count) {
    const auto* begin = reinterpret_cast<const char*>(data_.data());
    data_ = data_.subspan(count);
    return begin;
  }
  bool empty() const { return data_.empty(); }

 private:
  std::span<const std::byte> data_;
};

void write_use(Writer& out, const FileUse& use) {
  out.number((use.writes ? 1 : 0) | (use.is_atomic ? 2 : 0) | (use.reads_size ? 4 : 0) | (use.takes_turns ? 8 : 0) |
             (use.is_pending ? 16 : 0));
  out.number(use.handle);
  out.number(use.content);
  out.number(reinterpret_cast<std::uintptr_t>(use.site.function));
  out.number(reinterpret_cast<std::uintptr_t>(use.site.return_address));
  out.number(use.ranges.size());
  for (const FileRange& range : use.ranges) {
    out.number(static_cast<std::uint64_t>(range.begin));
    out.number(static_cast<std::uint64_t>(range.bytes));
  }
}

FileUse read_use(Reader& in) {
  FileUse use;
  const std::uint64_t bits = in.number();
  use.writes = (bits & 1) != 0;
  use.is_atomic = (bits & 2) != 0;
  use.reads_size = (bits & 4) != 0;
  use.takes_turns = (bits & 8) != 0;
  use.is_pending = (bits & 16) != 0;
  use.handle = static_cast<std::uint32_t>(in.number());
  use.content = in.number();
  use.site.function = reinterpret_cast<const char*>(in.number());
  use.site.return_address = reinterpret_cast<const void*>(in.number());
  for (std::uint64_t left = in.number(); left > 0; --left) {
    const auto begin = static_cast<std::int64_t>(in.number());
    use.ranges.push_back({begin, static_cast<std::int64_t>(in.number())});
  }
  return use;
}

// The bytes that the rank has written, and that others may learn.
std::vector<FileRange> written_by(const std::vector<FileUse>& uses) {
  std::vector<FileRange> written;
  for (const FileUse& use : uses)
    if (use.writes && !use.is_pending) written.insert(written.end(), use.ranges.begin(), use.ranges.end());
  return sorted(std::move(written));
}

// The uses of a member since the last exchange, and the data that it wrote.
struct News {
  std::vector<FileUse> uses;
  bool changed_alone = false;
  std::vector<FileRange> written;
  std::vector<const char*> data;  // parallel
};

void write_news(Writer& out, const File& file, const Agreement& agreement) {
  out.number(static_cast<std::uint64_t>(agreement.value));
  out.number(file.is_exchanged && kept_files()->has_changed_alone(file.stored_name) ? 1 : 0);
  out.number(file.uses.size());
  for (const FileUse& use : file.uses) write_use(out, use);
  if (!file.is_exchanged) return out.number(0);
  RankFiles& kept = *kept_files();
  const std::vector<FileRange> written = written_by(file.uses);
  out.number(written.size());
  for (const FileRange& range : written) {
    std::vector<char> bytes = kept.shared_bytes(file.stored_name, static_cast<std::size_t>(range.begin),
                                                static_cast<std::size_t>(range.bytes));
    bytes.resize(static_cast<std::size_t>(range.bytes));
    out.number(static_cast<std::uint64_t>(range.begin));
    out.number(bytes.size());
    out.bytes(bytes.data(), bytes.size());
  }
}

News read_news(std::span<const std::byte> remark) {
  Reader in(remark);
  News news;
  if (in.empty()) return news;
  in.number();  // the agreement
  news.changed_alone = in.number() != 0;
  for (std::uint64_t left = in.number(); left > 0; --left) news.uses.push_back(read_use(in));
  for (std::uint64_t left = in.number(); left > 0; --left) {
    const auto begin = static_cast<std::int64_t>(in.number());
    const std::uint64_t bytes = in.number();
    news.written.push_back({begin, static_cast<std::int64_t>(bytes)});
    news.data.push_back(in.bytes(bytes));
  }
  return news;
}

// Compares the new uses with those of other members, old and new, and those of two handles of the rank. Each pair is
// compared by the member with the higher rank. Only reported races count against the limit and hide later ones of the
// same places.
void find_races(const File& file, const std::vector<News>& news) {
  const auto me = static_cast<std::size_t>(file.rank());
  std::set<std::pair<const void*, const void*>> reported;  // places: of the other member, of this one
  for (std::size_t other = 0; other <= me; ++other) {
    const auto compare_all = [&](const std::vector<FileUse>& theirs, const std::vector<FileUse>& mine) {
      for (const FileUse& a : theirs)
        for (const FileUse& b : mine) {
          if (reported.size() >= races_max) return;
          const std::pair places(a.site.return_address, b.site.return_address);
          const bool has_order = other == me && a.handle == b.handle;
          if (has_order || reported.contains(places)) continue;
          if (compare_uses(file, {static_cast<int>(other), a}, b)) reported.insert(places);
        }
    };
    compare_all(file.known_uses[other], news[me].uses);
    if (other < me) compare_all(news[other].uses, file.known_uses[me]);
    compare_all(news[other].uses, news[me].uses);
  }
}

int share_remarks(const File& file, const char* call, const Agreement& agreement, std::span<const std::byte> mine,
                  std::vector<std::vector<std::byte>>& all) {
  all.resize(static_cast<std::size_t>(file.size()));
  Contribution contribution;
  contribution.hints.kind = CollectiveKind::barrier;
  contribution.remark = mine;
  Disagreement found;
  const int error = run_collective(file.communicator, {call}, contribution, {[&](Contributions from) {
                                     for (std::size_t i = 0; i < from.remarks().size() && i < all.size(); ++i)
                                       all[i].assign(from.remarks()[i].text.begin(), from.remarks()[i].text.end());
                                     found = disagreement_on(file, call, agreement, from.remarks());
                                     return Trouble{};
                                   }});
  report_disagreement(found);
  return error;
}

void apply_news(File& file, const std::vector<News>& news) {
  RankFiles& kept = *kept_files();
  for (std::size_t other = 0; other < news.size(); ++other) {
    if (news[other].changed_alone)
      doubt_content("the file " + file.name + ", which is changed by other means than MPI while it is open");
    if (other == static_cast<std::size_t>(file.rank())) continue;
    for (std::size_t i = 0; i < news[other].written.size(); ++i)
      kept.adopt_bytes(file.stored_name, static_cast<std::size_t>(news[other].written[i].begin), news[other].data[i],
                       static_cast<std::size_t>(news[other].written[i].bytes));
  }
  kept.end_exchange(file.stored_name);
}

std::vector<std::vector<FileUse>> uses_of(const std::vector<News>& news) {
  std::vector<std::vector<FileUse>> uses;
  for (const News& one : news) uses.push_back(one.uses);
  return uses;
}

bool has_changed(std::span<const std::byte> remark) {
  Reader in(remark);
  if (in.empty()) return false;
  in.number();  // the agreement
  return in.number() != 0;
}

}  // namespace

int exchange_at_open(const File& file, const char* call, const Agreement& agreement) {
  if (!file.is_exchanged) return meet(file, call, agreement);
  RankFiles& kept = *kept_files();
  Writer out;
  const bool changed = kept.has_changed_alone(file.stored_name);
  const auto length = kept.shared_length(file.stored_name);
  out.number(static_cast<std::uint64_t>(agreement.value));
  out.number(changed ? 1 : 0);
  out.number(length ? 1 : 0);
  if (changed && length) {
    const std::vector<char> bytes = kept.shared_bytes(file.stored_name, 0, *length);
    out.bytes(bytes.data(), bytes.size());
  }
  std::vector<std::vector<std::byte>> all;
  const int error = share_remarks(file, call, agreement, out.data(), all);
  std::vector<std::size_t> changes;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (has_changed(all[i])) changes.push_back(i);
  if (changes.size() > 1)
    doubt_content("the file " + file.name + ", which several ranks have changed before they open it");
  if (!changes.empty() && changes.front() != static_cast<std::size_t>(file.rank())) {
    const std::vector<std::byte>& content = all[changes.front()];
    Reader in(content);
    in.number();
    in.number();
    if (in.number() == 0) {
      kept.adopt_absence(file.stored_name);
    } else {
      const std::size_t bytes = content.size() - 3 * sizeof(std::uint64_t);
      const char* begin = in.bytes(bytes);
      kept.adopt_file(file.stored_name, std::vector<char>(begin, begin + bytes));
    }
  }
  kept.end_exchange(file.stored_name);
  return error;
}

int exchange(File& file, const char* call, const Agreement& agreement, bool synchronises) {
  if (!file.is_compared) return meet(file, call, agreement);
  settle_atomic_log(file, call);
  for (FileUse& use : file.uses) use.ranges = sorted(std::move(use.ranges));
  Writer out;
  write_news(out, file, agreement);
  std::vector<std::vector<std::byte>> all;
  const int error = share_remarks(file, call, agreement, out.data(), all);
  std::vector<News> news;
  for (const auto& remark : all) news.push_back(read_news(remark));
  if (file.is_exchanged) apply_news(file, news);
  find_races(file, news);
  note_others_uses(file, uses_of(news));
  // What a second handle has not synchronised will be compared again.
  const auto is_over = [](const FileUse& use) { return !use.is_pending; };
  std::erase_if(file.uses, is_over);
  for (std::size_t i = 0; i < news.size(); ++i) {
    std::vector<FileUse>& known = file.known_uses[i];
    if (synchronises) known.clear();
    else std::ranges::copy_if(news[i].uses, std::back_inserter(known), is_over);
  }
  if (synchronises) file.known_size = std::max<std::int64_t>(size_of_stored(file.descriptor), 0);
  return error;
}

void add_use(File& file, const FileUse& use, bool is_pending) {
  const auto known = std::ranges::find_if(file.uses, [&](const FileUse& one) {
    return one.site.return_address == use.site.return_address && one.writes == use.writes &&
           one.reads_size == use.reads_size && one.is_atomic == use.is_atomic && one.takes_turns == use.takes_turns &&
           one.handle == use.handle && one.is_pending == is_pending;
  });
  if (known == file.uses.end()) {
    file.uses.push_back(use);
    file.uses.back().is_pending = is_pending;
    return;
  }
  if (!known->ranges.empty()) known->content = 0;
  for (const FileRange& range : use.ranges) {
    if (!known->ranges.empty() && known->ranges.back().end() == range.begin) known->ranges.back().bytes += range.bytes;
    else known->ranges.push_back(range);
  }
}

void note_use(File& file, bool writes, std::span<const FileRange> ranges, bool takes_turns, std::uint64_t content) {
  if (ranges.empty()) return;
  note_second_use(file, writes, ranges, content);
  if (!file.is_compared) return;
  if (file.is_exchanged) kept_files()->note_shared(file.stored_name, !writes, writes, file.members());
  add_use(file, {writes, file.is_atomic, takes_turns, false, content, creation_site(), {ranges.begin(), ranges.end()}},
          false);
}

void note_size_use(File& file) {
  File& members = file.members_handle == nullptr ? file : *file.members_handle;
  if (!members.is_compared || !members.is_writable()) return;
  FileUse use{false, file.is_atomic, false, true, 0, creation_site(), {}};
  use.handle = file.number;
  add_use(members, use, file.number > 0);
}

}  // namespace rehearse::smpi
