// SPDX-License-Identifier: MIT
//
// The public functions that load a program, and the layout of ranges.
#include <new>

#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/page.hpp"
#include "simcore/support/sanitizer.hpp"
#include "smpi/process/program_variables.hpp"
#include "smpi/process/rank_program.hpp"
#include "smpi/process/rank_slot.hpp"
#include "smpi/region_marks.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::uint64_t table_bytes = std::uint64_t{2} << 20;  // the memory that one page of page tables covers
constexpr std::uint64_t largest_guard = std::uint64_t{1} << 30;
constexpr std::uint64_t emergency_bytes = std::uint64_t{64} << 10;
constexpr std::uint64_t near_top_bytes = std::uint64_t{64} << 10;
constexpr std::uint64_t smallest_heap = std::uint64_t{64} << 20;
constexpr std::uint64_t room_for_later_images = std::uint64_t{4} << 30;  // of addresses, in each range

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

// The ranks of the program, or null if it was not loaded.
RankProgram* ranks_of(Program& program) {
  if (auto* outer = dynamic_cast<ProgramAroundRanks*>(&program)) return ranks_of(outer->ranks());
  return dynamic_cast<RankProgram*>(&program);
}

// The layout up to the images; the rest follows from them.
RangeLayout begin_layout(std::uint64_t range_bytes, std::uint64_t stack_bytes) {
  RangeLayout layout;
  const std::uint64_t guard = std::min(largest_guard, range_bytes / 8);
  // The end of the stack that is most used shares a page of page tables with the images.
  layout.stack_end = round_up(guard + stack_bytes, table_bytes) + near_top_bytes;
  layout.stack_begin = layout.stack_end - round_up(stack_bytes, page_bytes);
  return layout;
}

void finish_layout(RangeLayout& layout, std::uint64_t images_end, std::uint64_t range_bytes,
                   const ThreadTemplate& threads) {
  layout.heap_end = range_bytes - range_bytes / 8 / table_bytes * table_bytes;
  layout.emergency_begin = images_end;
  layout.emergency_end = images_end + emergency_bytes;
  const std::uint64_t lowest = layout.emergency_end + threads.below();
  layout.thread_pointer = round_up(lowest - threads.page_phase(), page_bytes) + threads.page_phase();
  layout.control_begin = round_up(layout.thread_pointer + threads.control_bytes(), 64);
  layout.vector_begin = round_up(layout.control_begin + sizeof(RankState), 16);
  layout.heap_begin = round_up(layout.vector_begin + threads.vector_bytes(), 16);
}

// A world of the first programs of the job, without its images.
std::unique_ptr<RankWorld> make_world(const LaunchSpec& spec, std::size_t number) {
  auto world = std::make_unique<RankWorld>();
  world->number = static_cast<int>(number);
  world->spec = spec;
  if (number > 0) {
    world->spec.path = spec.others[number - 1].path;
    world->spec.argv = spec.others[number - 1].argv;
    world->first_rank = spec.others[number - 1].first_rank;
  }
  world->end_rank = number < spec.others.size() ? spec.others[number].first_rank : spec.ranks;
  return world;
}

std::vector<std::unique_ptr<RankWorld>> make_worlds(const LaunchSpec& spec) {
  std::vector<std::unique_ptr<RankWorld>> worlds;
  for (std::size_t i = 0; i <= spec.others.size(); ++i) worlds.push_back(make_world(spec, i));
  std::uint32_t first = spec.ranks;
  for (const SpawnedGroup& group : spec.starts.groups) {
    append_worlds(spec, group, first, worlds);
    first += group.ranks();
  }
  return worlds;
}

// The worlds of all programs of the job. The images of the programs have different offsets, so an offset in a rank's
// range has the same meaning in all ranks that have an image there.
Result<std::vector<std::unique_ptr<RankWorld>>> open_worlds(const LaunchSpec& spec, std::uint32_t actors,
                                                            std::uint64_t range_bytes, const ThreadTemplate& threads) {
  std::vector<std::unique_ptr<RankWorld>> worlds = make_worlds(spec);
  for (const auto& placed : worlds)
    if (!placed->host.empty())
      for (const auto& world : worlds)
        world->spec.nodes.put(placed->first_rank, placed->end_rank, placed->host, actors);
  const auto files = spec.keep_files ? std::make_shared<FileTraffic>() : nullptr;
  const RangeLayout begun = begin_layout(range_bytes, spec.stack_bytes);
  std::uint64_t end = begun.stack_end;
  bool may_revoke = false;
  for (const auto& world : worlds) {
    if (world->spec.argv.empty()) world->spec.argv = {world->spec.path};
    world->files = files;
    world->program_variables = std::make_shared<ProgramVariables>();
    world->range_bytes = range_bytes;
    world->actors = actors;
    Result<Images> images = open_images(world->spec, end);
    if (!images) return images.error();
    world->images = std::move(images.value());
    for (const Image& image : world->images.images)
      may_revoke |= !image.system && std::ranges::any_of(image.file->undefined_names(), [](std::string_view name) {
        return name == "MPIX_Comm_revoke" || name == "PMPIX_Comm_revoke";
      });
    end = world->images.end_offset;
  }
  if (spec.starts.starts_groups) end += std::min(room_for_later_images, range_bytes / 8);
  for (const auto& world : worlds) {
    world->spec.failures.may_revoke = may_revoke;
    world->layout = begun;
    finish_layout(world->layout, end, range_bytes, threads);
    world->next_plugin = world->layout.heap_end;
  }
  return worlds;
}

}  // namespace

