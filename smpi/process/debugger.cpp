// SPDX-License-Identifier: MIT
//
// Adds one namespace to the dynamic linker's list.
#include "smpi/process/debugger.hpp"

#include <dlfcn.h>
#include <link.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace rehearse::smpi {
namespace {

// The dynamic linker's variable; looked up by name, because a direct reference would create a copy of it.
r_debug_extended* first_namespace() { return static_cast<r_debug_extended*>(dlsym(RTLD_DEFAULT, "_r_debug")); }

bool is_traced() {
  std::ifstream status("/proc/self/status");
  const std::string key = "TracerPid:\t";
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(key)) return line.substr(key.size()) != "0";
  return false;
}

// An attached debugger reads the whole list again when a library is removed.
void notify_debugger() {
  if (!is_traced()) return;
  if (void* library = dlopen("libBrokenLocale.so.1", RTLD_NOW)) dlclose(library);
}

}  // namespace

struct DebuggerView::List {
  r_debug_extended space{};
  std::map<const Image*, std::string> names;

  char* name_of(const Image& image) {
    std::error_code ignored;
    const auto [found, is_new] = names.try_emplace(&image);
    if (is_new) found->second = std::filesystem::canonical(image.file->path(), ignored).string();
    return found->second.data();
  }
  std::vector<link_map> maps;
};

DebuggerView::DebuggerView(const std::vector<const Images*>& images, const std::vector<std::byte*>& bases)
    : list_(std::make_unique<List>()) {
  r_debug_extended* first = first_namespace();
  if (first == nullptr || first->base.r_version == 0) return;
  for (std::size_t rank = 0; rank < bases.size(); ++rank) {
    const Images& of_rank = *images[rank];
    if (list_->maps.size() + of_rank.plugins_begin > images_max) break;
    for (std::size_t i = 0; i < of_rank.plugins_begin; ++i) {
      const Image& image = of_rank.images[i];
      link_map map{};
      map.l_addr = reinterpret_cast<ElfW(Addr)>(bases[rank] + image.offset);
      map.l_name = list_->name_of(image);
      for (const Elf64_Phdr& header : image.file->program_headers())
        if (header.p_type == PT_DYNAMIC) map.l_ld = reinterpret_cast<ElfW(Dyn)*>(map.l_addr + header.p_vaddr);
      list_->maps.push_back(map);
    }
  }
  if (list_->maps.empty()) return;
  for (std::size_t i = 0; i < list_->maps.size(); ++i) {
    if (i > 0) list_->maps[i].l_prev = &list_->maps[i - 1];
    if (i + 1 < list_->maps.size()) list_->maps[i].l_next = &list_->maps[i + 1];
  }
  list_->space.base = first->base;
  list_->space.base.r_version = 2;
  list_->space.base.r_map = list_->maps.data();
  list_->space.r_next = first->base.r_version > 1 ? first->r_next : nullptr;
  first->r_next = &list_->space;
  first->base.r_version = 2;
  notify_debugger();
}

DebuggerView::~DebuggerView() {
  if (list_->space.base.r_map == nullptr) return;
  for (r_debug_extended* space = first_namespace(); space != nullptr; space = space->r_next)
    if (space->r_next == &list_->space) space->r_next = list_->space.r_next;
}

}  // namespace rehearse::smpi
