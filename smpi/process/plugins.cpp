// SPDX-License-Identifier: MIT
//
// dlopen and similar functions on a rank: our own loader loads plugins into the rank's range, at the same place in each
// rank that opens them. They are private to the rank, like the program itself.
//
// Shape:   the world keeps each file that was read. The list of open plugins is the rank's state, and is rolled back
//          with it. Code that was mapped into a range stays there.
// Errors:  as in dlopen(3): null, and dlerror() gives the reason.
// Not here: namespaces (dlmopen) and dlinfo are refused by name.
#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

#include "smpi/process/heap.hpp"
#include "smpi/process/interposers.hpp"
#include "smpi/process/rank_threads.hpp"
#include "smpi/process/relocation.hpp"
#include "smpi/process/thread_block.hpp"

namespace rehearse::smpi {
namespace {

using Plugins = std::vector<OpenPlugin>;

std::byte* address_of(const RankState& rank, const Image& image) { return rank.base + image.offset; }

const Image& image_of_caller(const RankState& rank, const void* caller) {
  const Images& images = rank.world->images;
  const Image* image = images.find(static_cast<std::uint64_t>(static_cast<const std::byte*>(caller) - rank.base));
  return rank.covers(caller) && image != nullptr ? *image : images.images.front();
}

Plugins& plugins_of(RankState& rank) {
  if (rank.plugins == nullptr) rank.plugins = new Plugins;
  return *rank.plugins;
}

OpenPlugin* find_open(const RankState& rank, const Image* image) {
  if (rank.plugins == nullptr) return nullptr;
  const auto found = std::ranges::find(*rank.plugins, image, &OpenPlugin::image);
  return found == rank.plugins->end() ? nullptr : &*found;
}

void* fail(RankState& rank, const std::string& text) {
  char* kept = strdup(text.c_str());
  rank.plugin_error = kept == nullptr ? "out of memory" : kept;
  return nullptr;
}

bool is_plugin(const RankState& rank, std::size_t index) { return index >= rank.world->images.plugins_begin; }

// The image and the images that it needs, nearest first.
Scope tree_of(const RankState& rank, const Image& root) {
  Scope tree{&root};
  for (std::size_t i = 0; i < tree.size(); ++i)
    for (const std::size_t index : tree[i]->needed) {
      const Image* needed = &rank.world->images.images[index];
      if (std::ranges::find(tree, needed) == tree.end()) tree.push_back(needed);
    }
  return tree;
}

// All images that are loaded in the rank, or only the global ones.
Scope scope_of(const RankState& rank, bool only_global) {
  Scope scope = program_scope(rank.world->images);
  if (rank.plugins != nullptr)
    for (const OpenPlugin& plugin : *rank.plugins)
      if (plugin.is_global || !only_global) scope.push_back(plugin.image);
  return scope;
}

// The images of the tree that are not loaded yet, dependencies first.
void collect_new(const RankState& rank, std::size_t index, std::vector<std::size_t>& order) {
  if (!is_plugin(rank, index) || find_open(rank, &rank.world->images.images[index]) != nullptr) return;
  if (std::ranges::find(order, index) != order.end()) return;
  const std::size_t place = order.size();
  order.push_back(index);  // marks the image as visited; in a cycle of plugins, the first one is loaded last
  for (const std::size_t needed : rank.world->images.images[index].needed) collect_new(rank, needed, order);
  const auto own = order.begin() + static_cast<std::ptrdiff_t>(place);
  std::rotate(own, own + 1, order.end());
}

bool map_plugin(RankState& rank, const Image& image) {
  auto& mapped = rank.world->mapped_plugins;
  if (mapped.contains({rank.context.identity.id.value, &image})) return true;
  if (!map_code(image, rank.base)) return false;
  for (const Segment& segment : image.file->segments()) {
    std::byte* begin = address_of(rank, image) + segment.address;
    if (segment.writable) rank.memory->add_region(begin, begin + segment.memory_bytes);
  }
  if (image.file->tls()) {
    std::byte* begin = rank.base + rank.world->layout.thread_pointer - image.tls_below;
    rank.memory->add_region(begin, begin + image.file->tls()->memory_bytes);
  }
  mapped.insert({rank.context.identity.id.value, &image});
  return true;
}

void write_thread_locals(const RankState& rank, const Image& image) {
  if (!image.file->tls()) return;
  const Segment& tls = *image.file->tls();
  std::byte* begin = rank.base + rank.world->layout.thread_pointer - image.tls_below;
  std::memcpy(begin, address_of(rank, image) + tls.address, tls.file_bytes);
  std::memset(begin + tls.file_bytes, 0, tls.memory_bytes - tls.file_bytes);
}

// Loads the plugins, in this order; empty: done.
std::string load(RankState& rank, const std::vector<std::size_t>& order, const Image& root, int mode) {
  const Images& images = rank.world->images;
  for (const std::size_t index : order)
    if (has_threads() && images.images[index].file->tls())
      fail_rank(FailureKind::unsupported, "unsupported.function",
                "dlopen (of a plugin with thread-local variables, in a rank with threads)");
  const HostAllocation host;
  Scope fresh;
  for (const std::size_t index : order) fresh.push_back(&images.images[index]);
  for (const Image* image : fresh)
    if (!map_plugin(rank, *image)) return image->file->path() + ": could not be mapped (vm.max_map_count)";
  const Scope tree = tree_of(rank, root), everybody = scope_of(rank, true);
  Scope scope = (mode & RTLD_DEEPBIND) != 0 ? tree : everybody;
  const Scope& rest = (mode & RTLD_DEEPBIND) != 0 ? everybody : tree;
  scope.insert(scope.end(), rest.begin(), rest.end());
  Scope loaded = scope_of(rank, false);
  loaded.insert(loaded.end(), fresh.begin(), fresh.end());
  if (std::string error = relocate_plugins(*rank.world->symbols, fresh, scope, loaded, rank.base); !error.empty())
    return error;
  for (const Image* image : fresh) write_thread_locals(rank, *image);
  return {};
}

// Whether the plugin has the definition of a unique symbol, which other images may use.
bool is_needed_by_all(const RankState& rank, const Image& image) {
  const HostAllocation host;
  const Scope loaded = scope_of(rank, false);
  return std::ranges::any_of(image.unique_names, [&](std::string_view name) {
    const auto first = Symbols::find_in_images(name, {}, loaded);
    return first && first->image == &image;
  });
}

// Adds a reference to the image and to the images that it needs; the libraries of the program itself are not counted.
void add_references(RankState& rank, const Image& image, int mode) {
  OpenPlugin* plugin = find_open(rank, &image);
  if (plugin == nullptr) return;
  ++plugin->references;
  plugin->is_global = plugin->is_global || (mode & RTLD_GLOBAL) != 0;
  plugin->stays = plugin->stays || (mode & RTLD_NODELETE) != 0 || is_needed_by_all(rank, image) ||
                  (image.file->dynamic(DT_FLAGS_1) & DF_1_NODELETE) != 0;
}

void* open_image(RankState& rank, std::size_t index, int mode) {
  Images& images = rank.world->images;
  const Image& image = images.images[index];
  if (!is_plugin(rank, index) || find_open(rank, &image) != nullptr) {
    add_references(rank, image, mode);
    return address_of(rank, image);
  }
  std::vector<std::size_t> order;
  collect_new(rank, index, order);
  if (const std::string error = load(rank, order, image, mode); !error.empty()) return fail(rank, error);
  for (const std::size_t added : order) plugins_of(rank).push_back({&images.images[added], 0, false, false});
  for (const Image* part : tree_of(rank, image))
    if (part != &image) add_references(rank, *part, mode);
  add_references(rank, image, mode);
  for (const std::size_t added : order) construct_image(rank, images.images[added]);
  return address_of(rank, image);
}

void* rank_dlopen(const char* name, int mode) {
  RankState& rank = this_rank();
  if (name == nullptr || *name == '\0') return address_of(rank, rank.world->images.images.front());
  const Image& caller = image_of_caller(rank, __builtin_return_address(0));
  Opened opened;
  std::string error;
  {
    const HostAllocation host;
    RankWorld& world = *rank.world;
    auto found = open_plugin(world.spec, world.images, name, caller, &world.next_plugin, world.range_bytes);
    if (found) opened = found.value();
    else error = found.error().text;
  }
  if (!error.empty()) {
    fail(rank, error);
    const HostAllocation host;
    std::string().swap(error);
    return nullptr;
  }
  if (opened.what == Opened::What::program) return address_of(rank, rank.world->images.images.front());
  if (opened.what == Opened::What::shared) return opened.shared;
  const Image* image = &rank.world->images.images[opened.image];
  if ((mode & RTLD_NOLOAD) != 0 && is_plugin(rank, opened.image) && find_open(rank, image) == nullptr) return nullptr;
  return open_image(rank, opened.image, mode);
}

// The image of a handle; null: it is a handle of a shared library, or none.
const Image* image_of_handle(const RankState& rank, const void* handle) {
  if (!rank.covers(handle)) return nullptr;
  const auto offset = static_cast<std::uint64_t>(static_cast<const std::byte*>(handle) - rank.base);
  const Image* image = rank.world->images.find(offset);
  return image != nullptr && image->offset == offset ? image : nullptr;
}

void release(RankState& rank, const Image& image) {
  OpenPlugin* plugin = find_open(rank, &image);
  if (plugin == nullptr || --plugin->references > 0 || plugin->stays) return;
  destroy_image(rank, image);
  std::erase_if(*rank.plugins, [&](const OpenPlugin& other) { return other.image == &image; });
}

int rank_dlclose(void* handle) {
  RankState& rank = this_rank();
  const Image* image = image_of_handle(rank, handle);
  if (image == nullptr) return rank.covers(handle) ? (fail(rank, "dlclose: not the handle of an open library"), -1) : 0;
  const OpenPlugin* plugin = find_open(rank, image);
  if (plugin == nullptr) return 0;  // the program and its libraries stay
  if (plugin->references > 1 || plugin->stays) {
    release(rank, *image);
    return 0;
  }
  const Scope tree = tree_of(rank, *image);
  for (const Image* part : tree) release(rank, *part);
  return 0;
}

char* rank_dlerror() { return const_cast<char*>(std::exchange(this_rank().plugin_error, nullptr)); }

void* address_of(const RankState& rank, const Definition& found) {
  switch (found.place) {
    case Definition::Place::process: return reinterpret_cast<void*>(found.value);
    case Definition::Place::range: return rank.base + found.value;
    case Definition::Place::nothing: return nullptr;
    case Definition::Place::image: break;
  }
  const std::uint64_t value = found.symbol->st_value;
  if (ELF64_ST_TYPE(found.symbol->st_info) == STT_TLS) return current_thread_pointer() + found.image->tls_offset(value);
  if (found.symbol->st_shndx == SHN_ABS) return reinterpret_cast<void*>(value);
  std::byte* address = address_of(rank, *found.image) + value;
  if (ELF64_ST_TYPE(found.symbol->st_info) == STT_GNU_IFUNC) return reinterpret_cast<void* (*)()>(address)();
  return address;
}

// The images in which a lookup by this handle searches. False: it is not a handle.
bool scope_of_handle(const RankState& rank, void* handle, const void* caller, Scope& scope) {
  scope = scope_of(rank, true);
  if (handle == RTLD_DEFAULT) return true;
  if (handle == RTLD_NEXT) {
    const auto own = std::ranges::find(scope, &image_of_caller(rank, caller));
    scope.erase(scope.begin(), own == scope.end() ? own : own + 1);
    return true;
  }
  const Image* image = image_of_handle(rank, handle);
  if (image == nullptr) {
    const auto& shared = rank.world->images.shared_libraries;
    scope.clear();
    return std::ranges::find(shared, handle) != shared.end();
  }
  if (image != scope.front()) scope = tree_of(rank, *image);
  return true;
}

void* find_symbol(void* handle, const char* name, const char* version, const void* caller) {
  RankState& rank = this_rank();
  std::optional<Definition> found;
  bool known = false;
  {
    const HostAllocation host;
    Scope scope;
    known = scope_of_handle(rank, handle, caller, scope);
    if (known) found = rank.world->symbols->find(name, version, scope);
  }
  if (!known) return fail(rank, "dlsym: not the handle of an open library");
  if (!found) return fail(rank, std::string("undefined symbol: ") + name);
  return address_of(rank, *found);
}

void* rank_dlsym(void* handle, const char* name) { return find_symbol(handle, name, "", __builtin_return_address(0)); }

void* rank_dlvsym(void* handle, const char* name, const char* version) {
  return find_symbol(handle, name, version, __builtin_return_address(0));
}

int rank_dladdr(const void* address, Dl_info* info) {
  const RankState& rank = this_rank();
  const std::uint64_t offset = static_cast<std::uint64_t>(static_cast<const std::byte*>(address) - rank.base);
  const Image* image = rank.covers(address) ? rank.world->images.find(offset) : nullptr;
  if (image == nullptr) return rank.covers(address) ? 0 : ::dladdr(address, info);
  std::byte* base = address_of(rank, *image);
  *info = {image->file->path().c_str(), base, nullptr, nullptr};
  if (const Elf64_Sym* symbol = image->file->nearest(offset - image->offset)) {
    info->dli_sname = image->file->name(*symbol).data();
    info->dli_saddr = base + symbol->st_value;
  }
  return 1;
}

}  // namespace

void destroy_plugins(RankState& rank) {
  while (rank.plugins != nullptr && !rank.plugins->empty()) {
    const Image& image = *rank.plugins->back().image;
    rank.plugins->pop_back();
    destroy_image(rank, image);
  }
}

InterposerList plugin_interposers() {
  return {{"dlopen", function_address(rank_dlopen)},   {"dlclose", function_address(rank_dlclose)},
          {"dlsym", function_address(rank_dlsym)},     {"dlvsym", function_address(rank_dlvsym)},
          {"dlerror", function_address(rank_dlerror)}, {"dladdr", function_address(rank_dladdr)}};
}

}  // namespace rehearse::smpi
