// SPDX-License-Identifier: MIT
//
// See storage.hpp.
#include "smpi/file/storage.hpp"

#include <fcntl.h>
#include <mpi.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "smpi/process/files.hpp"
#include "smpi/process/interposers.hpp"

namespace rehearse::smpi {
namespace {

RankFiles* files_of(int descriptor) { return RankFiles::is_descriptor(descriptor) ? rank_files() : nullptr; }

}  // namespace

RankFiles* kept_files() { return rank_files(); }

int open_stored(const char* name, int flags, int mode, StoredUse use) {
  RankFiles* files = rank_files();
  const auto bits = static_cast<mode_t>(mode);
  if (files == nullptr) return ::open(name, flags | O_CLOEXEC, bits);
  switch (use) {
    case StoredUse::shared: return files->open_shared(name, flags, bits);
    case StoredUse::second: return files->open_second(name, flags, bits);
    case StoredUse::alone: break;
  }
  return files->open(AT_FDCWD, name, flags, bits);
}

int close_stored(int descriptor) {
  RankFiles* files = files_of(descriptor);
  return files == nullptr ? ::close(descriptor) : files->close(descriptor);
}

std::int64_t read_stored(int descriptor, void* to, std::size_t bytes, std::int64_t place) {
  RankFiles* files = files_of(descriptor);
  std::size_t sum = 0;
  while (sum < bytes) {
    char* next = static_cast<char*>(to) + sum;
    const auto at = place + static_cast<std::int64_t>(sum);
    const ssize_t got = files == nullptr ? ::pread(descriptor, next, bytes - sum, at)
                                         : files->read_at(descriptor, next, bytes - sum, at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    sum += static_cast<std::size_t>(got);
  }
  return static_cast<std::int64_t>(sum);
}

bool write_stored(int descriptor, const void* from, std::size_t bytes, std::int64_t place) {
  RankFiles* files = files_of(descriptor);
  std::size_t sum = 0;
  while (sum < bytes) {
    const char* next = static_cast<const char*>(from) + sum;
    const auto at = place + static_cast<std::int64_t>(sum);
    const ssize_t got = files == nullptr ? ::pwrite(descriptor, next, bytes - sum, at)
                                         : files->write_at(descriptor, next, bytes - sum, at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    sum += static_cast<std::size_t>(got);
  }
  return true;
}

std::int64_t size_of_stored(int descriptor) {
  RankFiles* files = files_of(descriptor);
  struct stat status;
  const int result = files == nullptr ? ::fstat(descriptor, &status) : files->describe(descriptor, &status);
  return result == 0 ? status.st_size : -1;
}

bool resize_stored(int descriptor, std::int64_t bytes) {
  RankFiles* files = files_of(descriptor);
  return (files == nullptr ? ::ftruncate(descriptor, bytes) : files->resize(descriptor, bytes)) == 0;
}

int remove_stored(const char* name, bool shared) {
  RankFiles* files = rank_files();
  if (files == nullptr) return ::unlink(name);
  return shared ? files->remove_shared(name) : files->remove(AT_FDCWD, name, false);
}

int class_of_errno(int number) {
  switch (number) {
    case ENOENT: return MPI_ERR_NO_SUCH_FILE;
    case EEXIST: return MPI_ERR_FILE_EXISTS;
    case EACCES:
    case EPERM: return MPI_ERR_ACCESS;
    case EROFS: return MPI_ERR_READ_ONLY;
    case EISDIR:
    case ENOTDIR:
    case ELOOP:
    case ENAMETOOLONG: return MPI_ERR_BAD_FILE;
    case ENOSPC:
    case EFBIG: return MPI_ERR_NO_SPACE;
    case EDQUOT: return MPI_ERR_QUOTA;
    case EBUSY:
    case ETXTBSY: return MPI_ERR_FILE_IN_USE;
    default: return MPI_ERR_IO;
  }
}

}  // namespace rehearse::smpi
