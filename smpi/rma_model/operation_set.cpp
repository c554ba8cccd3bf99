// SPDX-License-Identifier: MIT
//
// See operation_set.hpp.
#include "smpi/rma_model/operation_set.hpp"

#include <algorithm>

namespace rehearse::smpi::model {
namespace {

// The first run that ends behind the number.
OperationSet::Runs::const_iterator run_behind(const OperationSet::Runs& runs, std::uint32_t number) {
  return std::ranges::upper_bound(runs, number, {}, &OperationSet::Run::end);
}

// Both, which are in ascending order, as one.
OperationSet::Runs joined(const OperationSet::Runs& a, const OperationSet::Runs& b) {
  OperationSet::Runs all;
  std::ranges::merge(a, b, std::back_inserter(all), {}, &OperationSet::Run::begin, &OperationSet::Run::begin);
  OperationSet::Runs result;
  for (const OperationSet::Run& run : all) {
    if (result.empty() || result.back().end < run.begin) result.push_back(run);
    else result.back().end = std::max(result.back().end, run.end);
  }
  return result;
}

}  // namespace

bool OperationSet::contains(RecordId id) const {
  const auto known = runs_.find(id.actor);
  if (known == runs_.end()) return false;
  const auto run = run_behind(known->second, id.number);
  return run != known->second.end() && run->begin <= id.number;
}

std::uint32_t OperationSet::end_of_run(RecordId id) const { return run_behind(runs_.at(id.actor), id.number)->end; }

bool OperationSet::insert(RecordId id) {
  if (contains(id)) return false;
  Runs& runs = runs_[id.actor];
  auto behind = std::ranges::upper_bound(runs, id.number, {}, &Run::begin);
  const bool extends = behind != runs.begin() && std::prev(behind)->end == id.number;
  const bool precedes = behind != runs.end() && behind->begin == id.number + 1;
  if (extends && precedes) {
    std::prev(behind)->end = behind->end;
    runs.erase(behind);
  } else if (extends) {
    ++std::prev(behind)->end;
  } else if (precedes) {
    --behind->begin;
  } else {
    runs.insert(behind, {id.number, id.number + 1});
  }
  return true;
}

void OperationSet::erase(RecordId id) {
  if (!contains(id)) return;
  Runs& runs = runs_.at(id.actor);
  Runs left;
  for (const Run& run : runs) {
    const bool has_id = run.begin <= id.number && id.number < run.end;
    if (const Run before{run.begin, has_id ? id.number : run.end}; before.begin < before.end) left.push_back(before);
    if (const Run behind{id.number + 1, run.end}; has_id && behind.begin < behind.end) left.push_back(behind);
  }
  if (left.empty()) runs_.erase(id.actor);
  else runs = std::move(left);
}

void OperationSet::join(const OperationSet& other) {
  for (const auto& [actor, runs] : other.runs_) {
    Runs& own = runs_[actor];
    if (own != runs) own = joined(own, runs);
  }
}

}  // namespace rehearse::smpi::model
