// SPDX-License-Identifier: MIT
//
// The ranks of a loaded program as actors: switching to them, saving, restoring and describing them.
//
// Switch:  the FS register (thread-local storage), libc's standard streams, then the fiber.
// Threads: all calls from the thread that loaded the program.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "simcore/actor.hpp"
#include "simcore/actor_lists.hpp"
#include "simcore/actor_memory.hpp"
#include "simcore/birth.hpp"
#include "simcore/footprint.hpp"
#include "simcore/memory_guard.hpp"
#include "simcore/state_image.hpp"
#include "simcore/step_tracer.hpp"
#include "simcore/support/assert.hpp"
#include "smpi/process.hpp"
#include "smpi/process/ahead_queues.hpp"
#include "smpi/process/crash.hpp"
#include "smpi/process/debugger.hpp"
#include "smpi/process/files.hpp"
#include "smpi/process/mapping.hpp"
#include "smpi/process/name_server.hpp"
#include "smpi/process/rank_state.hpp"
#include "smpi/process/rank_switch.hpp"
#include "smpi/process/rank_threads.hpp"
#include "smpi/process/relocation.hpp"
#include "smpi/process/step_clock.hpp"
#include "smpi/process/thread_block.hpp"

namespace rehearse::smpi {

struct Rank {
  RankState* state = nullptr;  // null: no program has been given to it (see rank_starting.cpp)
  bool is_unborn = false;      // its birth message has not come
  std::unique_ptr<ActorMemory> memory;
  DeadStackState dead_stack;
  AheadQueue* ahead = nullptr;  // the operations after which the rank has run ahead; null: none
  NotedCall call;               // of the rank now, if calls are noted
};

// libc's list of all open streams, or null. The symbol is exported, but libc itself does not use the exported symbol,
// so a declaration would not refer to the same variable.
void** find_stream_list();

// The source at an address of the rank's images; empty if nothing is known.
Frame frame_at(const RankState& rank, std::uintptr_t address);

// Appends a world for each command of the group, without its images. `first`: the group's first rank.
void append_worlds(const LaunchSpec& spec, const SpawnedGroup& group, std::uint32_t first,
                   std::vector<std::unique_ptr<RankWorld>>& worlds);

class RankProgram final : public LoadedProgram, public StateImages, public StepFootprints, private RankStarter {
 public:
  // A world for each program of the job.
  RankProgram(std::vector<std::unique_ptr<RankWorld>> worlds, ThreadTemplate threads,
              std::unique_ptr<ActorSpace> space);
  ~RankProgram() override {
    if (guard_ != nullptr) open_when_touched(nullptr, nullptr);
  }

