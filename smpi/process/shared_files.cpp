// SPDX-License-Identifier: MIT
//
// Files that several ranks use: the conflicts between them, and the content that ranks exchange.
#include <algorithm>
#include <cerrno>
#include <cstring>

#include "simcore/support/format.hpp"
#include "smpi/process/files.hpp"
#include "smpi/process/heap.hpp"

namespace rehearse::smpi {

// Uses of one rank have its order. Members have exchanged the content between two stages. Conflicts of shared uses in
// one stage are races, which the exchange itself finds, except those of two second handles.
bool FileTraffic::are_ordered(const Users& users, const Use& a, const Use& b) {
  if (a.rank == b.rank || (a.is_shared && b.is_shared && !(a.is_second && b.is_second))) return true;
  return a.stage != b.stage && users.members.contains(a.rank) && users.members.contains(b.rank);
}

void FileTraffic::report(Users& users, std::string text) {
  if (users.is_reported) return;
  caveats_.push_back(std::move(text));
  users.is_reported = true;
}

void FileTraffic::add(const std::string& path, Users& users, const Use& use, bool reads, bool writes) {
  for (const bool is_write : {false, true}) {
    if (!(is_write ? writes : reads)) continue;
    Use one = use;
    one.writes = is_write;
    users.uses.insert(one);
  }
  if (users.is_reported) return;
  for (const Use& writer : users.uses)
    for (const Use& reader : users.uses) {
      if (!writer.writes || reader.writes || are_ordered(users, writer, reader)) continue;
      report(users, fmt::format("the file {}, which rank {} changes and rank {} reads ({})", path.c_str(), writer.rank,
                                reader.rank,
                                users.members.empty() ? "each rank sees only its own changes"
                                                      : "some of them by other means than calls of MPI together"));
      return;
    }
}

void FileTraffic::note(const std::string& path, std::uint32_t rank, bool reads, bool writes, std::uint64_t stage) {
  const HostAllocation host;
  add(path, users_[std::string(path.c_str())], {rank, stage, false, false}, reads, writes);
}

void FileTraffic::note_shared(const std::string& path, std::uint32_t rank, bool reads, bool writes, std::uint64_t stage,
                              const std::set<std::uint32_t>& members) {
  const HostAllocation host;
  Users& users = users_[std::string(path.c_str())];
  if (users.members.empty()) users.members = std::set<std::uint32_t>(members.begin(), members.end());
  else if (users.members != members)
    report(users, fmt::format("the file {}, which different groups of ranks open", path.c_str()));
  add(path, users, {rank, stage, false, true}, reads, writes);
}

void FileTraffic::note_second(const std::string& path, std::uint32_t rank, bool reads, bool writes,
                              std::uint64_t stage) {
  const HostAllocation host;
  add(path, users_[std::string(path.c_str())], {rank, stage, false, true, true}, reads, writes);
}

// ---- The content that ranks exchange

void RankFiles::note_change(OpenFile& file) {
  if (!file.shared_name.empty()) ++shared_[file.shared_name].changes;
  if (file.unnoted_name.empty()) return;
  traffic_.note(file.unnoted_name, rank_, false, true, file.stage);
  file.unnoted_name.clear();
}

int RankFiles::open_shared(const char* path, int flags, mode_t mode) {
  const std::string name = shared_name(path);
  if (const Contents contents = find(name); contents->kind != FileContents::Kind::absent) changed(name);
  const int descriptor = open_named(name, flags, mode);
  if (descriptor < 0) return descriptor;
  at(descriptor)->shared_name = name;
  shared_[name].contents = changed_[name];
  shared_[name].changes = changed_[name]->changes;
  return descriptor;
}

int RankFiles::open_second(const char* path, int flags, mode_t mode) {
  const std::string name = shared_name(path);
  const int descriptor = open_named(name, flags, mode);
  if (descriptor >= 0) at(descriptor)->shared_name = name;
  return descriptor;
}

int RankFiles::remove_shared(const char* path) {
  const std::string name = shared_name(path);
  const Contents contents = find(name);
  if (contents == nullptr || contents->kind == FileContents::Kind::absent) {
    errno = contents == nullptr ? EPERM : ENOENT;
    return -1;
  }
  adopt_absence(name);
  return 0;
}

void RankFiles::note_shared(const std::string& name, bool reads, bool writes, const std::set<std::uint32_t>& members) {
  traffic_.note_shared(name, rank_, reads, writes, shared_[name].stage, members);
}

void RankFiles::note_second(const std::string& name, bool reads, bool writes) {
  traffic_.note_second(name, rank_, reads, writes, shared_[name].stage);
}

bool RankFiles::has_changed_alone(const std::string& name) {
  const auto known = shared_.find(name);
  const auto changed = changed_.find(name);
  if (known == shared_.end()) return changed != changed_.end();
  const Contents now = changed == changed_.end() ? nullptr : changed->second;
  return now != known->second.contents || (now != nullptr && now->changes != known->second.changes);
}

std::vector<char> RankFiles::shared_bytes(const std::string& name, std::size_t place, std::size_t count) {
  const Contents contents = find(name);
  std::vector<char> bytes(count);
  std::size_t sum = 0;
  while (sum < count) {
    const ssize_t got = contents->read(bytes.data() + sum, count - sum, static_cast<off_t>(place + sum));
    if (got <= 0) break;
    sum += static_cast<std::size_t>(got);
  }
  bytes.resize(sum);
  return bytes;
}

std::optional<std::size_t> RankFiles::shared_length(const std::string& name) {
  const Contents contents = find(name);
  if (contents == nullptr || contents->kind == FileContents::Kind::absent) return std::nullopt;
  return contents->length();
}

void RankFiles::adopt_file(const std::string& name, const std::vector<char>& bytes) {
  const Contents made = std::make_shared<FileContents>();
  made->kind = FileContents::Kind::file;
  made->is_own = true;
  made->mode = 0644;
  made->number = next_number_++;
  made->write(bytes.data(), bytes.size(), 0);
  changed_[name] = made;
}

void RankFiles::adopt_absence(const std::string& name) {
  changed_[name] = std::make_shared<FileContents>();
  shared_[name].contents = changed_[name];
  shared_[name].changes = 0;
}

void RankFiles::adopt_bytes(const std::string& name, std::size_t place, const char* bytes, std::size_t count) {
  const Contents contents = changed(name);
  contents->write(bytes, count, static_cast<off_t>(place));
}

void RankFiles::take_bytes(const std::string& name, std::size_t place, const char* bytes, std::size_t count) {
  const bool is_alone = has_changed_alone(name);
  adopt_bytes(name, place, bytes, count);
  if (is_alone) return;
  shared_[name].contents = changed_[name];
  shared_[name].changes = changed_[name]->changes;
}

std::size_t RankFiles::kept_bytes() const {
  std::size_t bytes = 0;
  for (const auto& [name, contents] : changed_) bytes += contents->room;
  return bytes;
}

void RankFiles::end_exchange(const std::string& name) {
  Shared& shared = shared_[name];
  const auto changed = changed_.find(name);
  shared.contents = changed == changed_.end() ? nullptr : changed->second;
  shared.changes = shared.contents == nullptr ? 0 : shared.contents->changes;
  ++shared.stage;
}

}  // namespace rehearse::smpi
