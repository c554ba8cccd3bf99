// SPDX-License-Identifier: MIT
//
// See description.hpp.
#include "manynode/inference/description.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "simcore/support/format.hpp"

namespace rehearse::manynode::inference {
namespace {

constexpr double least_seconds = 1e-10;

// How the mean time of a computation goes on for other numbers of ranks.
struct Scaling {
  double seconds = 0;
  std::string expression;  // empty: it does not change
};

// `means`: numbers of ranks and seconds. The seconds are those at `reference` ranks.
Scaling scaling_of(const std::vector<std::pair<double, double>>& means, std::uint32_t reference) {
  static constexpr std::array<std::pair<double, const char*>, 8> exponents = {{{0, ""},
                                                                               {-1, "{} / P"},
                                                                               {-0.5, "sqrt({} / P)"},
                                                                               {-2.0 / 3, "({} / P)^(2 / 3)"},
                                                                               {-1.0 / 3, "cbrt({} / P)"},
                                                                               {1.0 / 3, "cbrt(P / {})"},
                                                                               {0.5, "sqrt(P / {})"},
                                                                               {1, "P / {}"}}};
  Scaling best;
  double best_error = 0;
  for (const auto& [exponent, text] : exponents) {
    double sum = 0, squares = 0;
    for (const auto& [ranks, seconds] : means) {
      const double logarithm = std::log(seconds) - exponent * std::log(ranks / reference);
      sum += logarithm;
      squares += logarithm * logarithm;
    }
    const auto count = static_cast<double>(means.size());
    const double error = squares / count - sum / count * (sum / count);
    // No change wins unless another is much better.
    if (exponent != 0 && error >= 0.5 * best_error) continue;
    best = {means.empty() ? 0 : std::exp(sum / count), fmt::format(fmt::runtime(text), reference)};
    best_error = error;
  }
  return best;
}

class Description {
 public:
  Description(const RecordedRuns& runs, const Vocabulary& vocabulary, const Inferred& inferred,
              const std::vector<Term>& colours)
      : runs_(runs), vocabulary_(vocabulary), inferred_(inferred), used_(vocabulary.names().size(), 0) {
    for (std::size_t i = 0; i < colours.size(); ++i)
      text_.communicators.emplace_back(communicator_name(i + 1), text_of(colours[i]));
  }

  SkeletonText make() {
    for (const RankClass& each : inferred_.classes)
      text_.clusters.push_back(each.rule.is_number(1) ? "all" : text_of(each.rule));
    add(inferred_.body, text_.body);
    add_ends();
    add_markers();
    add_names();
    return std::move(text_);
  }

 private:
  static std::string communicator_name(std::size_t number) { return fmt::format("c{}", number); }

  std::string text_of(const Term& term) {
    for (std::size_t i = 0; i < used_.size(); ++i)
      if (term.has_name(first_own_name + i)) used_[i] = 1;
    return term.text();
  }

  void add(const std::vector<Item>& items, std::vector<OperationText>& body) {
    for (const Item& item : items) {
      if (item.kind == ItemKind::call) {
        add_computation(item.computations, runs_.sites[item.call.site], body);
        add_call(item, body.emplace_back());
        continue;
      }
      if (item.kind == ItemKind::loop && item.times->term().is_number(0)) continue;
      OperationText made;
      if (item.kind == ItemKind::loop) made.fields.emplace_back("loop", text_of(item.times->term()));
      else made.fields.emplace_back("if", text_of(*item.condition));
      add(item.body, made.body);
      add(item.otherwise, made.otherwise);
      body.push_back(std::move(made));
    }
  }

  void add_call(const Item& item, OperationText& made) {
    const RecordedCall& call = item.call;
    const auto put = [&](const char* key, Slot slot) {
      if (!item[slot]) return;
      const Term& term = item[slot]->term();
      made.fields.emplace_back(key, term.is_number(static_cast<double>(anyone)) ? "any" : text_of(term));
    };
    const auto put_tag = [&](const char* key, Slot slot) {
      if (item[slot] && !item[slot]->term().is_number(0)) put(key, slot);
    };
    switch (call.kind) {
      case CallKind::send:
        put(call.blocking ? "send" : "isend", Slot::peer);
        put("bytes", Slot::bytes);
        put_tag("tag", Slot::tag);
        if (call.mode != 0)
          made.fields.emplace_back("mode", std::array{"standard", "synchronous", "buffered", "ready"}[call.mode]);
        break;
      case CallKind::receive:
        put(call.blocking ? "recv" : "irecv", Slot::peer);
        put("bytes", Slot::bytes);
        put_tag("tag", Slot::tag);
        break;
      case CallKind::exchange:
        put("sendrecv", Slot::peer);
        put("bytes", Slot::bytes);
        put_tag("tag", Slot::tag);
        put("from", Slot::from);
        if (item[Slot::from_tag] && item[Slot::tag] &&
            item[Slot::from_tag]->term().text() != item[Slot::tag]->term().text())
          put("from_tag", Slot::from_tag);
        break;
      case CallKind::wait:
        put("wait", Slot::waited);
        if (made.fields.empty()) made.fields.emplace_back("waitany", "true");
        break;
      case CallKind::wait_all: made.fields.emplace_back("waitall", "true"); break;
      case CallKind::wait_any: made.fields.emplace_back("waitany", "true"); break;
      case CallKind::collective:
        made.fields.emplace_back("collective", runs_.names[call.name]);
        put("bytes", Slot::bytes);
        if (item.parts) made.fields.emplace_back("bytes", text_of(item.parts->term()));
        put_tag("root", Slot::root);
        put("elements", Slot::elements);
        break;
    }
    if (call.communicator != 0) made.fields.emplace_back("on", communicator_name(call.communicator));
  }

