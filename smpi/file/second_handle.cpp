// SPDX-License-Identifier: MIT
//
// See second_handle.hpp.
#include "smpi/file/second_handle.hpp"

#include <algorithm>

#include "smpi/creation_site.hpp"
#include "smpi/file/doubts.hpp"
#include "smpi/file/exchange.hpp"
#include "smpi/file/storage.hpp"
#include "smpi/file/use_comparison.hpp"
#include "smpi/process/files.hpp"

namespace rehearse::smpi {
namespace {

template <class Do>
void for_each_second(const File& members, const Do& act) {
  files().made.for_each_live([&](MPI_File, const std::unique_ptr<File>& file, const CreationSite&) {
    if (file->members_handle == &members) act(*file);
  });
}

// Once for each place in the program: an exchange may bring the same use again.
void add_missed(std::vector<MissedUse>& missed, int rank, const FileUse& use) {
  const auto known = std::ranges::find_if(missed, [&](const MissedUse& one) {
    return one.rank == rank && one.use.handle == use.handle && one.use.is_atomic == use.is_atomic &&
           one.use.site.return_address == use.site.return_address;
  });
  if (known == missed.end()) {
    missed.push_back({rank, use});
    return;
  }
  known->use.ranges.insert(known->use.ranges.end(), use.ranges.begin(), use.ranges.end());
  known->use.ranges = sorted(std::move(known->use.ranges));
  known->use.content = 0;
}

}  // namespace

void find_members_handle(File& file) {
  if (file.size() > 1) return;
  const std::string name = RankFiles::shared_name(file.name.c_str());
  File* found = nullptr;
  files().made.for_each_live([&](MPI_File, const std::unique_ptr<File>& other, const CreationSite&) {
    if (other->is_compared && other->stored_name == name) found = other.get();
  });
  if (found == nullptr) return;
  file.stored_name = name;
  file.members_handle = found;
  file.number = ++found->second_handles;
}

void note_others_uses(const File& members, const std::vector<std::vector<FileUse>>& all) {
  for_each_second(members, [&](File& second) {
    for (std::size_t i = 0; i < all.size(); ++i)
      for (const FileUse& use : all[i]) {
        const bool is_own = i == static_cast<std::size_t>(members.rank()) && use.handle == second.number;
        if (use.writes && !is_own) add_missed(second.missed, static_cast<int>(i), use);
      }
  });
}

void note_second_use(File& file, bool writes, std::span<const FileRange> ranges, std::uint64_t content) {
  if (file.number == 0) return;
  if (file.members_handle == nullptr) return doubt_second(file, "which is used behind MPI_File_close of all ranks");
  File& members = *file.members_handle;
  if (members.is_exchanged) {
    RankFiles& kept = *kept_files();
    kept.note_second(members.stored_name, !writes, writes);
    // Another rank may have synchronised such a handle since the last exchange.
    if (!writes) suspect_content("the file " + file.name + ", which single ranks have opened, too");
  }
  FileUse use{writes, file.is_atomic, false, false, content, creation_site(), {ranges.begin(), ranges.end()}};
  use.handle = file.number;
  std::erase_if(file.missed, [&](const MissedUse& one) { return compare_uses(members, {one.rank, one.use}, use); });
  add_use(members, use, true);
}

void synchronise_second(File& file) {
  file.missed.clear();
  if (file.members_handle == nullptr) return;
  for (FileUse& use : file.members_handle->uses)
    if (use.handle == file.number) use.is_pending = false;
}

void leave_second_handles(File& members) {
  for_each_second(members, [&](File& second) {
    const bool is_pending = std::ranges::any_of(members.uses, [&](const FileUse& use) {
      return use.handle == second.number && use.is_pending && use.writes;
    });
    if (is_pending) doubt_second(second, "to which a handle of one rank writes behind MPI_File_close of all ranks");
    second.members_handle = nullptr;
  });
}

void doubt_second(const File& file, const char* what) {
  if (file.number > 0 && kept_files() != nullptr) doubt_content("the file " + file.name + ", " + what);
}

}  // namespace rehearse::smpi
