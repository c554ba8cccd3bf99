// SPDX-License-Identifier: MIT
//
// See use_comparison.hpp.
#include "smpi/file/use_comparison.hpp"

#include <array>
#include <string>

#include "simcore/support/format.hpp"
#include "smpi/file/doubts.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {
namespace {

std::string bytes_at(const FileRange& range) {
  return range.bytes == 1 ? fmt::format("byte {}", range.begin)
                          : fmt::format("bytes {} to {}", range.begin, range.end() - 1);
}

void compare_size(const File& file, const FileUse& write) {
  if (!write.ranges.empty() && write.ranges.back().end() > file.known_size)
    report_outcomes_left_out("the size of " + file.name +
                             ", which one rank asks for and another one changes, without MPI_File_sync in between");
}

void report_same(const File& file, const MemberUse& theirs, const FileUse& mine, const FileRange& common) {
  const std::string call = mine.site.function;
  report_at("file.race.same", Severity::warning,
            fmt::format("{} of rank {} and {} of rank {} write the same data to {} of the file {}",
                        theirs.use.site.function, theirs.rank, call, file.rank(), bytes_at(common), file.name),
            {{mine.site, "writes"}, {theirs.use.site, "writes", file.communicator->actor_of(theirs.rank)}});
}

void report_race(const File& file, const MemberUse& theirs, const FileUse& mine, const FileRange& common) {
  constexpr const char* one_handle =
      "MPI_File_sync of all ranks behind the first, what orders the ranks, MPI_File_sync before the second";
  constexpr const char* two_handles =
      "they are by two handles of the file: MPI_File_sync of the first handle behind the first access, what orders the "
      "ranks, MPI_File_sync of the second handle before the second one";
  const bool is_by_one = theirs.use.handle == mine.handle;
  const std::string what = fmt::format(
      "{} of rank {} and {} of rank {} touch {} of the file {}; between them, a synchronisation is missing ({})",
      theirs.use.site.function, theirs.rank, mine.site.function, file.rank(), bytes_at(common), file.name,
      is_by_one ? one_handle : two_handles);
  report_places("file.race", what, {mine.site, mine.writes ? "writes" : "reads"},
                std::array{ReportedPlace{theirs.use.site, theirs.use.writes ? "writes" : "reads",
                                         file.communicator->actor_of(theirs.rank)}});
}

}  // namespace

bool compare_uses(const File& file, const MemberUse& theirs, const FileUse& mine) {
  const FileUse& other = theirs.use;
  if (!other.writes && !mine.writes) return false;
  if (other.reads_size || mine.reads_size) {
    compare_size(file, other.reads_size ? mine : other);
    return false;
  }
  FileRange common;
  if (!overlap(other.ranges, mine.ranges, common)) return false;
  if (other.takes_turns && mine.takes_turns) return false;
  if (other.handle != 0 && mine.handle != 0) {
    // Messages may order them, of which the exchanges know nothing.
    doubt_content("the file " + file.name + ", of which two handles of single ranks access the same bytes");
    return false;
  }
  if (other.is_atomic && mine.is_atomic) {
    report_outcomes_left_out("the order of accesses of different ranks to the same bytes of " + file.name +
                             " in atomic mode");
    return false;
  }
  const bool is_same = other.writes && mine.writes && other.content != 0 && other.content == mine.content &&
                       other.ranges == mine.ranges;
  if (is_same) report_same(file, theirs, mine, common);
  else report_race(file, theirs, mine, common);
  return !is_same;
}

}  // namespace rehearse::smpi
