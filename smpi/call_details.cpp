// SPDX-License-Identifier: MIT
//
// See call_details.hpp. A report must not change the rank, so it creates no tables that the rank does not have yet.
#include "smpi/call_details.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include "simcore/actor.hpp"
#include "simcore/signature_number.hpp"
#include "simcore/support/format.hpp"
#include "smpi/abi/api.hpp"
#include "smpi/abi/call_scope.hpp"
#include "smpi/communicator/communicator.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/op/op.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/request/request.hpp"

namespace rehearse::smpi {
namespace {

// Calls whose lists must be the same in all members (MPI 4.1, sections 6.9.4, 8.5.1 and 8.5.3).
constexpr std::string_view with_common_lists[] = {
    "MPI_Cart_create",         "MPI_Graph_create",     "MPI_Reduce_scatter",    "MPI_Ireduce_scatter",
    "MPI_Reduce_scatter_init", "MPI_Reduce_scatter_c", "MPI_Ireduce_scatter_c", "MPI_Reduce_scatter_init_c",
};

bool waits_for(const Operation& operation, RequestId request) {
  const auto* observe = std::get_if<Observe>(&operation);
  return observe != nullptr && std::ranges::find(observe->requests, request) != observe->requests.end();
}

void add_numbering(const Communicator& communicator, std::vector<Numbering>& numberings) {
  const std::string name = communicator.short_description();
  const std::vector<ContextId> contexts = {communicator.message_context(), communicator.collective_context()};
  for (const Numbering& known : numberings)
    if (known.contexts == contexts) return;
  if (communicator.is_inter())
    numberings.push_back({contexts, "the remote group of " + name, communicator.remote_members()});
  else numberings.push_back({contexts, name, communicator.members()});
}

void add_requests(const Operation& operation, CallDetails& details) {
  const auto* tables = find_per_rank<RequestTables>();
  if (tables == nullptr) return;
  tables->made.for_each_live([&](MPI_Request, const std::unique_ptr<Request>& request, const CreationSite& site) {
    if (request == nullptr || request->state != Request::State::pending) return;
    bool is_waited_for = waits_for(operation, request->id);
    if (is_waited_for) details.requests.push_back({request->id, site});
    if (request->extra)
      for (const Piece& piece : request->extra->pieces) {
        if (piece.done || !waits_for(operation, piece.id)) continue;
        details.requests.push_back({piece.id, site});
        is_waited_for = true;
      }
    if (is_waited_for && request->communicator) add_numbering(*request->communicator, details.numberings);
  });
}

// A list argument of the call, with elements of int or MPI_Count.
struct List {
  std::uint64_t address = 0;
  bool is_wide = false;

