// SPDX-License-Identifier: MIT
//
// The ranks of a loaded program as actors: making them, switching to them, saving, restoring and describing them.
//
// Switch: the FS register (thread-local storage), libc's standard streams, then the fiber.
#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <optional>

#include "simcore/actor.hpp"
#include "simcore/actor_lists.hpp"
#include "simcore/ahead_queue.hpp"
#include "simcore/memory_guard.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/sanitizer.hpp"
#include "smpi/process.hpp"
#include "smpi/process/crash.hpp"
#include "smpi/process/debugger.hpp"
#include "smpi/process/files.hpp"
#include "smpi/process/heap.hpp"
#include "smpi/process/interpose_accesses.hpp"
#include "smpi/process/relocation.hpp"
#include "smpi/process/step_clock.hpp"
#include "smpi/process/thread_block.hpp"
#include "smpi/user/regions.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::uint64_t page_bytes = 4096;
constexpr std::uint64_t table_bytes = std::uint64_t{2} << 20;  // what one page of page tables covers
constexpr std::uint64_t largest_guard = std::uint64_t{1} << 30;
constexpr std::uint64_t emergency_bytes = std::uint64_t{64} << 10;
constexpr std::uint64_t near_top_bytes = std::uint64_t{64} << 10;
constexpr std::uint64_t smallest_heap = std::uint64_t{64} << 20;

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

struct Rank {
  RankState* state = nullptr;
  std::unique_ptr<ActorMemory> memory;
  AheadQueue* ahead = nullptr;  // what it went on behind and has not been shown; null: nothing
};

// Goes to the program's first instruction with the stack that a kernel would give it.
[[noreturn]] void start_program(const void* entry, std::byte* stack) {
  asm volatile(
      "movq %0, %%rsp\n\t"
      "xorl %%ebp, %%ebp\n\t"
      "xorl %%edx, %%edx\n\t"
      "jmp *%1"
      :
      : "r"(stack), "r"(entry)
      : "rdx", "memory");
  __builtin_unreachable();
}

// The first thing that runs on a rank's fiber, with the rank's thread-local storage.
void rank_body(ActorContext& context) {
  auto& rank = *static_cast<RankState*>(context.user);
  set_current_context(&context);
  set_running_rank(&rank);
  set_rank_heap(rank.heap);
  errno = 0;
  open_standard_streams(rank);
  const Image& program = rank.world->images.images.front();
  begin_own_code(context);
  start_program(rank.base + program.offset + program.file->entry(), rank.initial_stack);
}

// libc's list of all open streams. It is exported, but libc does not go through the export: no declaration will do.
void** find_stream_list() { return static_cast<void**>(dlsym(RTLD_DEFAULT, "_IO_list_all")); }

// libunwind has functions of the same names as libgcc, which calls some of its own by name: they must be found there.
bool unwinders_agree() {
  void* libgcc = dlopen("libgcc_s.so.1", RTLD_NOW);
  return libgcc != nullptr && dlsym(libgcc, "_Unwind_GetCFA") == dlsym(RTLD_DEFAULT, "_Unwind_GetCFA");
}

// Calls visit(map, address in its file), if there is one. The address may be of another rank: all have the same in the
// same place.
template <class Visit>
void visit_source(const RankState& rank, std::uintptr_t address, Visit&& visit) {
  const std::uint64_t first = reinterpret_cast<std::uintptr_t>(rank.base) -
                              rank.context.identity.id.value * rank.world->range_bytes;
  const std::uint64_t offset = (address - first) % rank.world->range_bytes;
  const Images& images = rank.world->images;
  const Image* image = images.find(offset);
  if (image != nullptr) visit(*image->source, offset - image->offset);
}

Frame frame_at(const RankState& rank, std::uintptr_t address) {
  Frame frame;
  visit_source(rank, address, [&](const SourceMap& map, std::uint64_t at) { frame = map.find(at); });
  return frame;
}

bool tells_accesses(const Images& images) {
  return std::ranges::any_of(images.images, [](const Image& image) {
    const auto needed = image.file->dynamic_strings(DT_NEEDED);
    return std::ranges::find(needed, access_library) != needed.end();
  });
}

