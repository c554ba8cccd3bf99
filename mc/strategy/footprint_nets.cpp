// SPDX-License-Identifier: MIT
//
// A proof by flow equations of a net over words, for all policies. Without one, `matching` explores.
#include <chrono>
#include <string>

#include "mc/flow/proof_text.hpp"
#include "mc/footprints/traced_machine.hpp"
#include "mc/footprints/word_proof.hpp"
#include "mc/strategy/net_proof.hpp"
#include "mc/strategy/search_strategy.hpp"
#include "mc/strategy/session.hpp"

namespace rehearse::mc::strategy {

namespace {

class FootprintNets final : public SearchStrategy {
 public:
  FootprintNets(Session& session, WhenUndecided otherwise) : session_(session), otherwise_(otherwise) {
    flow_.by_footprints = true;
  }

  void run() override {
    flow_.why_not = unsupported();
    if (flow_.why_not.empty())
      prove_for_policies(session_.options(), flow_.why_not, [&](bool sends, bool synchronising) {
        return prove({sends, synchronising});
      });
    conclude_net_proof(session_, flow_, otherwise_, "footprints");
  }

 private:
  std::string unsupported() const {
    if (dynamic_cast<StepFootprints*>(&session_.program()) == nullptr) return "programs whose steps cannot be traced";
    return unsupported_by_net_proofs(session_.options());
  }

  bool prove(footprints::Waiting waiting) {
    session_.history().start_again();  // its Nodes do not know where the actors are afterwards
    footprints::TracedMachine machine(session_.program(), waiting);
    std::uint64_t looks = 0;
    const auto goes_on = [&] { return session_.is_within_bounds(++looks) && std::chrono::steady_clock::now() < end_; };
    std::string* text = session_.proof_text();
    const std::string label = text == nullptr ? "" : flow::label_of(waiting.sends, waiting.synchronising);
    const footprints::WordProof proof = footprints::prove(machine, goes_on, {}, {}, label);
    flow_.why_not = proof.why_not;
    if (text != nullptr) keep(proof.text, *text);
    flow_.local_steps += machine.traced_steps();
    flow_.repeated_steps += machine.repeated_steps();
    flow_.steps += proof.steps;
    flow_.equations += proof.equations;
    flow_.questions += proof.questions;
    session_.add_limits({});
    session_.history().start_again();
    return machine.has_partial_collectives();
  }

  // A proof file has all nets or none.
  void keep(const std::string& proof, std::string& text) {
    has_all_texts_ = has_all_texts_ && !proof.empty();
    text = has_all_texts_ ? text + proof : "";
  }

  Session& session_;
  WhenUndecided otherwise_;
  bool has_all_texts_ = true;
  std::chrono::steady_clock::time_point end_ = end_of_net_proof(session_.options(), otherwise_);
  FlowProof flow_;
};

}  // namespace

std::unique_ptr<SearchStrategy> make_footprint_nets(Session& session, WhenUndecided otherwise) {
  return std::make_unique<FootprintNets>(session, otherwise);
}

}  // namespace rehearse::mc::strategy
