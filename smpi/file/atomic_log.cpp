// SPDX-License-Identifier: MIT
//
// See atomic_log.hpp. The log: the number of bytes of its entries, then the entries: beginning and length in the file,
// then the data.
#include "smpi/file/atomic_log.hpp"

#include <cstring>
#include <string>
#include <vector>

#include "smpi/file/hidden_window.hpp"
#include "smpi/file/storage.hpp"
#include "smpi/process/files.hpp"
#include "smpi/report.hpp"
#include "smpi/rma/access.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::uint64_t log_kind = 7;  // of the context; 6: the shared pointer
constexpr std::uint64_t log_bytes = 65536;
constexpr std::uint64_t entries_begin = sizeof(std::uint64_t);

struct LogEntry {
  std::int64_t begin = 0;
  std::uint64_t bytes = 0;
};

Window& log_of(const File& file) { return *find_window(file.log.window); }

void apply_log_entries(const File& file, std::span<const std::byte> entries) {
  while (!entries.empty()) {
    LogEntry entry;
    std::memcpy(&entry, entries.data(), sizeof entry);
    entries = entries.subspan(sizeof entry);
    kept_files()->take_bytes(file.stored_name, static_cast<std::size_t>(entry.begin),
                             reinterpret_cast<const char*>(entries.data()), entry.bytes);
    entries = entries.subspan(entry.bytes);
  }
}

void catch_up(File& file) {
  std::uint64_t used = 0;
  get_hidden(log_of(file), 0, std::as_writable_bytes(std::span(&used, 1)));
  if (used == file.log.known) return;
  std::vector<std::byte> entries(used - file.log.known);
  get_hidden(log_of(file), entries_begin + file.log.known, entries);
  apply_log_entries(file, entries);
  file.log.known = used;
}

std::vector<std::byte> log_entries_for(const File& file, std::span<const FileRange> written) {
  std::vector<std::byte> entries;
  for (const FileRange& range : written) {
    const LogEntry entry{range.begin, static_cast<std::uint64_t>(range.bytes)};
    const std::vector<char> data = kept_files()->shared_bytes(file.stored_name, static_cast<std::size_t>(range.begin),
                                                              static_cast<std::size_t>(range.bytes));
    const auto head = std::as_bytes(std::span(&entry, 1));
    const auto body = std::as_bytes(std::span(data));
    entries.insert(entries.end(), head.begin(), head.end());
    entries.insert(entries.end(), body.begin(), body.end());
  }
  return entries;
}

int lock_type(bool writes) { return writes ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED; }

}  // namespace

void open_atomic_log(File& file, const char* call) {
  if (!file.is_exchanged || file.size() == 1 || !file.is_writable() || file.log.window != MPI_WIN_NULL) return;
  file.log.window = open_hidden_window(file, call, log_kind, "order of accesses", log_bytes);
}

void close_atomic_log(File& file) { close_hidden_window(file.log.window); }

bool takes_turns(const File& file) { return file.is_atomic && file.log.window != MPI_WIN_NULL; }

void begin_turn(File& file, bool writes) {
  take_lock(log_of(file), hidden_owner, lock_type(writes));
  catch_up(file);
}

void end_turn(File& file, bool writes, std::span<const FileRange> written) {
  Window& window = log_of(file);
  if (writes) {
    const std::vector<std::byte> entries = log_entries_for(file, written);
    const std::uint64_t used = file.log.known + entries.size();
    if (entries_begin + used > log_bytes) {
      report_outcomes_left_out("accesses in atomic mode that write more than 64 kB to " + file.name);
    } else if (!entries.empty()) {
      put_hidden(window, entries_begin + file.log.known, entries);
      put_hidden(window, 0, std::as_bytes(std::span(&used, 1)));
      file.log.known = used;
    }
  }
  give_lock_back(window, hidden_owner, lock_type(writes));
  note_complete(window, hidden_owner);
}

void settle_atomic_log(File& file, const char* call) {
  if (!takes_turns(file)) return;
  finish_operations(log_of(file), hidden_owner, true);  // also of the lock, which is in the owner's Window
  meet(file, call);
  catch_up(file);
}

}  // namespace rehearse::smpi
