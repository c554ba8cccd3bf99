// SPDX-License-Identifier: MIT
//
// The operations of one rank of a WindowProgram as the driver sees them.
//
// Protocol: the rank's own operations are changed (messages get news) or replaced (an access becomes messages to
//           objects). Operations of the model itself come before the rank's next one. The driver sees other
//           numbers of requests than the rank.
// Memory:   reads and writes the paused rank's memory: its windows, and the uses of them.
// Threads:  none.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simcore/program.hpp"
#include "smpi/process.hpp"
#include "smpi/rma/access.hpp"
#include "smpi/rma/window.hpp"
#include "smpi/rma_model/rank_model.hpp"
#include "smpi/rma_model/window_objects.hpp"

namespace rehearse::smpi::model {

// The current operation of a rank, and its data. Made again after a restore.
struct ShownOperation {
  bool is_valid = false;
  Operation operation = End{};
  std::vector<std::byte> data;
  std::vector<RequestId> requests;
  // By request: index in the rank's list, and part; or the place in `exposures` behind the rank's list.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> places;
  std::vector<WindowMember> exposures;
  std::string text;
};

class RankDriver {
 public:
  RankDriver(LoadedProgram& program, const WindowObjects& objects, RankModel& model, ShownOperation& shown,
             ActorId rank, const StepLimits& limits)
      : program_(program), objects_(objects), model_(model), shown_(shown), rank_(rank), limits_(limits) {}

  const Operation& next();
  void resume(const Observation& observation);

 private:
  // rank_memory.cpp
  void look_at_memory();
  void look_at_window(const Window& window);
  void know_complete(const Window& window);
  void add_content(const Bytes& memory, std::vector<std::byte> data);
  void check_new_window(const Window& window, const std::vector<ShownMemory>& memory);
  void note_uses(const Window& window);
  void note_use(const ShownMemory& memory, const OwnUse& use, std::uint64_t separate);
  void note_carriers(const Window& window);
  void write_memory();
  void report_races();
  // rank_accesses.cpp
  bool begin_access(const RemoteAccess& access);
  bool take_lock(const RemoteAccess& access, const AccessHeader& header);
  void release_lock(const RemoteAccess& access);
  bool begin_operation(const RemoteAccess& access, const AccessHeader& header);
  void begin_whole(const OperationView& operation, Record record, Begun& begun);
  bool begin_elements(const OperationView& operation, const Record& record, Begun& begun, ObjectName place);
  bool ask_object(ActorId object, Record record, const ObjectName& poll, Begun& begun);
  bool note_poll(LastPoll asked, bool reads, bool is_polled, const ObjectName& poll, Repeats& repeats);
  void look_ahead();
  bool make_request(Begun& begun);
  void await_exposure(const WindowMember& member);
  bool is_behind_start_epoch(const Record& record) const;
  // rank_driver.cpp
  void decide();
  void answer_rank(const Observation& observation);
  void run_rank(const Observation& observation);
  void show();
  void show_own(const OwnStep& step);
  void show_mapped(const Operation& operation);
  void show_observe(const Observe& observe);
  void finish_step(const Observation& observation);
  void finish_mapped(const Observation& observation);
  void finish_observe(const Observe& observe, const Observation& observation);
  bool split_remarks(std::span<const Remark> remarks, std::vector<Remark>& own);
  void finish_collective(const Collective& collective, const Observation& observation);
  WindowState* fenced_window(const Collective& collective);
  void take_grant(const WindowMember& lock, ActorId object, std::span<const std::byte> news);
  void learn_from(ActorId object, std::span<const std::byte> news);
  void take_settled(std::span<const std::byte> message);
  // rank_exposures.cpp
  void announce_exposure(std::uint64_t window, ActorId origin);
  void take_exposure(const WindowMember& member, std::span<const std::byte> message);
  void take_complete(std::uint64_t window, ActorId origin, std::uint64_t exposure);
  void check_exposed(std::uint64_t window, const Record& operation);
  std::vector<std::byte> fence_news(const WindowState& window) const;
  void end_fence_epoch(std::uint64_t window, std::span<const Remark> remarks);
  void begin_fence_epoch(std::uint64_t window, Opening opening);
  void open_gate(std::uint64_t window, ActorId origin, std::uint64_t exposure, const Knowledge& known);
  void compute_answer(Begun& begun);
  Completion learn_message(Completion completion);
  std::vector<std::byte> take_parts(Begun& begun, const std::vector<std::span<const std::byte>>& answers);
  void note_effects(Begun& begun);
  Begun& begun_as(RequestId of_rank) { return model_.begun[of_rank.value]; }  // valid until another one is begun
  void note_started(RequestId of_rank);
  bool ends_now(const Operation& operation);
  void stop_polling(const Operation& operation);
  void add_barrier(std::uint64_t context, std::vector<ActorId> members, std::string_view name);
  void add_ends();

  LoadedProgram& program_;
  const WindowObjects& objects_;
  RankModel& model_;
  ShownOperation& shown_;
  ActorId rank_;
  const StepLimits& limits_;
};

}  // namespace rehearse::smpi::model
