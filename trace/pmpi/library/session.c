// SPDX-License-Identifier: MIT
//
// The life of a recorded rank, and the frame of each call: sites, volumes, the head of the stream.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "trace/pmpi/library/recorder.h"

static struct {
  const char* folder;  // null: nothing is recorded
  bool is_active, is_in_call;
  unsigned call;
  const void* address;
  double left;   // reading at the end of the last call
  double burst;  // volume since the last operation
  struct rt_map sites;
  uint32_t site_count;
  uint32_t other_site;  // of the next operation; 0: that of the call
  pid_t process;
} session;

static __thread bool is_recorded_thread __attribute__((tls_model("initial-exec")));

// ---- calls

bool rt_enter(unsigned call, const void* address) {
  if (!session.is_active) return false;
  if (!is_recorded_thread) {
    rt_stream_head()->other_threads = 1;
    return false;
  }
  if (session.is_in_call) return false;
  const double volume = rt_meter_now(rt_entering) - session.left - rt_meter_overhead();
  if (volume > 0) session.burst += volume;
  session.is_in_call = true;
  session.call = call;
  session.address = address;
  return true;
}

int rt_leave(int code) {
  if (code != MPI_SUCCESS) rt_refuse("an error");
  struct rehearse_stream_head* head = rt_stream_head();
  head->in_call = 0;
  ++head->calls;
  session.is_in_call = false;
  session.left = rt_meter_now(rt_leaving);
  return code;
}

void rt_await(void) { rt_stream_head()->in_call = 1; }
void rt_count_poll(void) { ++rt_stream_head()->polls; }

static uint32_t new_site(void) {
  Dl_info found;
  struct link_map* module = NULL;
  const bool is_known = dladdr1(session.address, &found, (void**)&module, RTLD_DL_LINKMAP) != 0 && module != NULL;
  const char* path = !is_known || found.dli_fname == NULL ? "" : found.dli_fname;
  char program[4096] = "";
  if (is_known && module->l_name[0] == '\0')  // the program itself
    path = readlink("/proc/self/exe", program, sizeof program - 1) > 0 ? program : "";
  const char* call = rt_call_names[session.call];
  rt_begin('S', strlen(call) + strlen(path) + 64);
  rt_put_text(call);
  rt_put_text(path);
  rt_put(is_known ? (uint64_t)((uintptr_t)session.address - module->l_addr) : 0);
  rt_end();
  return ++session.site_count;
}

uint32_t rt_site(void) {
  const uint64_t key = (uint64_t)(uintptr_t)session.address << 12 ^ session.call;
  uint32_t site = rt_map_find(&session.sites, key);
  if (site != rt_none) return site;
  site = new_site();
  rt_map_set(&session.sites, key, site);
  return site;
}

void rt_use_site(uint32_t site) { session.other_site = site; }

static void write_burst(void) {
  const double tenths = session.burst * 10 + 0.5;
  session.burst = 0;
  if (tenths < 1) return;
  rt_begin('V', 16);
  rt_put((uint64_t)tenths);
  rt_end();
}

void rt_begin_operation(char kind, size_t most_bytes) {
  const uint32_t site = session.other_site != 0 ? session.other_site : rt_site();
  session.other_site = 0;
  write_burst();
  rt_begin(kind, most_bytes);
  rt_put(site);
}

void rt_refuse(const char* what) {
  const uint32_t site = rt_site();
  rt_begin('n', strlen(what) + 64);
  rt_put(site);
  rt_put_text(what);
  rt_end();
}

void rt_refuse_call(void) { rt_refuse(""); }

// ---- the life of the process

static void put_pair(const char* key, const char* value) {
  rt_put_text(key);
  rt_put_text(value);
}

static void read_processor(char* model, size_t size) {
  snprintf(model, size, "unknown");
  FILE* file = fopen("/proc/cpuinfo", "re");
  if (file == NULL) return;
  char line[512];
  while (fgets(line, sizeof line, file) != NULL) {
    const char* value = strchr(line, ':');
    if (strncmp(line, "model name", 10) != 0 || value == NULL) continue;
    snprintf(model, size, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
    break;
  }
  fclose(file);
}

static void read_arguments(char* text, size_t size) {
  const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  ssize_t bytes = file < 0 ? 0 : read(file, text, size - 1);
  if (file >= 0) close(file);
  if (bytes < 0) bytes = 0;
  for (ssize_t i = 0; i + 1 < bytes; ++i)
    if (text[i] == '\0') text[i] = ' ';
  text[bytes] = '\0';
}

static void write_about(void) {
  char machine[256] = "", processor[256], command[4096], version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  gethostname(machine, sizeof machine - 1);
  read_processor(processor, sizeof processor);
  read_arguments(command, sizeof command);
  PMPI_Get_library_version(version, &length);
  version[strcspn(version, ",\n")] = '\0';
  char* number = strstr(version, " Version:\t");  // of MPICH
  if (number != NULL) memmove(number + 1, number + 10, strlen(number + 10) + 1);
  rt_begin('A', sizeof machine + sizeof processor + sizeof command + sizeof version + 64);
  rt_put(4);
  put_pair("machine", machine);
  put_pair("processor", processor);
  put_pair("command", command);
  put_pair("mpi", version);
  rt_end();
}

__attribute__((constructor)) static void begin(void) {
  session.folder = getenv("REHEARSE_TRACE_DIR");
  if (session.folder == NULL) return;
  const char* counter = getenv("REHEARSE_TRACE_COUNTER");
  rt_meter_start(counter != NULL && strcmp(counter, "instructions") == 0);
  session.left = rt_meter_now(rt_leaving);
}

// exit(), or the end of main(). A forked child is another process.
static void end(int status, void* unused) {
  (void)unused;
  struct rehearse_stream_head* head = rt_stream_head();
  if (head == NULL || getpid() != session.process) return;
  if (is_recorded_thread && !session.is_in_call) {
    const double volume = rt_meter_now(rt_entering) - session.left - rt_meter_overhead();
    if (volume > 0) session.burst += volume;
    write_burst();
  }
  session.is_active = false;
  head->has_status = 1;
  head->status = status & 0xff;
  head->slow_reads = rt_meter_slow_reads();
  rt_stream_close();
}

double rt_before_init(void) { return session.folder == NULL ? 0 : rt_meter_now(rt_entering); }

int rt_init(int code, double entered) {
  int rank = 0, ranks = 0;
  if (session.folder == NULL || code != MPI_SUCCESS || session.process != 0) return code;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (!rt_stream_open(session.folder, rank, ranks)) return code;
  session.process = getpid();
  is_recorded_thread = true;
  on_exit(end, NULL);
  write_about();
  rt_add_predefined_comms();
  rt_meter_calibrate();
  rt_stream_head()->counter = rt_meter_counter();
  rt_stream_head()->overhead = rt_meter_overhead();
  if (entered > session.left) session.burst = entered - session.left;
  session.is_active = true;
  session.left = rt_meter_now(rt_leaving);
  return code;
}

void rt_note_finalize(void) {
  rt_begin_operation('z', 16);
  rt_end();
  rt_await();
}

int rt_finalized(int code) {
  rt_leave(code);
  session.is_active = false;
  return code;
}

void rt_note_abort(int code) {
  rt_begin_operation('x', 32);
  rt_put_signed(code);
  rt_end();
}
