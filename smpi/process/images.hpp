// SPDX-License-Identifier: MIT
//
// The files of one rank: the program and its private libraries, in the dynamic linker's order, and the place of each in
// a rank's range. Libraries of libc's family and the MPI library are shared: they are not loaded here.
//
// Shape:  images[0] is the program; the others follow breadth first, which is the order of symbol lookup. Then come the
//         plugins that any rank has opened, at the same place in each rank's range.
// Errors: one line with the name of the file and the requirement.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/debug.hpp"
#include "simcore/debug_variables.hpp"
#include "simcore/support/result.hpp"
#include "smpi/foreign_mpi.hpp"
#include "smpi/process.hpp"
#include "smpi/process/elf_file.hpp"

namespace rehearse::smpi {

// The global variables of a file, by address; a variable may be part of another one.
class Variables {
 public:
  explicit Variables(const ElfFile& file);
  // The greatest end of the variables that contain the address; 0: no variable does.
  std::uint64_t end_of(std::uint64_t address) const;

 private:
  struct Variable {
    std::uint64_t begin, end;
    std::uint64_t furthest;  // greatest end of this and all earlier ones
  };
  std::vector<Variable> all_;  // ascending
};

struct Image {
  std::unique_ptr<ElfFile> file;
  std::uint64_t offset = 0;     // of the file's address 0, in the rank's range
  std::uint64_t tls_below = 0;  // its thread-local block begins this far below the thread pointer; 0: none
  bool system = false;          // from a system directory: not the user's code
  std::vector<std::string_view> unique_names;  // its definitions that must be unique (STB_GNU_UNIQUE)
  std::vector<const ElfFile*> requesters;      // this file, then those that needed it, for run paths
  std::unique_ptr<SourceMap> source;
  mutable std::unique_ptr<Variables> variables;  // read when first asked for
  std::unique_ptr<DebugVariables> debug_variables;
  std::vector<std::size_t> needed;  // private images it needs, by index

  // The thread pointer's distance to the thread-local symbol at `value`.
  std::int64_t tls_offset(std::uint64_t value) const {
    return static_cast<std::int64_t>(value) - static_cast<std::int64_t>(tls_below);
  }
};

struct Images {
  std::deque<Image> images;
  std::optional<ForeignMpi> foreign;              // the MPI library for which the program was compiled
  std::size_t plugins_begin = 0;                  // index of the first plugin
  std::vector<std::size_t> initialisation_order;  // dependencies first; no plugins
  std::vector<std::string> shared_names;          // libraries of libc's family
  std::vector<void*> shared_libraries;            // their handles, in the order of lookup
  std::map<std::string, std::size_t> by_name;     // indices, by each name of a file
  std::uint64_t tls_bytes = 0;                    // below the thread pointer
  std::uint64_t end_offset = 0;                   // in the rank's range, page aligned

  const Image* find(std::uint64_t offset) const;  // the image that covers the offset, or null
};

// The library among those that a file needs whose binary interface is translated.
std::optional<ForeignMpi> foreign_library_in(const std::vector<std::string_view>& needed);

// Finds and opens the files; the first image goes to `first_offset` of a rank's range.
Result<Images> open_images(const LaunchSpec& spec, std::uint64_t first_offset);

// The meaning of a name that a program opens.
struct Opened {
  enum class What : std::uint8_t { program, image, shared } what = What::program;
  std::size_t image = 0;
  void* shared = nullptr;
};

// Finds the plugin `name` for `requester`. Adds it and the libraries that it needs to the images, unless they are
// there. New images get places in [*next_offset, end), and *next_offset advances.
Result<Opened> open_plugin(const LaunchSpec& spec, Images& images, const std::string& name, const Image& requester,
                           std::uint64_t* next_offset, std::uint64_t end);

}  // namespace rehearse::smpi
