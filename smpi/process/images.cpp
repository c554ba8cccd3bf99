// SPDX-License-Identifier: MIT
//
// Collects a program's files, refuses unsupported ones, and lays them out.
#include "smpi/process/images.hpp"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "simcore/support/format.hpp"
#include "simcore/support/page.hpp"
#include "smpi/process/interpose_accesses.hpp"
#include "smpi/process/library_search.hpp"
#include "smpi/process/thread_block.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::string_view mpi_library = "libmpi_abi.so.1";

constexpr std::array shared_names = {"libc.so.6",     "libm.so.6",    "libpthread.so.0", "libdl.so.2",
                                     "librt.so.1",    "libutil.so.1", "libresolv.so.2",  "libmvec.so.1",
                                     "libgcc_s.so.1", "libanl.so.1",  "libnsl.so.1",     "ld-linux-x86-64.so.2"};

// A library by the beginning of its name; the first match counts.
struct KnownLibrary {
  std::string_view library, what;
};
// Libraries whose binary interface is translated (smpi/foreign). Their place in a program takes a library of ours that
// has only their data.
struct TranslatedLibrary {
  std::string_view library;
  ForeignMpi kind;
  std::string_view data;
};
constexpr std::array translated_libraries = {
    TranslatedLibrary{"libmpich.so.12", ForeignMpi::mpich, "libmpich_data.so"},
    TranslatedLibrary{"libmpi.so.12", ForeignMpi::mpich, "libmpich_data.so"},
    TranslatedLibrary{"libmpichfort.so.12", ForeignMpi::mpich, "libmpich_data.so"},
    TranslatedLibrary{"libmpifort.so.12", ForeignMpi::mpich, "libmpich_data.so"},
    TranslatedLibrary{"libmpi.so.40", ForeignMpi::open_mpi, "libopen_mpi_data.so"},
    TranslatedLibrary{"libmpi_mpifh.so.40", ForeignMpi::open_mpi, "libopen_mpi_data.so"},
    TranslatedLibrary{"libmpi_usempi_ignore_tkr.so.40", ForeignMpi::open_mpi, "libopen_mpi_data.so"},
    TranslatedLibrary{"libmpi_usempif08.so.40", ForeignMpi::open_mpi, "libopen_mpi_data.so"},
    // All C++ code for Open MPI is linked to it (interpose_unsupported.cpp).
    TranslatedLibrary{"libmpi_cxx.so.40", ForeignMpi::open_mpi, "libopen_mpi_data.so"}};
constexpr std::array foreign_mpis = {KnownLibrary{"libmpi.so", "another version of MPICH or Open MPI"},
                                     KnownLibrary{"libmpi_mpifh.so", "Open MPI"},
                                     KnownLibrary{"libmpi_usempi", "Open MPI"},
                                     KnownLibrary{"libmpi_cxx.so", "Open MPI"},
                                     KnownLibrary{"libmpich", "MPICH"},
                                     KnownLibrary{"libmpicxx.so", "MPICH"},
                                     KnownLibrary{"libmpifort.so", "MPICH or Intel MPI"},
                                     KnownLibrary{"libmsmpi.so", "Microsoft MPI"}};
// COMMON blocks that only objects of other Fortran interfaces have: libmpi_abi defines them to make them visible.
constexpr std::array foreign_fortran = {KnownLibrary{"mpi_fortran_bottom_", "Open MPI"},
                                        KnownLibrary{"mpi_fortran_in_place_", "Open MPI"},
                                        KnownLibrary{"mpi_fortran_status_ignore_", "Open MPI"},
                                        KnownLibrary{"mpipriv1_", "MPICH"}, KnownLibrary{"mpipriv2_", "MPICH"}};
constexpr std::array sanitizers = {KnownLibrary{"libasan.so", "the address sanitizer"},
                                   KnownLibrary{"libtsan.so", "the thread sanitizer"},
                                   KnownLibrary{"liblsan.so", "the leak sanitizer"},
                                   KnownLibrary{"libhwasan.so", "the hardware address sanitizer"}};

bool is_shared(std::string_view name) {
  return std::find(shared_names.begin(), shared_names.end(), name) != shared_names.end();
}

// The folder of our data libraries, beside that of this program.
std::string data_folder() {
  std::error_code ignored;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", ignored);
  return (self.parent_path().parent_path() / "lib" / "rehearse-foreign").string();
}

bool is_system(const std::string& path) { return path.starts_with("/lib") || path.starts_with("/usr/lib"); }

