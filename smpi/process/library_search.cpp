// SPDX-License-Identifier: MIT
//
// The dynamic linker's search, and its cache file.
#include "smpi/process/library_search.hpp"

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace rehearse::smpi {
namespace {

namespace fs = std::filesystem;

// The format of /etc/ld.so.cache since glibc 2.2; string offsets count from its header.
struct CacheHeader {
  char magic[20];
  std::uint32_t entries;
  std::uint32_t string_bytes;
  std::uint32_t unused[5];
};
struct CacheEntry {
  std::int32_t flags;
  std::uint32_t name, path;
  std::uint32_t os_version;
  std::uint64_t hardware;
};
constexpr std::string_view cache_magic = "glibc-ld.so.cache1.1";
constexpr std::int32_t flags_x86_64 = 0x0303;

std::map<std::string, std::string, std::less<>> read_cache() {
  std::ifstream file("/etc/ld.so.cache", std::ios::binary);
  const std::string data{std::istreambuf_iterator<char>(file), {}};
  std::map<std::string, std::string, std::less<>> cache;
  const std::size_t start = data.find(cache_magic);  // an older cache may come before it
  if (start == std::string::npos || data.size() - start < sizeof(CacheHeader)) return cache;
  const std::string_view body = std::string_view(data).substr(start);
  CacheHeader header;
  std::memcpy(&header, body.data(), sizeof header);
  if (header.entries > (body.size() - sizeof header) / sizeof(CacheEntry)) return cache;
  for (std::uint32_t i = 0; i < header.entries; ++i) {
    CacheEntry entry;
    std::memcpy(&entry, body.data() + sizeof header + i * sizeof entry, sizeof entry);
    if (entry.flags != flags_x86_64 || entry.hardware != 0) continue;
    if (entry.name >= body.size() || entry.path >= body.size()) continue;
    cache.emplace(body.data() + entry.name, body.data() + entry.path);
  }
  return cache;
}

std::vector<std::string> split(std::string_view list, std::string_view separators) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find_first_of(separators), list.size());
    parts.emplace_back(end == 0 ? "." : list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return parts;
}

std::string expand(std::string text, const ElfFile& origin) {
  const std::string directory = fs::absolute(origin.path()).parent_path().string();
  const std::pair<std::string_view, std::string> names[] = {{"ORIGIN", directory},
                                                            {"LIB", "lib/x86_64-linux-gnu"},
                                                            {"PLATFORM", "x86_64"}};
  for (const auto& [name, value] : names)
    for (const std::string& token : {"${" + std::string(name) + "}", "$" + std::string(name)})
      for (std::size_t at; (at = text.find(token)) != std::string::npos;) text.replace(at, token.size(), value);
  return text;
}

bool is_library(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header;
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return false;
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
         header.e_machine == EM_X86_64;
}

}  // namespace

LibrarySearch::LibrarySearch(const std::vector<std::string>& environment) : cache_(read_cache()) {
  constexpr std::string_view variable = "LD_LIBRARY_PATH=";
  for (const std::string& entry : environment)
    if (entry.starts_with(variable)) library_path_ = split(std::string_view(entry).substr(variable.size()), ":;");
}

std::optional<std::string> LibrarySearch::find(const std::string& name,
                                               const std::vector<const ElfFile*>& requesters) const {
  const ElfFile& requester = *requesters.front();
  if (name.find('/') != std::string::npos) {
    const std::string path = expand(name, requester);
    return is_library(path) ? std::optional(path) : std::nullopt;
  }
  std::vector<std::string> directories;
  auto add_dynamic = [&](const ElfFile& file, std::int64_t tag) {
    for (std::string_view list : file.dynamic_strings(tag))
      for (const std::string& directory : split(list, ":")) directories.push_back(expand(directory, file));
  };
  if (!requester.has_dynamic(DT_RUNPATH))
    for (const ElfFile* file : requesters)
      if (!file->has_dynamic(DT_RUNPATH)) add_dynamic(*file, DT_RPATH);
  directories.insert(directories.end(), library_path_.begin(), library_path_.end());
  add_dynamic(requester, DT_RUNPATH);
  for (const std::string& directory : directories)
    if (std::string path = directory + "/" + name; is_library(path)) return path;
  if (auto cached = cache_.find(name); cached != cache_.end() && is_library(cached->second)) return cached->second;
  for (const char* directory :
       {"/lib/x86_64-linux-gnu/", "/usr/lib/x86_64-linux-gnu/", "/lib64/", "/usr/lib64/", "/lib/", "/usr/lib/"})
    if (std::string path = directory + name; is_library(path)) return path;
  return std::nullopt;
}

}  // namespace rehearse::smpi
