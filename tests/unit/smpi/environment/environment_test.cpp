// SPDX-License-Identifier: MIT
//
// The life of MPI, error handlers, error codes, leaks, and what a rank can ask about where it runs.
#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "smpi/abi/calls.hpp"
#include "tests/support/mpi_ranks.hpp"

using namespace rehearse;
using namespace rehearse::tests;
namespace calls = rehearse::smpi::calls;

namespace {

const MPI_Comm world = MPI_COMM_WORLD;

// The calls of the handler below; one test runs at a time.
struct Reported {
  int calls = 0;
  int code = 0;
  bool right_communicator = false;
};
Reported reported;

void on_error(MPI_Comm* comm, int* code, ...) { reported = {reported.calls + 1, *code, *comm == world}; }

std::string text_of(int code) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  calls::Error_string(code, text.data(), &length);
  CHECK(std::strlen(text.data()) == static_cast<std::size_t>(length));
  return text.data();
}

}  // namespace

TEST_CASE("life: MPI_Initialized and MPI_Finalized can be called before, between and after", "[smpi][environment]") {
  const auto result = run_bare_ranks(2, [](int) {
    int initialized = -1, finalized = -1;
    const auto look = [&] {
      calls::Initialized(&initialized);
      calls::Finalized(&finalized);
      return std::pair(initialized, finalized);
    };
    CHECK(look() == std::pair(0, 0));
    calls::Init(nullptr, nullptr);
    CHECK(look() == std::pair(1, 0));
    calls::Finalize();
    CHECK(look() == std::pair(1, 1));
  });
  CHECK(result.all_ended());
}

TEST_CASE("life: other calls before and after are errors", "[smpi][environment]") {
  const auto [how, id] = GENERATE(table<int, std::string>({{0, "lifecycle.not_initialized"},
                                                           {1, "lifecycle.finalized"},
                                                           {2, "lifecycle.initialized_twice"},
                                                           {3, "lifecycle.finalized"},
                                                           {4, "lifecycle.not_initialized"}}));
  const auto result = run_bare_ranks(1, [how = how](int) {
    int rank = -1;
    if (how == 4) calls::Finalize();
    if (how > 0) calls::Init(nullptr, nullptr);
    if (how == 2) calls::Init(nullptr, nullptr);
    if (how == 1 || how == 3) calls::Finalize();
    if (how == 3) calls::Init(nullptr, nullptr);
    calls::Comm_rank(world, &rank);
  });
  CHECK(result.actors[0].failure == FailureKind::misuse);
  CHECK(result.actors[0].id == id);
}

TEST_CASE("life: the provided thread level is at most MPI_THREAD_SERIALIZED", "[smpi][environment]") {
  const auto [required, expected] = GENERATE(table<int, int>({{MPI_THREAD_SINGLE, MPI_THREAD_SINGLE},
                                                              {MPI_THREAD_FUNNELED, MPI_THREAD_FUNNELED},
                                                              {MPI_THREAD_SERIALIZED, MPI_THREAD_SERIALIZED},
                                                              {MPI_THREAD_MULTIPLE, MPI_THREAD_SERIALIZED}}));
  const auto result = run_bare_ranks(1, [required = required, expected = expected](int) {
    int provided = -1, level = -1, is_main = 0;
    calls::Init_thread(nullptr, nullptr, required, &provided);
    CHECK(provided == expected);
    calls::Query_thread(&level);
    CHECK(level == expected);
    calls::Is_thread_main(&is_main);
    CHECK(is_main == 1);
    calls::Finalize();
  });
  CHECK(result.all_ended());
}

TEST_CASE("finalize: lets a rank end, even if the others continue", "[smpi][environment]") {
  const auto result = run_ranks(2, [](int rank) {
    int value = 0;
    if (rank == 1) calls::Recv(&value, 1, MPI_INT, 0, 0, world, MPI_STATUS_IGNORE);
  });
  CHECK(result.actors[0].state == ActorOutcome::State::ended);
  CHECK(result.actors[1].state == ActorOutcome::State::blocked);
}

TEST_CASE("abort: is the last operation of a rank", "[smpi][environment]") {
  const auto result = run_ranks(1, [](int) { calls::Abort(world, 3); });
  CHECK(result.actors[0].failure == FailureKind::abort);
  CHECK(result.actors[0].id == "crash.mpi_abort");
  CHECK(result.actors[0].what == "MPI_Abort(MPI_COMM_WORLD, 3)");
}

TEST_CASE("leaks: objects that were not freed are reported by kind and place", "[smpi][environment]") {
  const auto result = run_ranks(1, [](int) {
    int value = 0;
    MPI_Request pending = MPI_REQUEST_NULL, inactive = MPI_REQUEST_NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Op op = MPI_OP_NULL;
    MPI_Info info = MPI_INFO_NULL;
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    calls::Irecv(&value, 1, MPI_INT, 0, 0, world, &pending);
    calls::Recv_init(&value, 1, MPI_INT, 0, 0, world, &inactive);
    for (int i = 0; i < 2; ++i) calls::Comm_dup(world, &comm);
    calls::Comm_group(world, &group);
    calls::Type_contiguous(2, MPI_INT, &type);
    calls::Op_create([](void*, void*, int*, MPI_Datatype*) {}, 1, &op);
    calls::Info_create(&info);
    calls::Comm_create_errhandler(on_error, &handler);
  });
  CHECK(result.all_ended());
  std::vector<std::string> ids;
  for (const Finding& finding : result.reports) {
    ids.push_back(finding.id.text());
    CHECK((finding.severity == Severity::error) == (ids.size() == 1));
  }
  CHECK(ids == std::vector<std::string>{"resource.request", "resource.request", "resource.communicator",
                                        "resource.datatype", "resource.group", "resource.operator", "resource.info",
                                        "resource.error_handler"});
  CHECK(result.reports[2].message ==
        "2 communicators, the first of them comm#1 (dup of MPI_COMM_WORLD), were never freed");
}