  std::int64_t operator[](std::int64_t i) const {
    return is_wide ? reinterpret_cast<const MPI_Count*>(address)[i] : reinterpret_cast<const int*>(address)[i];
  }
};

std::string spelled(const List& list, std::int64_t length, bool are_flags) {
  std::string text;
  for (std::int64_t i = 0; i < length; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", are_flags ? std::int64_t{list[i] != 0} : list[i]);
  return "{" + text + "}";
}

class ArgumentReader {
 public:
  ArgumentReader(const CallScope& scope, const Communicator& communicator)
      : scope_(scope), communicator_(communicator), function_(functions()[scope.function()]) {}

  std::vector<std::pair<std::string, std::string>> common() const {
    std::vector<std::pair<std::string, std::string>> all;
    for (std::uint32_t i = 0; i < function_.parameters.size(); ++i) {
      const ParameterInfo& parameter = function_.parameters[i];
      if (parameter.direction != Direction::in) continue;
      const bool is_list = parameter.shape == Shape::array && parameter.kind != Kind::buffer;
      const bool is_number = parameter.shape == Shape::value &&
                             (parameter.kind == Kind::count || parameter.kind == Kind::flag);
      const std::string name(parameter.name);
      if (is_number) all.emplace_back(name, std::to_string(static_cast<std::int64_t>(scope_.argument(i))));
      if (const std::optional<std::int64_t> length = is_list ? length_of(parameter) : std::nullopt)
        all.emplace_back(name, spelled(list(i), *length, parameter.kind == Kind::flag));
    }
    return all;
  }

 private:
  List list(std::uint32_t i) const {
    return {scope_.argument(i), function_.parameters[i].type.find("MPI_Count") != std::string_view::npos};
  }

  // The length of a list: the number of members, the value of another argument, or the last number of another list.
  std::optional<std::int64_t> length_of(const ParameterInfo& parameter) const {
    if (parameter.length == "comm_size") return communicator_.size();
    for (std::uint32_t i = 0; i < function_.parameters.size(); ++i) {
      const ParameterInfo& named = function_.parameters[i];
      if (named.name != parameter.length) continue;
      if (named.shape == Shape::value) return static_cast<std::int64_t>(scope_.argument(i));
      const std::optional<std::int64_t> ends = length_of(named);
      return !ends || *ends == 0 ? 0 : list(i)[*ends - 1];
    }
    return std::nullopt;
  }

  const CallScope& scope_;
  const Communicator& communicator_;
  const FunctionInfo& function_;
};

void add_call(const Operation& operation, CallDetails& details) {
  const CallScope* scope = CallScope::innermost();
  if (scope == nullptr || find_per_rank<Communicators>() == nullptr) return;
  const FunctionInfo& function = functions()[scope->function()];
  for (std::uint32_t i = 0; i < function.parameters.size(); ++i) {
    const ParameterInfo& parameter = function.parameters[i];
    if (parameter.kind != Kind::comm || parameter.shape != Shape::value) continue;
    const Communicator* communicator =
        find_communicator(reinterpret_cast<MPI_Comm>(static_cast<std::uintptr_t>(scope->argument(i))));
    if (communicator == nullptr) continue;
    add_numbering(*communicator, details.numberings);
    const bool is_common = std::holds_alternative<Collective>(operation) &&
                           std::ranges::find(with_common_lists, function.name) != std::end(with_common_lists);
    if (is_common) details.common_arguments = ArgumentReader(*scope, *communicator).common();
  }
}

const char* name_of_element(std::uint32_t element) {
  const auto first = reinterpret_cast<std::uintptr_t>(MPI_DATATYPE_NULL);
  const Datatype* type = predefined_datatype(reinterpret_cast<MPI_Datatype>(first + element));
  return type == nullptr || type->basic() == nullptr ? nullptr : type->basic()->name;
}

// "4 MPI_INT"; "MPI_INT" if the count does not matter (element_types.cpp); empty if the element has no name.
std::string run_text(std::uint64_t length, std::uint32_t element) {
  const char* name = name_of_element(element);
  if (name == nullptr) return "";
  return length == SignatureNumber::longest_uniform ? name : fmt::format("{} {}", length, name);
}

std::string elements_text(SignatureNumber number) {
  if (number.is_of_nothing()) return "no data";
  const std::uint64_t last_element = SignatureNumber::most_elements - 1;
  if (number.form() == SignatureForm::uniform)
    return run_text(number.body() & SignatureNumber::longest_uniform,
                    static_cast<std::uint32_t>(number.body() >> SignatureNumber::element_bit & last_element));
  if (number.form() != SignatureForm::listed) return "";
  std::string text;
  for (std::uint64_t runs = number.body(); runs != 0; runs >>= SignatureNumber::run_bits) {
    const std::string run =
        run_text(runs & SignatureNumber::longest_run,
                 static_cast<std::uint32_t>(runs >> SignatureNumber::run_length_bits & last_element));
    if (run.empty()) return "";
    text += (text.empty() ? "" : ", ") + run;
  }
  return text;
}

// `manner` is the operator's code plus one (reduce.cpp).
std::string operator_text(std::uint64_t manner) {
  if (manner == 0) return "";
  if (manner == static_cast<std::uint64_t>(OpCode::user) + 1) return "an operator of the program";
  for (const ConstantInfo& constant : constants()) {
    if (constant.kind != Kind::op || constant.value == 0) continue;
    const Op* op = predefined_op(reinterpret_cast<MPI_Op>(static_cast<std::uintptr_t>(constant.value)));
    if (op != nullptr && static_cast<std::uint64_t>(op->code()) + 1 == manner) return std::string(constant.name);
  }
  return "";
}

}  // namespace

CallDetails call_details(const Operation& operation) {
  CallDetails details;
  if (!in_actor()) return details;
  add_requests(operation, details);
  add_call(operation, details);
  return details;
}

SignatureText spell_signature(std::uint64_t signature) {
  const SignatureNumber number{signature};
  if (number.is_special()) return {};
  return {operator_text(number.manner()), elements_text(number)};
}

}  // namespace rehearse::smpi