class RankProgram final : public Program {
 public:
  RankProgram(std::unique_ptr<RankWorld> world, ThreadTemplate threads, std::unique_ptr<ActorSpace> space)
      : world_(std::move(world)), threads_(std::move(threads)), space_(std::move(space)) {
    ranks_.resize(world_->spec.ranks);
  }
  ~RankProgram() override {
    if (guard_ != nullptr) open_when_touched(nullptr, nullptr);
  }

  Result<bool> load();

  std::uint32_t actor_count() const override { return world_->spec.ranks; }
  const Operation& next(ActorId actor) override {
    const Rank& rank = started(actor);
    return rank.ahead == nullptr ? *rank.state->context.operation : rank.ahead->front();
  }
  void resume(ActorId actor, const Observation& observation) override {
    Rank& rank = started(actor);
    if (rank.ahead == nullptr) run(rank, &observation);
    else show_next(rank);
  }
  void restart(ActorId actor) override { reset(actor); }
  std::unique_ptr<Snapshot> save(ActorId actor) override {
    const Rank& rank = started(actor);
    return rank.memory->save(stack_pointer(rank.state->context), world_->spec.snapshot_limit_bytes);
  }
  void restore(ActorId actor, const Snapshot& snapshot) override { at(actor).memory->restore(snapshot); }
  std::uint64_t site(ActorId actor) override;
  std::uint64_t call_chain(ActorId actor) override;
  std::uint64_t call_number(ActorId actor) {
    const auto count = world_->spec.call_number;
    return count == nullptr ? 0 : count(started(actor).state->context.identity.slot);
  }
  CallText call_text(ActorId actor);
  Frame locate(ActorId actor, const Origin& origin) override {
    return origin.address == 0 ? Frame{} : frame_at(*started(actor).state, origin.address - 1);
  }
  void measure(OwnCodeMeter& meter) override {
    meter_ = &meter;
    for (std::uint32_t i = 0; i < ranks_.size(); ++i) at(ActorId{i}).state->context.meter = meter_;
  }
  void run_ahead(const RunAhead& limits) override {
    queues_.push_back(std::make_unique<AheadQueue>(limits));
    empty_queues_.push_back(queues_.back().get());
  }
  void limit_steps(const StepLimits& limits) {
    steps_.reset();
    steps_ = std::make_unique<StepTimer>(limits);
    world_->clock = &steps_->clock();
  }
  std::vector<RankStand> stands() const {
    std::vector<RankStand> all(ranks_.size());
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      const ActorContext& context = ranks_[r].state->context;
      if (context.operation != nullptr && std::holds_alternative<End>(*context.operation)) continue;
      all[r] = {reinterpret_cast<std::uintptr_t>(stack_pointer(context)), ranks_[r].state->crash.interrupted};
    }
    return all;
  }
  Reservations reservations() const {
    Reservations all;
    if (world_->files != nullptr) all.unsupported = world_->files->reservations();
    if (guard_ != nullptr && guard_->has_failed())
      all.unsupported.push_back(
          "memory that ranks may share: there are too many mappings to keep it apart (vm.max_map_count)");
    if (guard_ != nullptr && guard_->was_left_out())
      all.assumptions.push_back("no rank reaches into another's memory in a step in which nobody looked, to save time");
    return all;
  }
  CallDescription describe(ActorId actor) override;

 private:
  // Makes a rank's thread-local storage and streams the current ones while it lives.
  class Switch {
   public:
    Switch(RankProgram& program, Rank& rank) : program_(program), state_(*rank.state) {
      host_streams_ = {stdin, stdout, stderr, *program.stream_list_};
      set_streams(state_.streams);
      program.thread_pointer_.set(state_.base + program.world_->layout.thread_pointer);
    }
    ~Switch() {
      program_.thread_pointer_.set(program_.host_thread_);
      state_.streams.all = *program_.stream_list_;
      set_streams(host_streams_);
    }
    Switch(const Switch&) = delete;
    Switch& operator=(const Switch&) = delete;

   private:
    void set_streams(const StandardStreams& streams) {
      stdin = streams.input;
      stdout = streams.output;
      stderr = streams.error;
      *program_.stream_list_ = streams.all;
    }
    RankProgram& program_;
    RankState& state_;
    StandardStreams host_streams_;
  };

  Rank& at(ActorId actor) {
    REHEARSE_ASSERT(actor.value < ranks_.size(), "no such rank");
    Rank& rank = ranks_[actor.value];
    if (guard_ != nullptr) guard_->open(*rank.memory);
    return rank;
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

  // Until it stands; it may have gone on behind some operations.
  void run(Rank& rank, const Observation* answer) {
    AheadQueue* ahead = empty_queues_.empty() ? nullptr : empty_queues_.back();
    rank.state->context.ahead = ahead;
    if (world_->clock != nullptr) world_->clock->begin_step();
    if (guard_ != nullptr) guard_->open_only(*rank.memory);
    {
      Switch inside(*this, rank);
      enter(rank.state->context, answer);
    }
    if (guard_ != nullptr && has_touched_others(*rank.state)) guard_->be_strict();
    if (ahead != nullptr && !ahead->is_empty()) show_first(rank, *ahead);
  }
  void show_first(Rank& rank, AheadQueue& ahead) {
    ahead.begin(meter_);
    rank.ahead = &ahead;
    empty_queues_.pop_back();
    if (empty_queues_.empty()) run_ahead(ahead.limits());
  }
  void show_next(Rank& rank) {
    rank.ahead->pop(meter_);
    if (!rank.ahead->is_empty()) return;
    empty_queues_.push_back(rank.ahead);
    rank.ahead = nullptr;
  }

  CallDescription describe_earlier(const RankState& rank, const Operation& operation) const;
  std::byte* base(ActorId actor) const { return space_->range(actor); }
  void find_variables();
  void make_memory(ActorId actor);
  void declare_regions(Rank& rank, std::byte* range) const;
  void reset(ActorId actor);
  void write_thread_block(std::byte* range) const;
  std::byte* write_arguments(RankState& rank) const;
  std::vector<Frame> user_frames(const RankState& rank, std::span<const std::uintptr_t> addresses) const;

  std::unique_ptr<RankWorld> world_;
  ThreadTemplate threads_;
  std::unique_ptr<ActorSpace> space_;
  DataTemplate data_;
  std::vector<Rank> ranks_;
  std::unique_ptr<DebuggerView> debugger_;
  std::unique_ptr<StepTimer> steps_;  // null: they may take as long as they like
  std::unique_ptr<MemoryGuard> guard_;  // null: ranks can reach each other's memory
  OwnCodeMeter* meter_ = nullptr;
  std::vector<std::unique_ptr<AheadQueue>> queues_;  // none: nobody goes on before it is answered
  std::vector<AheadQueue*> empty_queues_;
  ActorLists lists_;
  void** stream_list_ = find_stream_list();
  const ThreadPointerSetter thread_pointer_;
  std::byte* const host_thread_ = current_thread_pointer();  // of the thread that makes all calls
};

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

