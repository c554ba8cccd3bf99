// SPDX-License-Identifier: MIT
//
// See file_access.hpp.
#include "smpi/file/file_access.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "simcore/actor.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/hash.hpp"
#include "smpi/arguments.hpp"
#include "smpi/buffers/pending.hpp"
#include "smpi/collective/collective.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/datatype/pack.hpp"
#include "smpi/error.hpp"
#include "smpi/file/access_time.hpp"
#include "smpi/file/atomic_log.hpp"
#include "smpi/file/exchange.hpp"
#include "smpi/file/shared_pointer.hpp"
#include "smpi/file/storage.hpp"
#include "smpi/p2p/status.hpp"
#include "smpi/report.hpp"
#include "smpi/request/request_set.hpp"

namespace rehearse::smpi {
namespace {

// What an access moves.
struct Movement {
  File* file = nullptr;
  DatatypeRef type;
  std::int64_t bytes = 0;       // in memory
  std::int64_t file_bytes = 0;  // in the file
  MPI_Offset etypes = 0;
  MPI_Offset start = 0;  // in etypes
  std::vector<FileRange> ranges;
};

void check_permitted(Arguments& check, const File& file, const FileAccess& access) {
  if (access.writes)
    check.require(!file.has(MPI_MODE_RDONLY), MPI_ERR_READ_ONLY,
                  "the program writes to " + file.name + ", which was opened with MPI_MODE_RDONLY");
  else
    check.require(!file.has(MPI_MODE_WRONLY), MPI_ERR_ACCESS,
                  "the program reads from " + file.name + ", which was opened with MPI_MODE_WRONLY", "file.mode");
  const bool is_shared = access.pointer == FilePointer::shared || access.pointer == FilePointer::ordered;
  check.require(is_shared || !file.has(MPI_MODE_SEQUENTIAL), MPI_ERR_UNSUPPORTED_OPERATION,
                "a file of MPI_MODE_SEQUENTIAL can only be accessed with the shared pointer");
}

bool takes_turn(const File& file, const FileAccess& access) {
  return access.form == AccessForm::blocking && takes_turns(file);
}

// The reads of a rank in atomic mode see what others have written. Without a turn, the rank's memory does not have it,
// and the moment of the read is not known.
void refuse_atomic_read(const File& file, const FileAccess& access) {
  if (file.is_exchanged && file.is_atomic && file.is_writable() && !access.writes && !takes_turn(file, access))
    unsupported("a nonblocking or split read of a file in atomic mode (MPI_File_set_atomicity)");
}

const Datatype* check_access(Arguments& check, const FileAccess& access) {
  if (check.failed()) return nullptr;
  File& file = *find_file(access.fh);
  check.count(access.count);
  const Datatype* type = check.type(access.type);
  check_settled(check, &file);
  if (check.failed()) return nullptr;
  const std::string unknown = file.view.form().learn(*type);
  check.require(unknown.empty(), MPI_ERR_CONVERSION, unknown);
  check.buffer(access.buffer, access.count, type);
  if (access.form == AccessForm::nonblocking) check.pointer(access.request, "request");
  if (access.pointer == FilePointer::offset)
    check.require(
        access.offset >= 0, MPI_ERR_ARG,
        [&] { return fmt::format("offset is {}; it must not be negative", access.offset); }, "file.view");
  check_permitted(check, file, access);
  if (access.is_collective) check_no_split(check, &file);
  const std::int64_t bytes = file.view.form().bytes_of(*type) * access.count;
  check.require(
      bytes % file.view.etype_bytes() == 0, MPI_ERR_IO,
      [&] {
        return fmt::format("the access has {} bytes, which are no whole number of etypes ({} bytes)", bytes,
                           file.view.etype_bytes());
      },
      "file.view");
  check.require(bytes == 0 || file.view.tile_bytes() > 0, MPI_ERR_IO, "the view of the file shows no bytes",
                "file.view");
  return check.failed() ? nullptr : type;
}

// The first etype of the access. Moves the pointer.
MPI_Offset take_start(File& file, const FileAccess& access, MPI_Offset etypes) {
  switch (access.pointer) {
    case FilePointer::offset: return access.offset;
    case FilePointer::individual: return std::exchange(file.position, file.position + etypes);
    case FilePointer::shared: return take_from_shared_pointer(file, etypes);
    case FilePointer::ordered: break;
  }
  const MPI_Offset pointer = agreed_shared_pointer(file, access.call);
  const std::vector<std::int64_t> all = numbers_of_all(file, access.call, etypes);
  MPI_Offset start = pointer, end = pointer;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i < static_cast<std::size_t>(file.rank())) start += all[i];
    end += all[i];
  }
  set_shared_pointer(file, pointer, end);
  return start;
}