  Result<bool> load();
  std::uint32_t actor_count() const override { return world_->actors + (names_ ? 1 : 0); }
  std::string_view actor_noun() const override { return "rank"; }
  const Operation& next(ActorId actor) override {
    if (is_server(actor)) return names_->next();
    if (is_unborn(actor)) return unborn_;
    const Rank& rank = started(actor);
    return rank.ahead == nullptr ? *rank.state->context.operation : rank.ahead->front();
  }
  void resume(ActorId actor, const Observation& observation) override;
  void restart(ActorId actor) override { is_server(actor) ? void(names_.emplace()) : reset(actor); }
  std::unique_ptr<Snapshot> save(ActorId actor) override {
    if (is_server(actor)) return save_names();
    const Rank& rank = started(actor);
    return rank.memory->save(main_stack_pointer(*rank.state), world_->spec.snapshot_limit_bytes);
  }
  void restore(ActorId actor, const Snapshot& snapshot) override;
  std::optional<WideHash> image(ActorId actor, StateImages::AwaitedBytes awaited) override;
  bool begin_footprint(ActorId actor) override;
  void look(ActorId actor, void (*function)(void*), void* argument) override;
  void note_read(ActorId actor, const void* begin, std::size_t bytes) override;
  Footprint end_footprint(ActorId actor) override;
  std::uint64_t stack_pointer(ActorId actor) override;
  bool is_dead(ActorId actor, std::uint64_t address) override;
  std::uint64_t peek(ActorId actor, std::uint64_t address) override;
  void poke(ActorId actor, std::span<const Footprint::Word> words) override;
  bool raise_float_flags(ActorId actor) override;
  std::uint64_t site(ActorId actor) override;
  CalledAt called_at(std::uint64_t site) const override;
  std::uint64_t call_chain(ActorId actor) override;
  void show_regions() {
    for (Part& part : parts_) part.world->shows_regions = true;
  }
  const void* slot(ActorId actor) { return has_no_code(actor) ? nullptr : started(actor).state->context.identity.slot; }
  std::uint64_t call_number(ActorId actor);
  CallText call_text(ActorId actor);
  Frame locate(ActorId actor, const Origin& origin) override {
    return origin.address == 0 || has_no_code(actor) ? Frame{} : frame_at(*started(actor).state, origin.address - 1);
  }
  SignatureText spell(std::uint64_t signature) override {
    const auto spell = world_->spec.spell_signature;
    return spell == nullptr || signature == 0 ? SignatureText{} : spell(signature);
  }
  void measure(ApplicationMeter& meter) override;
  void run_ahead(const RunAhead& limits) override {
    queues_.allow(limits, world_->spec.call_site, world_->spec.call_function);
  }
  void limit_steps(const StepLimits& limits) override;
  void lose(ActorId rank, std::string_view why) override;
  std::vector<RankPosition> rank_positions() const override;
  Caveats caveats() const override;
  CallDescription describe(ActorId actor) override;
  std::string started_command(ActorId rank) const override;
  std::string started_host(ActorId rank) const override;

 private:
  // The ranks from `first_rank` to before `end_rank`.
  struct Part {
    std::unique_ptr<RankWorld> world;
    DataTemplate data = {};
    std::uint32_t first_rank = 0, end_rank = 0;
  };
  bool is_server(ActorId actor) const { return names_ && actor.value == ranks_.size(); }
  bool is_unborn(ActorId actor) const { return ranks_[actor.value].is_unborn; }
  bool has_no_code(ActorId actor) const { return actor.value >= ranks_.size() || is_server(actor) || is_unborn(actor); }
  void serve_names();
  const RankWorld* started_world(ActorId rank) const;
  std::unique_ptr<Snapshot> save_names() const;
  void restore_names(const Snapshot& snapshot);
  std::uint32_t ranks() const override { return parts_.back().end_rank; }
  Result<std::uint32_t> start(const SpawnedGroup& group) override;
  Result<void> open_worlds(std::vector<std::unique_ptr<RankWorld>>& worlds) const;
  Part& part_of(ActorId actor) {
    return *std::ranges::find_if(parts_, [&](const Part& part) { return actor.value < part.end_rank; });
  }

  Rank& at(ActorId actor) {
    REHEARSE_ASSERT(actor.value < ranks_.size(), "no such rank");
    if (guard_ != nullptr) guard_->open(*ranks_[actor.value].memory);
    return ranks_[actor.value];
  }

  bool open_at(const void* address) {
    const auto offset = static_cast<std::uint64_t>(static_cast<const std::byte*>(address) - base(ActorId{0}));
    const std::uint64_t owner = offset / world_->range_bytes;
    if (owner >= ranks_.size() || ranks_[owner].memory->is_open()) return false;
    guard_->open(*ranks_[owner].memory);
    return true;
  }

