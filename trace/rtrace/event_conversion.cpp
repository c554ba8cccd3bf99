// SPDX-License-Identifier: MIT
//
// See event_conversion.hpp.
#include "trace/rtrace/event_conversion.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <variant>

#include "trace/rtrace/collective_form.hpp"

namespace rehearse::trace::rtrace {

namespace {

// Fills one event.
class EventMaker {
 public:
  EventMaker(const Observation* answer, Duration took, std::uint32_t& next_request, Tables& tables, Event& event)
      : answer_(answer), took_(took), next_request_(next_request), tables_(tables), event_(event) {
    event.flags = answer == nullptr ? flag::unanswered : 0;
    event.numbers.clear();
    event.volume = 0;
    event.took = {};
  }

  void operator()(const Send& send) {
    begin(EventKind::send);
    set(flag::blocking, send.blocking);
    choose(static_cast<std::uint32_t>(send.mode));
    add(tables_.context(send.context), send.destination.value, send.tag, send.data.size(), gap(send.request));
  }
  void operator()(const Post& post) {
    begin(EventKind::receive);
    set(flag::blocking, post.blocking);
    set(flag::takes, post.taken.has_value());
    add_pattern(post.pattern);
    add(post.capacity_bytes, gap(post.request), post.taken.value_or(0));
  }
  void operator()(const Observe& observe) {
    begin(EventKind::observe);
    set(flag::blocking, observe.blocking);
    set(flag::withdraws, observe.withdraws);
    choose(static_cast<std::uint32_t>(observe.quantifier));
    const bool yes = answer_ != nullptr && answer_->flag;
    set(flag::yes, yes);
    add(observe.requests.size());
    for (const RequestId request : observe.requests) add(next_request_ - request.value);
    if (!yes || observe.quantifier == Quantifier::all) return;
    for (const Completion& completion : answer_->completions) add(completion.index);
  }
  void operator()(const Probe& probe) {
    begin(EventKind::probe);
    set(flag::blocking, probe.blocking);
    set(flag::takes, probe.takes);
    add_pattern(probe.pattern);
    const bool yes = answer_ != nullptr && answer_->flag && !answer_->completions.empty();
    set(flag::yes, yes);
    if (!yes) return add(0, 0);
    const Completion& seen = answer_->completions.front();
    add(seen.source.value, seen.tag);
  }
  void operator()(const Collective& collective) {
    begin(EventKind::collective);
    const std::uint32_t context = tables_.context(collective.context);
    tables_.set_members(context, collective.members);
    set(flag::blocking, collective.blocking);
    set(flag::combining, collective.combining);
    set(flag::commutative, collective.hints.is_commutative);
    set(flag::groups, collective.groups.first != 0);
    add(context, collective.root, collective.signature, collective.contribution.size(), gap(collective.request),
        collective.hints.elements, collective.hints.total_bytes, tables_.text(collective.name),
        static_cast<std::uint8_t>(collective.flow), static_cast<std::uint8_t>(collective.hints.kind),
        collective.groups.first, collective.groups.gives, collective.groups.takes);
    const auto segments = collective.segment_bytes;
    if (segments.empty()) return;
    const bool are_equal =
        std::ranges::all_of(segments, [&](std::uint64_t bytes) { return bytes == segments.front(); });
    set(flag::segments, true);
    set(flag::equal, are_equal);
    for (const std::uint64_t bytes : segments.first(are_equal ? 1 : segments.size())) add(bytes);
  }
  // The recorder refuses executions with these.
  void operator()(const RemoteAccess&) { begin(EventKind::note); }
  void operator()(const Traffic&) { begin(EventKind::note); }
  void operator()(const Settle&) { begin(EventKind::note); }
  void operator()(const StorageAccess&) { begin(EventKind::note); }
  void operator()(const Work&) { begin(EventKind::note); }
  void operator()(const Await&) { begin(EventKind::note); }
  void operator()(const Release& release) {
    begin(EventKind::release);
    add(next_request_ - release.request.value);
  }
  void operator()(const Choose& choose) {
    begin(EventKind::choose);
    const bool is_known = answer_ != nullptr && !answer_->completions.empty();
    add(choose.count, is_known ? answer_->completions.front().index : 0, tables_.text(choose.what));
  }
  void operator()(const Compute& compute) {
    constexpr double exact = 9007199254740992;  // whole numbers up to 2^53 are exact
    begin(compute.origin == VolumeOrigin::requested ? EventKind::compute
          : compute.origin == VolumeOrigin::stretch ? EventKind::stretch
                                                    : EventKind::shown_stretch);
    const bool is_whole = std::fabs(compute.flops) <= exact && compute.flops == std::floor(compute.flops);
    set(flag::fraction, !is_whole);
    event_.volume = is_whole ? static_cast<std::int64_t>(compute.flops) : std::bit_cast<std::int64_t>(compute.flops);
  }
  void operator()(const Sleep& sleep) {
    begin(EventKind::sleep);
    event_.volume = sleep.duration.picoseconds;
  }
  void operator()(const Clock&) {
    begin(EventKind::clock);
    add(took_.picoseconds);
  }
  void operator()(const Log&) { begin(EventKind::note); }
  void operator()(const Report&) { begin(EventKind::note); }
  void operator()(const Fail& fail) {
    begin(EventKind::fail);
    event_.flags = 0;
    add(static_cast<std::uint8_t>(fail.kind), tables_.text(fail.id), tables_.text(fail.what));
  }
  void operator()(const End& end) {
    begin(EventKind::end);
    event_.flags = 0;
    add(end.status);
  }

