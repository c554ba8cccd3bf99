// SPDX-License-Identifier: MIT
//
// Names, contents and descriptors.
#include "smpi/process/files.hpp"

#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "simcore/support/format.hpp"
#include "smpi/process.hpp"
#include "smpi/process/heap.hpp"

namespace rehearse::smpi {
namespace {

constexpr mode_t default_mode = 0644;

int fail(int reason) {
  errno = reason;
  return -1;
}

bool writes(int flags) { return (flags & O_ACCMODE) != O_RDONLY; }

int flags_of_mode(const char* mode) {
  const bool both = std::strchr(mode, '+') != nullptr;
  const int exclusive = std::strchr(mode, 'x') != nullptr ? O_EXCL : 0;
  switch (mode[0]) {
    case 'r': return both ? O_RDWR : O_RDONLY;
    case 'w': return (both ? O_RDWR : O_WRONLY) | O_CREAT | O_TRUNC | exclusive;
    case 'a': return (both ? O_RDWR : O_WRONLY) | O_CREAT | O_APPEND | exclusive;
    default: return -1;
  }
}

std::string parent_of(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : name.substr(0, slash);
}

}  // namespace

int FileTraffic::base(const std::string& path) {
  const HostAllocation host;
  const auto known = bases_.find(path);
  if (known != bases_.end()) return known->second;
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status;
  if (descriptor >= 0 && (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))) {
    ::close(descriptor);
    descriptor = -1;
  }
  if (descriptor >= 0) bases_.emplace(path.c_str(), descriptor);
  return descriptor;
}

FileContents::~FileContents() { std::free(bytes); }

std::size_t FileContents::length() const {
  struct stat status;
  if (is_own || base < 0) return size;
  return fstat(base, &status) == 0 ? static_cast<std::size_t>(status.st_size) : 0;
}

ssize_t FileContents::read(char* to, std::size_t count, off_t at) const {
  if (!is_own && base >= 0) return pread(base, to, count, at);
  const auto from = std::min(static_cast<std::size_t>(at), size);
  count = std::min(count, size - from);
  if (count > 0) std::memcpy(to, bytes + from, count);
  return static_cast<ssize_t>(count);
}

bool FileContents::reserve(std::size_t length) {
  if (length <= room) return true;
  const std::size_t wanted = std::max(length, room * 2);
  auto* more = static_cast<char*>(std::realloc(bytes, wanted));
  if (more == nullptr) return false;
  bytes = more;
  room = wanted;
  return true;
}

bool FileContents::make_own() {
  if (is_own) return true;
  size = 0;
  const std::size_t wanted = length();
  if (!reserve(std::max<std::size_t>(wanted, 256))) return false;
  while (base >= 0 && size < wanted) {
    const ssize_t got = pread(base, bytes + size, wanted - size, static_cast<off_t>(size));
    if (got <= 0) break;
    size += static_cast<std::size_t>(got);
  }
  is_own = true;
  return true;
}

ssize_t FileContents::write(const char* from, std::size_t count, off_t at) {
  const std::size_t end = static_cast<std::size_t>(at) + count;
  if (!make_own() || !reserve(end)) return fail(ENOSPC);
  if (static_cast<std::size_t>(at) > size) std::memset(bytes + size, 0, static_cast<std::size_t>(at) - size);
  if (count > 0) std::memcpy(bytes + at, from, count);
  size = std::max(size, end);
  ++changes;
  return static_cast<ssize_t>(count);
}

bool FileContents::resize(std::size_t length) {
  ++changes;
  if (length == 0) {  // the old content is not needed
    is_own = true;
    size = 0;
    return true;
  }
  if (!make_own() || !reserve(length)) return false;
  if (length > size) std::memset(bytes + size, 0, length - size);
  size = length;
  return true;
}

void FileContents::describe(struct stat* out) const {
  std::memset(out, 0, sizeof *out);
  if (base >= 0) fstat(base, out);
  if (base < 0 || is_own) {
    out->st_ino = base < 0 ? number : out->st_ino;
    out->st_nlink = 1;
    out->st_uid = geteuid();
    out->st_gid = getegid();
    out->st_blksize = 4096;
    out->st_mtim = out->st_ctim = out->st_atim = {start_date_seconds(), 0};
  }
  out->st_mode = (kind == Kind::folder ? S_IFDIR : S_IFREG) | mode;
  out->st_size = static_cast<off_t>(length());
  out->st_blocks = (out->st_size + 511) / 512;
}

