// SPDX-License-Identifier: MIT
//
// The stream as a mapped file: what is written survives the death of the process.
//
// Memory:  a window of the file is mapped at a time, besides its head.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/pmpi/library/recorder.h"

enum { window_bytes = 1 << 20 };

static struct {
  int file;
  struct rehearse_stream_head* head;
  unsigned char* window;
  size_t window_size;
  uint64_t window_offset;  // in the file
  unsigned char* at;
} stream = {.file = -1};

struct rehearse_stream_head* rt_stream_head(void) {
  return stream.head;
}

static void give_up(const char* what) {
  fprintf(stderr, "rehearse: trace record: the recording of rank %u stops: %s: %s\n", stream.head->rank, what,
          strerror(errno));
  rt_stream_close();
}

static bool map_window(uint64_t offset, size_t bytes) {
  const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  const uint64_t start = offset / page * page;
  const size_t size = (size_t)((offset - start + bytes + window_bytes) / page * page);
  const int problem = posix_fallocate(stream.file, (off_t)start, (off_t)size);
  if (problem != 0) {
    errno = problem;
    return false;
  }
  void* window = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, stream.file, (off_t)start);
  if (window == MAP_FAILED) return false;
  if (stream.window != NULL) munmap(stream.window, stream.window_size);
  stream.window = window;
  stream.window_size = size;
  stream.window_offset = start;
  stream.at = stream.window + (offset - start);
  return true;
}

bool rt_stream_open(const char* folder, int rank, int ranks) {
  char path[PATH_MAX];
  mkdir(folder, 0777);  // on a machine that does not share it
  snprintf(path, sizeof path, "%s/rank.%d.stream", folder, rank);
  stream.file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  void* head = MAP_FAILED;
  if (stream.file >= 0 && ftruncate(stream.file, (off_t)page) == 0)
    head = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, stream.file, 0);
  if (head == MAP_FAILED) {
    fprintf(stderr, "rehearse: trace record: rank %d is not recorded: %s: %s\n", rank, path, strerror(errno));
    return false;
  }
  stream.head = head;
  memcpy(stream.head->magic, REHEARSE_STREAM_MAGIC, sizeof stream.head->magic);
  stream.head->version = rehearse_stream_version;
  stream.head->rank = (uint32_t)rank;
  stream.head->ranks = (uint32_t)ranks;
  if (map_window(rehearse_stream_head_bytes, 0)) return true;
  give_up(path);
  return false;
}

void rt_begin(char kind, size_t most_bytes) {
  if (stream.window == NULL) return;
  const size_t used = (size_t)(stream.at - stream.window);
  if (stream.window_size - used < most_bytes + 16 && !map_window(stream.window_offset + used, most_bytes)) {
    give_up("no space");
    return;
  }
  *stream.at++ = (unsigned char)kind;
}

void rt_put(uint64_t value) {
  if (stream.window == NULL) return;
  while (value >= 0x80) {
    *stream.at++ = (unsigned char)(value | 0x80);
    value >>= 7;
  }
  *stream.at++ = (unsigned char)value;
}

void rt_put_signed(int64_t value) { rt_put((uint64_t)value << 1 ^ (uint64_t)(value >> 63)); }

void rt_put_text(const char* text) {
  const size_t bytes = strlen(text);
  rt_put(bytes);
  if (stream.window == NULL) return;
  memcpy(stream.at, text, bytes);
  stream.at += bytes;
}

void rt_end(void) {
  if (stream.window == NULL) return;
  const uint64_t bytes = stream.window_offset + (uint64_t)(stream.at - stream.window) - rehearse_stream_head_bytes;
  __atomic_store_n(&stream.head->bytes, bytes, __ATOMIC_RELEASE);
}

// The head stays, for the end of the process.
void rt_stream_close(void) {
  if (stream.window == NULL) return;
  munmap(stream.window, stream.window_size);
  stream.window = NULL;
  if (ftruncate(stream.file, (off_t)(rehearse_stream_head_bytes + stream.head->bytes)) != 0)
    stream.head->version = rehearse_stream_version;  // the file is only larger than needed
  close(stream.file);
  stream.file = -1;
}
