// SPDX-License-Identifier: MIT
//
// Files of a rank while the disk must not change: the rank's memory holds the data that it writes.
//
// Reading:  a file that the rank has not changed is the real one. Positions, and names and contents of changed files,
//           are in the rank's memory, so they are saved, restored and discarded with it.
// Sharing:  a rank does not see the data that another rank writes. FileTraffic notes the readers and writers of each
//           file; a conflict becomes a caveat of the verdict.
// MPI:      ranks that open a file together exchange its content at some calls (smpi/file/exchange.hpp). These divide
//           the uses of the file by these ranks into stages, one behind the other.
// Errors:   as the system calls: -1 and errno. No function here makes an Operation: libc calls them under locks of the
//           process.
// Threads:  called on ranks only, except FileTraffic::caveats().
// Not here: changes of folders and links of the disk (errno is ENOTSUP); times and owners of files.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace rehearse::smpi {

// The users of files, over all ranks; in the host's memory.
class FileTraffic {
 public:
  void note(const std::string& path, std::uint32_t rank, bool reads, bool writes, std::uint64_t stage = 0);
  // The rank uses the file together with `members`, who exchange its content.
  void note_shared(const std::string& path, std::uint32_t rank, bool reads, bool writes, std::uint64_t stage,
                   const std::set<std::uint32_t>& members);
  // The same by a handle of this rank alone, whose changes are exchanged.
  void note_second(const std::string& path, std::uint32_t rank, bool reads, bool writes, std::uint64_t stage);

  // Caveats of the verdict: files that one rank wrote and another read.
  const std::vector<std::string>& caveats() const { return caveats_; }

  // A descriptor of the real file, open for reading, once for all ranks; -1: there is none, or it is not a regular
  // file.
  int base(const std::string& path);

 private:
  struct Use {
    std::uint32_t rank = 0;
    std::uint64_t stage = 0;
    bool writes = false;
    bool is_shared = false;
    bool is_second = false;  // and is_shared
    auto operator<=>(const Use&) const = default;
  };
  struct Users {
    std::set<Use> uses;
    std::set<std::uint32_t> members;  // of those that exchange the content; empty: nobody does
    bool is_reported = false;
  };
  void add(const std::string& path, Users& users, const Use& use, bool reads, bool writes);
  void report(Users& users, std::string text);
  static bool are_ordered(const Users& users, const Use& a, const Use& b);

  std::map<std::string, Users> users_;
  std::map<std::string, int> bases_;
  std::vector<std::string> caveats_;
};

// The file of a name. Its bytes are those of `base` until the first change.
struct FileContents {
  enum class Kind : std::uint8_t { absent, file, folder } kind = Kind::absent;
  bool is_own = false;  // `bytes` is the content, not `base`
  int base = -1;        // a descriptor of the host's
  char* bytes = nullptr;
  std::size_t size = 0, room = 0;
  mode_t mode = 0;
  ino_t number = 0;
  std::uint64_t changes = 0;

  FileContents() = default;
  ~FileContents();
  FileContents(const FileContents&) = delete;
  FileContents& operator=(const FileContents&) = delete;

  std::size_t length() const;
  ssize_t read(char* to, std::size_t count, off_t at) const;
  ssize_t write(const char* from, std::size_t count, off_t at);
  bool resize(std::size_t length);
  bool make_own();
  void describe(struct stat* out) const;

 private:
  bool reserve(std::size_t length);
};

// The view of one rank; in the rank's memory.
class RankFiles {
 public:
  static constexpr int first_descriptor = 1 << 16;
  static bool is_descriptor(int number) { return number >= first_descriptor && number < first_descriptor * 2; }

  // The functions get the descriptor as their cookie.
  RankFiles(FileTraffic& traffic, std::uint32_t rank, const cookie_io_functions_t& stream_functions)
      : traffic_(traffic), rank_(rank), stream_functions_(stream_functions) {}

  // Returns a descriptor: one of this object or, if it is not a regular file, a real one.
  int open(int folder, const char* path, int flags, mode_t mode);
  int open_unnamed(int flags);
  int close(int descriptor);
  int duplicate(int descriptor);
  FILE* stream(int descriptor, const char* mode);  // its functions are those of stream_functions
  FILE* open_stream(const char* path, const char* mode);
  int descriptor_of(FILE* stream) const;  // -1: not one of these