// The name as an absolute path. Links are resolved if the file or its folder exists.
std::string RankFiles::name_of(int folder, const char* path) {
  char resolved[PATH_MAX], start[PATH_MAX];
  std::string name = path;
  if (path[0] != '/') {
    if (folder == AT_FDCWD) {
      if (getcwd(start, sizeof start) == nullptr) return name;
    } else {
      const ssize_t got = readlink(fmt::format("/proc/self/fd/{}", folder).c_str(), start, sizeof start - 1);
      if (got <= 0) return name;
      start[got] = 0;
    }
    name = std::string(start) + "/" + name;
  }
  while (name.size() > 1 && name.back() == '/') name.pop_back();
  if (realpath(name.c_str(), resolved) != nullptr) return resolved;
  const std::size_t slash = name.rfind('/');
  if (realpath(parent_of(name).c_str(), resolved) == nullptr) return name;
  return (resolved[1] == 0 ? "" : std::string(resolved)) + name.substr(slash);
}

std::uint64_t RankFiles::stage_of(const std::string& name) const {
  const auto shared = shared_.find(name);
  return shared == shared_.end() ? 0 : shared->second.stage;
}

void RankFiles::note(const std::string& name, bool reads, bool writes) const {
  traffic_.note(name, rank_, reads, writes, stage_of(name));
}

// The current file of the name; null: the entry on the disk is not a regular file.
RankFiles::Contents RankFiles::find(const std::string& name) {
  if (const auto known = changed_.find(name); known != changed_.end()) return known->second;
  auto contents = std::make_shared<FileContents>();
  contents->base = traffic_.base(name);
  struct stat status;
  if (contents->base < 0) return ::lstat(name.c_str(), &status) == 0 ? nullptr : contents;
  contents->kind = FileContents::Kind::file;
  contents->mode = fstat(contents->base, &status) == 0 ? status.st_mode & 07777 : default_mode;
  return contents;
}

// The same, for a change of the file; null: not a regular file.
RankFiles::Contents RankFiles::changed(const std::string& name) {
  Contents contents = find(name);
  if (contents != nullptr) changed_.emplace(name, contents);
  return contents;
}

// Whether the folder of the name exists. Sets errno if not.
bool RankFiles::can_create(const std::string& name) {
  const std::string folder = parent_of(name);
  if (const auto known = changed_.find(folder); known != changed_.end()) {
    if (known->second->kind == FileContents::Kind::folder) return true;
    errno = known->second->kind == FileContents::Kind::file ? ENOTDIR : ENOENT;
    return false;
  }
  struct stat status;
  if (::stat(folder.c_str(), &status) != 0) return false;
  if (S_ISDIR(status.st_mode)) return ::access(folder.c_str(), W_OK) == 0;
  errno = ENOTDIR;
  return false;
}

RankFiles::OpenFile* RankFiles::at(int descriptor) const {
  const auto index = static_cast<std::size_t>(descriptor - first_descriptor);
  if (is_descriptor(descriptor) && index < open_.size() && open_[index] != nullptr) return open_[index].get();
  errno = EBADF;
  return nullptr;
}

int RankFiles::add(std::shared_ptr<OpenFile> file) {
  auto free = std::find(open_.begin(), open_.end(), nullptr);
  if (free == open_.end()) free = open_.insert(open_.end(), nullptr);
  *free = std::move(file);
  return first_descriptor + static_cast<int>(free - open_.begin());
}

int RankFiles::open(int folder, const char* path, int flags, mode_t mode) {
  if (path == nullptr || path[0] == 0) return fail(path == nullptr ? EFAULT : ENOENT);
  if ((flags & O_TMPFILE) == O_TMPFILE) return open_unnamed(flags & ~O_TMPFILE);
  const std::string name = name_of(folder, path);
  Contents contents = find(name);
  if (contents == nullptr) return ::openat(folder, path, flags & ~(O_CREAT | O_TRUNC), mode);
  const bool exists = contents->kind != FileContents::Kind::absent, creates = (flags & O_CREAT) != 0;
  const bool empties = (flags & O_TRUNC) != 0 && writes(flags);
  note(name, (flags & O_ACCMODE) != O_WRONLY || (flags & O_EXCL) != 0 || !creates || !(empties || flags & O_APPEND),
       empties || (creates && !exists));
  const int descriptor = open_named(name, flags, mode);
  if (descriptor >= 0 && writes(flags)) {
    at(descriptor)->unnoted_name = name;
    at(descriptor)->stage = stage_of(name);
  }
  return descriptor;
}