void RankProgram::make_memory(ActorId actor) {
  std::byte* range = base(actor);
  Rank& rank = at(actor);
  const RangeLayout& layout = world_->layout;
  const StackSpan stack{range + layout.stack_begin, range + layout.stack_end};
  rank.memory = std::make_unique<ActorMemory>(stack, range + layout.heap_begin, range + layout.heap_end);
  declare_regions(rank, range);
}

// What changes while a rank runs, besides stack and heap. Data that is read-only after relocation does not.
void RankProgram::declare_regions(Rank& rank, std::byte* range) const {
  const RangeLayout& layout = world_->layout;
  for (const Image& image : world_->images.images)
    for (const Segment& segment : image.file->segments()) {
      if (!segment.writable) continue;
      std::uint64_t begin = segment.address;
      if (const auto& relro = image.file->relro(); relro && relro->address == begin)
        begin += std::min(relro->memory_bytes, segment.memory_bytes);
      rank.memory->add_region(range + image.offset + begin,
                              range + image.offset + segment.address + segment.memory_bytes);
    }
  std::byte* thread = range + layout.thread_pointer;
  rank.memory->add_region(thread - threads_.below(), thread - threads_.reserve_begin());
  rank.memory->add_region(thread - world_->images.tls_bytes, range + layout.vector_begin + threads_.vector_bytes());
  rank.memory->add_scratch(range + layout.emergency_begin, range + layout.heap_begin);
}

