// SPDX-License-Identifier: MIT
//
// An .rtrace file as a Program. On the machine of the recording, with the same options, the engine gives each rank the
// same dates.
//
// Method:   each rank asks for exactly the recorded operations. If an answer differs from the recorded one, the machine
//           is another one: requests that complete earlier are remembered until the recording observes them, and a rank
//           waits for those that complete later.
// Receives: with a wildcard, see Wildcards. A receive that the rank cancelled in time, and one with a wildcard that
//           never took a message, take none.
// Errors:   of the file, when a rank comes to them: the actor fails as unsupported, and problem() is set. A rank that
//           comes behind the end of the recording gives up.
// Protocol: save() returns null; restart() reads the rank's actions again from the first.
// Threads:  none.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trace/replayed_program.hpp"

namespace rehearse::trace {

namespace rtrace {
class File;
struct Event;
class Player;
}  // namespace rtrace

class RecordedProgram final : public ReplayedProgram {
 public:
  RecordedProgram(std::unique_ptr<rtrace::File> file, Wildcards wildcards);
  ~RecordedProgram() override;

  const std::optional<Error>& problem() const override { return problem_; }
  std::uint64_t actions() const override;
  std::string format() const override { return "rtrace"; }
  std::string about() const override;
  bool has_reductions() const override;
  FrozenAnswers frozen() const override;
  ActionPlace place(ActorId actor) override;
  std::vector<ActionPlace> places() const override;

  std::uint32_t actor_count() const override;
  const Operation& next(ActorId actor) override;
  void resume(ActorId actor, const Observation& observation) override;
  void restart(ActorId actor) override;
  std::unique_ptr<Snapshot> save(ActorId actor) override;
  void restore(ActorId actor, const Snapshot& snapshot) override;
  std::uint64_t site(ActorId actor) override;
  std::string_view actor_noun() const override { return "rank"; }
  CallDescription describe(ActorId actor) override;

 private:
  rtrace::Player& player(ActorId actor);
  void start(ActorId actor);

  std::unique_ptr<rtrace::File> file_;
  Wildcards wildcards_;
  std::unique_ptr<rtrace::Event> event_;                  // scratch of the players
  std::vector<std::unique_ptr<rtrace::Player>> players_;  // by rank; null: not started
  std::optional<Error> problem_;
};

}  // namespace rehearse::trace