 private:
  void begin(EventKind kind) { event_.kind = kind; }
  void set(std::uint32_t which, bool is_set) { event_.flags |= is_set ? which : 0; }
  void choose(std::uint32_t choice) { event_.flags |= choice << flag::choice_bit; }
  template <class... T>
  void add(T... values) {
    (event_.numbers.push_back(static_cast<std::int64_t>(values)), ...);
  }
  void add_pattern(const Pattern& pattern) {
    set(flag::any_source, !pattern.source);
    set(flag::any_tag, !pattern.tag);
    add(tables_.context(pattern.context), pattern.source ? pattern.source->value : 0, pattern.tag.value_or(0));
  }
  std::int64_t gap(RequestId request) {
    const std::int64_t gap = std::int64_t{request.value} - std::int64_t{next_request_};
    next_request_ = request.value + 1;
    return gap;
  }

  const Observation* answer_;
  Duration took_;
  std::uint32_t& next_request_;
  Tables& tables_;
  Event& event_;
};

// Reads one event.
class OperationMaker {
 public:
  OperationMaker(const Event& event, std::uint32_t& next_request, const Tables& tables, const Caller& caller,
                 Asked& asked)
      : event_(event), next_request_(next_request), tables_(tables), caller_(caller), asked_(asked) {}

  const char* make() {
    asked_.kind = event_.kind;
    asked_.is_unanswered = event_.has(flag::unanswered);
    asked_.yes = event_.has(flag::yes);
    asked_.is_undecided = event_.has(flag::undecided) &&
                          (event_.kind == EventKind::receive || event_.kind == EventKind::observe);
    asked_.site = event_.site;
    switch (event_.kind) {
      case EventKind::send: return make_send();
      case EventKind::receive: return make_receive();
      case EventKind::observe: return make_observe();
      case EventKind::probe: return make_probe();
      case EventKind::collective: return make_collective();
      case EventKind::release: return make_release();
      case EventKind::choose: return make_choose();
      case EventKind::compute: return make_compute(VolumeOrigin::requested);
      case EventKind::stretch: return make_compute(VolumeOrigin::stretch);
      case EventKind::shown_stretch: return make_compute(VolumeOrigin::shown_stretch);
      case EventKind::sleep: return make_sleep();
      case EventKind::clock: return make_clock();
      case EventKind::note: asked_.operation = Log{}; return nullptr;
      case EventKind::fail: return make_fail();
      case EventKind::end: return make_end();
    }
    return "unknown kind of action";
  }

 private:
  static constexpr const char* few_numbers = "an action with too few numbers";
  static constexpr const char* no_context = "unknown context";
  static constexpr const char* no_rank = "unknown rank";
  static constexpr const char* no_request = "a request number out of range";

  std::uint64_t at(std::size_t index) const { return static_cast<std::uint64_t>(event_.numbers[index]); }
  bool has(std::size_t count) const { return event_.numbers.size() >= count; }
  bool has_context() const { return at(place::context) < tables_.contexts().size(); }
  ContextId context() const { return tables_.contexts()[at(place::context)].id; }
  bool is_rank(std::size_t index) const { return at(index) < caller_.ranks; }