void RankProgram::write_thread_block(std::byte* range) const {
  std::byte* thread = range + world_->layout.thread_pointer;
  threads_.make(thread, range + world_->layout.vector_begin);
  std::memset(thread - world_->images.tls_bytes, 0, world_->images.tls_bytes);
  for (const Image* image_of : program_scope(world_->images))
    if (const Image& image = *image_of; image.tls_below > 0)
      std::memcpy(thread - image.tls_below, range + image.offset + image.file->tls()->address,
                  image.file->tls()->file_bytes);
}

// The strings and pointers that a kernel puts on a new program's stack. Returns where argc is.
std::byte* RankProgram::write_arguments(RankState& rank) const {
  std::byte* top = rank.base + world_->layout.stack_end;
  auto push = [&](const std::string& text) {
    top -= text.size() + 1;
    std::memcpy(top, text.c_str(), text.size() + 1);
    return reinterpret_cast<char*>(top);
  };
  std::vector<char*> words{reinterpret_cast<char*>(world_->spec.argv.size())};
  for (const std::string& argument : world_->spec.argv) words.push_back(push(argument));
  words.push_back(nullptr);
  const std::size_t environment = words.size();
  for (const std::string& entry : world_->spec.environment) words.push_back(push(entry));
  words.insert(words.end(), 3, nullptr);  // the end of the environment, and an empty auxiliary vector
  const std::uint64_t bytes = words.size() * sizeof(char*);
  auto* begin = reinterpret_cast<std::byte*>((reinterpret_cast<std::uintptr_t>(top) - bytes) / 16 * 16);
  std::memcpy(begin, words.data(), bytes);
  rank.variable<char**>(Variable::environment) = reinterpret_cast<char**>(begin) + environment;
  rank.variable<char*>(Variable::invocation_name) = words[1];
  char* slash = std::strrchr(words[1], '/');
  rank.variable<char*>(Variable::invocation_short_name) = slash == nullptr ? words[1] : slash + 1;
  return begin;
}

// Puts the rank before its first instruction.
void RankProgram::reset(ActorId actor) {
  std::byte* range = base(actor);
  Rank& rank = at(actor);
  data_.write(range, range - base(ActorId{0}));
  write_thread_block(range);
  rank.memory->reset_heap();
  if (world_->spec.guard == LaunchSpec::Guard::affordable) rank.memory->heap().keep_freed_pages();
  rank.state = new (range + world_->layout.control_begin) RankState;
  RankState& state = *rank.state;
  state.world = world_.get();
  state.base = range;
  state.heap = &rank.memory->heap();
  state.memory = rank.memory.get();
  state.variable<char*>(Variable::optarg) = nullptr;
  state.variable<int>(Variable::optind) = 1;
  state.variable<int>(Variable::opterr) = 1;
  state.variable<int>(Variable::optopt) = '?';
  state.initial_stack = write_arguments(state);
  state.context.identity.id = actor;
  state.context.identity.actor_count = actor_count();
  state.context.body = rank_body;
  state.context.meter = meter_;
  state.context.lists = &lists_;
  state.context.user = &state;
  state.context.stack = {range + world_->layout.stack_begin, state.initial_stack};
  prepare(state.context);
}

struct Introspection {
  RankState& rank;
  std::array<std::uintptr_t, 64> frames{};
  std::size_t frame_count = 0;
  std::string call;
};

// Runs on the rank's stack; leaves no trace in its heap.
void spell_call(void* argument) {
  auto& result = *static_cast<Introspection*>(argument);
  const HostAllocation host;
  if (const auto describe_call = result.rank.world->spec.describe_call; describe_call != nullptr)
    result.call = describe_call();
}

