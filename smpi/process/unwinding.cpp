// SPDX-License-Identifier: MIT
//
// Makes the loaded images known to unwinders (C++ exceptions through libgcc, reports through libunwind), which ask the
// dynamic linker. We answer for addresses in the running rank's images and pass on the other requests.
//
// The dynamic linker's functions are defined here for this whole process.
#include <cxxabi.h>
#include <dlfcn.h>
#include <link.h>

#include <exception>
#include <memory>
#include <string>
#include <typeinfo>

#include "smpi/process/heap.hpp"
#include "smpi/process/interposers.hpp"
#include "smpi/process/thread_block.hpp"

namespace rehearse::smpi {
namespace {

const Image* image_at(const RankState& rank, const void* address) {
  if (!rank.covers(address)) return nullptr;
  return rank.world->images.find(static_cast<std::uint64_t>(static_cast<const std::byte*>(address) - rank.base));
}

// All thread-local blocks of a rank's images are at fixed distances: relocation.cpp wrote the distance as module.
struct ThreadLocalIndex {
  std::uint64_t distance;
  std::uint64_t offset;
};

void* rank_tls_get_addr(const ThreadLocalIndex* index) {
  return current_thread_pointer() + index->distance + index->offset;
}

int rank_no_fork_handlers() { return 0; }  // there is no fork, so no handler is ever called

}  // namespace

bool describe_uncaught_exception(const RankState& rank, std::string& text) {
  const CppRuntime& cpp = rank.world->cpp;
  if (cpp.current_exception_type == 0 || cpp.current_exception == 0 || cpp.exception_typeinfo == 0) return false;
  const auto* type = reinterpret_cast<const std::type_info* (*)()>(rank.base + cpp.current_exception_type)();
  if (type == nullptr) return false;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(type->name(), nullptr, nullptr, &status),
                                                    std::free);
  text = std::string("uncaught exception ") + (name != nullptr ? name.get() : type->name());
  void* object = nullptr;  // the content of a std::exception_ptr
  reinterpret_cast<void (*)(void**)>(rank.base + cpp.current_exception)(&object);
  const auto* base = reinterpret_cast<const std::type_info*>(rank.base + cpp.exception_typeinfo);
  if (object != nullptr && base->__do_catch(type, &object, 1))
    text += std::string(": ") + static_cast<std::exception*>(object)->what();
  return true;
}

InterposerList unwinding_interposers() {
  return {{"_dl_find_object", function_address(::_dl_find_object)},
          {"dl_iterate_phdr", function_address(::dl_iterate_phdr)},
          {"__tls_get_addr", function_address(rank_tls_get_addr)},
          {"pthread_atfork", function_address(rank_no_fork_handlers)},
          {"__register_atfork", function_address(rank_no_fork_handlers)}};
}

}  // namespace rehearse::smpi

using namespace rehearse::smpi;

extern "C" int _dl_find_object(void* address, dl_find_object* result) noexcept {
  const RankState* rank = running_rank();
  const Image* image = rank == nullptr ? nullptr : image_at(*rank, address);
  if (image != nullptr) {
    if (image->file->eh_frame_header() == 0) return -1;
    std::byte* base = rank->base + image->offset;
    *result = {};
    result->dlfo_map_start = base;
    result->dlfo_map_end = base + image->file->memory_bytes();
    result->dlfo_eh_frame = base + image->file->eh_frame_header();
    return 0;
  }
  static const auto real = reinterpret_cast<decltype(&_dl_find_object)>(dlsym(RTLD_NEXT, "_dl_find_object"));
  return real(address, result);
}

extern "C" int dl_iterate_phdr(int (*callback)(dl_phdr_info*, std::size_t, void*), void* argument) {
  static const auto real = reinterpret_cast<decltype(&dl_iterate_phdr)>(dlsym(RTLD_NEXT, "dl_iterate_phdr"));
  if (const int stop = real(callback, argument); stop != 0) return stop;
  const RankState* rank = running_rank();
  if (rank == nullptr) return 0;
  const Images& images = rank->world->images;
  std::size_t shown = 0;
  const auto show = [&](const Image& image) {
    dl_phdr_info info{};
    info.dlpi_addr = reinterpret_cast<ElfW(Addr)>(rank->base + image.offset);
    info.dlpi_name = image.file->path().c_str();
    info.dlpi_phdr = image.file->program_headers().data();
    info.dlpi_phnum = static_cast<ElfW(Half)>(image.file->program_headers().size());
    ++shown;
    return callback(&info, sizeof info, argument);
  };
  while (shown < images.plugins_begin)
    if (const int stop = show(images.images[shown]); stop != 0) return stop;
  const std::size_t open = rank->plugins == nullptr ? 0 : rank->plugins->size();
  for (std::size_t i = 0; i < open; ++i)
    if (const int stop = show(*(*rank->plugins)[i].image); stop != 0) return stop;
  return 0;
}