int RankFiles::open_named(const std::string& name, int flags, mode_t mode) {
  Contents contents = find(name);
  const bool exists = contents->kind != FileContents::Kind::absent, creates = (flags & O_CREAT) != 0;
  if (!exists && !creates) return fail(ENOENT);
  if (exists && creates && (flags & O_EXCL) != 0) return fail(EEXIST);
  if (contents->kind == FileContents::Kind::folder) return fail(EISDIR);
  if (exists && (flags & O_DIRECTORY) != 0) return fail(ENOTDIR);
  if (exists && writes(flags) && !contents->is_own && ::access(name.c_str(), W_OK) != 0) return -1;
  if (!exists) {
    if (!can_create(name)) return -1;
    contents = changed_[name] = std::make_shared<FileContents>();
    contents->kind = FileContents::Kind::file;
    contents->is_own = true;
    contents->mode = mode & 0777;
    contents->number = next_number_++;
  } else if (writes(flags)) {
    contents = changed(name);
  }
  if ((flags & O_TRUNC) != 0 && writes(flags)) contents->resize(0);
  auto file = std::make_shared<OpenFile>();
  file->file = std::move(contents);
  file->flags = flags & ~(O_CREAT | O_EXCL | O_TRUNC | O_CLOEXEC);
  return add(std::move(file));
}

int RankFiles::open_unnamed(int flags) {
  auto file = std::make_shared<OpenFile>();
  file->file = std::make_shared<FileContents>();
  file->file->kind = FileContents::Kind::file;
  file->file->is_own = true;
  file->file->mode = 0600;
  file->file->number = next_number_++;
  file->flags = flags;
  return add(std::move(file));
}

int RankFiles::close(int descriptor) {
  if (at(descriptor) == nullptr) return -1;
  open_[static_cast<std::size_t>(descriptor - first_descriptor)].reset();
  return 0;
}

int RankFiles::duplicate(int descriptor) {
  if (at(descriptor) == nullptr) return -1;
  return add(open_[static_cast<std::size_t>(descriptor - first_descriptor)]);
}

int RankFiles::flags(int descriptor) const {
  const OpenFile* file = at(descriptor);
  return file == nullptr ? -1 : file->flags;
}

int RankFiles::descriptor_of(FILE* stream) const {
  for (std::size_t i = 0; i < open_.size(); ++i)
    if (open_[i] != nullptr && open_[i]->stream == stream) return first_descriptor + static_cast<int>(i);
  return -1;
}

ssize_t RankFiles::read_at(int descriptor, void* to, std::size_t count, off_t offset) {
  const OpenFile* file = at(descriptor);
  if (file == nullptr) return -1;
  if ((file->flags & O_ACCMODE) == O_WRONLY) return fail(EBADF);
  if (offset < 0) return fail(EINVAL);
  return file->file->read(static_cast<char*>(to), count, offset);
}

ssize_t RankFiles::write_at(int descriptor, const void* from, std::size_t count, off_t offset) {
  OpenFile* file = at(descriptor);
  if (file == nullptr) return -1;
  if (!writes(file->flags)) return fail(EBADF);
  if (offset < 0) return fail(EINVAL);
  note_change(*file);
  return file->file->write(static_cast<const char*>(from), count, offset);
}

ssize_t RankFiles::read(int descriptor, void* to, std::size_t count) {
  OpenFile* file = at(descriptor);
  if (file == nullptr) return -1;
  const ssize_t got = read_at(descriptor, to, count, file->position);
  if (got > 0) file->position += got;
  return got;
}

ssize_t RankFiles::write(int descriptor, const void* from, std::size_t count) {
  OpenFile* file = at(descriptor);
  if (file == nullptr) return -1;
  if ((file->flags & O_APPEND) != 0) file->position = static_cast<off_t>(file->file->length());
  const ssize_t written = write_at(descriptor, from, count, file->position);
  if (written > 0) file->position += written;
  return written;
}

off_t RankFiles::seek(int descriptor, off_t offset, int whence) {
  OpenFile* file = at(descriptor);
  if (file == nullptr) return -1;
  if (whence == SEEK_CUR) offset += file->position;
  else if (whence == SEEK_END) offset += static_cast<off_t>(file->file->length());
  else if (whence != SEEK_SET) return fail(EINVAL);
  if (offset < 0) return fail(EINVAL);
  return file->position = offset;
}

int RankFiles::resize(int descriptor, off_t length) {
  OpenFile* file = at(descriptor);
  if (file == nullptr) return -1;
  if (length < 0 || !writes(file->flags)) return fail(EINVAL);
  note_change(*file);
  return file->file->resize(static_cast<std::size_t>(length)) ? 0 : fail(ENOSPC);
}

int RankFiles::describe(int descriptor, struct stat* out) {
  const OpenFile* file = at(descriptor);
  if (file == nullptr) return -1;
  file->file->describe(out);
  return 0;
}

