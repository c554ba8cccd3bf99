// SPDX-License-Identifier: MIT
//
// See file_system.hpp.
#include "app/file_system.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace rehearse::app {
namespace {

constexpr std::string_view no_disks = "none";
constexpr std::string_view own_disks = "local";
constexpr std::string_view accepted_places = "; accepted: none, local, or hosts with disks: HOST[,HOST...]";

std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    names.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

}  // namespace

Result<std::optional<FileSystem>> file_system_of(const FileSystemOptions& options, const Platform& platform) {
  const PlatformSettings& settings = platform.settings();
  const bool is_given = !options.where.empty();
  const std::string where = is_given ? options.where : settings.file_system.value_or(std::string(no_disks));
  if (where == no_disks) return std::optional<FileSystem>{};
  FileSystem files;
  if (options.stripe_bytes) files.stripe_bytes = *options.stripe_bytes;
  else if (settings.stripe_bytes) files.stripe_bytes = *settings.stripe_bytes;
  if (where == own_disks) return std::optional(files);
  const std::string place = is_given ? "--file-system: " : "platform '" + platform.name() + "': rehearse/file-system: ";
  for (const std::string& name : names_in(where)) {
    const std::optional<HostId> host = platform.find_host(name);
    if (!host) return Error{place + "there is no host '" + name + "' on the platform" + std::string(accepted_places)};
    const std::vector<DiskId> disks = platform.disks_of(*host);
    if (disks.empty()) return Error{place + "host '" + name + "' has no disk" + std::string(accepted_places)};
    files.disks.insert(files.disks.end(), disks.begin(), disks.end());
  }
  return std::optional(files);
}

}  // namespace rehearse::app
