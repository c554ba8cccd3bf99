// SPDX-License-Identifier: MIT
//
// The table of verbs, and the help that names them.
#include "app/cli/verbs.hpp"

#include <algorithm>
#include <array>
#include <iomanip>
#include <iostream>

#include "app/cli/message.hpp"
#include "app/cli/profile_commands.hpp"
#include "app/cli/spelling.hpp"
#include "app/exit_status.hpp"
#include "app/version.hpp"

namespace rehearse::cli {
namespace {

constexpr std::array table = {
    Verb{"cc", "compile and link C programs for MPI (mpicc)", run_c_compiler},
    Verb{"c++", "compile and link C++ programs for MPI (mpicxx, mpic++)", run_cxx_compiler},
    Verb{"fortran", "compile and link Fortran programs for MPI (mpifort, mpif90, mpif77)", run_fortran_compiler},
    Verb{"run", "run a program in simulated time on a platform", run_run},
    Verb{"check", "explore and check every legal execution of a program", run_check},
    Verb{"replay", "reproduce a counter-example in simulated time", run_replay},
    Verb{"explain", "explain a counter-example", run_explain},
    Verb{"proof", "check a proof that check --proof wrote", run_proof},
    Verb{"trace", "replay recorded executions in simulated time", run_trace},
    Verb{"profile", "measure and analyse the times of a program's computations, for larger machines", run_profile},
    Verb{"grade", "compile, check, run and grade a submission", run_grade},
    Verb{"compare-models", "run a program under several network models and report where they differ",
         run_compare_models},
    Verb{"compare", "compare the times of repeated runs in two reports", run_compare},
    Verb{"usage", "report who used which hosts and links in a run, or the difference of two runs", run_usage},
    Verb{"flows", "report when flows on a platform end and what limits them", run_flows},
    Verb{"attach", "run real processes whose packets cross a simulated network", run_attach},
    Verb{"real", "run a program of actors in real processes over TCP, beside its simulation", run_for_real},
    Verb{"calibrate", "make a platform of measurements under a real MPI library", run_calibrate},
    Verb{"skeleton", "make a skeleton of a program from its traces with several numbers of ranks", run_skeleton},
    Verb{"sweep", "predict a skeleton at many numbers of ranks, with random computation times", run_sweep},
    Verb{"platform", "platforms: list, show, validate, route, generate", run_platform},
    Verb{"list", "list platforms, models, collectives, checks, or a program's MPI calls", run_list},
    Verb{"mpiexec", "run a program with the options of other MPI launchers (mpiexec, mpirun)", run_mpiexec},
};

void print_help(std::ostream& out) {
  out << "example:\n"
         "  rehearse cc ring.c -o ring && rehearse check -n 4 ./ring\n\n"
         "usage: rehearse VERB ...\n\n";
  for (const Verb& verb : table) {
    out << "  " << std::left << std::setw(16) << verb.name << verb.summary << '\n';
  }
  out << "\n`rehearse VERB --help` describes a verb.\n";
}

int unknown_verb(const std::string& given) {
  std::vector<std::string> names;
  std::string list;
  for (const Verb& verb : table) {
    names.emplace_back(verb.name);
    list += (list.empty() ? "" : ", ") + names.back();
  }
  return report_error({"unknown verb '" + given + "'" + suggestion(given, names) + "; accepted: " + list});
}

}  // namespace

std::span<const Verb> verbs() { return table; }

const Verb* find_verb(std::string_view name) {
  const auto verb = std::ranges::find(table, name, &Verb::name);
  return verb == table.end() ? nullptr : verb;
}

int run_command_line(const Arguments& arguments) {
  if (arguments.empty()) {
    print_help(std::cerr);
    return app::exit_bad_input;
  }
  const std::string& name = arguments.front();
  if (name == "--help" || name == "-h" || name == "help") {
    print_help(std::cout);
    return app::exit_good;
  }
  if (name == "--version") {
    std::cout << "rehearse " << app::version << '\n';
    return app::exit_good;
  }
  const Verb* verb = find_verb(name);
  if (verb == nullptr) {
    return unknown_verb(name);
  }
  return verb->run({arguments.begin() + 1, arguments.end()});
}

}  // namespace rehearse::cli