// The same, and where that is.
void look_around(void* argument) {
  auto& result = *static_cast<Introspection*>(argument);
  const HostAllocation host;
  const CrashSite& crash = result.rank.crash;
  if (crash.signal != 0) {
    result.frame_count = crash.frame_count;
    std::copy_n(crash.frames, crash.frame_count, result.frames.begin());
  } else {
    result.frame_count = capture_stack(result.frames);
  }
  spell_call(argument);
}

// The call's return address, as an offset into the rank's range: equal for all ranks and in every run.
std::uint64_t RankProgram::site(ActorId actor) {
  const RankState& rank = *started(actor).state;
  if (world_->spec.call_site == nullptr) return 0;
  const void* place = world_->spec.call_site(rank.context.identity.slot);
  if (place == nullptr) return 0;
  return static_cast<std::uint64_t>(static_cast<const std::byte*>(place) - rank.base);
}

// Of an operation that the rank went on behind: only where it was.
CallDescription RankProgram::describe_earlier(const RankState& rank, const Operation& operation) const {
  CallDescription description;
  description.call = kind_name(operation);
  const auto* send = std::get_if<Send>(&operation);
  if (send == nullptr || send->origin.address == 0) return description;
  description.call = send->origin.call;
  description.frames.push_back(frame_at(rank, send->origin.address - 1));
  return description;
}

// All return addresses into the program on the top of the stack, and what else looks like that: in a loop it stays.
std::uint64_t RankProgram::call_chain(ActorId actor) {
  constexpr std::size_t words_looked_at = 256;
  const RankState& rank = *started(actor).state;
  const RangeLayout& layout = world_->layout;
  const auto* word = reinterpret_cast<const std::uint64_t*>(stack_pointer(rank.context));
  const auto* end =
      std::min(word + words_looked_at, reinterpret_cast<const std::uint64_t*>(rank.base + layout.stack_end));
  const auto begin = reinterpret_cast<std::uintptr_t>(rank.base + layout.stack_end);
  const std::uint64_t images_bytes = layout.emergency_begin - layout.stack_end;
  std::uint64_t hash = 0;
  for (; word < end; ++word)
    if (*word - begin < images_bytes) hash = (hash ^ (*word - begin)) * 0x9e3779b97f4a7c15 + (hash >> 32);
  return hash;
}

CallDescription RankProgram::describe(ActorId actor) {
  Rank& rank = started(actor);
  if (rank.ahead != nullptr) return describe_earlier(*rank.state, rank.ahead->front());
  Introspection found{*rank.state, {}, 0, {}};
  {
    Switch inside(*this, rank);
    visit(rank.state->context, look_around, &found);
  }
  CallDescription description;
  const Operation& operation = *rank.state->context.operation;
  const bool is_last = std::holds_alternative<Fail>(operation) || std::holds_alternative<End>(operation);
  description.call = !found.call.empty() ? found.call : is_last ? "" : kind_name(operation);
  if (!description.call.empty()) description.call += region_text(rank.state->context.identity.slot);
  description.frames = user_frames(*rank.state, std::span(found.frames).first(found.frame_count));
  return description;
}

CallText RankProgram::call_text(ActorId actor) {
  Rank& rank = started(actor);
  Introspection found{*rank.state, {}, 0, {}};
  {
    Switch inside(*this, rank);
    visit(rank.state->context, spell_call, &found);
  }
  return {std::move(found.call), region_name(rank.state->context.identity.slot)};
}

// From the innermost function of the user to main; functions of this process are left out.
std::vector<Frame> RankProgram::user_frames(const RankState& rank, std::span<const std::uintptr_t> addresses) const {
  std::vector<Frame> frames;
  for (std::uintptr_t address : addresses) {
    const Image* image = world_->images.find(address - reinterpret_cast<std::uintptr_t>(rank.base));
    if (image == nullptr || (image->system && frames.empty())) continue;
    visit_source(rank, address, [&](const SourceMap& map, std::uint64_t at) {
      const std::vector<Frame>& here = map.find_all(at);
      frames.insert(frames.end(), here.begin(), here.end());
    });
    if (frames.back().function == "main") return frames;
  }
  if (!frames.empty() && frames.back().function == "_start") frames.pop_back();
  return frames;
}