std::optional<Error> refuse_program(const ElfFile& file) {
  const std::string& path = file.path();
  if (file.type() == ET_EXEC && !file.has_dynamic_section())
    return Error{path + ": is statically linked; compile it with rehearse cc, without -static"};
  if (file.type() == ET_EXEC)
    return Error{path + ": is not position-independent; compile it with rehearse cc, or with -fPIE -pie"};
  if (!file.has_dynamic_section() || (!file.has_interpreter() && !file.has_dynamic(DT_NEEDED)))
    return Error{path + ": is statically linked; compile it with rehearse cc, without -static-pie"};
  if (!file.has_interpreter()) return Error{path + ": is a shared library; a program is needed"};
  if (access(path.c_str(), X_OK) != 0) return Error{path + ": is not executable; chmod +x " + path};
  return std::nullopt;
}

std::optional<Error> refuse_image(const ElfFile& file) {
  if (file.has_dynamic(DT_TEXTREL) || (file.dynamic(DT_FLAGS) & DF_TEXTREL) != 0)
    return Error{file.path() + ": has relocations in its code; compile it with -fPIC or -fPIE"};
  const std::vector<std::string_view> needed = file.dynamic_strings(DT_NEEDED);
  if (std::ranges::find(needed, access_library) != needed.end()) return std::nullopt;
  for (std::string_view name : file.undefined_names())
    for (std::string_view mark : {"__asan_init", "__tsan_init", "__msan_init", "__hwasan_init"})
      if (name == mark)
        return Error{file.path() + ": is built with a sanitizer (" + std::string(mark) +
                     "), which cannot run here; build it without -fsanitize"};
  if (file.find("__asan_init", {}) != nullptr || file.find("__tsan_init", {}) != nullptr ||
      file.find("__msan_init", {}) != nullptr)
    return Error{file.path() + ": is built with a sanitizer, which cannot run here; build it without -fsanitize"};
  return std::nullopt;
}

// The collection of the files of one program, or of one plugin.
class Collector {
 public:
  Collector(const LaunchSpec& spec, Images& set) : spec_(spec), search_(spec.environment), set_(set) {}

  std::optional<Error> add_program(std::uint64_t first_offset) {
    Result<std::unique_ptr<ElfFile>> program = ElfFile::open(spec_.path);
    if (!program) return program.error();
    if (auto refused = refuse_program(*program.value())) return *refused;
    if (auto refused = add(std::move(program.value()), {})) return *refused;
    if (auto refused = add_all_needed(0)) return *refused;
    if (auto refused = check_mpi()) return *refused;
    for (const char* always : {"libc.so.6", "ld-linux-x86-64.so.2"})
      if (auto refused = add_shared(always)) return *refused;
    visited_.resize(set_.images.size());
    order(0);
    std::uint64_t offset = first_offset;
    if (auto refused = lay_out(0, &offset, ~std::uint64_t{0})) return *refused;
    set_.end_offset = offset;
    set_.plugins_begin = set_.images.size();
    return std::nullopt;
  }

  Result<Opened> add_plugin(const std::string& name, const Image& requester, std::uint64_t* offset, std::uint64_t end) {
    const std::string base = name.substr(name.rfind('/') + 1);
    if (base == mpi_library ||
        std::ranges::find(translated_libraries, base, &TranslatedLibrary::library) != translated_libraries.end())
      return Opened{};
    if (is_shared(base)) {
      if (auto refused = add_shared(base)) return *refused;
      const auto at = std::find(set_.shared_names.begin(), set_.shared_names.end(), base) - set_.shared_names.begin();
      return Opened{Opened::What::shared, 0, set_.shared_libraries[static_cast<std::size_t>(at)]};
    }
    const std::size_t first = set_.images.size();
    Result<std::size_t> plugin = find_or_open(name, requester.requesters);
    if (!plugin) return plugin.error();
    std::optional<Error> refused = add_all_needed(first);
    if (!refused && foreign_mpi_)
      refused = Error{name + ": is built with " + std::string(foreign_mpi_->what) + ", not with the standard MPI ABI"};
    if (!refused) refused = lay_out(first, offset, end);
    if (refused) {
      forget_from(first);
      return *refused;
    }
    if (plugin.value() == 0) return Opened{};
    return Opened{Opened::What::image, plugin.value(), nullptr};
  }

 private:
  std::optional<Error> add(std::unique_ptr<ElfFile> file, std::vector<const ElfFile*> requesters) {
    if (auto refused = refuse_image(*file)) return refused;
    requesters.insert(requesters.begin(), file.get());
    Image image;
    image.requesters = std::move(requesters);
    image.system = !set_.images.empty() && (is_system(file->path()) || file->path().starts_with(data_folder_));
    image.unique_names = file->unique_names();
    image.source = std::make_unique<SourceMap>(file->path());
    image.debug_variables = std::make_unique<DebugVariables>(file->path());
    image.file = std::move(file);
    set_.images.push_back(std::move(image));
    return std::nullopt;
  }

