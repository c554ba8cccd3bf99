// SPDX-License-Identifier: MIT
//
// See actor_steps.hpp. The number of an operation is the number of choices before it.
#include "app/actor_steps.hpp"

#include <array>

#include "simcore/observation.hpp"

namespace rehearse::app {

ActorWalk walk(RemoteActorProgram& program, const Schedule& schedule,
               const std::function<void(const ActorStep&)>& taken, std::size_t most) {
  constexpr ActorId actors{0};
  ActorWalk result;
  std::uint64_t used = 0;
  program.restart(actors);
  for (std::uint32_t depth = 0;; ++depth) {
    const auto* choice = std::get_if<Choose>(&program.next(actors));
    if (choice == nullptr) break;
    if (depth >= most) {
      result.goes_on = true;
      break;
    }
    const auto forced = schedule.answers.find({actors, depth});
    std::uint32_t index = 0;
    if (forced != schedule.answers.end() && !forced->second.completed.empty()) {
      if (forced->second.completed.front() >= choice->count) break;
      index = forced->second.completed.front();
      ++used;
    }
    const std::vector<std::string> texts = program.choices();
    ActorStep step;
    if (index < texts.size()) step.text = texts[index];
    if (index > 0 && !texts.empty()) step.instead = texts.front();
    std::array<Completion, 1> completions;
    completions[0].index = index;
    Observation answer;
    answer.completions = completions;
    program.resume(actors, answer);
    program.next(actors);
    step.at = program.now();
    if (taken) taken(step);
    result.steps.push_back(std::move(step));
  }
  result.unused = schedule.answers.size() - used;
  result.findings = judge_actors(program);
  result.end = program.now();
  if (const auto* failure = std::get_if<Fail>(&program.next(actors)); failure != nullptr && !is_fault(failure->kind))
    result.unsupported = failure->kind == FailureKind::given_up ? "interrupted" : std::string(failure->what);
  return result;
}

}  // namespace rehearse::app
