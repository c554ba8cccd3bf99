// SPDX-License-Identifier: MIT
//
// The explanation of a counter-example about actors, and the pictures of them.
#include <algorithm>
#include <filesystem>
#include <ostream>

#include "app/actor_steps.hpp"
#include "app/cli/actor_verbs.hpp"
#include "app/wording.hpp"

namespace rehearse::cli {
namespace {

constexpr std::size_t columns_of_text = 98, unusual_shown = 8, steps_shown = 14;

std::string numbered(std::size_t step) { return "step " + std::to_string(step + 1) + ": "; }

void print_unusual(std::ostream& out, const app::Counterexample& of) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < of.steps.size(); ++i)
    if (!of.steps[i].instead.empty())
      lines.push_back(numbered(i) + of.steps[i].text + ", before this happens: " + of.steps[i].instead);
  if (lines.empty()) {
    out << "\nNeeds no unusual decision: the first execution explored ends this way.\n";
    return;
  }
  out << "\nNeeds " << app::counted(lines.size(), "unusual decision")
      << (of.is_fewest ? ". No execution with fewer ends this way:\n" : ":\n");
  for (std::size_t i = 0; i < std::min(lines.size(), unusual_shown); ++i)
    out << "  " << app::wrapped(lines[i], columns_of_text, "      ") << '\n';
  if (lines.size() > unusual_shown)
    out << "  ... and " << app::counted(lines.size() - unusual_shown, "decision") << " more\n";
}

std::string described(const app::ActorStep& step) {
  return step.text + (step.place.empty() ? "" : ", at " + step.place) +
         (step.values.empty() ? "" : "; publishes " + step.values);
}

}  // namespace

void print_endless(std::ostream& out, const app::Counterexample& of) {
  const std::size_t stem = of.steps.size() - *of.loop;
  const auto print = [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i)
      out << "  " << app::wrapped(numbered(i) + described(of.steps[i]), columns_of_text, "      ") << '\n';
  };
  if (stem > 0) out << "\nFirst:\n";
  print(0, stem);
  if (*of.loop == 0) {
    out << "\nThen the execution has ended, and its last state stays.\n";
    return;
  }
  out << "\nThen forever:\n";
  print(stem, of.steps.size());
  out << "\nAfter the last step the program is in the same state as before step " << stem + 1 << ".\n";
}

namespace {

void print_steps(std::ostream& out, const app::Counterexample& of) {
  if (of.steps.empty()) return;
  const std::size_t first = of.steps.size() - std::min(of.steps.size(), steps_shown);
  out << "\nSteps that lead to it" << (first > 0 ? ", last steps" : "") << ":\n";
  for (std::size_t i = first; i < of.steps.size(); ++i)
    out << "  " << app::wrapped(numbered(i) + of.steps[i].text, columns_of_text, "      ") << '\n';
}

}  // namespace

void print_explanation_of_actors(std::ostream& out, const app::ExplainReport& report) {
  const app::Counterexample& of = report.counterexample;
  out << std::filesystem::path(of.program).filename().string();
  for (const std::string& argument : of.arguments) out << ' ' << argument;
  out << ", a program of actors\n\n";
  if (report.is_outdated)
    out << "note: the program has changed since the check; run rehearse check again to see whether the fault "
           "remains\n\n";
  out << app::describe_actors(of.finding) << "  more: docs/checks/" << of.finding.id.family() << ".md\n";
  if (of.loop && (of.finding.id == "property.ltl" || of.finding.id == "progress.cycle")) return print_endless(out, of);
  print_unusual(out, of);
  print_steps(out, of);
}

Result<void> check_pictures_of_actors(const PictureOptions& options) {
  const std::string& file = options.timeline;
  if (!options.sequence.empty()) return Error{"--sequence is for MPI programs; this is a program of the actor API"};
  if (file.empty() || file.ends_with(".html") || file.ends_with(".json") || file.ends_with(".paje")) return {};
  return Error{"--timeline: '" + file + "' given; accepted for actors: FILE.html, FILE.json, FILE.paje"};
}

Result<void> write_pictures_of_actors(const PictureOptions& options, const app::ActorPictures& pictures,
                                      HtmlReport page) {
  const Subject subject{page.program, pictures.platform, "of the program"};
  return write_pictures(options, pictures.recording, subject, std::move(page));
}

}  // namespace rehearse::cli
