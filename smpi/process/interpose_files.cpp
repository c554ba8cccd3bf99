// SPDX-License-Identifier: MIT
//
// Files by name and by descriptor, while the disk must not change (files.hpp); otherwise libc's own functions.
//
// open, read, write, close and fopen are next to the standard streams (interpose_stream.cpp).
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "simcore/actor.hpp"
#include "smpi/process/files.hpp"
#include "smpi/process/interposers.hpp"
#include "smpi/process/sockets.hpp"

namespace rehearse::smpi {
namespace {

ssize_t cookie_read(void* cookie, char* to, std::size_t count) {
  return rank_files()->read(static_cast<int>(reinterpret_cast<std::intptr_t>(cookie)), to, count);
}
// By the rules of fopencookie, the result is 0 if the write fails.
ssize_t cookie_write(void* cookie, const char* from, std::size_t count) {
  return std::max<ssize_t>(rank_files()->write(static_cast<int>(reinterpret_cast<std::intptr_t>(cookie)), from, count),
                           0);
}
int cookie_seek(void* cookie, off64_t* offset, int whence) {
  const off_t at = rank_files()->seek(static_cast<int>(reinterpret_cast<std::intptr_t>(cookie)), *offset, whence);
  if (at < 0) return -1;
  *offset = at;
  return 0;
}
int cookie_close(void* cookie) {
  return rank_files()->close(static_cast<int>(reinterpret_cast<std::intptr_t>(cookie)));
}

[[noreturn]] void refuse(const char* what) {
  const std::string text = std::string(what) + " (nothing is changed on the disk while a program is checked)";
  fail_rank(FailureKind::unsupported, "unsupported.function", text);
}

// The result of a change by name; refuses a change that is not possible here.
int or_refuse(int result, const char* what) {
  if (result < 0 && errno == ENOTSUP) refuse(what);
  return result;
}

RankFiles* files_of(int descriptor) { return RankFiles::is_descriptor(descriptor) ? rank_files() : nullptr; }

ssize_t rank_pread(int descriptor, void* to, std::size_t bytes, off_t at) {
  RankFiles* files = files_of(descriptor);
  return files == nullptr ? ::pread(descriptor, to, bytes, at) : files->read_at(descriptor, to, bytes, at);
}
ssize_t rank_pwrite(int descriptor, const void* from, std::size_t bytes, off_t at) {
  RankFiles* files = files_of(descriptor);
  return files == nullptr ? ::pwrite(descriptor, from, bytes, at) : files->write_at(descriptor, from, bytes, at);
}
ssize_t rank_readv(int descriptor, const iovec* parts, int count) {
  RankFiles* files = files_of(descriptor);
  if (sockets_of(descriptor) != nullptr) return read_parts(descriptor, parts, static_cast<std::size_t>(count), 0);
  if (files == nullptr) return ::readv(descriptor, parts, count);
  ssize_t sum = 0;
  for (int i = 0; i < count; ++i) {
    const ssize_t got = files->read(descriptor, parts[i].iov_base, parts[i].iov_len);
    if (got < 0) return sum == 0 ? -1 : sum;
    sum += got;
  }
  return sum;
}
bool is_standard_stream(int descriptor) { return descriptor >= STDIN_FILENO && descriptor <= STDERR_FILENO; }

off_t rank_lseek(int descriptor, off_t offset, int whence) {
  if (is_standard_stream(descriptor)) return errno = ESPIPE, -1;
  RankFiles* files = files_of(descriptor);
  return files == nullptr ? ::lseek(descriptor, offset, whence) : files->seek(descriptor, offset, whence);
}
int rank_ftruncate(int descriptor, off_t length) {
  RankFiles* files = files_of(descriptor);
  return files == nullptr ? ::ftruncate(descriptor, length) : files->resize(descriptor, length);
}
int rank_posix_fallocate(int descriptor, off_t offset, off_t bytes) {
  RankFiles* files = files_of(descriptor);
  if (files == nullptr) return ::posix_fallocate(descriptor, offset, bytes);
  struct stat status;
  if (files->describe(descriptor, &status) != 0) return EBADF;
  return status.st_size >= offset + bytes || files->resize(descriptor, offset + bytes) == 0 ? 0 : errno;
}
int rank_fsync(int descriptor) { return files_of(descriptor) == nullptr ? ::fsync(descriptor) : 0; }
int rank_flock(int descriptor, int what) { return files_of(descriptor) == nullptr ? ::flock(descriptor, what) : 0; }
int rank_lockf(int descriptor, int what, off_t bytes) {
  return files_of(descriptor) == nullptr ? ::lockf(descriptor, what, bytes) : 0;
}
int rank_fadvise(int descriptor, off_t offset, off_t bytes, int advice) {
  return files_of(descriptor) == nullptr ? ::posix_fadvise(descriptor, offset, bytes, advice) : 0;
}
int rank_dup(int descriptor) {
  if (RankSockets* sockets = sockets_of(descriptor)) return sockets->duplicate(descriptor, 0);
  RankFiles* files = files_of(descriptor);
  return files == nullptr ? ::dup(descriptor) : files->duplicate(descriptor);
}

int rank_fcntl(int descriptor, int what, void* argument) {
  if (sockets_of(descriptor) != nullptr)
    return control_socket(descriptor, what, static_cast<long>(reinterpret_cast<std::intptr_t>(argument)));
  RankFiles* files = files_of(descriptor);
  if (files == nullptr) return ::fcntl(descriptor, what, argument);
  switch (what) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC: return files->duplicate(descriptor);
    case F_GETFL: return files->flags(descriptor);
    case F_GETLK: static_cast<struct flock*>(argument)->l_type = F_UNLCK; return 0;
    default: return files->flags(descriptor) < 0 ? -1 : 0;  // uncontended locks, and commands without effect
  }
}

int rank_ioctl(int descriptor, unsigned long what, void* argument) {
  if (sockets_of(descriptor) != nullptr) return request_of_socket(descriptor, what, argument);
  RankFiles* files = files_of(descriptor);
  if (files == nullptr) return ::ioctl(descriptor, what, argument);
  struct stat status;
  if (files->describe(descriptor, &status) != 0) return -1;
  if (what != FIONREAD) return errno = ENOTTY, -1;
  const off_t at = files->seek(descriptor, 0, SEEK_CUR);
  *static_cast<int*>(argument) = static_cast<int>(std::max<off_t>(status.st_size - at, 0));
  return 0;
}

int rank_fstatat(int folder, const char* path, struct stat* out, int flags) {
  RankFiles* files = rank_files();
  return files == nullptr ? ::fstatat(folder, path, out, flags) : files->describe_path(folder, path, out, flags);
}
int rank_stat(const char* path, struct stat* out) { return rank_fstatat(AT_FDCWD, path, out, 0); }
int rank_lstat(const char* path, struct stat* out) { return rank_fstatat(AT_FDCWD, path, out, AT_SYMLINK_NOFOLLOW); }
// A rank's standard streams are pipes, whatever those of this process are. libgfortran, for instance, delays the output
// to a regular file.
int describe_pipe(struct stat* out) {
  *out = {};
  out->st_mode = S_IFIFO | S_IRUSR | S_IWUSR;
  out->st_nlink = 1;
  out->st_blksize = 4096;
  return 0;
}
int describe_socket(struct stat* out) {
  describe_pipe(out);
  out->st_mode = S_IFSOCK | S_IRUSR | S_IWUSR;
  return 0;
}
int rank_fstat(int descriptor, struct stat* out) {
  if (sockets_of(descriptor) != nullptr) return describe_socket(out);
  if (is_standard_stream(descriptor)) return describe_pipe(out);
  RankFiles* files = files_of(descriptor);
  return files == nullptr ? ::fstat(descriptor, out) : files->describe(descriptor, out);
}
int rank_old_stat(int, const char* path, struct stat* out) { return rank_stat(path, out); }
int rank_old_lstat(int, const char* path, struct stat* out) { return rank_lstat(path, out); }
int rank_old_fstat(int, int descriptor, struct stat* out) { return rank_fstat(descriptor, out); }
int rank_old_fstatat(int, int folder, const char* path, struct stat* out, int flags) {
  return rank_fstatat(folder, path, out, flags);
}

int rank_faccessat(int folder, const char* path, int mode, int flags) {
  RankFiles* files = rank_files();
  return files == nullptr ? ::faccessat(folder, path, mode, flags) : files->access(folder, path, mode, flags);
}
int rank_access(const char* path, int mode) { return rank_faccessat(AT_FDCWD, path, mode, 0); }
int rank_eaccess(const char* path, int mode) { return rank_faccessat(AT_FDCWD, path, mode, AT_EACCESS); }

int rank_truncate(const char* path, off_t length) {
  RankFiles* files = rank_files();
  return files == nullptr ? ::truncate(path, length) : files->resize_path(path, length);
}
int rank_unlinkat(int folder, const char* path, int flags) {
  RankFiles* files = rank_files();
  if (files == nullptr) return ::unlinkat(folder, path, flags);
  return or_refuse(files->remove(folder, path, (flags & AT_REMOVEDIR) != 0), "unlink of a file that is not regular");
}
int rank_unlink(const char* path) { return rank_unlinkat(AT_FDCWD, path, 0); }
int rank_rmdir(const char* path) { return rank_unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
int rank_remove(const char* path) {
  if (rank_files() == nullptr) return std::remove(path);
  struct stat status;
  if (rank_lstat(path, &status) != 0) return -1;
  return rank_unlinkat(AT_FDCWD, path, S_ISDIR(status.st_mode) ? AT_REMOVEDIR : 0);
}
int rank_renameat(int from_folder, const char* from, int to_folder, const char* to) {
  RankFiles* files = rank_files();
  if (files == nullptr) return ::renameat(from_folder, from, to_folder, to);
  return or_refuse(files->rename(from_folder, from, to_folder, to), "rename of a file that is not regular");
}
int rank_rename(const char* from, const char* to) { return rank_renameat(AT_FDCWD, from, AT_FDCWD, to); }
int rank_mkdirat(int folder, const char* path, mode_t mode) {
  RankFiles* files = rank_files();
  return files == nullptr ? ::mkdirat(folder, path, mode) : files->make_folder(folder, path, mode);
}
int rank_mkdir(const char* path, mode_t mode) { return rank_mkdirat(AT_FDCWD, path, mode); }
int rank_fchmodat(int folder, const char* path, mode_t mode, int flags) {
  RankFiles* files = rank_files();
  return files == nullptr ? ::fchmodat(folder, path, mode, flags) : files->set_mode(folder, path, mode);
}
int rank_chmod(const char* path, mode_t mode) { return rank_fchmodat(AT_FDCWD, path, mode, 0); }
int rank_fchmod(int descriptor, mode_t mode) {
  return files_of(descriptor) == nullptr ? ::fchmod(descriptor, mode) : 0;
}

DIR* rank_opendir(const char* path) {
  RankFiles* files = rank_files();
  if (files != nullptr && files->has_changed_in(path))
    refuse("opendir of a folder in which the rank has changed files");
  return ::opendir(path);
}

int rank_creat(const char* path, mode_t mode) {
  RankFiles* files = rank_files();
  return files == nullptr ? ::creat(path, mode) : files->open(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}
FILE* rank_tmpfile() {
  RankFiles* files = rank_files();
  return files == nullptr ? std::tmpfile() : files->stream(files->open_unnamed(O_RDWR), "w+");
}
FILE* rank_fdopen(int descriptor, const char* mode) {
  if (sockets_of(descriptor) != nullptr)
    fail_rank(FailureKind::unsupported, "unsupported.function", "fdopen (of a socket between ranks)");
  RankFiles* files = files_of(descriptor);
  return files == nullptr ? ::fdopen(descriptor, mode) : files->stream(descriptor, mode);
}

// The first free name; `suffix` is the number of characters behind the six letters.
char* next_name(RankFiles& files, char* name, int suffix) {
  const std::size_t length = std::strlen(name);
  char* letters = name + length - static_cast<std::size_t>(suffix) - 6;
  if (length < static_cast<std::size_t>(suffix) + 6 || std::strncmp(letters, "XXXXXX", 6) != 0)
    return errno = EINVAL, nullptr;
  for (unsigned number = current_actor().value * 1000;; ++number) {
    char digits[16];
    std::snprintf(digits, sizeof digits, "%06u", number % 1000000);
    std::memcpy(letters, digits, 6);
    if (!files.exists(name)) return name;
  }
}
int rank_mkostemps(char* name, int suffix, int flags) {
  RankFiles* files = rank_files();
  if (files == nullptr) return ::mkostemps(name, suffix, flags);
  if (next_name(*files, name, suffix) == nullptr) return -1;
  return files->open(AT_FDCWD, name, O_RDWR | O_CREAT | O_EXCL | flags, 0600);
}
int rank_mkstemp(char* name) { return rank_mkostemps(name, 0, 0); }
int rank_mkstemps(char* name, int suffix) { return rank_mkostemps(name, suffix, 0); }
int rank_mkostemp(char* name, int flags) { return rank_mkostemps(name, 0, flags); }
char* rank_mkdtemp(char* name) {
  RankFiles* files = rank_files();
  if (files == nullptr) return ::mkdtemp(name);
  if (next_name(*files, name, 0) == nullptr) return nullptr;
  return files->make_folder(AT_FDCWD, name, 0700) == 0 ? name : nullptr;
}

// Functions that would change the disk, or do not know our descriptors: refused while the disk must not change.
struct Refusable {
  const char* name;
  void* real;
};
const Refusable refusables[] = {
    {"link", function_address(::link)},           {"linkat", function_address(::linkat)},
    {"symlink", function_address(::symlink)},     {"symlinkat", function_address(::symlinkat)},
    {"mknod", function_address(::mknod)},         {"mkfifo", function_address(::mkfifo)},
    {"chown", function_address(::chown)},         {"lchown", function_address(::lchown)},
    {"fchown", function_address(::fchown)},       {"sendfile", function_address(::sendfile)},
    {"statx", function_address(::statx)},         {"copy_file_range", function_address(::copy_file_range)},
    {"utimensat", function_address(::utimensat)}, {"futimens", function_address(::futimens)}};

// Each of these functions takes at most six words and returns one.
template <std::size_t which>
long refuse_or_call(long a, long b, long c, long d, long e, long f) {
  if (rank_files() != nullptr) refuse(refusables[which].name);
  return reinterpret_cast<long (*)(long, long, long, long, long, long)>(refusables[which].real)(a, b, c, d, e, f);
}

template <std::size_t... which>
void add_refusables(InterposerList& list, std::index_sequence<which...>) {
  (list.emplace_back(refusables[which].name, function_address(refuse_or_call<which>)), ...);
}

}  // namespace

RankFiles* rank_files() {
  RankState& rank = this_rank();
  if (rank.world->files == nullptr) return nullptr;
  if (rank.files == nullptr)
    rank.files = new RankFiles(*rank.world->files, rank.context.identity.id.value,
                               {cookie_read, cookie_write, cookie_seek, cookie_close});
  return rank.files;
}

namespace {

void add_status_interposers(InterposerList& list) {
  list.insert(list.end(), {{"access", function_address(rank_access)},
                           {"faccessat", function_address(rank_faccessat)},
                           {"eaccess", function_address(rank_eaccess)},
                           {"euidaccess", function_address(rank_eaccess)},
                           {"stat", function_address(rank_stat)},
                           {"stat64", function_address(rank_stat)},
                           {"lstat", function_address(rank_lstat)},
                           {"lstat64", function_address(rank_lstat)},
                           {"fstat", function_address(rank_fstat)},
                           {"fstat64", function_address(rank_fstat)},
                           {"fstatat", function_address(rank_fstatat)},
                           {"fstatat64", function_address(rank_fstatat)},
                           {"__xstat", function_address(rank_old_stat)},
                           {"__xstat64", function_address(rank_old_stat)},
                           {"__lxstat", function_address(rank_old_lstat)},
                           {"__lxstat64", function_address(rank_old_lstat)},
                           {"__fxstat", function_address(rank_old_fstat)},
                           {"__fxstat64", function_address(rank_old_fstat)},
                           {"__fxstatat", function_address(rank_old_fstatat)},
                           {"__fxstatat64", function_address(rank_old_fstatat)}});
}

}  // namespace

InterposerList file_interposers() {
  InterposerList list = {{"pread", function_address(rank_pread)},
                         {"pread64", function_address(rank_pread)},
                         {"pwrite", function_address(rank_pwrite)},
                         {"pwrite64", function_address(rank_pwrite)},
                         {"readv", function_address(rank_readv)},
                         {"lseek", function_address(rank_lseek)},
                         {"lseek64", function_address(rank_lseek)},
                         {"ftruncate", function_address(rank_ftruncate)},
                         {"ftruncate64", function_address(rank_ftruncate)},
                         {"posix_fallocate", function_address(rank_posix_fallocate)},
                         {"posix_fallocate64", function_address(rank_posix_fallocate)},
                         {"fsync", function_address(rank_fsync)},
                         {"fdatasync", function_address(rank_fsync)},
                         {"flock", function_address(rank_flock)},
                         {"lockf", function_address(rank_lockf)},
                         {"lockf64", function_address(rank_lockf)},
                         {"posix_fadvise", function_address(rank_fadvise)},
                         {"posix_fadvise64", function_address(rank_fadvise)},
                         {"dup", function_address(rank_dup)},
                         {"fcntl", function_address(rank_fcntl)},
                         {"fcntl64", function_address(rank_fcntl)},
                         {"ioctl", function_address(rank_ioctl)},
                         {"creat", function_address(rank_creat)},
                         {"creat64", function_address(rank_creat)},
                         {"truncate", function_address(rank_truncate)},
                         {"truncate64", function_address(rank_truncate)},
                         {"unlink", function_address(rank_unlink)},
                         {"unlinkat", function_address(rank_unlinkat)},
                         {"rmdir", function_address(rank_rmdir)},
                         {"remove", function_address(rank_remove)},
                         {"rename", function_address(rank_rename)},
                         {"renameat", function_address(rank_renameat)},
                         {"mkdir", function_address(rank_mkdir)},
                         {"mkdirat", function_address(rank_mkdirat)},
                         {"chmod", function_address(rank_chmod)},
                         {"fchmod", function_address(rank_fchmod)},
                         {"fchmodat", function_address(rank_fchmodat)},
                         {"opendir", function_address(rank_opendir)},
                         {"tmpfile", function_address(rank_tmpfile)},
                         {"tmpfile64", function_address(rank_tmpfile)},
                         {"fdopen", function_address(rank_fdopen)},
                         {"mkstemp", function_address(rank_mkstemp)},
                         {"mkstemp64", function_address(rank_mkstemp)},
                         {"mkstemps", function_address(rank_mkstemps)},
                         {"mkostemp", function_address(rank_mkostemp)},
                         {"mkostemps", function_address(rank_mkostemps)},
                         {"mkdtemp", function_address(rank_mkdtemp)}};
  add_status_interposers(list);
  add_refusables(list, std::make_index_sequence<std::size(refusables)>());
  return list;
}

}  // namespace rehearse::smpi