Result<std::unique_ptr<LoadedProgram>> load_program(const LaunchSpec& spec) {
  if (sanitized) return Error{"this build of rehearse (with sanitizers) cannot load programs"};
  if (spec.ranks == 0) return Error{spec.path + ": 0 ranks were requested; at least 1 is needed"};
  const std::uint32_t actors = spec.starts.starts_groups ? std::max(spec.starts.most_ranks, spec.ranks)
                                                         : spec.ranks + ranks_of(spec.starts.groups);
  REHEARSE_ASSERT(spec.nodes.of_rank.empty() || spec.nodes.of_rank.size() == actors, "a node for each rank");
  Result<ThreadTemplate> threads = ThreadTemplate::take();
  if (!threads) return threads.error();
  std::unique_ptr<ActorSpace> space;
  try {
    space = std::make_unique<ActorSpace>(actors);
  } catch (const std::bad_alloc&) {
    return Error{fmt::format("{}: not enough address space for {} ranks", spec.path, actors)};
  }
  auto worlds = open_worlds(spec, actors, space->range_bytes(), threads.value());
  if (!worlds) return worlds.error();
  const RankWorld& world = *worlds.value().front();
  if (world.layout.heap_begin + smallest_heap > world.layout.heap_end)
    return Error{fmt::format("{}: is too large for {} ranks: each has {} MiB of address space", spec.path, actors,
                             world.range_bytes >> 20)};
  auto program = std::make_unique<RankProgram>(std::move(worlds.value()), std::move(threads.value()), std::move(space));
  if (Result<bool> loaded = program->load(); !loaded) return loaded.error();
  return std::unique_ptr<LoadedProgram>(std::move(program));
}

CallText call_text(Program& program, ActorId rank) {
  auto* loaded = ranks_of(program);
  return loaded == nullptr ? CallText{} : loaded->call_text(rank);
}

std::uint64_t call_number(Program& program, ActorId rank) {
  auto* loaded = ranks_of(program);
  return loaded == nullptr ? 0 : loaded->call_number(rank);
}

const void* rank_slot(Program& program, ActorId rank) {
  auto* loaded = ranks_of(program);
  return loaded == nullptr ? nullptr : loaded->slot(rank);
}

bool counts_calls() {
  const RankState* rank = running_rank();
  return rank != nullptr && rank->world->spec.call_number != nullptr;
}

const BarrierSearch& barrier_search() {
  static const BarrierSearch nothing;
  const RankState* rank = running_rank();
  return rank == nullptr ? nothing : rank->world->spec.barriers;
}

const CancelSearch& cancel_search() {
  static const CancelSearch nothing;
  const RankState* rank = running_rank();
  return rank == nullptr ? nothing : rank->world->spec.cancels;
}

const FailurePlan& failure_plan() {
  static const FailurePlan nothing;
  const RankState* rank = running_rank();
  return rank == nullptr ? nothing : rank->world->spec.failures;
}

void show_regions(Program& program) {
  auto* loaded = ranks_of(program);
  REHEARSE_ASSERT(loaded != nullptr, "regions of a program that was not loaded");
  loaded->show_regions();
}

bool shows_regions() {
  const RankState* rank = running_rank();
  return rank != nullptr && rank->world->shows_regions;
}

const NodeMap& node_map() {
  static const NodeMap one_node;
  const RankState* rank = running_rank();
  return rank == nullptr ? one_node : rank->world->spec.nodes;
}

int program_number() {
  const RankState* rank = running_rank();
  return rank == nullptr ? 0 : rank->world->number;
}

std::int64_t start_date_seconds() {
  const RankState* rank = running_rank();
  return rank == nullptr ? default_date_seconds : rank->world->spec.date_seconds;
}

std::uint64_t place_in_program(const void* address) {
  return static_cast<std::uint64_t>(static_cast<const std::byte*>(address) - this_rank().base);
}

const DriverServices& driver_services() {
  static const DriverServices none;
  const RankState* rank = running_rank();
  return rank == nullptr ? none : rank->world->spec.driver;
}

const BufferChecks& buffer_checks() {
  static const BufferChecks others;
  const RankState* rank = running_rank();
  return rank == nullptr ? others : rank->world->spec.buffers;
}

}  // namespace rehearse::smpi
