// SPDX-License-Identifier: MIT
//
// libmpi_abi: the library to which MPI programs link. It has every name of the ABI, but no implementation: `rehearse`
// binds the MPI names of a program to its own functions and never loads this library.
//
// A program that is started directly does load it. The constructor then starts the program again, as one rank, with the
// rehearse of the same installation, which is in ../bin or ../../bin of the folder of this library.
//
// Errors: one line on standard error and exit status 2. No function of the library ever returns.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void say(const char* text) {
  size_t remaining = strlen(text);
  while (remaining > 0) {
    const ssize_t written = write(STDERR_FILENO, text, remaining);
    if (written < 0 && errno != EINTR) return;
    if (written > 0) {
      text += written;
      remaining -= (size_t)written;
    }
  }
}

static void stop(const char* subject, const char* problem) __attribute__((noreturn));
static void stop(const char* subject, const char* problem) {
  say("rehearse: error: ");
  say(subject);
  say(problem);
  say("\n");
  _exit(2);
}

__attribute__((visibility("hidden"), noreturn)) void rehearse_stub_called(const char* function) {
  stop(function, " was called in libmpi_abi.so.1, which only has its name; start the program with "
                 "`rehearse run -n RANKS PROGRAM`");
}

// The functions of rehearse.h for Fortran programs.
#define FORTRAN_NAME(name) \
  void name(void) { rehearse_stub_called(#name); }
void rehearse_assert_(void), rehearse_assume_(void), rehearse_choose_(void), rehearse_publish_(void);
void rehearse_never_(void), rehearse_always_(void), rehearse_result_(void);
FORTRAN_NAME(rehearse_assert_)
FORTRAN_NAME(rehearse_assume_)
FORTRAN_NAME(rehearse_choose_)
FORTRAN_NAME(rehearse_publish_)
FORTRAN_NAME(rehearse_never_)
FORTRAN_NAME(rehearse_always_)
FORTRAN_NAME(rehearse_result_)
void rehearse_shared_alloc_(void), rehearse_shared_free_(void);
FORTRAN_NAME(rehearse_shared_alloc_)
FORTRAN_NAME(rehearse_shared_free_)
void rehearse_sample_next_(void), rehearse_sample_end_(void), rehearse_compute_for_(void);
void rehearse_compute_flops_(void), rehearse_compute_instructions_(void);
FORTRAN_NAME(rehearse_sample_next_)
FORTRAN_NAME(rehearse_sample_end_)
FORTRAN_NAME(rehearse_compute_for_)
FORTRAN_NAME(rehearse_compute_flops_)
FORTRAN_NAME(rehearse_compute_instructions_)

// The COMMON blocks of the Fortran interfaces of Open MPI and MPICH. With them, the linker exports those of a program
// that contains such objects, so that rehearse can refuse it (smpi/process/images.cpp).
char mpi_fortran_bottom_[4], mpi_fortran_in_place_[4], mpi_fortran_status_ignore_[24], mpipriv1_[28], mpipriv2_[24];

// Removes the last component of the path; 0 if there is none.
static int to_parent(char* path) {
  char* slash = strrchr(path, '/');
  if (slash == NULL || slash == path) return 0;
  *slash = '\0';
  return 1;
}

// The program bin/rehearse above the folder of this library, or 0.
static int find_rehearse(char found[PATH_MAX]) {
  Dl_info here;
  char folder[PATH_MAX];
  if (dladdr((void*)&find_rehearse, &here) == 0 || realpath(here.dli_fname, folder) == NULL) return 0;
  if (!to_parent(folder)) return 0;
  for (int up = 0; up < 2 && to_parent(folder); ++up) {
    char candidate[PATH_MAX + sizeof "/bin/rehearse"];
    strcpy(candidate, folder);
    strcat(candidate, "/bin/rehearse");
    if (access(candidate, X_OK) == 0 && realpath(candidate, found) != NULL) return 1;
  }
  return 0;
}

__attribute__((constructor)) static void start_with_rehearse(int argc, char** argv, char** environment) {
  char program[PATH_MAX];
  char rehearse[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0) stop("/proc/self/exe", " cannot be read, so the program cannot be started again");
  program[length] = '\0';
  if (!find_rehearse(rehearse)) {
    stop(program, " was started without rehearse, and libmpi_abi.so.1 does not find bin/rehearse above its "
                  "own folder; start the program with `rehearse run -n RANKS PROGRAM`");
  }
  if (strcmp(program, rehearse) == 0) return;  // rehearse itself loaded the library
  char** command = malloc(((size_t)argc + 6) * sizeof *command);
  if (command == NULL) stop(program, ": not enough memory to start it again");
  int count = 0;
  command[count++] = rehearse;
  command[count++] = (char*)"run";
  command[count++] = (char*)"-n";
  command[count++] = (char*)"1";
  command[count++] = program;
  for (int i = 1; i < argc; ++i) command[count++] = argv[i];
  command[count] = NULL;
  execve(rehearse, command, environment);
  stop(rehearse, " cannot be run");
}
