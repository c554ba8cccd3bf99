// SPDX-License-Identifier: MIT
//
// Requests to the kernel. The system's headers may be older than these requests, so PAGEMAP_SCAN and
// UFFD_FEATURE_WP_ASYNC are defined here (Linux, Documentation/admin-guide/mm/pagemap.rst and userfaultfd.rst).
#include "simcore/memory/written_pages.hpp"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace rehearse {
namespace {

struct PageRegion {
  std::uint64_t begin, end, categories;
};
struct ScanArguments {
  std::uint64_t size = sizeof(ScanArguments), flags = 0, begin = 0, end = 0, stopped = 0, regions = 0, region_count = 0,
                pages_max = 0, inverted = 0, all_of = 0, any_of = 0, wanted = 0;
};
constexpr std::uint64_t is_written = 2, is_there = 8 | 16;     // categories: there are pages present and swapped
constexpr std::uint64_t protect_again = 1, check_watched = 2;  // flags
const unsigned long scan_pages = _IOWR('f', 16, ScanArguments);
constexpr std::uint64_t asynchronous = std::uint64_t{1} << 15;  // a feature of userfaultfd
constexpr int of_user_code_only = 1;                            // permitted to all users

std::uint64_t value(const std::byte* address) { return reinterpret_cast<std::uint64_t>(address); }
std::byte* address_at(std::uint64_t value) { return reinterpret_cast<std::byte*>(value); }

}  // namespace

struct PageQuestion {
  std::uint64_t flags, inverted, all_of, any_of;
};

std::unique_ptr<WrittenPages> WrittenPages::watch(ByteRange range) {
  std::unique_ptr<WrittenPages> made(new WrittenPages(range));
  if (!made->begin()) return nullptr;
  return made;
}

WrittenPages::~WrittenPages() { end(); }

bool WrittenPages::begin() {
  process_ = getpid();
  faults_ = static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC | of_user_code_only));
  pages_ = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  uffdio_api wanted{};
  wanted.api = UFFD_API;
  wanted.features = asynchronous;
  std::vector<ByteRange> nobody;
  const PageQuestion question{check_watched, 0, is_written, is_there};
  if (faults_ >= 0 && pages_ >= 0 && ioctl(faults_, UFFDIO_API, &wanted) == 0 && protect(range_) &&
      scan(question, nobody))
    return true;
  end();
  return false;
}

void WrittenPages::end() {
  if (faults_ >= 0) close(faults_);
  if (pages_ >= 0) close(pages_);
  faults_ = pages_ = -1;
}

bool WrittenPages::protect(ByteRange range) {
  uffdio_register wanted{};
  wanted.range = {value(range.begin), range.bytes()};
  wanted.mode = UFFDIO_REGISTER_MODE_WP;
  return ioctl(faults_, UFFDIO_REGISTER, &wanted) == 0;
}

void WrittenPages::extend(std::byte* end_wanted) {
  if (end_wanted <= range_.end) return;
  const ByteRange more{range_.end, end_wanted};
  range_.end = end_wanted;
  if (faults_ >= 0 && process_ == getpid() && !protect(more)) end();
}

bool WrittenPages::scan(const PageQuestion& question, std::vector<ByteRange>& out) const {
  PageRegion regions[512];
  ScanArguments arguments;
  arguments.flags = question.flags;
  arguments.end = value(range_.end);
  arguments.regions = reinterpret_cast<std::uint64_t>(regions);
  arguments.region_count = std::size(regions);
  arguments.inverted = question.inverted;
  arguments.all_of = question.all_of;
  arguments.any_of = question.any_of;
  for (arguments.begin = value(range_.begin); arguments.begin < arguments.end; arguments.begin = arguments.stopped) {
    const int found = ioctl(pages_, scan_pages, &arguments);
    if (found < 0) return false;
    for (int i = 0; i < found; ++i) {
      const ByteRange run{address_at(regions[i].begin), address_at(regions[i].end)};
      if (!out.empty() && out.back().end == run.begin) out.back().end = run.end;
      else out.push_back(run);
    }
  }
  return true;
}

void WrittenPages::take(std::vector<ByteRange>& out) {
  if (faults_ >= 0 && process_ != getpid()) {
    end();
    begin();
  }
  const std::size_t before = out.size();
  if (faults_ >= 0 && scan({protect_again | check_watched, 0, is_written, is_there}, out)) return;
  end();
  out.resize(before);
  append_touched(range_, out);
}

void WrittenPages::append_absent(std::vector<ByteRange>& out) {
  if (faults_ >= 0 && process_ == getpid() && scan({0, is_there, is_there, 0}, out)) return;
  std::vector<ByteRange> touched;
  append_touched(range_, touched);
  std::byte* at = range_.begin;
  for (const ByteRange& run : touched) {
    if (run.begin > at) out.push_back({at, run.begin});
    at = run.end;
  }
  if (at < range_.end) out.push_back({at, range_.end});
}

}  // namespace rehearse
