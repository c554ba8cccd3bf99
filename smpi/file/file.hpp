// SPDX-License-Identifier: MIT
//
// An open file from the view of one rank, and the table of the calling rank's files.
//
// Ownership: in the rank's memory, rolled back with it. The bytes of the file are on the disk or in the rank's memory
//            (storage.hpp).
// Units:     positions of pointers in etypes of the current view.
// Source:    MPI 5.0, chapter 14.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "mpi.h"
#include "smpi/collective/disagreement.hpp"
#include "smpi/communicator/communicator.hpp"
#include "smpi/file/file_view.hpp"
#include "smpi/handle_registry.hpp"
#include "smpi/info/info.hpp"
#include "smpi/request/request.hpp"

namespace rehearse::smpi {

// Accesses to the file from one place of the program since the ranks last synchronised it, for the comparison with
// those of other ranks.
struct FileUse {
  bool writes = false;
  bool is_atomic = false;
  bool takes_turns = false;   // its order among others is a choice (atomic_log.hpp)
  bool reads_size = false;    // asks for the size of the file
  std::uint64_t content = 0;  // of a single write: a hash of its data; 0: unknown
  CreationSite site;
  std::vector<FileRange> ranges;  // ascending once they are exchanged
  std::uint32_t handle = 0;       // 0: that of all members; else the number of a second handle (second_handle.hpp)
  bool is_pending = false;        // of a second handle that has not been synchronised since
};

// A use that is over, of another handle.
struct MissedUse {
  int rank = 0;
  FileUse use;
};

// A split collective between its two calls.
struct SplitAccess {
  std::string name;  // "MPI_File_read_all"
  const void* buffer = nullptr;
  MPI_Request request = MPI_REQUEST_NULL;
  CreationSite site;
};

// A nonblocking access that the program has started.
struct StartedAccess {
  MPI_Request request = MPI_REQUEST_NULL;
  RequestId id;
  CreationSite site;
};

// The shared file pointer. All members know `base`. The pointer is at base + the counter, which members without the
// others increase by accesses to a hidden window of the first one.
struct SharedPointer {
  MPI_Offset base = 0;
  MPI_Offset known = 0;            // the value of the counter that all members have learned
  MPI_Win counter = MPI_WIN_NULL;  // null: the file has one member
  bool is_used = false;            // this member has used the counter since all learned its value
};

// The log of accesses in atomic mode (atomic_log.hpp).
struct AtomicLog {
  MPI_Win window = MPI_WIN_NULL;  // null: there is none
  std::uint64_t known = 0;        // bytes of its entries that this member has taken into its copy
};

struct File {
  MPI_File handle = MPI_FILE_NULL;
  CommunicatorRef communicator;  // the members, with contexts of its own
  std::string name;              // as the program gave it
  std::string stored_name;       // absolute; of a file that several ranks open, or that is a second handle
  int amode = 0;
  int descriptor = -1;
  bool is_exchanged = false;  // members exchange the content, since it is in their memory
  bool is_compared = false;   // members exchange and compare their accesses
  FileView view;
  MPI_Offset position = 0;  // the individual pointer
  SharedPointer shared;
  bool is_atomic = false;
  AtomicLog log;
  MPI_Errhandler error_handler = MPI_ERRORS_RETURN;
  Hints hints;
  std::optional<SplitAccess> split;
  std::vector<StartedAccess> started;
  // If they are compared: the uses since the last exchange, and those of all members since the file was
  // synchronised.
  std::vector<FileUse> uses;
  std::vector<std::vector<FileUse>> known_uses;
  std::int64_t known_size = 0;       // when it was synchronised
  std::uint32_t second_handles = 0;  // that the rank has opened

  // Of a second handle (second_handle.hpp).
  std::uint32_t number = 0;        // 0: it is none
  File* members_handle = nullptr;  // null: it is none, or the members have closed theirs
  std::vector<MissedUse> missed;   // that wrote, since it was opened or synchronised

  int rank() const { return communicator->rank(); }
  int size() const { return communicator->size(); }
  std::set<std::uint32_t> members() const;
  bool has(int mode) const { return (amode & mode) != 0; }
  bool is_writable() const { return !has(MPI_MODE_RDONLY); }
};

struct Files {
  HandleRegistry<MPI_File, std::unique_ptr<File>, HandleKind::file> made;
  MPI_Errhandler default_handler = MPI_ERRORS_RETURN;  // of MPI_FILE_NULL, for new files
};

// Of the calling rank.
Files& files();

// Null: MPI_FILE_NULL, closed, or no file.
File* find_file(MPI_File handle);

// The first nonblocking access that is not complete, as text; empty: there is none. Forgets those that are over.
std::string pending_access(File& file);

// Fails the check if a nonblocking access or a split collective is open.
class Arguments;
void check_nothing_pending(Arguments& check, File* file, std::string_view action);
// Settles the view of the file. Fails the check if a function of the program fails, or if the view is wrong.
void check_settled(Arguments& check, File* file);
// Fails the check if a split collective is open.
void check_no_split(Arguments& check, const File* file);

// The order of the calling rank's accesses among those of others is that of their dates.
void settle_date();

// An argument that must be the same for all members; a number that stands for its value.
struct Agreement {
  const char* what = nullptr;  // null: there is none
  std::int64_t value = 0;
};
std::int64_t number_of(std::initializer_list<std::int64_t> values);
// The difference between the value of the calling rank and that of member 0. `remarks` begin with the values.
Disagreement disagreement_on(const File& file, const char* call, const Agreement& mine,
                             std::span<const Remark> remarks);

// A collective without data.
int meet(const File& file, const char* call, const Agreement& agreement = {}, Flow flow = Flow::all_to_all);
// Member 0 tells the others a number.
std::int64_t number_of_first(const File& file, const char* name, std::int64_t mine);
// The numbers of all members.
std::vector<std::int64_t> numbers_of_all(const File& file, const char* name, std::int64_t mine);

}  // namespace rehearse::smpi
