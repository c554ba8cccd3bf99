// SPDX-License-Identifier: MIT
//
// See single_execution.hpp.
#include "app/check/single_execution.hpp"

namespace rehearse::app {

CheckRequest single_execution_of(const CheckRequest& request) {
  CheckRequest single = request;
  single.strategy = {};
  single.strategy.search = mc::Search::random;
  single.strategy.walks = 1;
  single.strategy.apart = request.strategy.apart;
  single.semantics.same_output = single.semantics.same_sends = single.semantics.same_results = false;
  single.semantics.find_races = false;
  single.helpers.clear();
  single.predict_on.reset();
  single.time_bound.reset();
  single.proof.clear();
  return single;
}

}  // namespace rehearse::app
