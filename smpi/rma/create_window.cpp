// SPDX-License-Identifier: MIT
//
// Creates and frees windows; attaches memory to dynamic ones.
//
// Method: all members tell all others the address, size and displacement unit of their memory, in one collective.
//         The memory of a shared window is one block of member 0, or one block per member with the hint
//         alloc_shared_noncontig.
// Source: MPI 5.0, 12.2.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "simcore/actor.hpp"
#include "simcore/support/format.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/buffer_room.hpp"
#include "smpi/buffers/exposed.hpp"
#include "smpi/buffers/freed.hpp"
#include "smpi/buffers/stack_life.hpp"
#include "smpi/collective/collective.hpp"
#include "smpi/communicator/create.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/driver_services.hpp"
#include "smpi/environment/error_handlers.hpp"
#include "smpi/error.hpp"
#include "smpi/info/info.hpp"
#include "smpi/library.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process.hpp"
#include "smpi/report.hpp"
#include "smpi/rma/delivery.hpp"
#include "smpi/rma/window.hpp"
#include "smpi/rma/window_hints.hpp"
#include "smpi/wrong_handle.hpp"

namespace rehearse::smpi {
namespace {

// The arguments of the calls that make windows.
struct WindowArguments {
  const char* call;
  int flavor;
  void* base = nullptr;  // MPI_Win_create
  MPI_Aint size = 0;
  MPI_Aint unit = 1;
  MPI_Info info;
  MPI_Comm comm;
  void* base_pointer = nullptr;  // the variable for the address of allocated memory
  MPI_Win* win;
};

// The member's memory, as all others learn it.
struct AnnouncedPart {
  WindowPart part;
  std::uint64_t is_noncontiguous = 0;  // no gaps: the bytes are compared
};

void* allocate_window_memory(const Window& window, std::uint64_t bytes) {
  void* memory = nullptr;
  const std::size_t alignment = alignment_in(window.hints);
  return posix_memalign(&memory, alignment, std::max<std::size_t>(bytes, 1)) == 0 ? memory : nullptr;
}

// Every member learns the parts of all.
int announce(const CommunicatorRef& communicator, const char* call, const AnnouncedPart& own,
             std::vector<AnnouncedPart>& all) {
  all.resize(static_cast<std::size_t>(communicator->size()));
  Contribution contribution;
  contribution.data = std::as_bytes(std::span(&own, 1));
  contribution.hints.kind = CollectiveKind::allgather;
  return run_collective(communicator, {call}, contribution, {[&](Contributions from) {
                          for (std::size_t i = 0; i < all.size(); ++i)
                            std::memcpy(&all[i], from[i].data(), sizeof all[i]);
                          return Trouble{};
                        }});
}

// Ranks that load and store each other's memory share more than messages: an exploration begins again in which they
// have copies.
void share_memory_of_ranks() {
  RemoteAccess access;
  access.request = library().start_request();
  access.target = current_actor();
  access.blocking = true;
  access.origin = origin_of_call();
  ask(access);
}

// The segments of all members behind each other: where each begins, and the end. `apart`: each is aligned.
std::vector<std::uint64_t> offsets_of(const Window& window, const std::vector<AnnouncedPart>& all, bool apart) {
  const std::uint64_t alignment = apart ? alignment_in(window.hints) : 1;
  std::vector<std::uint64_t> offsets = {0};
  for (const AnnouncedPart& one : all)
    offsets.push_back((offsets.back() + one.part.bytes + alignment - 1) / alignment * alignment);
  return offsets;
}

// Each member has a copy of all segments, which the driver keeps coherent. The own segment is the one that others name.
int copy_shared_memory(Window& window, const char* call, std::vector<AnnouncedPart>& all, bool apart) {
  const std::vector<std::uint64_t> offsets = offsets_of(window, all, apart);
  window.own_memory = allocate_window_memory(window, offsets.back());
  for (std::size_t i = 0; i < all.size(); ++i)
    window.seen_at.push_back(static_cast<std::byte*>(window.own_memory) + offsets[i]);
  AnnouncedPart& own = all[static_cast<std::size_t>(window.rank())];
  // A segment with its own memory has no address if it is empty, as in MPICH.
  if (!apart || own.part.bytes > 0) own.part.base = window.seen_at[static_cast<std::size_t>(window.rank())];
  return announce(window.communicator, call, AnnouncedPart(own), all);
}

// The members' segments follow each other in the memory of member 0, or each member has its own memory.
int place_shared_memory(Window& window, const char* call, std::vector<AnnouncedPart>& all) {
  const bool is_apart = std::ranges::all_of(all, [](const AnnouncedPart& one) { return one.is_noncontiguous != 0; });
  if (windows_are_messages()) return copy_shared_memory(window, call, all, is_apart);
  std::uint64_t bytes = 0;
  for (const AnnouncedPart& one : all) bytes += one.part.bytes;
  AnnouncedPart& own = all[static_cast<std::size_t>(window.rank())];
  if (is_apart || window.rank() == 0) {
    window.own_memory = allocate_window_memory(window, is_apart ? own.part.bytes : bytes);
    if (!is_apart || own.part.bytes > 0) own.part.base = static_cast<std::byte*>(window.own_memory);
  }
  const int error = announce(window.communicator, call, AnnouncedPart(own), all);
  std::byte* next = all.front().part.base;
  for (AnnouncedPart& one : all) {
    if (is_apart) continue;
    one.part.base = next;
    next += one.part.bytes;
  }
  for (const AnnouncedPart& one : all) window.seen_at.push_back(one.part.base);
  return error;
}

bool is_allocated(int flavor) { return flavor == MPI_WIN_FLAVOR_ALLOCATE || flavor == MPI_WIN_FLAVOR_SHARED; }

void check_window(Arguments& check, const WindowArguments& arguments) {
  check.pointer(arguments.win, "win");
  check.require(arguments.size >= 0, MPI_ERR_SIZE,
                [&] { return fmt::format("size is {}; it must not be negative", arguments.size); });
  check.require(arguments.unit > 0, MPI_ERR_DISP,
                [&] { return fmt::format("disp_unit is {}; it must be positive", arguments.unit); });
  check.require(find_hints(arguments.info) != nullptr, MPI_ERR_INFO, "the info object was freed or never existed");
  check.require(check.failed() || alignment_in(*find_hints(arguments.info)) != 0, MPI_ERR_INFO_VALUE,
                "mpi_minimum_memory_alignment is not a power of two");
  if (is_allocated(arguments.flavor)) check.pointer(arguments.base_pointer, "baseptr");
  if (arguments.flavor == MPI_WIN_FLAVOR_CREATE && arguments.size > 0)
    check.require(arguments.base != nullptr, MPI_ERR_BASE, "base is a null pointer, but size is not 0");
  if (check.failed() || arguments.flavor != MPI_WIN_FLAVOR_CREATE || arguments.size == 0) return;
  const std::string problem = find_memory_error(arguments.base, arguments.size, *predefined_datatype(MPI_BYTE));
  check.require(problem.empty(), MPI_ERR_BASE, "base" + problem, "argument.buffer");
}

// Memory of windows on the stack, for the calling rank.
struct WindowFrames {
  std::map<const Window*, FrameMark> marks;
};

void note_frame(const Window& window) {
  const auto address = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(window.own().base));
  if (window.flavor != MPI_WIN_FLAVOR_CREATE || window.own().bytes == 0 || !is_on_stack(address)) return;
  per_rank<WindowFrames>().marks[&window] = frame_mark(address);
}

// The memory must exist until the window is freed.
void check_frame(const Window& window) {
  WindowFrames* frames = find_per_rank<WindowFrames>();
  const auto known = frames == nullptr ? std::map<const Window*, FrameMark>::node_type()
                                       : frames->marks.extract(&window);
  if (known.empty() || !is_over(known.mapped()) || !buffer_checks().lifetimes) return;
  const std::array others{ReportedPlace{windows().made.site(window.handle), "makes the window"}};
  report_places("buffer.freed", "the memory of the window was on the stack of a function that has returned",
                {{}, "frees the window, whose memory is gone"}, others);
}

// A promise of the hints same_size and same_disp_unit.
std::string broken_promise(const Window& window) {
  const auto differs = [&](auto member) {
    return std::ranges::any_of(window.parts,
                               [&](const WindowPart& part) { return part.*member != window.parts.front().*member; });
  };
  if (is_true(window.hints, "same_size") && differs(&WindowPart::bytes)) return "same_size, but the sizes differ";
  if (is_true(window.hints, "same_disp_unit") && differs(&WindowPart::unit))
    return "same_disp_unit, but the displacement units differ";
  return {};
}

int make_window(const WindowArguments& arguments) {
  Arguments check = intracommunicator_arguments(arguments.comm);
  check_window(check, arguments);
  if (check.failed()) return check.error();
  if (!buffer_checks().accesses)
    report_outcomes_left_out("loads and stores of window memory, which only rehearse cc --check-memory reports");
  const CommunicatorRef parent = check.communicator();
  auto made = std::make_unique<Window>();
  Window& window = *made;
  window.communicator = make_communicator(derive_context(parent->context(), parent->next_child(), 4),
                                          parent->local_map(), "window of " + parent->description());
  window.communicator->handle = arguments.comm;
  window.communicator->session = parent->session;
  window.flavor = arguments.flavor;
  if (driver_services().windows_are_separate && !window.is_shared()) window.model = MPI_WIN_SEPARATE;
  window.hints = default_window_hints();
  set_window_hints(window.hints, *find_hints(arguments.info));
  if (is_order_relaxed(window.hints)) report_outcomes_left_out("the hint accumulate_ordering");
  window.has_no_locks = is_true(window.hints, "no_locks");
  const auto members = static_cast<std::size_t>(window.size());
  window.exposure_count.resize(members);
  window.epochs.started.resize(members);
  window.lock.holds.resize(members);
  window.issued.resize(members);
  window.complete.resize(members);
  AnnouncedPart own{{static_cast<std::byte*>(arguments.base), static_cast<std::uint64_t>(arguments.size),
                     static_cast<std::uint64_t>(arguments.unit), &window},
                    is_true(window.hints, "alloc_shared_noncontig")};
  if (arguments.flavor == MPI_WIN_FLAVOR_ALLOCATE) {
    window.own_memory = allocate_window_memory(window, own.part.bytes);
    own.part.base = static_cast<std::byte*>(window.own_memory);
  }
  std::vector<AnnouncedPart> all;
  int error = announce(window.communicator, arguments.call, own, all);
  if (arguments.flavor == MPI_WIN_FLAVOR_SHARED) {
    if (window.size() > 1 && !windows_are_messages()) share_memory_of_ranks();
    if (error == MPI_SUCCESS) error = place_shared_memory(window, arguments.call, all);
  }
  for (const AnnouncedPart& one : all) window.parts.push_back(one.part);
  window.size_attribute = arguments.size;
  window.unit_attribute = static_cast<int>(arguments.unit);
  if (is_allocated(arguments.flavor)) {
    void* base = window.own().base;
    std::memcpy(arguments.base_pointer, &base, sizeof base);
  }
  window.heard_before = library().heard;
  // Otherwise the owner's accesses matter only in epochs that expose the window.
  if (windows_are_messages() || window.is_shared())
    per_rank<ExposedMemory>().add(&window, memory_of(window), window.is_shared());
  ++windows().count;
  const bool has_copies = window.is_shared() && windows_are_messages();
  window.handle = windows().made.insert(std::move(made), creation_site());
  note_frame(window);
  if (has_copies) ask(Compute{});  // the driver gives all members the same content
  *arguments.win = window.handle;
  if (const std::string broken = broken_promise(window); !broken.empty())
    return error_about(window.handle, MPI_ERR_INFO_VALUE, "the window was made with the hint " + broken);
  return error;
}

int free_window(MPI_Win* win) {
  Arguments outer;
  outer.pointer(win, "win");
  if (outer.failed()) return outer.error();
  Arguments check(*win);
  if (check.failed()) return check.error();
  Window* window = find_window(*win);
  if (const std::string open = open_epoch(*window); !open.empty())
    check.require(false, MPI_ERR_RMA_SYNC, open + " is still open", "rma.not_closed");
  if (check.failed()) return check.error();
  check_frame(*window);
  const int code = delete_window_attributes(*win);
  if (code != MPI_SUCCESS) return error_about(*win, code, "the attribute's delete function failed");
  const int failure = finish_operations(*window, every_target, true);
  Contribution nothing;
  nothing.hints.kind = CollectiveKind::barrier;
  const int error = run_collective(window->communicator, {"MPI_Win_free"}, nothing, {nothing_to_do});
  per_rank<ErrorHandlers>().release_by_communicator(window->error_handler);
  per_rank<ExposedMemory>().end(window);
  if (window->own_memory != nullptr && !must_keep(window->own_memory)) std::free(window->own_memory);
  windows().made.erase(*win);
  *win = MPI_WIN_NULL;
  return failure != MPI_SUCCESS ? failure : error;
}

void check_dynamic(Arguments& check, const Window* window) {
  if (check.failed()) return;
  check.require(window->flavor == MPI_WIN_FLAVOR_DYNAMIC, MPI_ERR_RMA_FLAVOR,
                "memory can be attached only to a window of MPI_Win_create_dynamic", "rma.attach");
}

int attach(MPI_Win win, void* base, MPI_Aint size) {
  Arguments check(win);
  Window* window = find_window(win);
  check_dynamic(check, window);
  check.require(size >= 0, MPI_ERR_SIZE, [&] { return fmt::format("size is {}; it must not be negative", size); });
  if (check.failed() || size == 0) return check.error();
  auto* begin = static_cast<std::byte*>(base);
  check.require(base != nullptr, MPI_ERR_RMA_ATTACH, "base is a null pointer", "rma.attach");
  for (const auto& [other, bytes] : window->attached)
    check.require(begin + size <= other || other + bytes <= begin, MPI_ERR_RMA_ATTACH,
                  "the memory overlaps memory that is attached to this window", "rma.attach");
  if (check.failed()) return check.error();
  ask(Compute{});  // a driver that looks at the uses of the window's memory sees those so far
  window->attached[begin] = static_cast<std::uint64_t>(size);
  if (windows_are_messages()) per_rank<ExposedMemory>().add(window, memory_of(*window));
  return MPI_SUCCESS;
}

int detach(MPI_Win win, const void* base) {
  Arguments check(win);
  Window* window = find_window(win);
  check_dynamic(check, window);
  if (check.failed()) return check.error();
  const auto known = window->attached.find(static_cast<std::byte*>(const_cast<void*>(base)));
  check.require(known != window->attached.end(), MPI_ERR_RMA_ATTACH,
                "no memory with this base is attached to the window", "rma.attach");
  if (check.failed()) return check.error();
  window->attached.erase(known);
  return MPI_SUCCESS;
}

// The member whose segment is asked for: the lowest one with memory for MPI_PROC_NULL.
int queried_member(const Window& window, int rank) {
  if (rank != MPI_PROC_NULL) return rank;
  const auto first = std::ranges::find_if(window.parts, [](const WindowPart& part) { return part.bytes > 0; });
  return first == window.parts.end() ? MPI_PROC_NULL : static_cast<int>(first - window.parts.begin());
}

template <class Unit>
int query(MPI_Win win, int rank, MPI_Aint* size, Unit* unit, void* base_pointer) {
  Arguments check(win);
  check.pointer(size, "size").pointer(unit, "disp_unit").pointer(base_pointer, "baseptr");
  const Window* window = find_window(win);
  if (check.failed()) return check.error();
  check.require(window->flavor != MPI_WIN_FLAVOR_DYNAMIC, MPI_ERR_RMA_FLAVOR, "a dynamic window has no shared memory");
  check.require(rank == MPI_PROC_NULL || (rank >= 0 && rank < window->size()), MPI_ERR_RANK, [&] {
    return fmt::format("the rank is {}, but the ranks of the window are 0 to {}", rank, window->size() - 1);
  });
  if (check.failed()) return check.error();
  const int member = queried_member(*window, rank);
  const bool is_shared = window->flavor == MPI_WIN_FLAVOR_SHARED || member == window->rank();
  const WindowPart part = is_shared && member != MPI_PROC_NULL ? window->part(member) : WindowPart{};
  *size = static_cast<MPI_Aint>(part.bytes);
  *unit = static_cast<Unit>(part.unit);
  const bool is_copied = member != MPI_PROC_NULL && window->flavor == MPI_WIN_FLAVOR_SHARED;
  const std::byte* base = is_copied && part.base != nullptr ? window->seen_at[static_cast<std::size_t>(member)]
                                                            : part.base;
  std::memcpy(base_pointer, &base, sizeof base);
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Win_create(void* base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win* win) {
  return make_window({"MPI_Win_create", MPI_WIN_FLAVOR_CREATE, base, size, disp_unit, info, comm, nullptr, win});
}

int Win_create_c(void* base, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win* win) {
  return make_window({"MPI_Win_create", MPI_WIN_FLAVOR_CREATE, base, size, disp_unit, info, comm, nullptr, win});
}

int Win_allocate(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void* baseptr, MPI_Win* win) {
  return make_window({"MPI_Win_allocate", MPI_WIN_FLAVOR_ALLOCATE, nullptr, size, disp_unit, info, comm, baseptr, win});
}

int Win_allocate_c(MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void* baseptr, MPI_Win* win) {
  return make_window({"MPI_Win_allocate", MPI_WIN_FLAVOR_ALLOCATE, nullptr, size, disp_unit, info, comm, baseptr, win});
}

int Win_allocate_shared(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void* baseptr, MPI_Win* win) {
  return make_window(
      {"MPI_Win_allocate_shared", MPI_WIN_FLAVOR_SHARED, nullptr, size, disp_unit, info, comm, baseptr, win});
}

int Win_allocate_shared_c(MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void* baseptr,
                          MPI_Win* win) {
  return make_window(
      {"MPI_Win_allocate_shared", MPI_WIN_FLAVOR_SHARED, nullptr, size, disp_unit, info, comm, baseptr, win});
}

int Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win* win) {
  return make_window({"MPI_Win_create_dynamic", MPI_WIN_FLAVOR_DYNAMIC, nullptr, 0, 1, info, comm, nullptr, win});
}

int Win_free(MPI_Win* win) { return free_window(win); }

int Win_attach(MPI_Win win, void* base, MPI_Aint size) { return attach(win, base, size); }

int Win_detach(MPI_Win win, const void* base) { return detach(win, base); }

int Win_shared_query(MPI_Win win, int rank, MPI_Aint* size, int* disp_unit, void* baseptr) {
  return query(win, rank, size, disp_unit, baseptr);
}

int Win_shared_query_c(MPI_Win win, int rank, MPI_Aint* size, MPI_Aint* disp_unit, void* baseptr) {
  return query(win, rank, size, disp_unit, baseptr);
}

}  // namespace rehearse::smpi::calls
