// SPDX-License-Identifier: MIT
//
// rehearse proof: checks a file that rehearse check --proof wrote.
#include <fstream>
#include <iostream>

#include "app/cli/message.hpp"
#include "app/cli/verb_options.hpp"
#include "app/cli/verbs.hpp"
#include "app/exit_status.hpp"
#include "app/wording.hpp"
#include "proof/check_proof.hpp"

namespace rehearse::cli {

int run_proof(const Arguments& arguments) {
  std::string file;
  bool is_quiet = false;
  Options parser(
      "proof", "[options] FILE",
      "Checks a proof that rehearse check --reduction flow --proof wrote: makes all equations from the steps\n"
      "in the file, and adds them up in integers. Exit status 1: the file is not a proof.",
      "rehearse proof heat.proof");
  OptionSet& app = parser.app();
  app.add_option("FILE", file, "proof")->required();
  app.add_flag("--quiet", is_quiet, "print no text; only set the exit status");
  if (const auto status = parser.parse(arguments)) return *status;
  std::ifstream in(file);
  if (!in) return report_error({"proof: '" + file + "' cannot be read; accepted: a file of rehearse check --proof"});
  const Result<proof::Judgement> judged = proof::check_proof(in);
  if (!judged) return report_error({"proof: " + file + ": " + judged.error().text});
  const proof::Judgement& of = judged.value();
  if (!of.refusal.empty()) {
    if (!is_quiet) std::cerr << "refused: " << file << ": " << of.refusal << '\n';
    return app::exit_violation;
  }
  if (!is_quiet)
    std::cout << "accepted: " << app::counted(of.nets, "net") << " with " << app::counted(of.steps, "step") << ", "
              << app::counted(of.questions, "question") << " refuted with "
              << app::counted(of.multipliers, "multiplier") << '\n';
  return app::exit_good;
}

}  // namespace rehearse::cli
