// SPDX-License-Identifier: MIT
//
// The start of a rank: the initial memory, as a kernel prepares it for a new program, and the first instruction.
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>

#include "smpi/abi/dead_stack.hpp"
#include "smpi/page_merging.hpp"
#include "smpi/process/births.hpp"
#include "smpi/process/heap.hpp"
#include "smpi/process/interposers.hpp"
#include "smpi/process/rank_program.hpp"

namespace rehearse::smpi {
namespace {

// Jumps to the program's first instruction with the stack that a kernel would give it. Sets a number of words below the
// stack pointer to zero, because they contain the frames of our own code.
[[noreturn]] void start_program(const void* entry, std::byte* stack, std::size_t words) {
  std::byte* below = stack - words * sizeof(std::uint64_t);
  asm volatile("movq %2, %%rsp\n\t"
               "rep stosq\n\t"
               "xorl %%ebp, %%ebp\n\t"
               "xorl %%edx, %%edx\n\t"
               "jmp *%3"
               : "+D"(below), "+c"(words)
               : "r"(stack), "r"(entry), "a"(0)
               : "rdx", "memory");
  __builtin_unreachable();
}

// The first function on a rank's fiber; it runs with the rank's thread-local storage.
void rank_body(ActorContext& context) {
  auto& rank = *static_cast<RankState*>(context.user);
  set_current_context(&context);
  set_running_rank(&rank);
  set_rank_heap(rank.heap, rank.world->spec.folding, rank.world->spec.merging);
  begin_clearing(rank);
  errno = 0;
  if (rank.world->parent) await_birth(rank);
  open_standard_streams(rank);
  const Image& program = rank.world->images.images.front();
  begin_application(context);
  constexpr std::size_t starting_words = 2048;  // of the stack: more than our code before this uses
  start_program(rank.base + program.offset + program.file->entry(), rank.initial_stack,
                rank.dead_stack != nullptr ? starting_words : 0);
}

}  // namespace

void RankProgram::make_memory(ActorId actor) {
  std::byte* range = base(actor);
  Rank& rank = at(actor);
  const RangeLayout& layout = world_->layout;
  const StackSpan stack{range + layout.stack_begin, range + layout.stack_end};
  rank.memory = std::make_unique<ActorMemory>(stack, range + layout.heap_begin, range + layout.heap_end);
  if (has_executable_stacks_) rank.memory->make_executable();
  declare_regions(*part_of(actor).world, rank, range);
}

// The memory that changes while a rank runs, besides stack and heap. Data that is read-only after relocation does not.
void RankProgram::declare_regions(const RankWorld& world, Rank& rank, std::byte* range) const {
  const RangeLayout& layout = world.layout;
  for (const Image& image : world.images.images)
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
  rank.memory->add_region(thread - world.images.tls_bytes, range + layout.vector_begin + threads_.vector_bytes());
  rank.memory->add_scratch(range + layout.emergency_begin, range + layout.heap_begin);
}

void RankProgram::write_thread_block(const RankWorld& world, std::byte* range) const {
  std::byte* thread = range + world.layout.thread_pointer;
  threads_.make(thread, range + world.layout.vector_begin);
  std::memset(thread - world.images.tls_bytes, 0, world.images.tls_bytes);
  for (const Image* image_of : program_scope(world.images))
    if (const Image& image = *image_of; image.tls_below > 0)
      std::memcpy(thread - image.tls_below, range + image.offset + image.file->tls()->address,
                  image.file->tls()->file_bytes);
}

// The strings and pointers that a kernel puts on a new program's stack. Returns where argc is.
std::byte* RankProgram::write_arguments(RankState& rank) const {
  const LaunchSpec& spec = rank.world->spec;
  std::byte* top = rank.base + rank.world->layout.stack_end;
  auto push = [&](const std::string& text) {
    top -= text.size() + 1;
    std::memcpy(top, text.c_str(), text.size() + 1);
    return reinterpret_cast<char*>(top);
  };
  std::vector<char*> words{reinterpret_cast<char*>(spec.argv.size())};
  for (const std::string& argument : spec.argv) words.push_back(push(argument));
  words.push_back(nullptr);
  const std::size_t environment = words.size();
  for (const std::string& entry : spec.environment) words.push_back(push(entry));
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

// Sets the rank to the state before its first instruction.
void RankProgram::reset(ActorId actor) {
  std::byte* range = base(actor);
  Rank& rank = at(actor);
  const bool clears = world_->spec.clear_dead_memory;
  if (clears && rank.state != nullptr) clear_below(*rank.state, rank.state->initial_stack, dead_part(*rank.state));
  Part& part = part_of(actor);
  if (world_->spec.merging != nullptr) world_->spec.merging->separate({range, range + space_->range_bytes()}, false);
  part.data.write(range, range - base(ActorId{part.first_rank}));
  write_thread_block(*part.world, range);
  rank.memory->reset_heap();
  if (world_->spec.guard == LaunchSpec::Guard::affordable) rank.memory->heap().keep_freed_pages();
  if (clears) rank.memory->heap().clear_reused_blocks();
  rank.state = new (range + world_->layout.control_begin) RankState;
  RankState& state = *rank.state;
  state.world = part.world.get();
  state.base = range;
  state.thread_pointer = range + world_->layout.thread_pointer;
  state.heap = &rank.memory->heap();
  state.memory = rank.memory.get();
  state.variable<char*>(Variable::optarg) = nullptr;
  state.variable<int>(Variable::optind) = 1;
  state.variable<int>(Variable::opterr) = 1;
  state.variable<int>(Variable::optopt) = '?';
  state.dead_stack = clears ? &rank.dead_stack : nullptr;
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

}  // namespace rehearse::smpi