  std::optional<Error> add_all_needed(std::size_t first) {
    for (std::size_t i = first; i < set_.images.size(); ++i)
      if (auto refused = add_needed(i)) return refused;
    return std::nullopt;
  }

  std::optional<Error> add_needed(std::size_t index) {
    for (std::string_view needed : set_.images[index].file->dynamic_strings(DT_NEEDED)) {
      const std::string name(needed);
      const std::string base = name.substr(name.rfind('/') + 1);
      if (base == mpi_library) needs_mpi_ = true;
      const auto translated = std::ranges::find(translated_libraries, base, &TranslatedLibrary::library);
      if (translated != translated_libraries.end()) {
        if (auto refused = add_translated(index, *translated)) return refused;
        continue;
      }
      const auto foreign =
          std::ranges::find_if(foreign_mpis, [&](const KnownLibrary& each) { return base.starts_with(each.library); });
      if (foreign != foreign_mpis.end() && !foreign_mpi_.has_value())
        foreign_mpi_ = {set_.images[index].file->path(), base, foreign->what};
      for (const KnownLibrary& sanitizer : sanitizers)
        if (base.starts_with(sanitizer.library))
          return Error{set_.images[index].file->path() + ": is built with " + std::string(sanitizer.what) +
                       ", which cannot run here; build it without -fsanitize"};
      if (is_shared(base))
        if (auto refused = add_shared(base)) return refused;
      if (base == mpi_library || base == access_library || is_shared(base) || foreign_mpi_.has_value()) continue;
      if (auto refused = add_library(index, name)) return refused;
    }
    return std::nullopt;
  }

  std::optional<Error> add_translated(std::size_t index, const TranslatedLibrary& library) {
    if (set_.foreign.has_value() && *set_.foreign != library.kind)
      return Error{set_.images[index].file->path() + ": needs " + std::string(library.library) +
                   ", but the program needs another MPI library, too; build all of it with one MPI"};
    if (!set_.foreign.has_value())
      translated_ = {set_.images[index].file->path(), std::string(library.library), name_of(library.kind)};
    set_.foreign = library.kind;
    return add_library(index, data_folder_ + "/" + std::string(library.data));
  }

  std::optional<Error> add_library(std::size_t index, const std::string& name) {
    Result<std::size_t> found = find_or_open(name, set_.images[index].requesters);
    if (!found) return found.error();
    set_.images[index].needed.push_back(found.value());
    return std::nullopt;
  }

  Result<std::size_t> find_or_open(const std::string& name, const std::vector<const ElfFile*>& requesters) {
    if (const auto known = set_.by_name.find(name); known != set_.by_name.end()) return known->second;
    const std::optional<std::string> path = search_.find(name, requesters);
    if (!path)
      return Error{requesters.front()->path() + ": needs the library " + name + ", which is neither in its " +
                   "run paths nor in LD_LIBRARY_PATH, the linker's cache or the system's folders; install it, or "
                   "set LD_LIBRARY_PATH to its folder"};
    std::error_code ignored;
    const std::string real = std::filesystem::canonical(*path, ignored).string();
    auto known = set_.by_name.find(real);
    if (known == set_.by_name.end()) {
      Result<std::unique_ptr<ElfFile>> file = ElfFile::open(*path);
      if (!file) return file.error();
      if (auto refused = add(std::move(file.value()), requesters)) return *refused;
      const std::size_t added = set_.images.size() - 1;
      known = set_.by_name.emplace(real, added).first;
      for (std::string_view soname : set_.images[added].file->dynamic_strings(DT_SONAME))
        set_.by_name.emplace(std::string(soname), added);
    }
    set_.by_name.emplace(name, known->second);
    return known->second;
  }

  // Removes the images that were added from this one on.
  void forget_from(std::size_t first) {
    std::erase_if(set_.by_name, [&](const auto& entry) { return entry.second >= first; });
    while (set_.images.size() > first) set_.images.pop_back();
  }

  struct ForeignUse {
    std::string user, library;
    std::string_view what;
  };

  Error refuse_foreign(const ForeignUse& use, const std::string& advice) const {
    const std::string library = use.user == spec_.path ? "" : "needs the library " + use.user + ", which ";
    return Error{spec_.path + ": " + library + "is built with " + std::string(use.what) + " (" + use.library +
                 "), not with the standard MPI ABI" + advice};
  }