  // Runs the rank to its first Operation if it has not run yet.
  Rank& started(ActorId actor) {
    Rank& rank = at(actor);
    if (rank.state->context.operation == nullptr) run(rank, nullptr);
    return rank;
  }
  // Runs the rank until it stops; it may have run ahead of some operations.
  void run(Rank& rank, const Observation* answer) {
    AheadQueue* ahead = queues_.next();
    rank.state->context.ahead = ahead;
    if (world_->clock != nullptr) world_->clock->begin_step();
    if (guard_ != nullptr) guard_->open_only(*rank.memory);
    if (world_->spec.clear_dead_memory) prepare_dead_stack(*rank.state);
    if (traced_ == &rank) {
      run_traced(rank, answer);
    } else {
      const RankSwitch inside(*rank.state, stream_list_, thread_pointer_, host_thread_);
      enter(rank.state->context, answer);
    }
    if (guard_ != nullptr && has_touched_others(*rank.state)) guard_->be_strict();
    if (shares_memory_) share_memory(*rank.state);
    if (queues_.notes_calls()) rank.call = call_of(*rank.state);  // now its memory is in the caches
    if (ahead == nullptr || ahead->is_empty()) return;
    ahead->begin(meter_);
    rank.ahead = queues_.take();
  }
  void show_next(Rank& rank) {
    rank.ahead->pop(meter_);
    if (!rank.ahead->is_empty()) return;
    queues_.give_back(rank.ahead);
    rank.ahead = nullptr;
  }

  void run_traced(Rank& rank, const Observation* answer);
  void add_control_block(const RankState& state, Footprint& footprint) const;
  void share_memory(const RankState& rank);  // after a step of the rank
  void watch_static_arrays(const Part& part);
  void merge_pages();
  NotedCall call_of(const RankState& rank) const;
  CallDescription describe_earlier(const RankState& rank, const Operation& operation) const;
  CallDescription describe_threads(const RankState& rank) const;
  std::byte* base(ActorId actor) const { return space_->range(actor); }
  Result<bool> load(Part& part, Mapping mapping);
  bool give_code(const RankWorld& world, Mapping mapping, std::byte* range);
  static void find_variables(RankWorld& world);
  Result<void> patch_functions();  // those to sample
  void make_memory(ActorId actor);
  void declare_regions(const RankWorld& world, Rank& rank, std::byte* range) const;
  void reset(ActorId actor);

  struct DeadPart {
    std::byte* begin = nullptr;  // the lowest address of the stack that may hold dead data; null: not known
  };
  static DeadPart dead_part(const RankState& rank);
  static void clear_below(const RankState& rank, std::byte* kept, DeadPart dead);
  static void prepare_dead_stack(RankState& rank);
  void write_thread_block(const RankWorld& world, std::byte* range) const;
  std::byte* write_arguments(RankState& rank) const;
  std::vector<Frame> user_frames(const RankState& rank, std::span<const std::uintptr_t> addresses) const;

  std::vector<Part> parts_;  // by ascending first rank
  Mapping mapping_ = Mapping::mapped;
  std::optional<NameServer> names_;                       // behind the ranks; none: no program needs it
  const Operation unborn_ = birth_receive(std::nullopt);  // of ranks without a program
  RankWorld* world_ = nullptr;  // of the first part: for the layout and other data that is equal in all parts
  ThreadTemplate threads_;
  std::unique_ptr<ActorSpace> space_;
  std::vector<Rank> ranks_;
  bool is_guarded_ = true;                                      // whether a stack overflow is detected
  bool shares_memory_ = false, has_executable_stacks_ = false;  // see share_memory()
  std::unique_ptr<DebuggerView> debugger_;
  std::unique_ptr<StepTimer> steps_;    // null: no time limit
  std::unique_ptr<MemoryGuard> guard_;  // null: ranks can access each other's memory
  ApplicationMeter* meter_ = nullptr;
  AheadQueues queues_;
  ActorLists lists_;
  std::unique_ptr<StepTracer> tracer_;         // null: no step was traced
  const Rank* traced_ = nullptr;               // between begin_footprint() and end_footprint()
  std::vector<std::uint64_t> control_before_;  // the rank's control block at the beginning of the step
  const Operation untraceable_ = Fail{FailureKind::unsupported, "unsupported.feature", "a step that cannot be traced"};
  void** stream_list_ = find_stream_list();
  const ThreadPointerSetter thread_pointer_;
  std::byte* const host_thread_ = current_thread_pointer();  // of the thread that makes all calls of this object
};

}  // namespace rehearse::smpi