// Fewer bytes than asked for: the file ends there. -1: an error.
std::int64_t read_ranges(const File& file, const std::vector<FileRange>& ranges, std::byte* to) {
  std::int64_t sum = 0;
  for (const FileRange& range : ranges) {
    const std::int64_t got = read_stored(file.descriptor, to + sum, static_cast<std::size_t>(range.bytes), range.begin);
    if (got < 0) return -1;
    sum += got;
    if (got < range.bytes) break;
  }
  return sum;
}

bool write_ranges(const File& file, const std::vector<FileRange>& ranges, const std::byte* from) {
  for (const FileRange& range : ranges) {
    if (!write_stored(file.descriptor, from, static_cast<std::size_t>(range.bytes), range.begin)) return false;
    from += range.bytes;
  }
  return true;
}

// What did not work. No text: the access was successful.
struct Failure {
  int error = MPI_SUCCESS;
  std::string text;
  bool is_none() const { return error == MPI_SUCCESS; }
};

Failure system_failure(const File& file, bool writes) {
  const int number = errno;
  return {class_of_errno(number),
          fmt::format("cannot {} {}: {}", writes ? "write to" : "read from", file.name, std::strerror(number))};
}

Failure conversion_failure(std::string text) {
  if (text.empty()) return {};
  return {MPI_ERR_CONVERSION, std::move(text)};
}

// The bytes that the file has, in its form.
std::vector<std::byte> read_data(const Movement& movement, Failure& failure) {
  std::vector<std::byte> data(static_cast<std::size_t>(movement.file_bytes));
  const std::int64_t got = read_ranges(*movement.file, movement.ranges, data.data());
  if (got < 0) failure = system_failure(*movement.file, false);
  data.resize(static_cast<std::size_t>(std::max<std::int64_t>(got, 0)));
  return data;
}

TypedBuffer buffer_of(const FileAccess& access, const Movement& movement) {
  return {movement.type, access.type, access.buffer, access.count};
}

Failure write_data(const Movement& movement, const FileAccess& access) {
  const DataForm& form = movement.file->view.form();
  const auto store = [&](const std::byte* from) {
    return write_ranges(*movement.file, movement.ranges, from) ? Failure{} : system_failure(*movement.file, true);
  };
  if (form.is_memory()) return store(PackedData(*movement.type, access.count, access.buffer).bytes().data());
  std::vector<std::byte> converted;
  Failure failure = conversion_failure(form.write(buffer_of(access, movement), converted));
  return failure.is_none() ? store(converted.data()) : failure;
}

int raise_failure(const FileAccess& access, const Failure& failure) {
  return error_about(access.fh, failure.error, failure.text);
}

// Of the data of a small write, for accesses of several ranks to the same bytes; 0: it is large.
std::uint64_t hash_of(const FileAccess& access, const Datatype& type) {
  constexpr std::int64_t most_bytes = 4096;
  if (type.size() * access.count > most_bytes) return 0;
  StableHash hash;
  const PackedData packed(type, access.count, access.buffer);
  for (const std::byte byte : packed.bytes()) hash.add(static_cast<std::uint8_t>(byte));
  return hash.value() == 0 ? 1 : hash.value();
}

BufferUse use_of(const FileAccess& access, const Movement& movement) {
  return {Blocks({{access.buffer, access.count, movement.type}}), !access.writes, !access.writes};
}

int finish_blocking(const FileAccess& access, const Movement& movement) {
  check_uses({use_of(access, movement)});
  const bool is_turn = takes_turn(*movement.file, access);
  Failure failure;
  Ending ending;
  ending.bytes = movement.bytes;
  if (access.writes) {
    if (is_turn) begin_turn(*movement.file, true);
    failure = write_data(movement, access);
    if (is_turn) end_turn(*movement.file, true, movement.ranges);
    if (failure.is_none()) pass_access_time(movement.ranges, movement.file_bytes, true);
    if (access.is_collective) meet(*movement.file, access.call, {}, Flow::optional);
  } else {
    if (access.is_collective) meet(*movement.file, access.call, {}, Flow::optional);
    if (is_turn) begin_turn(*movement.file, false);
    const std::vector<std::byte> data = read_data(movement, failure);
    if (is_turn) end_turn(*movement.file, false, {});
    const auto file_bytes = static_cast<std::int64_t>(data.size());
    pass_access_time(movement.ranges, file_bytes, false);
    const DataForm& form = movement.file->view.form();
    ending.bytes = form.memory_bytes(*movement.type, file_bytes);
    if (failure.is_none()) failure = conversion_failure(form.read(data, buffer_of(access, movement)));
  }
  if (!failure.is_none()) return raise_failure(access, failure);
  write_status(access.status, ending);
  return MPI_SUCCESS;
}

