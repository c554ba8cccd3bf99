// SPDX-License-Identifier: MIT
//
// See withheld.hpp.
#include "smpi/request/withheld.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "simcore/actor.hpp"
#include "simcore/provisional.hpp"
#include "simcore/support/format.hpp"
#include "smpi/abi.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process.hpp"
#include "smpi/process/interposers.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::size_t max_reported = 64;  // receives of a rank

struct Withheld {
  std::vector<Request*> live;
  struct Receipt {
    std::string id;
    CreationSite site;
  };
  std::vector<Receipt> received;
  std::vector<std::string> probed;
};

bool is_explored(const void* place) { return place != nullptr && cancel_search().knows(place_in_program(place)); }

std::string note_id(std::string_view id, std::initializer_list<std::int64_t> numbers) {
  std::string text(id);
  for (const std::int64_t number : numbers) text += fmt::format(" {}", number);
  return text;
}

void report_note(const std::string& id, const CreationSite& site = {}) { report(id, Severity::note, "", site); }

}  // namespace

bool withholds(Request& request) {
  request.started_at = current_call_site();
  if (cancel_search().places.empty() || !is_explored(request.started_at)) return false;
  RequestExtra& extra = request.more();
  extra.send = {};
  extra.send.is_withheld = ask(Choose{2, "whether a send will be cancelled"}).completions[0].index == 1;
  if (!extra.send.is_withheld) return false;
  extra.awaits = "a withheld send";
  per_rank<Withheld>().live.push_back(&request);
  report_note(std::string(withheld_send));
  return true;
}

void note_send(const MatchingSpace& space, int peer) {
  if (cancel_search().places.empty()) return;
  if (Withheld* known = find_per_rank<Withheld>())
    for (Request* request : known->live)
      if (request->transfer.peer == peer && request->communicator->message_context() == space.context)
        request->extra->send.is_overtaken = true;
}

void no_execution() {
  fail_rank(FailureKind::not_meant, "execution.other", "a send that is cancelled is completed by other means");
}

void note_refusal(Request& request) {
  if (request.kind != Request::Kind::send || cancel_search().places.empty() || !is_explored(request.started_at)) return;
  if (++request.more().send.refusals > max_refusals && is_withheld(request)) no_execution();
}

bool cancel_explored(Request& request) {
  const CancelSearch& search = cancel_search();
  if (!search.reports && search.places.empty()) return false;
  if (!is_explored(request.started_at)) {
    if (!search.reports) return false;
    fail_rank(FailureKind::unsupported, "",
              fmt::format("{}{}", CancelSearch::place_reported, place_in_program(request.started_at)));
  }
  end_uses(request);
  RequestExtra& extra = request.more();
  request.state = Request::State::complete;
  request.ending = {};
  if (extra.send.is_withheld) {
    std::erase(per_rank<Withheld>().live, &request);
    request.ending.cancelled = true;
    extra.send.is_withheld = false;
    extra.awaits.clear();
    report_note(std::string(extra.send.is_overtaken ? overtaken_send : cancelled_send));
    return true;
  }
  const auto receiver = static_cast<std::int64_t>(request.communicator->peer(request.transfer.peer).value);
  report_note(note_id(kept_send, {static_cast<std::int64_t>(request.id.value), receiver, request.transfer.tag}));
  if (extra.send.refusals > max_refusals) report_note(std::string(long_tested_send));
  ask(Release{request.id});
  return true;
}

void note_received(const Completion& completion) {
  if (cancel_search().places.empty()) return;
  std::vector<Withheld::Receipt>& received = per_rank<Withheld>().received;
  if (received.size() < max_reported)
    received.push_back({note_id(received_send, {completion.source.value, completion.tag}), creation_site()});
}

void note_probed(const Completion& completion) {
  if (cancel_search().places.empty()) return;
  std::vector<std::string>& probed = per_rank<Withheld>().probed;
  std::string id = note_id(probed_send, {completion.source.value, completion.tag});
  if (std::ranges::find(probed, id) != probed.end()) return;
  probed.push_back(id);
  report_note(id);
}

void report_received() {
  Withheld* known = find_per_rank<Withheld>();
  if (known == nullptr) return;
  for (const Withheld::Receipt& receipt : std::exchange(known->received, {})) report_note(receipt.id, receipt.site);
}

}  // namespace rehearse::smpi
