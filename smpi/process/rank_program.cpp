// SPDX-License-Identifier: MIT
//
// Loading: requirements, the code of all ranks, and the initial data of each; the answer to an operation of a rank.
#include "smpi/process/rank_program.hpp"

#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "simcore/support/format.hpp"
#include "smpi/folding.hpp"
#include "smpi/page_merging.hpp"
#include "smpi/process/followed_names.hpp"
#include "smpi/process/function_entries.hpp"
#include "smpi/process/interpose_accesses.hpp"

namespace rehearse::smpi {
namespace {

// libunwind and libgcc have functions of the same names. libgcc calls some of its functions by name, and must find its
// own versions.
bool unwinders_agree() {
  void* libgcc = dlopen("libgcc_s.so.1", RTLD_NOW);
  return libgcc != nullptr && dlsym(libgcc, "_Unwind_GetCFA") == dlsym(RTLD_DEFAULT, "_Unwind_GetCFA");
}

bool reports_accesses(const Images& images) {
  return std::ranges::any_of(images.images, [](const Image& image) {
    const auto needed = image.file->dynamic_strings(DT_NEEDED);
    return std::ranges::find(needed, access_library) != needed.end();
  });
}

}  // namespace

void** find_stream_list() { return static_cast<void**>(dlsym(RTLD_DEFAULT, "_IO_list_all")); }

RankProgram::RankProgram(std::vector<std::unique_ptr<RankWorld>> worlds, ThreadTemplate threads,
                         std::unique_ptr<ActorSpace> space)
    : world_(worlds.front().get()), threads_(std::move(threads)), space_(std::move(space)) {
  ranks_.resize(world_->actors);
  for (auto& world : worlds) {
    const std::uint32_t first = world->first_rank, end = world->end_rank;
    parts_.push_back({std::move(world), {}, first, end});
  }
  for (std::size_t rank = parts_.back().end_rank; rank < ranks_.size(); ++rank) ranks_[rank].is_unborn = true;
}

Result<bool> RankProgram::load() {
  if (!unwinders_agree())
    return Error{"rehearse was linked in the wrong order: libunwind must not come before libgcc_s"};
  if (stream_list_ == nullptr) return Error{"this C library does not show its list of open streams; glibc does"};
  std::vector<MappingNeed> needs;
  for (const Part& part : parts_) needs.push_back(need_of(part.world->images, part.end_rank - part.first_rank));
  Result<Mapping> mapping = plan_mapping(needs, mapping_room());
  if (!mapping) return Error{world_->spec.path + ": " + mapping.error().text};
  // Functions inside of functions (GNU C, Fortran) whose address is taken run code on the stack.
  has_executable_stacks_ = std::ranges::any_of(parts_, [](const Part& part) {
    return std::ranges::any_of(part.world->images.images,
                               [](const Image& image) { return image.file->needs_executable_stack(); });
  });
  mapping_ = mapping.value();
  const bool is_executable = mapping.value() == Mapping::copied || has_executable_stacks_;
  if (is_executable && !space_->make_executable())
    return Error{world_->spec.path + ": the kernel refuses memory that is executable: " + std::strerror(errno)};
  if (is_executable && world_->spec.folding != nullptr) world_->spec.folding->make_executable();
  if (is_executable && world_->spec.merging != nullptr) world_->spec.merging->make_executable();
  shares_memory_ = world_->spec.merging != nullptr || world_->spec.folding != nullptr;
  for (Part& part : parts_) part.world->thread_template = &threads_;
  serve_names();
  if (world_->spec.starts.starts_groups)
    for (Part& part : parts_) part.world->starter = this;
  for (Part& part : parts_)
    if (Result<bool> loaded = load(part, mapping.value()); !loaded) return loaded.error();
  if (auto patched = patch_functions(); !patched) return patched.error();
  if (world_->spec.guard != LaunchSpec::Guard::none && ranks_.size() > 1) {
    guard_ = std::make_unique<MemoryGuard>();
    if (world_->spec.guard == LaunchSpec::Guard::always) guard_->be_strict();
    for (Rank& rank : ranks_) guard_->add(*rank.memory);
    open_when_touched([](void* self, const void* at) { return static_cast<RankProgram*>(self)->open_at(at); }, this);
  }
  catch_crashes();
  std::vector<std::byte*> bases;
  std::vector<const Images*> images;
  for (std::uint32_t i = 0; i < std::min<std::uint32_t>(ranks(), DebuggerView::images_max); ++i) {
    bases.push_back(base(ActorId{i}));
    images.push_back(&part_of(ActorId{i}).world->images);
  }
  debugger_ = std::make_unique<DebuggerView>(images, bases);
  return true;
}

// Maps or copies the code into the rank's range, and protects the memory below its stack. Returns whether that was
// possible.
bool RankProgram::give_code(const RankWorld& world, Mapping mapping, std::byte* range) {
  for (const Image& image : world.images.images) {
    if (mapping == Mapping::copied) copy_code(image, range);
    else if (!map_code(image, range)) return false;
  }
  is_guarded_ = guard_stack(mapping, range, world.layout) && is_guarded_;
  return is_guarded_ || mapping == Mapping::copied;
}

Result<bool> RankProgram::load(Part& part, Mapping mapping) {
  RankWorld& world = *part.world;
  Symbols::Interposers ours = all_interposers();
  const bool reports = reports_accesses(world.images);
  world.spec.buffers.accesses &= reports;
  world.spec.follows_threads &= world.spec.buffers.accesses && uses_followed_names(world.images);
  if (reports)
    for (const auto& [name, function] : access_interposers()) ours.insert_or_assign(name, function);
  world.symbols = std::make_shared<const Symbols>(world, std::move(ours), overriding_interposers());
  for (std::uint32_t i = part.first_rank; i < part.end_rank; ++i) {
    std::byte* range = base(ActorId{i});
    if (!give_code(world, mapping, range))
      return Error{
          fmt::format("{}: rank {} could not be mapped: {} (the kernel's limit of mappings is vm.max_map_count)",
                      world.spec.path, i, std::strerror(errno))};
  }
  Result<DataTemplate> data = make_data_template(world, *world.symbols, base(ActorId{part.first_rank}));
  if (!data) return data.error();
  part.data = std::move(data.value());
  find_variables(world);
  for (std::uint32_t i = part.first_rank; i < part.end_rank; ++i) {
    make_memory(ActorId{i});
    reset(ActorId{i});
  }
  watch_static_arrays(part);
  return true;
}

// Each function must be in at least one program of the job.
Result<void> RankProgram::patch_functions() {
  const auto& functions = world_->spec.sampled_functions;
  for (std::uint32_t index = 0; index < functions.size(); ++index) {
    bool is_somewhere = false;
    for (Part& part : parts_) {
      auto entry = find_entry(*part.world, functions[index].name);
      if (!entry) return entry.error();
      if (entry.value() == 0) continue;
      is_somewhere = true;
      for (std::uint32_t i = part.first_rank; i < part.end_rank; ++i)
        if (const auto done = patch_entry(base(ActorId{i}) + entry.value(), index); !done) return done.error();
    }
    if (!is_somewhere) return no_function(*world_, functions[index].name);
  }
  return {};
}

void RankProgram::resume(ActorId actor, const Observation& observation) {
  if (is_server(actor)) return names_->resume(observation);
  ranks_[actor.value].is_unborn = false;
  Rank& rank = started(actor);
  if (world_->spec.before_answer != nullptr)
    world_->spec.before_answer(rank.state->context.identity.slot, *rank.state->context.operation, observation);
  rank.ahead == nullptr ? run(rank, &observation) : show_next(rank);
}

// Finds the places of libc's variables for the program, and the parts of its C++ library that describe exceptions.
void RankProgram::find_variables(RankWorld& world) {
  const Scope scope = program_scope(world.images);
  for (std::size_t i = 0; i < variable_count; ++i) world.variables[i] = world.layout.control_begin + variable_offset(i);
  for (const char* name : {"optarg", "optind", "opterr", "optopt", "stdin", "stdout", "stderr", "environ", "__environ",
                           "program_invocation_name", "program_invocation_short_name"})
    if (auto found = Symbols::find_in_images(name, {}, scope))
      world.variables[find_variable(name)] = found->image->offset + found->symbol->st_value;
  auto offset_of = [&](std::string_view name) {
    const auto found = Symbols::find_in_images(name, {}, scope);
    return found ? found->image->offset + found->symbol->st_value : 0;
  };
  world.cpp = {offset_of("__cxa_current_exception_type"), offset_of("_ZSt17current_exceptionv"),
               offset_of("_ZTISt9exception")};
}

void RankProgram::measure(ApplicationMeter& meter) {
  meter_ = &meter;
  if (!thread_pointer_.by_instruction())
    meter.calibrate_switch([] { ThreadPointerSetter().set(current_thread_pointer()); });
  for (std::uint32_t i = 0; i < ranks_.size(); ++i)
    if (ranks_[i].state != nullptr) at(ActorId{i}).state->context.meter = meter_;
}

void RankProgram::lose(ActorId rank, std::string_view why) {
  ActorContext& context = ranks_[rank.value].state->context;
  context.when_lost = world_->spec.when_lost;
  context.why_lost = why;
}

void RankProgram::limit_steps(const StepLimits& limits) {
  steps_.reset();
  steps_ = std::make_unique<StepTimer>(limits);
  for (const Part& part : parts_) part.world->clock = &steps_->clock();
}

Caveats RankProgram::caveats() const {
  Caveats all;
  if (world_->files != nullptr) all.unsupported = world_->files->caveats();
  if (guard_ != nullptr && guard_->has_failed())
    all.unsupported.push_back(
        "memory that ranks may share: there are too many mappings to separate it (vm.max_map_count)");
  if (!is_guarded_) all.assumptions.push_back("no rank's stack overflows: there are too many ranks to guard them");
  if (guard_ != nullptr && guard_->was_left_out())
    all.assumptions.push_back("no rank accesses the memory of another rank in a step that was not watched");
  return all;
}

}  // namespace rehearse::smpi
