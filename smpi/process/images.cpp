// SPDX-License-Identifier: MIT
//
// Collecting a program's files, refusing what cannot be run, and laying them out.
#include "smpi/process/images.hpp"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "smpi/process/library_search.hpp"
#include "smpi/process/thread_block.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::uint64_t page_bytes = 4096;
constexpr std::string_view mpi_library = "libmpi_abi.so.1";

constexpr std::array shared_names = {"libc.so.6",     "libm.so.6",      "libpthread.so.0", "libdl.so.2",
                                     "librt.so.1",    "libutil.so.1",   "libresolv.so.2",  "libmvec.so.1",
                                     "libgcc_s.so.1", "libanl.so.1",    "libnsl.so.1",     "ld-linux-x86-64.so.2"};

// A library by the beginning of its name; the first that fits counts.
struct Foreign {
  std::string_view library, what;
};
constexpr std::array foreign_mpis = {
    Foreign{"libmpi.so.12", "MPICH or Intel MPI"}, Foreign{"libmpi.so", "Open MPI"},
    Foreign{"libmpi_mpifh.so", "Open MPI"},        Foreign{"libmpi_usempi", "Open MPI"},
    Foreign{"libmpi_cxx.so", "Open MPI"},          Foreign{"libmpich", "MPICH"},
    Foreign{"libmpicxx.so", "MPICH"},              Foreign{"libmpifort.so", "MPICH or Intel MPI"},
    Foreign{"libmsmpi.so", "Microsoft MPI"}};
constexpr std::array sanitizers = {Foreign{"libasan.so", "the address sanitizer"},
                                   Foreign{"libtsan.so", "the thread sanitizer"},
                                   Foreign{"liblsan.so", "the leak sanitizer"},
                                   Foreign{"libhwasan.so", "the hardware address sanitizer"}};

bool is_shared(std::string_view name) {
  return std::find(shared_names.begin(), shared_names.end(), name) != shared_names.end();
}

bool is_system(const std::string& path) {
  return path.starts_with("/lib") || path.starts_with("/usr/lib");
}

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

// The collection of one program's files.
class Collector {
 public:
  explicit Collector(const LaunchSpec& spec) : spec_(spec), search_(spec.environment) {}

  Result<Images> run(std::uint64_t first_offset) {
    Result<std::unique_ptr<ElfFile>> program = ElfFile::open(spec_.path);
    if (!program) return program.error();
    if (auto refused = refuse_program(*program.value())) return *refused;
    if (auto refused = add(std::move(program.value()), {})) return *refused;
    for (std::size_t i = 0; i < set_.images.size(); ++i)
      if (auto refused = add_needed(i)) return *refused;
    if (auto refused = judge_mpi()) return *refused;
    if (auto refused = open_shared()) return *refused;
    visited_.resize(set_.images.size());
    order(0);
    if (auto refused = lay_out(first_offset)) return *refused;
    return std::move(set_);
  }

 private:
  std::optional<Error> add(std::unique_ptr<ElfFile> file, std::vector<const ElfFile*> requesters) {
    if (auto refused = refuse_image(*file)) return refused;
    requesters.insert(requesters.begin(), file.get());
    chains_.push_back(std::move(requesters));
    Image image;
    image.system = !set_.images.empty() && is_system(file->path());
    image.file = std::move(file);
    set_.images.push_back(std::move(image));
    return std::nullopt;
  }

  std::optional<Error> add_needed(std::size_t index) {
    for (std::string_view needed : set_.images[index].file->dynamic_strings(DT_NEEDED)) {
      const std::string name(needed);
      const std::string base = name.substr(name.rfind('/') + 1);
      if (base == mpi_library) needs_mpi_ = true;
      const auto foreign = std::ranges::find_if(
          foreign_mpis, [&](const Foreign& each) { return base.starts_with(each.library); });
      if (foreign != foreign_mpis.end() && !foreign_mpi_.has_value())
        foreign_mpi_ = {set_.images[index].file->path(), base, foreign->what};
      for (const Foreign& sanitizer : sanitizers)
        if (base.starts_with(sanitizer.library))
          return Error{set_.images[index].file->path() + ": is built with " + std::string(sanitizer.what) +
                       ", which cannot run here; build it without -fsanitize"};
      const bool known = std::find(shared_.begin(), shared_.end(), base) != shared_.end();
      if (is_shared(base) && !known) shared_.push_back(base);
      if (base == mpi_library || is_shared(base) || foreign_mpi_.has_value()) continue;
      if (auto refused = add_library(index, name)) return refused;
    }
    return std::nullopt;
  }