FILE* RankFiles::stream(int descriptor, const char* mode) {
  OpenFile* file = at(descriptor);
  if (file == nullptr) return nullptr;
  FILE* made = fopencookie(reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor)), mode, stream_functions_);
  if (made != nullptr) file->stream = made;
  return made;
}

FILE* RankFiles::open_stream(const char* path, const char* mode) {
  const int flags = flags_of_mode(mode);
  if (flags < 0) return fail(EINVAL), nullptr;
  const int descriptor = open(AT_FDCWD, path, flags, default_mode);
  if (descriptor < 0) return nullptr;
  if (!is_descriptor(descriptor)) return ::fdopen(descriptor, mode);
  return stream(descriptor, mode);
}

int RankFiles::describe_path(int folder, const char* path, struct stat* out, int flags) {
  if (path[0] == 0 && (flags & AT_EMPTY_PATH) != 0 && is_descriptor(folder)) return describe(folder, out);
  const std::string name = name_of(folder, path);
  const Contents contents = find(name);
  note(name, true, false);
  if (contents == nullptr || (contents->kind != FileContents::Kind::absent && !changed_.contains(name)))
    return ::fstatat(folder, path, out, flags);
  if (contents->kind == FileContents::Kind::absent) return fail(ENOENT);
  contents->describe(out);
  return 0;
}

int RankFiles::access(int folder, const char* path, int mode, int flags) {
  const std::string name = name_of(folder, path);
  note(name, true, false);
  const auto known = changed_.find(name);
  if (known == changed_.end()) return ::faccessat(folder, path, mode, flags);
  if (known->second->kind == FileContents::Kind::absent) return fail(ENOENT);
  return (mode & X_OK) != 0 && (known->second->mode & 0111) == 0 ? fail(EACCES) : 0;
}

int RankFiles::resize_path(const char* path, off_t length) {
  const int descriptor = open(AT_FDCWD, path, O_WRONLY, 0);
  if (descriptor < 0) return -1;
  const int result = resize(descriptor, length);
  close(descriptor);
  return result;
}

int RankFiles::remove(int folder, const char* path, bool is_folder) {
  const std::string name = name_of(folder, path);
  note(name, true, true);
  const Contents contents = find(name);
  if (contents == nullptr) return fail(ENOTSUP);
  if (contents->kind == FileContents::Kind::absent) return fail(ENOENT);
  if (is_folder != (contents->kind == FileContents::Kind::folder)) return fail(is_folder ? ENOTDIR : EISDIR);
  changed_[name] = std::make_shared<FileContents>();
  return 0;
}

int RankFiles::rename(int from_folder, const char* from, int to_folder, const char* to) {
  const std::string old_name = name_of(from_folder, from), new_name = name_of(to_folder, to);
  note(old_name, true, true);
  note(new_name, true, true);
  const Contents contents = find(old_name), there = find(new_name);
  if (contents == nullptr || there == nullptr || contents->kind == FileContents::Kind::folder) return fail(ENOTSUP);
  if (contents->kind == FileContents::Kind::absent) return fail(ENOENT);
  if (old_name == new_name) return 0;
  if (!can_create(new_name)) return -1;
  changed_[new_name] = contents;
  changed_[old_name] = std::make_shared<FileContents>();
  return 0;
}

int RankFiles::make_folder(int folder, const char* path, mode_t mode) {
  const std::string name = name_of(folder, path);
  note(name, true, true);
  const Contents there = find(name);
  if (there == nullptr || there->kind != FileContents::Kind::absent) return fail(EEXIST);
  if (!can_create(name)) return -1;
  const Contents made = changed_[name] = std::make_shared<FileContents>();
  made->kind = FileContents::Kind::folder;
  made->is_own = true;
  made->mode = mode & 0777;
  made->number = next_number_++;
  return 0;
}

int RankFiles::set_mode(int folder, const char* path, mode_t mode) {
  const std::string name = name_of(folder, path);
  note(name, true, true);
  const Contents contents = changed(name);
  if (contents == nullptr) return 0;  // a folder or a device: changes cannot be seen
  if (contents->kind == FileContents::Kind::absent) return fail(ENOENT);
  contents->mode = mode & 07777;
  return 0;
}

bool RankFiles::exists(const char* path) {
  const Contents contents = find(name_of(AT_FDCWD, path));
  return contents == nullptr || contents->kind != FileContents::Kind::absent;
}

bool RankFiles::has_changed_in(const char* folder) const {
  const std::string name = name_of(AT_FDCWD, folder);
  return std::any_of(changed_.begin(), changed_.end(),
                     [&](const auto& entry) { return entry.first == name || parent_of(entry.first) == name; });
}

}  // namespace rehearse::smpi