  ssize_t read(int descriptor, void* to, std::size_t count);
  ssize_t write(int descriptor, const void* from, std::size_t count);
  ssize_t read_at(int descriptor, void* to, std::size_t count, off_t at);
  ssize_t write_at(int descriptor, const void* from, std::size_t count, off_t at);
  off_t seek(int descriptor, off_t offset, int whence);
  int flags(int descriptor) const;
  int resize(int descriptor, off_t length);
  int describe(int descriptor, struct stat* out);

  // By name; a relative name starts at `folder`.
  int describe_path(int folder, const char* path, struct stat* out, int flags);
  int access(int folder, const char* path, int mode, int flags);
  int resize_path(const char* path, off_t length);
  int remove(int folder, const char* path, bool is_folder);
  int rename(int from_folder, const char* from, int to_folder, const char* to);
  int make_folder(int folder, const char* path, mode_t mode);
  int set_mode(int folder, const char* path, mode_t mode);
  bool exists(const char* path);

  // ---- Files that several ranks open together (shared_files.cpp). A name is absolute.
  static std::string shared_name(const char* path) { return name_of(-100 /* AT_FDCWD */, path); }
  // As open(), for all members: the use does not count as one of this rank alone.
  int open_shared(const char* path, int flags, mode_t mode);
  // While the rank has it open by open_shared().
  int open_second(const char* path, int flags, mode_t mode);
  int remove_shared(const char* path);
  void note_shared(const std::string& name, bool reads, bool writes, const std::set<std::uint32_t>& members);
  void note_second(const std::string& name, bool reads, bool writes);
  // Whether the name is a regular file or free.
  bool can_share(const std::string& name) { return find(name) != nullptr; }
  // Whether the rank has changed the file in another way since the last end_exchange().
  bool has_changed_alone(const std::string& name);
  // The bytes from a place on; fewer at the end of the file.
  std::vector<char> shared_bytes(const std::string& name, std::size_t place, std::size_t count);
  // Its length; nothing: there is no file.
  std::optional<std::size_t> shared_length(const std::string& name);
  // Another member's content.
  void adopt_file(const std::string& name, const std::vector<char>& bytes);
  void adopt_absence(const std::string& name);
  void adopt_bytes(const std::string& name, std::size_t place, const char* bytes, std::size_t count);
  // The same between exchanges: it does not count as a change in another way.
  void take_bytes(const std::string& name, std::size_t place, const char* bytes, std::size_t count);
  // All members know the same content now.
  void end_exchange(const std::string& name);

  // Memory of the rank that has the contents of changed files.
  std::size_t kept_bytes() const;

  // Whether the contents of this folder differ from the disk.
  bool has_changed_in(const char* folder) const;

 private:
  using Contents = std::shared_ptr<FileContents>;
  struct OpenFile {
    Contents file;
    off_t position = 0;
    int flags = 0;
    FILE* stream = nullptr;
    std::string shared_name;  // empty: this rank's alone
    // A change of the content is noted when it happens, since many files are open for writing and only read, as of
    // the stage in which the file was opened. Empty: it is noted already, or the file has no name.
    std::string unnoted_name;
    std::uint64_t stage = 0;
  };
  // The content of a shared file after the last exchange, and the changes of it by shared descriptors.
  struct Shared {
    Contents contents;
    std::uint64_t changes = 0;
    std::uint64_t stage = 0;
  };

  Contents find(const std::string& name);
  Contents changed(const std::string& name);
  bool can_create(const std::string& name);
  OpenFile* at(int descriptor) const;
  int add(std::shared_ptr<OpenFile> file);
  std::uint64_t stage_of(const std::string& name) const;
  void note(const std::string& name, bool reads, bool writes) const;
  int open_named(const std::string& name, int flags, mode_t mode);
  void note_change(OpenFile& file);
  static std::string name_of(int folder, const char* path);

  FileTraffic& traffic_;
  std::uint32_t rank_;
  cookie_io_functions_t stream_functions_;
  ino_t next_number_ = 1;
  std::map<std::string, Contents> changed_;  // by absolute name
  std::map<std::string, Shared> shared_;     // the same
  std::vector<std::shared_ptr<OpenFile>> open_;
};

}  // namespace rehearse::smpi