// The layout up to the images; the rest follows from them.
RangeLayout begin_layout(std::uint64_t range_bytes, std::uint64_t stack_bytes) {
  RangeLayout layout;
  const std::uint64_t guard = std::min(largest_guard, range_bytes / 8);
  // The busy end of the stack shares a page of page tables with the images.
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

}  // namespace

Result<std::unique_ptr<Program>> load_program(const LaunchSpec& spec) {
  if (sanitized) return Error{"this build of rehearse (with sanitizers) cannot load programs"};
  if (spec.ranks == 0) return Error{spec.path + ": 0 ranks were asked for; at least 1 is needed"};
  Result<ThreadTemplate> threads = ThreadTemplate::take();
  if (!threads) return threads.error();
  auto world = std::make_unique<RankWorld>();
  world->spec = spec;
  if (world->spec.argv.empty()) world->spec.argv = {spec.path};
  std::unique_ptr<ActorSpace> space;
  try {
    space = std::make_unique<ActorSpace>(spec.ranks);
  } catch (const std::bad_alloc&) {
    return Error{spec.path + ": there is no address space for " + std::to_string(spec.ranks) + " ranks"};
  }
  if (spec.keep_files) world->files = std::make_shared<FileTraffic>();
  world->range_bytes = space->range_bytes();
  world->layout = begin_layout(world->range_bytes, spec.stack_bytes);
  Result<Images> images = open_images(world->spec, world->layout.stack_end);
  if (!images) return images.error();
  world->images = std::move(images.value());
  finish_layout(world->layout, world->images.end_offset, world->range_bytes, threads.value());
  world->next_plugin = world->layout.heap_end;
  if (world->layout.heap_begin + smallest_heap > world->layout.heap_end)
    return Error{spec.path + ": is too large for " + std::to_string(spec.ranks) + " ranks: each has " +
                 std::to_string(world->range_bytes >> 20) + " MiB of address space"};
  auto program = std::make_unique<RankProgram>(std::move(world), std::move(threads.value()), std::move(space));
  if (Result<bool> loaded = program->load(); !loaded) return loaded.error();
  return std::unique_ptr<Program>(std::move(program));
}

void limit_steps(Program& loaded, const StepLimits& limits) { dynamic_cast<RankProgram&>(loaded).limit_steps(limits); }

Reservations reservations(const Program& loaded) {
  return dynamic_cast<const RankProgram&>(loaded).reservations();
}

CallText call_text(Program& loaded, ActorId rank) {
  auto* program = dynamic_cast<RankProgram*>(&loaded);
  return program == nullptr ? CallText{} : program->call_text(rank);
}

std::uint64_t call_number(Program& loaded, ActorId rank) {
  auto* program = dynamic_cast<RankProgram*>(&loaded);
  return program == nullptr ? 0 : program->call_number(rank);
}

std::vector<RankStand> where_ranks_stand(const Program& loaded) {
  return dynamic_cast<const RankProgram&>(loaded).stands();
}

bool counts_calls() {
  const RankState* rank = running_rank();
  return rank != nullptr && rank->world->spec.call_number != nullptr;
}

const BufferChecks& buffer_checks() {
  static const BufferChecks others;
  const RankState* rank = running_rank();
  return rank == nullptr ? others : rank->world->spec.buffers;
}

Frame find_source(const void* address) {
  const RankState* rank = running_rank();
  if (rank == nullptr || address == nullptr) return {};
  std::optional<Frame> found;
  {
    const HostAllocation host;
    found = frame_at(*rank, reinterpret_cast<std::uintptr_t>(address));
  }
  return Frame{*found};  // a copy in the rank's own memory: the rank may never come to free it
}

}  // namespace rehearse::smpi
