// SPDX-License-Identifier: MIT
//
// See exchange.hpp. The contributions are remarks of the collectives: they take no time.
#include "smpi/file/exchange.hpp"

#include <algorithm>
#include <cstring>

#include "simcore/support/format.hpp"
#include "smpi/collective/collective.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/file/atomic_log.hpp"
#include "smpi/file/doubts.hpp"
#include "smpi/file/storage.hpp"
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
  out.number((use.writes ? 1 : 0) | (use.is_atomic ? 2 : 0) | (use.reads_size ? 4 : 0) | (use.takes_turns ? 8 : 0));
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
  use.content = in.number();
  use.site.function = reinterpret_cast<const char*>(in.number());
  use.site.return_address = reinterpret_cast<const void*>(in.number());
  for (std::uint64_t left = in.number(); left > 0; --left) {
    const auto begin = static_cast<std::int64_t>(in.number());
    use.ranges.push_back({begin, static_cast<std::int64_t>(in.number())});
  }
  return use;
}

// The bytes that the rank has written.
std::vector<FileRange> written_by(const std::vector<FileUse>& uses) {
  std::vector<FileRange> written;
  for (const FileUse& use : uses)
    if (use.writes) written.insert(written.end(), use.ranges.begin(), use.ranges.end());
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

std::string bytes_at(const FileRange& range) {
  return range.bytes == 1 ? fmt::format("byte {}", range.begin)
                          : fmt::format("bytes {} to {}", range.begin, range.end() - 1);
}

// Compares uses of two members; this rank is the second one.
class Comparison {
 public:
  Comparison(const File& file, int other) : file_(file), other_(other) {}

  // True: they race, which is reported as an error.
  bool compare(const FileUse& theirs, const FileUse& mine) const {
    if (!theirs.writes && !mine.writes) return false;
    if (theirs.reads_size || mine.reads_size) {
      compare_size(theirs.reads_size ? mine : theirs);
      return false;
    }
    FileRange common;
    if (!overlap(theirs.ranges, mine.ranges, common)) return false;
    if (theirs.takes_turns && mine.takes_turns) return false;
    if (theirs.is_atomic && mine.is_atomic) {
      report_outcomes_left_out("the order of accesses of different ranks to the same bytes of " + file_.name +
                               " in atomic mode");
      return false;
    }
    const bool is_same = theirs.writes && mine.writes && theirs.content != 0 && theirs.content == mine.content &&
                         theirs.ranges == mine.ranges;
    report_race(theirs, mine, common, is_same);
    return !is_same;
  }

 private:
  void compare_size(const FileUse& write) const {
    if (!write.ranges.empty() && write.ranges.back().end() > file_.known_size)
      report_outcomes_left_out("the size of " + file_.name +
                               ", which one rank asks for and another one changes, without MPI_File_sync in between");
  }

  void report_race(const FileUse& theirs, const FileUse& mine, const FileRange& common, bool is_same) const {
    const std::string call = mine.site.function;
    const std::string same = fmt::format("{} of rank {} and {} of rank {} write the same data to {} of the file {}",
                                         theirs.site.function, other_, call, file_.rank(), bytes_at(common),
                                         file_.name);
    if (is_same)
      return report_at("file.race.same", Severity::warning, same,
                       {{mine.site, "writes"}, {theirs.site, "writes", file_.communicator->actor_of(other_)}});
    const std::string what = fmt::format(
        "{} of rank {} and {} of rank {} touch {} of the file {}; between them, a synchronisation is missing "
        "(MPI_File_sync of all ranks behind the first, what orders the ranks, MPI_File_sync before the second)",
        theirs.site.function, other_, mine.site.function, file_.rank(), bytes_at(common), file_.name);
    report_places("file.race", what, {mine.site, mine.writes ? "writes" : "reads"},
                  std::array{ReportedPlace{theirs.site, theirs.writes ? "writes" : "reads",
                                           file_.communicator->actor_of(other_)}});
  }

  const File& file_;
  int other_;
};

// Compares the new uses with those of other members, old and new. Each pair is compared by the member with the higher
// rank. Only reported races count against the limit and hide later ones of the same places.
void find_races(const File& file, const std::vector<News>& news) {
  const auto me = static_cast<std::size_t>(file.rank());
  std::set<std::pair<const void*, const void*>> reported;  // places: of the other member, of this one
  for (std::size_t other = 0; other < me; ++other) {
    const Comparison comparison(file, static_cast<int>(other));
    const auto compare_all = [&](const std::vector<FileUse>& theirs, const std::vector<FileUse>& mine) {
      for (const FileUse& a : theirs)
        for (const FileUse& b : mine) {
          if (reported.size() >= races_max) return;
          const std::pair places(a.site.return_address, b.site.return_address);
          if (!reported.contains(places) && comparison.compare(a, b)) reported.insert(places);
        }
    };
    compare_all(file.known_uses[other], news[me].uses);
    compare_all(news[other].uses, file.known_uses[me]);
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
  file.uses.clear();
  for (std::size_t i = 0; i < news.size(); ++i) {
    std::vector<FileUse>& known = file.known_uses[i];
    if (synchronises) known.clear();
    else known.insert(known.end(), news[i].uses.begin(), news[i].uses.end());
  }
  if (synchronises) file.known_size = std::max<std::int64_t>(size_of_stored(file.descriptor), 0);
  return error;
}

namespace {

FileUse& use_from_here(File& file, bool writes, bool reads_size, bool takes_turns) {
  const CreationSite site = creation_site();
  for (FileUse& use : file.uses)
    if (use.site.return_address == site.return_address && use.writes == writes && use.reads_size == reads_size &&
        use.is_atomic == file.is_atomic && use.takes_turns == takes_turns)
      return use;
  file.uses.push_back({writes, file.is_atomic, takes_turns, reads_size, 0, site, {}});
  return file.uses.back();
}

}  // namespace

void note_use(File& file, bool writes, std::span<const FileRange> ranges, bool takes_turns, std::uint64_t content) {
  if (!file.is_compared || ranges.empty()) return;
  if (file.is_exchanged) kept_files()->note_shared(file.stored_name, !writes, writes, file.members());
  FileUse& use = use_from_here(file, writes, false, takes_turns);
  use.content = use.ranges.empty() ? content : 0;
  for (const FileRange& range : ranges) {
    if (!use.ranges.empty() && use.ranges.back().end() == range.begin) use.ranges.back().bytes += range.bytes;
    else use.ranges.push_back(range);
  }
}

void note_size_use(File& file) {
  if (file.is_compared && file.is_writable()) use_from_here(file, false, true, false);
}

}  // namespace rehearse::smpi