  bool take_request(RequestId& request) {
    const std::uint64_t value = std::uint64_t{next_request_} + at(place::gap);
    if (at(place::gap) >= most_requests || value >= most_requests) return false;
    request = {static_cast<std::uint32_t>(value)};
    next_request_ = request.value + 1;
    return true;
  }
  bool find_request(std::size_t index, RequestId& request) const {
    if (at(index) == 0 || at(index) > next_request_) return false;
    request = {static_cast<std::uint32_t>(next_request_ - at(index))};
    return true;
  }
  bool find_text(std::size_t index, std::string_view& text) const {
    if (at(index) >= tables_.texts().size()) return false;
    text = tables_.texts()[at(index)];
    return true;
  }
  static std::span<const std::byte> without_data(std::uint64_t bytes) {
    return {static_cast<const std::byte*>(nullptr), static_cast<std::size_t>(bytes)};
  }

  const char* make_send() {
    if (!has(place::send_size)) return few_numbers;
    if (!has_context()) return no_context;
    if (!is_rank(place::peer)) return no_rank;
    Send& send = asked_.operation.emplace<Send>();
    if (!take_request(send.request)) return no_request;
    send.context = context();
    send.destination = {static_cast<std::uint32_t>(at(place::peer))};
    send.tag = static_cast<Tag>(at(place::tag));
    send.mode = static_cast<SendMode>(event_.choice());
    send.blocking = event_.has(flag::blocking);
    send.data = without_data(at(place::bytes));
    return nullptr;
  }
  const char* make_receive() {
    if (!has(place::receive_size)) return few_numbers;
    if (!has_context()) return no_context;
    if (!is_rank(place::peer)) return no_rank;
    Post& post = asked_.operation.emplace<Post>();
    if (!take_request(post.request)) return no_request;
    post.pattern = pattern();
    post.capacity_bytes = at(place::bytes);
    post.blocking = event_.has(flag::blocking);
    if (event_.has(flag::takes)) post.taken = static_cast<std::uint32_t>(at(place::taken));
    return nullptr;
  }
  Pattern pattern() const {
    Pattern pattern{context(), {}, {}};
    if (!event_.has(flag::any_source)) pattern.source = ActorId{static_cast<std::uint32_t>(at(place::peer))};
    if (!event_.has(flag::any_tag)) pattern.tag = static_cast<Tag>(at(place::tag));
    return pattern;
  }
  const char* make_observe() {
    const std::size_t count = has(1) ? at(0) : 0;
    if (count == 0 || count >= event_.numbers.size()) return few_numbers;
    asked_.requests.resize(count);
    for (std::size_t i = 0; i < count; ++i)
      if (!find_request(1 + i, asked_.requests[i])) return no_request;
    Observe& observe = asked_.operation.emplace<Observe>();
    observe.requests = asked_.requests;
    if (event_.choice() > 2) return "unknown quantifier";
    observe.quantifier = static_cast<Quantifier>(event_.choice());
    observe.blocking = event_.has(flag::blocking);
    observe.withdraws = event_.has(flag::withdraws);
    asked_.completed.clear();
    if (!asked_.yes) return nullptr;
    if (observe.quantifier == Quantifier::all) {
      for (std::uint32_t i = 0; i < count; ++i) asked_.completed.push_back(i);
      return nullptr;
    }
    for (std::size_t i = 1 + count; i < event_.numbers.size(); ++i) {
      if (at(i) >= count) return no_request;
      asked_.completed.push_back(static_cast<std::uint32_t>(at(i)));
    }
    return nullptr;
  }
  const char* make_probe() {
    if (!has(place::probe_size)) return few_numbers;
    if (!has_context()) return no_context;
    if (!is_rank(place::peer) || !is_rank(place::seen_source)) return no_rank;
    Probe& probe = asked_.operation.emplace<Probe>();
    probe.pattern = pattern();
    probe.blocking = event_.has(flag::blocking);
    probe.takes = event_.has(flag::takes);
    asked_.seen = {probe.pattern.context, ActorId{static_cast<std::uint32_t>(at(place::seen_source))},
                   static_cast<Tag>(at(place::seen_tag))};
    return nullptr;
  }
  const char* make_collective() {
    if (!has(place::segments)) return few_numbers;
    if (!has_context()) return no_context;
    const Context& context = tables_.contexts()[at(place::context)];
    if (context.members.empty()) return "a collective of a context without members";
    const std::size_t members = context.members.size();
    Collective& collective = asked_.operation.emplace<Collective>();
    if (!take_request(collective.request)) return no_request;
    collective.context = context.id;
    collective.members = context.members;
    if (!find_text(place::name, collective.name)) return "unknown name";
    if (at(place::flow) > static_cast<std::uint8_t>(Flow::optional)) return "unknown flow";
    if (at(place::kind) > static_cast<std::uint8_t>(CollectiveKind::reduce_scatter_block))
      return "unknown kind of collective";
    collective.flow = static_cast<Flow>(at(place::flow));
    collective.root = static_cast<std::uint32_t>(at(place::peer));
    const bool is_elsewhere = event_.has(flag::groups) && at(place::peer) == another_root;
    if (at(place::peer) >= members && !is_elsewhere) return no_rank;
    collective.signature = at(place::signature);
    collective.contribution = without_data(at(place::bytes));
    collective.blocking = event_.has(flag::blocking);
    collective.combining = event_.has(flag::combining);
    collective.hints = {static_cast<CollectiveKind>(at(place::kind)), event_.has(flag::commutative),
                        at(place::elements), at(place::total)};
    if (event_.has(flag::groups)) {
      if (at(place::first) >= members) return "a group with too many members";
      collective.groups = {static_cast<std::uint32_t>(at(place::first)), at(place::gives), at(place::takes)};
    }
    asked_.segments.clear();
    if (event_.has(flag::segments)) {
      const std::size_t given = event_.numbers.size() - place::segments;
      if (event_.has(flag::equal) ? given < 1 : given < members) return few_numbers;
      for (std::size_t i = 0; i < members; ++i)
        asked_.segments.push_back(at(place::segments + (event_.has(flag::equal) ? 0 : i)));
    }
    collective.segment_bytes = asked_.segments;
    return broken_rule(collective, caller_.rank);
  }
  const char* make_release() {
    if (!has(1)) return few_numbers;
    Release& release = asked_.operation.emplace<Release>();
    return find_request(0, release.request) ? nullptr : no_request;
  }
  const char* make_choose() {
    if (!has(3)) return few_numbers;
    Choose& choose = asked_.operation.emplace<Choose>();
    choose.count = static_cast<std::uint32_t>(at(0));
    if (choose.count == 0) return "a choice between nothing";
    return find_text(2, choose.what) ? nullptr : "unknown name";
  }
  const char* make_compute(VolumeOrigin origin) {
    const double flops = volume_of(event_.volume, event_.has(flag::fraction));
    if (!std::isfinite(flops)) return no_volume;
    asked_.operation = Compute{flops, origin};
    return nullptr;
  }
  const char* make_sleep() {
    asked_.operation = Sleep{Duration{event_.volume}};
    return nullptr;
  }
  const char* make_clock() {
    if (!has(1)) return few_numbers;
    if (event_.numbers[0] < 0) return "a negative duration";
    asked_.operation = Clock{Duration{event_.numbers[0]}};
    return nullptr;
  }
  const char* make_fail() {
    if (!has(3)) return few_numbers;
    if (at(0) > static_cast<std::uint8_t>(FailureKind::given_up)) return "unknown failure";
    Fail& fail = asked_.operation.emplace<Fail>();
    fail.kind = static_cast<FailureKind>(at(0));
    return find_text(1, fail.id) && find_text(2, fail.what) ? nullptr : "unknown name";
  }
  const char* make_end() {
    if (!has(1)) return few_numbers;
    asked_.operation = End{static_cast<int>(event_.numbers[0])};
    return nullptr;
  }

  static constexpr std::uint64_t most_requests = std::numeric_limits<std::uint32_t>::max();

  const Event& event_;
  std::uint32_t& next_request_;
  const Tables& tables_;
  const Caller& caller_;
  Asked& asked_;
};

}  // namespace

const char* name_of(EventKind kind) {
  constexpr const char* names[event_kinds] = {"send",
                                              "receive",
                                              "observe",
                                              "probe",
                                              "collective",
                                              "release",
                                              "choice",
                                              "compute",
                                              "application code",
                                              "application code before a clock read",
                                              "sleep",
                                              "clock",
                                              "output",
                                              "failure",
                                              "end"};
  return names[static_cast<std::uint8_t>(kind)];
}

void to_event(const Operation& operation, const Observation* answer, Duration took, std::uint32_t& next_request,
              Tables& tables, Event& event) {
  std::visit(EventMaker(answer, took, next_request, tables, event), operation);
}

const char* to_operation(const Event& event, std::uint32_t& next_request, const Tables& tables, const Caller& caller,
                         Asked& asked) {
  return OperationMaker(event, next_request, tables, caller, asked).make();
}

}  // namespace rehearse::trace::rtrace