  // `all`: by class and run; `site`: of the call behind it.
  void add_computation(const std::vector<Computation>& all, const std::string& site, std::vector<OperationText>& body) {
    Computation sum;
    for (const Computation& each : all) sum.add(each);
    if (sum.occurrences == 0 || sum.seconds <= least_seconds * static_cast<double>(sum.occurrences)) return;
    const std::string id = marker_of(sum, site);
    std::vector<Computation>& marker = marker_times_[id];
    marker.resize(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) marker[i].add(all[i]);
    body.emplace_back().fields.emplace_back("compute", id);
  }

  std::string marker_of(const Computation& sum, const std::string& site) const {
    if (site.empty() || sum.sites_before.empty()) return fmt::format("m{}", marker_times_.size());
    const auto most = std::ranges::max_element(sum.sites_before, {}, [](const auto& each) { return each.second; });
    const std::string& before = runs_.sites[most->first];
    return fmt::format("{} > {}", before.empty() ? "start" : before, site);
  }

  // Once the times of all computations with the same marker are known.
  void add_markers() {
    const std::size_t runs = runs_.runs.size();
    std::map<std::string, std::string> scales;
    for (const auto& [id, all] : marker_times_) {
      std::vector<std::pair<double, double>> means;
      for (std::size_t run = 0; run < runs; ++run) {
        Computation sum;
        for (std::size_t i = run; i < all.size(); i += runs) sum.add(all[i]);
        if (sum.occurrences > 0 && sum.seconds > 0)
          means.emplace_back(runs_.runs[run].ranks, sum.seconds / static_cast<double>(sum.occurrences));
      }
      const Scaling scaling = scaling_of(means, runs_.runs.back().ranks);
      scales[id] = scaling.expression;
      MarkerText& marker = text_.markers.emplace_back();
      marker.id = id;
      for (std::size_t number = 0; number < all.size() / runs; ++number) add_cluster(marker, scaling, all, number);
    }
    add_scales(scales, text_.body);
  }

  static void add_scales(const std::map<std::string, std::string>& scales, std::vector<OperationText>& body) {
    for (OperationText& each : body) {
      add_scales(scales, each.body);
      add_scales(scales, each.otherwise);
      if (each.fields.empty() || each.fields.front().first != "compute") continue;
      const std::string& scale = scales.at(each.fields.front().second);
      if (!scale.empty()) each.fields.emplace_back("scale", scale);
    }
  }

  // The mean of a class beside that of all, at the same numbers of ranks.
  void add_cluster(MarkerText& marker, const Scaling& scaling, const std::vector<Computation>& all,
                   std::size_t number) const {
    const std::size_t runs = runs_.runs.size();
    double seconds = 0, expected = 0;
    std::uint64_t occurrences = 0;
    for (std::size_t run = 0; run < runs; ++run) {
      const Computation& own = all[number * runs + run];
      Computation sum;
      for (std::size_t i = run; i < all.size(); i += runs) sum.add(all[i]);
      seconds += own.seconds;
      occurrences += own.occurrences;
      if (sum.occurrences > 0)
        expected += sum.seconds / static_cast<double>(sum.occurrences) * static_cast<double>(own.occurrences);
    }
    // A class that did not come here in the runs may do so with other numbers of ranks.
    const double factor = occurrences == 0 ? 1 : expected > 0 ? seconds / expected : 0;
    marker.seconds.emplace_back(number, scaling.seconds * factor);
  }

  // Computation behind the last call.
  void add_ends() {
    const std::size_t runs = runs_.runs.size();
    std::vector<Computation> all(inferred_.classes.size() * runs);
    for (std::size_t number = 0; number < inferred_.classes.size(); ++number)
      for (const std::uint32_t index : inferred_.classes[number].members) {
        const Vocabulary::Member& member = vocabulary_.member(index);
        const auto run = std::ranges::find(runs_.runs, member.ranks, &RecordedRun::ranks);
        Computation& sum = all[number * runs + static_cast<std::size_t>(run - runs_.runs.begin())];
        sum.seconds += run->seconds_after[member.rank];
        ++sum.occurrences;
        const std::vector<RecordedCall>& calls = run->calls[member.rank];
        if (!calls.empty() && calls.back().site != 0) ++sum.sites_before[calls.back().site];
      }
    add_computation(all, "end", text_.body);
  }

  // Those that are used, with those that these need.
  void add_names() {
    const std::vector<Name>& names = vocabulary_.names();
    for (std::size_t i = names.size(); i-- > 0;)
      if (used_[i] != 0) (void)text_of(names[i].meaning);
    for (std::size_t i = 0; i < names.size(); ++i)
      if (used_[i] != 0) text_.names.emplace_back(names[i].text, names[i].meaning.text());
  }

  const RecordedRuns& runs_;
  const Vocabulary& vocabulary_;
  const Inferred& inferred_;
  std::vector<char> used_;
  std::map<std::string, std::vector<Computation>> marker_times_;  // by class and run
  SkeletonText text_;
};

}  // namespace

SkeletonText describe(const RecordedRuns& runs, const Vocabulary& vocabulary, const Inferred& inferred,
                      const std::vector<Term>& colours) {
  return Description(runs, vocabulary, inferred, colours).make();
}

}  // namespace rehearse::manynode::inference
