// SPDX-License-Identifier: MIT
//
// Loading: what has to be there, the code of all ranks, the data that each begins with.
#include "smpi/process/rank_program.hpp"

#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "smpi/process/interpose_accesses.hpp"

namespace rehearse::smpi {
namespace {

// libunwind has functions of the same names as libgcc, which calls some of its own by name: they must be found there.
bool unwinders_agree() {
  void* libgcc = dlopen("libgcc_s.so.1", RTLD_NOW);
  return libgcc != nullptr && dlsym(libgcc, "_Unwind_GetCFA") == dlsym(RTLD_DEFAULT, "_Unwind_GetCFA");
}

bool tells_accesses(const Images& images) {
  return std::ranges::any_of(images.images, [](const Image& image) {
    const auto needed = image.file->dynamic_strings(DT_NEEDED);
    return std::ranges::find(needed, access_library) != needed.end();
  });
}

}  // namespace

void** find_stream_list() { return static_cast<void**>(dlsym(RTLD_DEFAULT, "_IO_list_all")); }

Result<bool> RankProgram::load() {
  const std::string& path = world_->spec.path;
  if (!unwinders_agree()) return Error{"rehearse was linked so that libunwind comes before libgcc_s; it must not"};
  if (stream_list_ == nullptr) return Error{"this C library does not show its list of open streams; glibc does"};
  Symbols::Interposers ours = all_interposers();
  const bool tells = tells_accesses(world_->images);
  world_->spec.buffers.accesses &= tells;
  if (tells)
    for (const auto& [name, function] : access_interposers()) ours.insert_or_assign(name, function);
  world_->symbols = std::make_shared<const Symbols>(*world_, std::move(ours), overriding_interposers());
  for (std::uint32_t i = 0; i < world_->spec.ranks; ++i) {
    std::byte* range = base(ActorId{i});
    const auto is_mapped = [&](const Image& image) { return map_code(image, range); };
    const bool mapped = std::ranges::all_of(world_->images.images, is_mapped) &&
                        mprotect(range, world_->layout.stack_begin, PROT_NONE) == 0;
    if (!mapped)
      return Error{path + ": rank " + std::to_string(i) + " could not be mapped: " + std::strerror(errno) +
                   " (the kernel's limit of mappings is vm.max_map_count)"};
  }
  Result<DataTemplate> data = make_data_template(*world_, *world_->symbols, base(ActorId{0}));
  if (!data) return data.error();
  data_ = std::move(data.value());
  find_variables();
  for (std::uint32_t i = 0; i < world_->spec.ranks; ++i) {
    make_memory(ActorId{i});
    reset(ActorId{i});
  }
  if (world_->spec.guard != LaunchSpec::Guard::none && world_->spec.ranks > 1) {
    guard_ = std::make_unique<MemoryGuard>();
    if (world_->spec.guard == LaunchSpec::Guard::always) guard_->be_strict();
    for (Rank& rank : ranks_) guard_->add(*rank.memory);
    open_when_touched([](void* self, const void* at) { return static_cast<RankProgram*>(self)->open_at(at); }, this);
  }
  catch_crashes();
  std::vector<std::byte*> bases;
  for (std::uint32_t i = 0; i < std::min<std::uint32_t>(world_->spec.ranks, DebuggerView::images_max); ++i)
    bases.push_back(base(ActorId{i}));
  debugger_ = std::make_unique<DebuggerView>(world_->images, bases);
  return true;
}

// Where the program sees libc's variables, and the parts of its C++ library that tell of exceptions.
void RankProgram::find_variables() {
  const Scope scope = program_scope(world_->images);
  for (std::size_t i = 0; i < variable_count; ++i)
    world_->variables[i] = world_->layout.control_begin + variable_offset(i);
  for (const char* name : {"optarg", "optind", "opterr", "optopt", "stdin", "stdout", "stderr", "environ", "__environ",
                           "program_invocation_name", "program_invocation_short_name"})
    if (auto found = Symbols::find_in_images(name, {}, scope))
      world_->variables[find_variable(name)] = found->image->offset + found->symbol->st_value;
  auto offset_of = [&](std::string_view name) {
    const auto found = Symbols::find_in_images(name, {}, scope);
    return found ? found->image->offset + found->symbol->st_value : 0;
  };
  world_->cpp = {offset_of("__cxa_current_exception_type"), offset_of("_ZSt17current_exceptionv"),
                 offset_of("_ZTISt9exception")};
}

}  // namespace rehearse::smpi
