// SPDX-License-Identifier: MIT
//
// Opens, closes and deletes files, and sets their size.
//
// Method: member 0 creates and deletes the file and sets its size; the others wait for it. Members that keep the
//         content in their memory all do the same.
// Source: MPI 5.0, 14.2.
#include <fcntl.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <functional>
#include <string>
#include <utility>

#include "simcore/support/format.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/collective/collective.hpp"
#include "smpi/collective/disagreement.hpp"
#include "smpi/communicator/create.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/environment/error_handlers.hpp"
#include "smpi/error.hpp"
#include "smpi/file/atomic_log.hpp"
#include "smpi/file/doubts.hpp"
#include "smpi/file/exchange.hpp"
#include "smpi/file/file.hpp"
#include "smpi/file/second_handle.hpp"
#include "smpi/file/shared_pointer.hpp"
#include "smpi/file/storage.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/files.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {
namespace {

constexpr int all_modes = MPI_MODE_RDONLY | MPI_MODE_RDWR | MPI_MODE_WRONLY | MPI_MODE_CREATE | MPI_MODE_EXCL |
                          MPI_MODE_DELETE_ON_CLOSE | MPI_MODE_UNIQUE_OPEN | MPI_MODE_SEQUENTIAL | MPI_MODE_APPEND;
constexpr int default_permissions = 0666;

std::string fault_of_mode(int amode) {
  const int access = amode & (MPI_MODE_RDONLY | MPI_MODE_RDWR | MPI_MODE_WRONLY);
  if ((amode & ~all_modes) != 0) return "has bits that are no mode";
  if (std::popcount(static_cast<unsigned>(access)) != 1)
    return "must have exactly one of MPI_MODE_RDONLY, MPI_MODE_RDWR and MPI_MODE_WRONLY";
  const bool creates = (amode & (MPI_MODE_CREATE | MPI_MODE_EXCL)) != 0;
  if (creates && access == MPI_MODE_RDONLY) return "has MPI_MODE_CREATE or MPI_MODE_EXCL with MPI_MODE_RDONLY";
  if ((amode & MPI_MODE_SEQUENTIAL) != 0 && access == MPI_MODE_RDWR)
    return "has MPI_MODE_SEQUENTIAL with MPI_MODE_RDWR";
  return {};
}

int flags_of_mode(int amode, bool is_first) {
  int flags = (amode & MPI_MODE_RDONLY) != 0 ? O_RDONLY : (amode & MPI_MODE_WRONLY) != 0 ? O_WRONLY : O_RDWR;
  if ((amode & MPI_MODE_CREATE) != 0) flags |= O_CREAT;
  if ((amode & MPI_MODE_EXCL) != 0 && is_first) flags |= O_EXCL;
  return flags;
}

// "ufs:data" names the file "data" for some MPI libraries; such a prefix has at least two letters.
const char* without_prefix(const char* name) {
  const char* end = name;
  while (*end >= 'a' && *end <= 'z') ++end;
  static constexpr std::string_view known[] = {"ufs", "nfs", "lustre", "gpfs", "panfs", "testfs", "daos"};
  for (const std::string_view prefix : known)
    if (*end == ':' && prefix == std::string_view(name, static_cast<std::size_t>(end - name))) return end + 1;
  return name;
}

std::string failure_text(const std::string& name, const char* action) {
  return fmt::format("cannot {} the file {}: {}", action, name, std::strerror(errno));
}

// Opens what member 0 has made sure to exist. The error class.
int open_descriptor(File& file, const char* call) {
  const bool is_first = file.rank() == 0;
  const bool together = file.size() > 1;
  // Members that keep the content all create the file at once.
  const int flags = flags_of_mode(file.amode, is_first || file.is_exchanged);
  int code = MPI_SUCCESS;
  const auto open_it = [&] {
    const bool is_second = file.members_handle != nullptr && file.members_handle->is_exchanged;
    const auto use = file.is_exchanged ? StoredUse::shared : is_second ? StoredUse::second : StoredUse::alone;
    file.descriptor = open_stored(file.name.c_str(), flags, default_permissions, use);
    return file.descriptor < 0 ? class_of_errno(errno) : MPI_SUCCESS;
  };
  if (is_first || file.is_exchanged) code = open_it();
  if (together) {
    const auto first = static_cast<int>(number_of_first(file, call, code));
    if (file.is_exchanged || is_first) return code;
    if (first != MPI_SUCCESS) return first;
    code = open_it();
  }
  return code;
}

void check_open(Arguments& check, const char* filename, int amode, MPI_Info info, const MPI_File* fh) {
  check.pointer(fh, "fh").pointer(filename, "filename");
  check.require(find_hints(info) != nullptr, MPI_ERR_INFO, "the info object was freed or never existed");
  const std::string fault = fault_of_mode(amode);
  if (!fault.empty()) check.require(false, MPI_ERR_AMODE, fmt::format("amode is {}; it {}", amode, fault));
}

std::unique_ptr<File> make_file(const CommunicatorRef& parent, const char* filename, int amode, MPI_Info info) {
  auto file = std::make_unique<File>();
  file->name = without_prefix(filename);
  file->communicator = make_communicator(derive_context(parent->context(), parent->next_child(), 5),
                                         parent->local_map(), "file " + file->name);
  file->communicator->session = parent->session;
  file->amode = amode;
  file->hints = *find_hints(info);
  if (file->size() > 1) file->stored_name = RankFiles::shared_name(file->name.c_str());
  if (RankFiles* kept = kept_files(); kept != nullptr && file->size() > 1)
    file->is_exchanged = kept->can_share(file->stored_name);
  file->is_compared = file->is_exchanged || (file->size() > 1 && file->size() <= compared_members_max);
  file->known_uses.resize(static_cast<std::size_t>(file->size()));
  return file;
}

// Another open file of several ranks with the same content would need the changes of this one.
void note_second_open(const File& file) {
  if (!file.is_exchanged) return;
  files().made.for_each_live([&](MPI_File, const std::unique_ptr<File>& other, const CreationSite&) {
    const bool is_same = other->is_exchanged && other->stored_name == file.stored_name;
    if (is_same && (other->is_writable() || file.is_writable()))
      doubt_content("the file " + file.name + ", which is open twice at a time");
  });
}

int open(MPI_Comm comm, const char* filename, int amode, MPI_Info info, MPI_File* fh) {
  constexpr const char* call = "MPI_File_open";
  Arguments outer = intracommunicator_arguments(comm);
  if (outer.failed()) return outer.error();
  Arguments check = Arguments::without_file();
  check_open(check, filename, amode, info, fh);
  if (check.failed()) return check.error();
  *fh = MPI_FILE_NULL;
  std::unique_ptr<File> made = make_file(outer.communicator(), filename, amode, info);
  File& file = *made;
  find_members_handle(file);
  note_second_open(file);
  settle_date();
  const auto name_hash =
      kept_files() == nullptr ? 0 : static_cast<std::int64_t>(std::hash<std::string>{}(file.stored_name));
  exchange_at_open(file, call, {"amode or file name", number_of({amode, name_hash})});
  int code = open_descriptor(file, call);
  if (file.size() > 1)
    for (const std::int64_t other : numbers_of_all(file, call, code))
      if (code == MPI_SUCCESS) code = static_cast<int>(other);
  // A rank that is no member may have made the file; its changes are not known here.
  if (code == MPI_ERR_NO_SUCH_FILE && kept_files() != nullptr && file.size() < communicators().world()->size())
    unsupported("MPI_File_open by some of the ranks, of a file that these did not make,");
  if (code != MPI_SUCCESS) {
    if (file.descriptor >= 0) close_stored(file.descriptor);
    return error_about(MPI_FILE_NULL, code, failure_text(file.name, "open"));
  }
  file.known_size = std::max<std::int64_t>(size_of_stored(file.descriptor), 0);
  if (file.is_exchanged) kept_files()->note_shared(file.stored_name, true, file.is_writable(), file.members());
  open_shared_pointer(file, call);
  if (file.has(MPI_MODE_APPEND)) file.position = file.shared.base = file.known_size;
  file.error_handler = files().default_handler;
  per_rank<ErrorHandlers>().take_for_communicator(file.error_handler);
  file.handle = files().made.insert(std::move(made), creation_site());
  *fh = file.handle;
  return MPI_SUCCESS;
}

int close(MPI_File* fh) {
  constexpr const char* call = "MPI_File_close";
  Arguments outer = Arguments::without_file();
  outer.pointer(fh, "fh");
  if (outer.failed()) return outer.error();
  Arguments check(*fh);
  File* file = find_file(*fh);
  check_nothing_pending(check, file, "at MPI_File_close");
  if (check.failed()) return check.error();
  settle_date();
  const int error = exchange(*file, call, {}, true);
  synchronise_second(*file);
  leave_second_handles(*file);
  close_stored(file->descriptor);
  if (file->has(MPI_MODE_DELETE_ON_CLOSE)) {
    doubt_second(*file, "which a handle of one rank deletes");
    if (file->rank() == 0 || file->is_exchanged) remove_stored(file->name.c_str(), file->is_exchanged);
    meet(*file, call);
  }
  close_shared_pointer(*file);
  close_atomic_log(*file);
  per_rank<ErrorHandlers>().release_by_communicator(file->error_handler);
  files().made.erase(*fh);
  *fh = MPI_FILE_NULL;
  return error;
}

// The program may ignore that there is no file: it wants that there is none.
int remove(const char* filename, MPI_Info info) {
  Arguments check = Arguments::without_file();
  check.pointer(filename, "filename");
  check.require(find_hints(info) != nullptr, MPI_ERR_INFO, "the info object was freed or never existed");
  if (check.failed()) return check.error();
  settle_date();
  const std::string name = without_prefix(filename);
  if (remove_stored(name.c_str(), false) == 0) return MPI_SUCCESS;
  const int code = class_of_errno(errno);
  if (code == MPI_ERR_NO_SUCH_FILE && files().default_handler == MPI_ERRORS_RETURN) return code;
  return error_about(MPI_FILE_NULL, code, failure_text(name, "delete"));
}

// `may_cut`: MPI_File_set_size; otherwise the file only grows.
int resize(MPI_File fh, MPI_Offset size, const char* call, bool may_cut) {
  Arguments check(fh);
  File* file = find_file(fh);
  check.require(size >= 0, MPI_ERR_ARG, [&] { return fmt::format("size is {}; it must not be negative", size); });
  check_nothing_pending(check, file, std::string("at ") + call);
  if (check.failed()) return check.error();
  check.require(!file->has(MPI_MODE_SEQUENTIAL), MPI_ERR_UNSUPPORTED_OPERATION,
                "the size of a file of MPI_MODE_SEQUENTIAL cannot be set");
  check.require(file->is_writable(), MPI_ERR_READ_ONLY, "the file was opened with MPI_MODE_RDONLY");
  if (check.failed()) return check.error();
  settle_date();
  const int error = exchange(*file, call, {"size", size}, false);
  std::int64_t code = MPI_SUCCESS;
  const std::int64_t old = size_of_stored(file->descriptor);
  if (old != size && (may_cut || old < size)) doubt_second(*file, "whose size a handle of one rank sets");
  if ((file->rank() == 0 || file->is_exchanged) && (may_cut || old < size) && old != size &&
      !resize_stored(file->descriptor, size))
    code = class_of_errno(errno);
  code = number_of_first(*file, call, code);
  if (code != MPI_SUCCESS) return error_about(fh, static_cast<int>(code), "cannot set the size of " + file->name);
  return error;
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int File_open(MPI_Comm comm, const char* filename, int amode, MPI_Info info, MPI_File* fh) {
  return open(comm, filename, amode, info, fh);
}

int File_close(MPI_File* fh) { return close(fh); }

int File_delete(const char* filename, MPI_Info info) { return remove(filename, info); }

int File_set_size(MPI_File fh, MPI_Offset size) { return resize(fh, size, "MPI_File_set_size", true); }

int File_preallocate(MPI_File fh, MPI_Offset size) { return resize(fh, size, "MPI_File_preallocate", false); }

int File_get_size(MPI_File fh, MPI_Offset* size) {
  Arguments check(fh);
  check.pointer(size, "size");
  if (check.failed()) return check.error();
  File& file = *find_file(fh);
  settle_date();
  note_size_use(file);
  *size = size_of_stored(file.descriptor);
  return MPI_SUCCESS;
}

int File_sync(MPI_File fh) {
  Arguments check(fh);
  File* file = find_file(fh);
  check_nothing_pending(check, file, "at MPI_File_sync");
  if (check.failed()) return check.error();
  settle_date();
  synchronise_second(*file);
  return exchange(*file, "MPI_File_sync", {}, true);
}

}  // namespace rehearse::smpi::calls
