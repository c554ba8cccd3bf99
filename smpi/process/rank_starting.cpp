// SPDX-License-Identifier: MIT
//
// Programs that ranks start while they run. See births.hpp.
//
// In a run, ranks without a program wait at `unborn_` until the calling rank gives them one. Their images follow those
// of the programs before, in the room that the layout leaves for them. The birth message then makes the rank run from
// its first instruction to its own receive of that message, which gets it.
#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <string_view>

#include "simcore/support/format.hpp"
#include "smpi/process/program_variables.hpp"
#include "smpi/process/rank_program.hpp"

namespace rehearse::smpi {
namespace {

class SavedNames final : public Snapshot {
 public:
  explicit SavedNames(const NameServer& names) : names_(names) {}
  std::uint64_t bytes() const override { return sizeof *this; }
  const NameServer& names() const { return names_; }

 private:
  NameServer names_;
};

}  // namespace

std::unique_ptr<Snapshot> RankProgram::save_names() const { return std::make_unique<SavedNames>(*names_); }

void RankProgram::restore_names(const Snapshot& snapshot) { names_ = static_cast<const SavedNames&>(snapshot).names(); }

void append_worlds(const LaunchSpec& spec, const SpawnedGroup& group, std::uint32_t first,
                   std::vector<std::unique_ptr<RankWorld>>& worlds) {
  int number = 0;
  for (const SpawnCommand& command : group.commands) {
    auto world = std::make_unique<RankWorld>();
    world->number = number++;
    world->spec = spec;
    world->spec.path = command.path;
    world->spec.argv = command.argv;
    world->first_rank = first;
    world->end_rank = first += command.ranks;
    world->parent = group.parent;
    world->folder = command.folder;
    world->host = command.host;
    worlds.push_back(std::move(world));
  }
}

// Opens the images of a new group. Its worlds get everything that all worlds have in common.
Result<void> RankProgram::open_worlds(std::vector<std::unique_ptr<RankWorld>>& worlds) const {
  std::uint64_t end = parts_.back().world->images.end_offset;
  for (const auto& world : worlds) {
    world->files = world_->files;
    world->program_variables = std::make_shared<ProgramVariables>();
    world->range_bytes = world_->range_bytes;
    world->actors = world_->actors;
    world->layout = world_->layout;
    world->next_plugin = world_->layout.heap_end;
    world->clock = world_->clock;
    world->thread_template = &threads_;
    world->starter = world_->starter;
    world->name_server = world_->name_server;
    world->shows_regions = world_->shows_regions;
    Result<Images> images = open_images(world->spec, end);
    if (!images) return images.error();
    world->images = std::move(images.value());
    end = world->images.end_offset;
    if (end > world_->layout.emergency_begin)
      return Error{fmt::format("{}: no room for the code of further programs", world->spec.path)};
    for (const Image& image : world->images.images)
      if (image.file->needs_executable_stack() && !has_executable_stacks_)
        return Error{
            fmt::format("{}: needs an executable stack, which the first program does not", image.file->path())};
  }
  return {};
}

namespace {

// A symbol as the name of the function in C: those of Fortran have small letters and an underscore or more behind.
bool is_call(std::string_view symbol, std::string_view function) {
  if (symbol.starts_with("PMPI_") || symbol.starts_with("pmpi_")) symbol.remove_prefix(1);
  if (symbol == function) return true;
  const auto is_same = [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); };
  const std::size_t size = function.size();
  return symbol.size() > size && symbol[size] == '_' && std::ranges::equal(symbol.substr(0, size), function, is_same);
}

bool is_call_of(std::string_view symbol, std::initializer_list<std::string_view> functions) {
  return std::ranges::any_of(functions, [symbol](std::string_view function) { return is_call(symbol, function); });
}

// Whether the code uses names: those of services, or sockets that listen. Of libraries, only those that call MPI count
// for sockets: many others could be servers.
bool uses_names(const Image& image, bool is_program) {
  if (image.system) return false;
  bool has_services = false, calls_mpi = is_program, listens = false;
  for (const std::string_view name : image.file->undefined_names()) {
    calls_mpi |= name.starts_with("MPI_") || name.starts_with("PMPI_");
    listens |= name == "listen" || is_call(name, "MPI_Comm_join");
    has_services |= is_call_of(name, {"MPI_Publish_name", "MPI_Unpublish_name", "MPI_Lookup_name"});
  }
  return has_services || (listens && calls_mpi);
}

}  // namespace

// Ranks that start others may start some that use names.
void RankProgram::serve_names() {
  const bool are_used = std::ranges::any_of(parts_, [&](const Part& part) {
    const auto& images = part.world->images.images;
    return std::ranges::any_of(images,
                               [&](const Image& image) { return uses_names(image, &image == &images.front()); });
  });
  if (!are_used && !world_->spec.starts.starts_groups) return;
  names_.emplace();
  for (Part& part : parts_) part.world->name_server = ActorId{world_->actors};
}

Result<std::uint32_t> RankProgram::start(const SpawnedGroup& group) {
  const std::uint32_t first = ranks();
  std::vector<std::unique_ptr<RankWorld>> worlds;
  append_worlds(world_->spec, group, first, worlds);
  if (Result<void> opened = open_worlds(worlds); !opened) return opened.error();
  for (const auto& world : worlds) {
    if (world->host.empty()) continue;
    for (const Part& part : parts_)
      part.world->spec.nodes.put(world->first_rank, world->end_rank, world->host, world_->actors);
    for (const auto& other : worlds)
      other->spec.nodes.put(world->first_rank, world->end_rank, world->host, world_->actors);
  }
  for (auto& world : worlds) {
    const std::uint32_t begin = world->first_rank, end = world->end_rank;
    parts_.push_back({std::move(world), {}, begin, end});
    if (Result<bool> loaded = load(parts_.back(), mapping_); !loaded) return loaded.error();
  }
  return first;
}

// The world of a rank that another one started, or null.
const RankWorld* RankProgram::started_world(ActorId rank) const {
  const auto part =
      std::ranges::find_if(parts_, [&](const Part& candidate) { return rank.value < candidate.end_rank; });
  return part == parts_.end() || !part->world->parent ? nullptr : part->world.get();
}

std::string RankProgram::started_command(ActorId rank) const {
  const RankWorld* world = started_world(rank);
  std::string text;
  if (world == nullptr) return text;
  for (const std::string& word : world->spec.argv) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string RankProgram::started_host(ActorId rank) const {
  const RankWorld* world = started_world(rank);
  return world == nullptr ? "" : world->host;
}

void NodeMap::put(std::uint32_t first, std::uint32_t end, const std::string& name, std::uint32_t all) {
  const auto known = std::ranges::find(names, name);
  const auto node = static_cast<std::uint32_t>(known - names.begin());
  if (known == names.end()) names.push_back(name);
  of_rank.resize(all);
  std::fill(of_rank.begin() + first, of_rank.begin() + end, node);
}

}  // namespace rehearse::smpi
