// SPDX-License-Identifier: MIT
//
// The verbs on programs of the actor API: check, run and replay.
//
// Errors: options that are only for MPI programs are refused by name.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "app/actor_recording.hpp"
#include "app/cli/recording/picture_options.hpp"
#include "app/cli/report/html_report.hpp"
#include "app/cli/verbs.hpp"
#include "app/explain.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::cli {

class Options;

// Whether PROGRAM, as the user wrote it, is a program of the actor API.
bool is_of_actors(const std::string& program);

// `names`: the options of the verb for MPI programs. All return the exit status.
int check_actors(const Arguments& arguments, const std::vector<std::string>& names);
int run_actors(const Arguments& arguments, const std::vector<std::string>& names);
int replay_actors(const Arguments& arguments, const std::vector<std::string>& names);

// The text of `rehearse explain`.
void print_explanation_of_actors(std::ostream& out, const app::ExplainReport& report);

// The steps of a counter-example with a loop: those before it, and the loop.
void print_endless(std::ostream& out, const app::Counterexample& of);

// Timelines that can show actors, which have names and no numbers. The error names the option.
Result<void> check_pictures_of_actors(const PictureOptions& options);
// Writes them.
Result<void> write_pictures_of_actors(const PictureOptions& options, const app::ActorPictures& pictures,
                                      HtmlReport page);

// Refuses the options of these names that `parser` does not have.
void refuse_options_for_mpi(Options& parser, const std::vector<std::string>& names);

}  // namespace rehearse::cli