  std::optional<Error> add_library(std::size_t index, const std::string& name) {
    auto known = indices_.find(name);
    if (known == indices_.end()) {
      const std::optional<std::string> path = search_.find(name, chains_[index]);
      if (!path)
        return Error{set_.images[index].file->path() + ": needs the library " + name + ", which is neither in its " +
                     "run paths nor in LD_LIBRARY_PATH, the linker's cache or the system's folders; install it, or "
                     "set LD_LIBRARY_PATH to its folder"};
      Result<std::unique_ptr<ElfFile>> file = ElfFile::open(*path);
      if (!file) return file.error();
      if (auto refused = add(std::move(file.value()), chains_[index])) return refused;
      const std::size_t added = set_.images.size() - 1;
      known = indices_.emplace(name, added).first;
      for (std::string_view soname : set_.images[added].file->dynamic_strings(DT_SONAME))
        indices_.emplace(std::string(soname), added);
    }
    set_.images[index].needed.push_back(known->second);
    return std::nullopt;
  }

  std::optional<Error> judge_mpi() const {
    const std::string advice = "; compile it with rehearse cc (also found as mpicc in rehearse's libexec folder)";
    if (foreign_mpi_.has_value()) {
      const std::string library =
          foreign_mpi_->user == spec_.path ? "" : "needs the library " + foreign_mpi_->user + ", which ";
      return Error{spec_.path + ": " + library + "is built with " + std::string(foreign_mpi_->what) + " (" +
                   foreign_mpi_->library + "), not with the standard MPI ABI" + advice};
    }
    if (spec_.require_mpi && !needs_mpi_)
      return Error{spec_.path + ": is not an MPI program: it does not need " + std::string(mpi_library) + advice};
    return std::nullopt;
  }

  std::optional<Error> open_shared() {
    for (const char* always : {"libc.so.6", "ld-linux-x86-64.so.2"})
      if (std::find(shared_.begin(), shared_.end(), always) == shared_.end()) shared_.emplace_back(always);
    for (const std::string& name : shared_) {
      void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL);
      if (handle == nullptr) return Error{spec_.path + ": needs the library " + name + ": " + dlerror()};
      set_.shared_libraries.push_back(handle);
    }
    return std::nullopt;
  }

  void order(std::size_t index) {
    if (visited_[index]) return;
    visited_[index] = true;
    for (std::size_t needed : set_.images[index].needed) order(needed);
    set_.initialisation_order.push_back(index);
  }

  // Places as the dynamic linker would: thread-local blocks downwards from the thread pointer, the program's first.
  std::optional<Error> lay_out(std::uint64_t offset) {
    for (Image& image : set_.images) {
      const std::uint64_t alignment = image.file->alignment();
      offset = (offset + alignment - 1) / alignment * alignment;
      image.offset = offset;
      offset = (offset + image.file->memory_bytes() + page_bytes - 1) / page_bytes * page_bytes;
      if (!image.file->tls()) continue;
      const Segment& tls = *image.file->tls();
      const std::uint64_t first = (0 - tls.address) & (tls.alignment - 1);
      const std::uint64_t end = set_.tls_bytes + tls.memory_bytes - first;
      image.tls_below = (end + tls.alignment - 1) / tls.alignment * tls.alignment + first;
      set_.tls_bytes = image.tls_below;
    }
    set_.end_offset = offset;
    if (set_.tls_bytes > tls_reserve_bytes)
      return Error{spec_.path + ": has " + std::to_string(set_.tls_bytes) +
                   " bytes of thread-local variables; at most " + std::to_string(tls_reserve_bytes) + " are possible"};
    return std::nullopt;
  }

  const LaunchSpec& spec_;
  LibrarySearch search_;
  Images set_;
  std::vector<std::vector<const ElfFile*>> chains_;  // by image: itself and those that needed it
  std::map<std::string, std::size_t> indices_;
  std::vector<std::string> shared_;
  std::vector<bool> visited_;
  struct ForeignUse {
    std::string user, library;
    std::string_view what;
  };
  std::optional<ForeignUse> foreign_mpi_;
  bool needs_mpi_ = false;
};

}  // namespace

const Image* Images::find(std::uint64_t offset) const {
  for (const Image& image : images)
    if (offset >= image.offset && offset - image.offset < image.file->memory_bytes()) return &image;
  return nullptr;
}

Result<Images> open_images(const LaunchSpec& spec, std::uint64_t first_offset) {
  return Collector(spec).run(first_offset);
}

}  // namespace rehearse::smpi
