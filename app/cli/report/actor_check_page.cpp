// SPDX-License-Identifier: MIT
//
// See actor_check_page.hpp.
#include "app/cli/report/actor_check_page.hpp"

#include "app/actor_run.hpp"
#include "app/cli/report/check_text.hpp"
#include "app/cli/report/html_report.hpp"
#include "app/wording.hpp"

namespace rehearse::cli {
namespace {

constexpr std::size_t pictures_max = 10;

HtmlReport page_of_actors(const app::CheckReport& report) {
  HtmlReport page;
  page.verb = "check";
  page.program = report.program;
  page.verdict = app::name_of(app::answer_of(report.verdict));
  page.headline = verdict_line(report).substr(page.verdict.size() + 2);
  page.facts = {{"executions", app::with_commas(report.verdict.executions)},
                {"exhaustive", report.verdict.exhaustive ? "yes" : "no"}};
  return page;
}

void add_picture(HtmlReport& page, ReportedFinding& reported, const app::ActorCheckRequest& request) {
  app::ActorReplayRequest again{counterexample_of(request, reported.finding), request.bounds.max_step_seconds};
  again.with_pictures = true;
  again.shows_output = false;
  const auto replay = app::replay_actors(again, {});
  if (!replay || !replay.value().is_same || !replay.value().pictures) {
    reported.note = "It does not happen again in simulated time, so there is no picture of it.";
    return;
  }
  const app::ActorPictures& pictures = *replay.value().pictures;
  reported.recording = static_cast<std::uint32_t>(page.recordings.size());
  for (const std::string& name : files_of(pictures.recording)) page.files.push_back(name);
  page.recordings.push_back(recording_for_page(
      pictures.recording, Subject{page.program, pictures.platform, "of the program"}, *reported.recording));
}

}  // namespace

Result<void> write_actor_check_page(const std::string& file, const app::CheckReport& report,
                                    const app::ActorCheckRequest& request) {
  HtmlReport page = page_of_actors(report);
  for (const Finding& finding : report.verdict.findings) {
    ReportedFinding reported{finding, {}, ""};
    if (page.recordings.size() < pictures_max) add_picture(page, reported, request);
    page.findings.push_back(std::move(reported));
  }
  return write_html(file, page);
}

}  // namespace rehearse::cli