  std::optional<Error> check_mpi() const {
    const std::string advice = "; compile it with rehearse cc (also found as mpicc in rehearse's libexec folder)";
    if (foreign_mpi_.has_value()) return refuse_foreign(*foreign_mpi_, advice);
    if (set_.foreign.has_value() && needs_mpi_) return refuse_foreign(*translated_, advice);
    for (const Image& image : set_.images)
      for (const KnownLibrary& block : foreign_fortran)
        if (needs_mpi_ && image.file->find(block.library, {}) != nullptr)
          return Error{fmt::format("{}: contains Fortran objects compiled with {} (COMMON block {}), but is linked to "
                                   "the standard MPI ABI; compile all of it with rehearse fortran (mpifort)",
                                   image.file->path(), block.what, block.library)};
    if (spec_.require_mpi && !needs_mpi_ && !set_.foreign.has_value())
      return Error{spec_.path + ": is not an MPI program: it does not need " + std::string(mpi_library) + advice};
    return std::nullopt;
  }

  std::optional<Error> add_shared(const std::string& name) {
    if (std::find(set_.shared_names.begin(), set_.shared_names.end(), name) != set_.shared_names.end())
      return std::nullopt;
    void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (handle == nullptr) return Error{spec_.path + ": needs the library " + name + ": " + dlerror()};
    set_.shared_names.push_back(name);
    set_.shared_libraries.push_back(handle);
    return std::nullopt;
  }

  void order(std::size_t index) {
    if (visited_[index]) return;
    visited_[index] = true;
    for (std::size_t needed : set_.images[index].needed) order(needed);
    set_.initialisation_order.push_back(index);
  }

  // Assigns places like the dynamic linker: thread-local blocks downwards from the thread pointer, the program's first.
  std::optional<Error> lay_out(std::size_t first, std::uint64_t* offset, std::uint64_t end) {
    std::uint64_t at = *offset, tls_bytes = set_.tls_bytes;
    for (std::size_t i = first; i < set_.images.size(); ++i) {
      Image& image = set_.images[i];
      const std::uint64_t alignment = image.file->alignment();
      at = (at + alignment - 1) / alignment * alignment;
      image.offset = at;
      at = (at + image.file->memory_bytes() + page_bytes - 1) / page_bytes * page_bytes;
      if (at > end)
        return Error{fmt::format("{}: not enough address space for it, because there are {} ranks; use fewer ranks",
                                 image.file->path(), spec_.ranks)};
      if (!image.file->tls()) continue;
      const Segment& tls = *image.file->tls();
      const std::uint64_t skew = (0 - tls.address) & (tls.alignment - 1);
      const std::uint64_t below = tls_bytes + tls.memory_bytes - skew;
      image.tls_below = (below + tls.alignment - 1) / tls.alignment * tls.alignment + skew;
      tls_bytes = image.tls_below;
      if (tls_bytes > tls_reserve_bytes)
        return Error{fmt::format(
            "{}: the program and its libraries have {} bytes of thread-local variables; at most {} are possible",
            image.file->path(), tls_bytes, tls_reserve_bytes)};
    }
    *offset = at;
    set_.tls_bytes = tls_bytes;
    return std::nullopt;
  }

  const LaunchSpec& spec_;
  LibrarySearch search_;
  std::string data_folder_ = data_folder();
  Images& set_;
  std::vector<bool> visited_;
  std::optional<ForeignUse> foreign_mpi_;  // a library that is refused
  std::optional<ForeignUse> translated_;
  bool needs_mpi_ = false;
};

}  // namespace

Variables::Variables(const ElfFile& file) {
  for (const Elf64_Sym* symbol : file.variables())
    all_.push_back({symbol->st_value, symbol->st_value + symbol->st_size, 0});
  std::ranges::sort(all_, {}, &Variable::begin);
  std::uint64_t furthest = 0;
  for (Variable& variable : all_) variable.furthest = furthest = std::max(furthest, variable.end);
}

std::uint64_t Variables::end_of(std::uint64_t address) const {
  std::uint64_t end = 0;
  auto next = std::ranges::upper_bound(all_, address, {}, &Variable::begin);
  while (next != all_.begin() && std::prev(next)->furthest > address) end = std::max(end, (--next)->end);
  return end > address ? end : 0;
}

std::optional<ForeignMpi> foreign_library_in(const std::vector<std::string_view>& needed) {
  for (const std::string_view name : needed)
    for (const TranslatedLibrary& library : translated_libraries)
      if (name == library.library) return library.kind;
  return std::nullopt;
}

const Image* Images::find(std::uint64_t offset) const {
  for (const Image& image : images)
    if (offset >= image.offset && offset - image.offset < image.file->memory_bytes()) return &image;
  return nullptr;
}

Result<Images> open_images(const LaunchSpec& spec, std::uint64_t first_offset) {
  Images images;
  if (auto refused = Collector(spec, images).add_program(first_offset)) return *refused;
  return images;
}

Result<Opened> open_plugin(const LaunchSpec& spec, Images& images, const std::string& name, const Image& requester,
                           std::uint64_t* next_offset, std::uint64_t end) {
  return Collector(spec, images).add_plugin(name, requester, next_offset, end);
}

}  // namespace rehearse::smpi