// A request that the driver completes: a collective of the members or, of one rank alone, of that rank.
int start_request(const FileAccess& access, const Movement& movement, MPI_Request* handle) {
  Failure failure;
  const BufferToken token = begin_use(use_of(access, movement));
  std::vector<std::byte> data;
  if (access.writes) failure = write_data(movement, access);
  else data = read_data(movement, failure);
  if (!failure.is_none()) {
    end_use(token);
    return raise_failure(access, failure);
  }
  const DataForm* form = &movement.file->view.form();
  const std::int64_t file_bytes = access.writes ? movement.file_bytes : static_cast<std::int64_t>(data.size());
  const MPI_Count moved = access.writes ? movement.bytes : form->memory_bytes(*movement.type, file_bytes);
  Contribution contribution;
  contribution.flow = access.is_collective ? Flow::optional : Flow::all_to_all;
  contribution.hints.kind = CollectiveKind::barrier;
  const CommunicatorRef& members = access.is_collective ? movement.file->communicator : communicators().self();
  *handle = MPI_REQUEST_NULL;
  const int result =
      run_collective(members, nonblocking(access.call, handle), contribution,
                     {[data = std::move(data), form, buffer = buffer_of(access, movement)](Contributions) {
                        if (data.empty()) return Trouble{};
                        const Failure failure = conversion_failure(form->read(data, buffer));
                        return Trouble{failure.error, failure.text, {}};
                      },
                      form->is_registered()});
  Request& request = *find_request(*handle);
  request.buffers[0] = token;
  request.more().is_of_file = true;
  request.more().file_bytes = moved;
  add_access_time(*handle, movement.ranges, file_bytes, access.writes);
  return result;
}

int start_nonblocking(const FileAccess& access, const Movement& movement) {
  const int result = start_request(access, movement, access.request);
  if (result == MPI_SUCCESS)
    movement.file->started.push_back({*access.request, find_request(*access.request)->id, creation_site()});
  return result;
}

int begin_split(const FileAccess& access, const Movement& movement) {
  SplitAccess split{access.call, access.buffer, MPI_REQUEST_NULL, creation_site()};
  const int result = start_request(access, movement, &split.request);
  if (result == MPI_SUCCESS) movement.file->split = std::move(split);
  return result;
}

}  // namespace

int access_file(const FileAccess& access) {
  Arguments check(access.fh);
  const Datatype* type = check_access(check, access);
  if (type == nullptr) return check.error();
  File& file = *find_file(access.fh);
  refuse_atomic_read(file, access);
  settle_date();
  Movement movement;
  movement.file = &file;
  movement.type = DatatypeRef(type);
  movement.bytes = type->size() * access.count;
  movement.file_bytes = file.view.form().bytes_of(*type) * access.count;
  movement.etypes = movement.file_bytes / file.view.etype_bytes();
  movement.start = take_start(file, access, movement.etypes);
  movement.ranges = file.view.ranges(movement.start * file.view.etype_bytes(), movement.file_bytes);
  note_use(file, access.writes, movement.ranges, takes_turn(file, access), access.writes ? hash_of(access, *type) : 0);
  switch (access.form) {
    case AccessForm::blocking: return finish_blocking(access, movement);
    case AccessForm::nonblocking: return start_nonblocking(access, movement);
    case AccessForm::split: return begin_split(access, movement);
  }
  return MPI_SUCCESS;
}

int end_split(MPI_File fh, const char* call, const void* buffer, MPI_Status* status) {
  Arguments check(fh);
  File* file = find_file(fh);
  if (check.failed()) return check.error();
  check.require(file->split.has_value(), MPI_ERR_IO, "no split collective has begun on the file", "file.split");
  if (check.failed()) return check.error();
  SplitAccess& split = *file->split;
  check.require(
      split.name == call, MPI_ERR_IO, [&] { return "the split collective began with " + text_of(split.site); },
      "file.split");
  check.require(
      split.buffer == buffer, MPI_ERR_IO, [&] { return "the buffer is not that of " + text_of(split.site); },
      "file.split");
  if (check.failed()) return check.error();
  MPI_Request request = split.request;
  RequestSet set(1, &request);
  if (set.error() != MPI_SUCCESS) return set.error();
  if (set.some_pending()) set.observe(Quantifier::all, true);
  set.conclude(0, status);
  file->split.reset();
  return set.finish();
}

}  // namespace rehearse::smpi