TEST_CASE("error handler: MPI_ERRORS_RETURN gives the class", "[smpi][errors]") {
  const auto result = run_ranks(1, [](int) {
    int value = 0;
    calls::Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    CHECK(calls::Send(&value, 1, MPI_INT, 9, 0, world) == MPI_ERR_RANK);
    CHECK(calls::Send(&value, 1, MPI_INT, 0, -1, world) == MPI_ERR_TAG);
    CHECK(calls::Send(&value, -1, MPI_INT, 0, 0, world) == MPI_ERR_COUNT);
    CHECK(calls::Bcast(&value, 1, MPI_INT, 4, world) == MPI_ERR_ROOT);
    calls::Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK(calls::Comm_rank(MPI_COMM_NULL, &value) == MPI_ERR_COMM);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK(calls::Start(&request) == MPI_ERR_REQUEST);
  });
  CHECK(result.all_ended());
}

TEST_CASE("error handler: a function of the program is called, then the class returned", "[smpi][errors]") {
  reported = {};
  const auto result = run_ranks(1, [](int) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL, got = MPI_ERRHANDLER_NULL;
    calls::Comm_create_errhandler(on_error, &handler);
    calls::Comm_set_errhandler(world, handler);
    calls::Comm_get_errhandler(world, &got);
    CHECK(got == handler);
    calls::Errhandler_free(&got);
    calls::Errhandler_free(&handler);
    CHECK(handler == MPI_ERRHANDLER_NULL);
    CHECK(calls::Send(nullptr, -3, MPI_INT, 0, 0, world) == MPI_ERR_COUNT);
    calls::Comm_call_errhandler(world, MPI_ERR_OTHER);
  });
  CHECK(result.all_ended());
  CHECK((reported.calls == 2 && reported.code == MPI_ERR_OTHER && reported.right_communicator));
  CHECK(result.reports.empty());
}

TEST_CASE("error handler: a dup inherits it", "[smpi][errors]") {
  const auto result = run_ranks(1, [](int) {
    MPI_Comm copy = MPI_COMM_NULL;
    calls::Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    calls::Comm_dup(world, &copy);
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    calls::Comm_get_errhandler(copy, &handler);
    CHECK(handler == MPI_ERRORS_RETURN);
    CHECK(calls::Comm_set_errhandler(copy, MPI_ERRHANDLER_NULL) == MPI_ERR_ERRHANDLER);
    calls::Comm_free(&copy);
  });
  CHECK(result.all_ended());
}

TEST_CASE("error codes: they have the standard's texts and the program's own", "[smpi][errors]") {
  const auto result = run_ranks(1, [](int) {
    CHECK(text_of(MPI_SUCCESS) == "MPI_SUCCESS: no error");
    CHECK(text_of(MPI_ERR_TRUNCATE).find("MPI_ERR_TRUNCATE") == 0);
    CHECK(text_of(MPI_ERR_ABI).find("MPI_ERR_ABI") == 0);
    int error_class = 0, code = 0, found = 0;
    calls::Add_error_class(&error_class);
    calls::Add_error_code(error_class, &code);
    CHECK((error_class > MPI_ERR_LASTCODE && code > error_class));
    calls::Add_error_string(code, "out of cheese");
    CHECK(text_of(code) == "out of cheese");
    CHECK(text_of(error_class).empty());
    calls::Error_class(code, &found);
    CHECK(found == error_class);
    calls::Error_class(MPI_ERR_RANK, &found);
    CHECK(found == MPI_ERR_RANK);
    calls::Remove_error_string(code);
    CHECK(text_of(code).empty());
    calls::Remove_error_code(code);
    calls::Error_class(code, &found);
    CHECK(found == MPI_ERR_UNKNOWN);
  });
  CHECK(result.all_ended());
}

TEST_CASE("surroundings: names, versions, time and memory are available", "[smpi][environment]") {
  const auto result = run_ranks(2, [](int) {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0, major = 0, minor = 0;
    calls::Get_processor_name(text.data(), &length);
    CHECK(std::string(text.data()) == "node-0");
    calls::Get_library_version(text.data(), &length);
    CHECK(std::string(text.data()).find("Rehearse") == 0);
    calls::Get_version(&major, &minor);
    CHECK((major == 5 && minor == 0));
    const double before = calls::Wtime();
    CHECK(calls::Wtime() > before);
    CHECK(calls::Wtick() > 0);
    double* memory = nullptr;
    calls::Alloc_mem(8 * sizeof *memory, MPI_INFO_NULL, &memory);
    memory[7] = 1.5;
    calls::Free_mem(memory);
    calls::Pcontrol(1);
  });
  CHECK(result.all_ended());
}
