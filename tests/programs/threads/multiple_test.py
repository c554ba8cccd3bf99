#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""MPI_THREAD_MULTIPLE in `run`: threads of a rank that are in MPI calls at once. Their results, the dates at which they
continue, and programs that use it wrongly.
"""
import json

from threaded_programs import BESIDE, JOIN, REHEARSE, ThreadedPrograms  # makes tests/tools known
import closing_line

PRELUDE = """
#include <assert.h>
#include <mpi.h>
#include <pthread.h>
#include <rehearse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define WORLD MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE
static int rank, size;
"""
MAIN = """
int main(int argc, char** argv) {{
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  if (level != MPI_THREAD_MULTIPLE) MPI_Abort(WORLD, 1);
  MPI_Comm_rank(WORLD, &rank);
  MPI_Comm_size(WORLD, &size);
  pthread_t other;
  (void)other;
  {body}
  MPI_Finalize();
  return 0;
}}
"""


class Multiple(ThreadedPrograms):
    def compile(self, name, body, functions="", *flags, text=None, suffix=".c"):
        path = self.folder / (name + suffix)
        path.write_text(text or PRELUDE + functions + MAIN.format(body=body))
        compiler = "c++" if suffix == ".cpp" else "cc"
        self.finish(REHEARSE, compiler, "-g", "-O1", "-fopenmp", "-pthread", *flags, path, "-o", self.folder / name)
        return self.folder / name

    def run_it(self, program, *options, ranks=2, cores=4, status=0, network="", verb="run"):
        words = [REHEARSE, verb, "--no-summary", "-n", ranks, "--on", f"{cores}.xml"]
        return self.finish(*words, *options, program, status=status)

    def passes(self, name, body, functions="", **how):
        self.run_it(self.compile(name, body, functions), **how)

    def times(self, name, body, functions="", **how):
        """What the program prints: numbers."""
        done = self.run_it(self.compile(name, body, functions), "--compute", "none", **how)
        return [float(word) for word in done.stdout.split()]

    # ---- Results

    def test_a_thread_receives_what_another_one_of_its_rank_sends(self):
        for call in ("MPI_Send", "MPI_Ssend", "MPI_Bsend", "MPI_Rsend"):
            room = "static char room[4096]; MPI_Buffer_attach(room, sizeof room);" if call == "MPI_Bsend" else ""
            self.passes("own_" + call, room + BESIDE.format(name="receive") + "usleep(1000); int data = 7;\n"
                        f"{call}(&data, 1, MPI_INT, rank, 3, WORLD);" + JOIN,
                        "static void* receive(void* x) { int got; MPI_Status status;\n"
                        "MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &status);\n"
                        "assert(got == 7 && status.MPI_TAG == 3 && status.MPI_SOURCE == rank); return x; }")

    def test_twins_on_two_ranks_exchange_by_tags(self):
        self.passes("tags", "pthread_t all[4]; for (long i = 0; i < 4; ++i)\n"
                            "pthread_create(&all[i], NULL, exchange, (void*)i);\n"
                            "for (int i = 0; i < 4; ++i) pthread_join(all[i], NULL);",
                    "static void* exchange(void* x) { const int tag = (long)x; static int big[4][40000];\n"
                    "for (int i = 0; i < 20; ++i) { int out = rank * 1000 + tag * 100 + i, in = -1;\n"
                    "if (rank == 0) { MPI_Send(&out, 1, MPI_INT, 1, tag, WORLD);\n"
                    "MPI_Recv(&in, 1, MPI_INT, 1, tag, WORLD, IGNORE); }\n"
                    "else { MPI_Recv(&in, 1, MPI_INT, 0, tag, WORLD, IGNORE);\n"
                    "MPI_Ssend(&out, 1, MPI_INT, 0, tag, WORLD); }\n"
                    "assert(in == (1 - rank) * 1000 + tag * 100 + i); }\n"
                    "memset(big[tag], rank + 1, sizeof big[tag]);\n"
                    "MPI_Sendrecv_replace(big[tag], 40000, MPI_INT, 1 - rank, tag, 1 - rank, tag, WORLD, IGNORE);\n"
                    "assert(big[tag][39999] == (2 - rank) * 0x01010101); return x; }")

    def test_blocking_collectives_of_threads_on_their_own_communicators(self):
        # The ranks call them in opposite order, so one after the other would be a deadlock.
        self.passes("comms", "for (int i = 0; i < 3; ++i) MPI_Comm_dup(WORLD, &comms[i]);\n"
                             "pthread_t all[3]; for (long i = 0; i < 3; ++i)\n"
                             "pthread_create(&all[i], NULL, work, (void*)(rank % 2 ? i : 2 - i));\n"
                             "for (int i = 0; i < 3; ++i) pthread_join(all[i], NULL);\n"
                             "for (int i = 0; i < 3; ++i) MPI_Comm_free(&comms[i]);",
                    "static MPI_Comm comms[3];\nstatic void* work(void* x) { const long i = (long)x;\n"
                    "for (int round = 0; round < 5; ++round) { int sum = 0, one = rank + (int)i, all[4];\n"
                    "MPI_Barrier(comms[i]);\n"
                    "MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comms[i]); assert(sum == 6 + 4 * i);\n"
                    "MPI_Bcast(&one, 1, MPI_INT, (int)i, comms[i]); assert(one == 2 * i);\n"
                    "MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, comms[i]); assert(all[3] == 3);\n"
                    "MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, 0, comms[i]);\n"
                    "MPI_Comm part; MPI_Comm_split(comms[i], rank % 2, 0, &part); MPI_Comm_free(&part); }\n"
                    "return x; }", ranks=4)

    def test_a_thread_that_polls_for_messages(self):
        for name, poll in (("iprobe", "int flag = 0; MPI_Status s;\n"
                                      "while (!flag) MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &flag, &s);\n"
                                      "MPI_Recv(&got, 1, MPI_INT, s.MPI_SOURCE, s.MPI_TAG, WORLD, &s);"),
                           ("mprobe", "MPI_Message m; MPI_Status s; MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &m,"
                                      " &s);\nMPI_Mrecv(&got, 1, MPI_INT, &m, &s);"),
                           ("improbe", "int flag = 0; MPI_Message m; MPI_Status s; while (!flag)\n"
                                       "MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &flag, &m, &s);\n"
                                       "MPI_Mrecv(&got, 1, MPI_INT, &m, &s);"),
                           ("test", "int flag = 0; MPI_Request r; MPI_Status s;\n"
                                    "MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &r);\n"
                                    "while (!flag) MPI_Test(&r, &flag, &s);")):
            self.passes("progress_" + name,
                        BESIDE.format(name="serve") + "usleep(5000); rehearse_compute_for(0.01);\n"
                        "for (int i = 0; i < 3; ++i) MPI_Send(&i, 1, MPI_INT, (rank + 1) % size, 1 + i, WORLD);\n"
                        "const int stop = -1; MPI_Send(&stop, 1, MPI_INT, (rank + 1) % size, 0, WORLD);"
                        + JOIN + "assert(sum == 3);",
                        f"static int sum;\nstatic void* serve(void* x) {{ while (1) {{ int got;\n{poll}\n"
                        "if (got < 0) return x; sum += got; } }", ranks=3)

    def test_two_threads_that_probe_for_the_same_messages(self):
        self.passes("takers", "if (rank == 0) {" + BESIDE.format(name="take") + "take(NULL);" + JOIN +
                    "assert(taken == 6); } else for (int i = 0; i < 6; ++i) { usleep(100);\n"
                    "MPI_Ssend(&i, 1, MPI_INT, 0, 5, WORLD); }",
                    "static int taken;\nstatic void* take(void* x) { for (int i = 0; i < 3; ++i) { MPI_Message m;\n"
                    "int got; MPI_Mprobe(1, 5, WORLD, &m, IGNORE); MPI_Mrecv(&got, 1, MPI_INT, &m, IGNORE);\n"
                    "++taken; } return x; }")

    def test_waits_for_different_requests(self):
        self.passes("waits", BESIDE.format(name="wait") + "MPI_Request r[2]; int in[2], index;\n"
                    "MPI_Irecv(&in[0], 1, MPI_INT, 1 - rank, 0, WORLD, &r[0]);\n"
                    "MPI_Irecv(&in[1], 1, MPI_INT, 1 - rank, 1, WORLD, &r[1]);\n"
                    "MPI_Waitany(2, r, &index, IGNORE); assert(index == 1 && in[1] == 11);\n"
                    "MPI_Waitall(2, r, MPI_STATUSES_IGNORE); assert(in[0] == 10);" + JOIN,
                    "static void* wait(void* x) { int out[2] = {10, 11}; MPI_Request r[2];\nusleep(100);\n"
                    "MPI_Isend(&out[1], 1, MPI_INT, 1 - rank, 1, WORLD, &r[1]);\nusleep(5000);\n"
                    "MPI_Issend(&out[0], 1, MPI_INT, 1 - rank, 0, WORLD, &r[0]);\n"
                    "int done = 0, count, which[2]; while (done < 2) {\n"
                    "MPI_Waitsome(2, r, &count, which, MPI_STATUSES_IGNORE); done += count; } return x; }")

    def test_another_thread_completes_a_generalized_request(self):
        self.passes("generalized", "MPI_Grequest_start(query, gone, cancel, NULL, &request);"
                    + BESIDE.format(name="complete") + "MPI_Wait(&request, IGNORE); assert(is_complete);" + JOIN,
                    "static MPI_Request request; static int is_complete;\n"
                    "static int query(void* x, MPI_Status* s) { (void)x; MPI_Status_set_elements(s, MPI_INT, 0);\n"
                    "MPI_Status_set_cancelled(s, 0); s->MPI_SOURCE = s->MPI_TAG = 0; return MPI_SUCCESS; }\n"
                    "static int gone(void* x) { (void)x; return MPI_SUCCESS; }\n"
                    "static int cancel(void* x, int c) { (void)x; (void)c; return MPI_SUCCESS; }\n"
                    "static void* complete(void* x) { usleep(1000); is_complete = 1;\n"
                    "MPI_Grequest_complete(request); return x; }", ranks=1)

    def test_other_threads_mark_partitions_ready(self):
        self.passes("partitions", "MPI_Request r; if (rank == 0) {\n"
                    "MPI_Psend_init(data, 2, 8, MPI_INT, 1, 0, WORLD, MPI_INFO_NULL, &send); MPI_Start(&send);"
                    + BESIDE.format(name="fill") + "MPI_Pready(0, send); MPI_Wait(&send, IGNORE);" + JOIN +
                    "MPI_Request_free(&send); } else {\n"
                    "MPI_Precv_init(data, 2, 8, MPI_INT, 0, 0, WORLD, MPI_INFO_NULL, &r); MPI_Start(&r);\n"
                    "MPI_Wait(&r, IGNORE); assert(data[15] == 9); MPI_Request_free(&r); }",
                    "static int data[16]; static MPI_Request send;\n"
                    "static void* fill(void* x) { usleep(1000); data[15] = 9; MPI_Pready(1, send); return x; }")

    def test_epochs_of_locks_and_files(self):
        self.passes("windows", "MPI_Alloc_mem(sizeof(int), MPI_INFO_NULL, &memory); *memory = 0;\n"
                    "MPI_Win_create(memory, sizeof(int), 1, MPI_INFO_NULL, WORLD, &win);\n"
                    "MPI_File_open(MPI_COMM_SELF, rank ? \"f1\" : \"f0\", MPI_MODE_CREATE | MPI_MODE_RDWR,\n"
                    "MPI_INFO_NULL, &file);" + BESIDE.format(name="fill_file") + "for (int i = 0; i < 5; ++i) {\n"
                    "MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win); const int one = 1;\n"
                    "MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win); MPI_Win_unlock(0, win); }"
                    + JOIN + "MPI_File_close(&file); MPI_Barrier(WORLD);\n"
                    "MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win); if (rank == 0) assert(*memory == 10);\n"
                    "MPI_Win_unlock(0, win); MPI_Win_free(&win); MPI_Free_mem(memory);",
                    "static MPI_Win win; static int* memory; static MPI_File file;\n"
                    "static void* fill_file(void* x) { for (int i = 0; i < 5; ++i) { int back = -1;\n"
                    "MPI_File_write_at(file, 4 * i, &i, 1, MPI_INT, IGNORE);\n"
                    "MPI_File_read_at(file, 4 * i, &back, 1, MPI_INT, IGNORE); assert(back == i); } return x; }")

    def test_tasks_and_sections_of_openmp(self):
        self.passes("tasks", "int got[8] = {0};\n#pragma omp parallel\n#pragma omp single\n"
                    "for (int i = 0; i < 8; ++i) {\n#pragma omp task firstprivate(i)\n"
                    "{ const int out = 10 * rank + i; if (rank == 0) {\n"
                    "MPI_Ssend(&out, 1, MPI_INT, 1, i, WORLD); MPI_Recv(&got[i], 1, MPI_INT, 1, i, WORLD, IGNORE); }\n"
                    "else { MPI_Recv(&got[i], 1, MPI_INT, 0, i, WORLD, IGNORE);\n"
                    "MPI_Ssend(&out, 1, MPI_INT, 0, i, WORLD); } } }\n"
                    "for (int i = 0; i < 8; ++i) assert(got[i] == 10 * (1 - rank) + i);\nint here = 0;\n"
                    "#pragma omp parallel sections num_threads(2)\n{\n#pragma omp section\n"
                    "MPI_Recv(&here, 1, MPI_INT, rank, 99, WORLD, IGNORE);\n#pragma omp section\n"
                    "MPI_Send(&rank, 1, MPI_INT, rank, 99, WORLD);\n}\nassert(here == rank);")

    def test_threads_of_cpp(self):
        text = """
#include <mpi.h>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>
int main(int argc, char** argv) {
  int level, rank;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::mutex mutex;
  std::condition_variable changed;
  std::queue<int> inbox;
  std::thread receiver([&] {
    for (int i = 0; i < 10; ++i) {
      int got;
      MPI_Recv(&got, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      std::lock_guard<std::mutex> lock(mutex);
      inbox.push(got);
      changed.notify_one();
    }
  });
  std::thread sender([&] {
    for (int i = 0; i < 10; ++i) MPI_Ssend(&i, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
  });
  for (int i = 0; i < 10; ++i) {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return !inbox.empty(); });
    assert(inbox.front() == i);
    inbox.pop();
  }
  receiver.join();
  sender.join();
  MPI_Finalize();
}
"""
        self.run_it(self.compile("queues", "", text=text, suffix=".cpp"))

    def test_threads_from_before_the_start_of_mpi(self):
        text = PRELUDE + """
static pthread_barrier_t started;
static void* receive(void* x) {
  int got;
  usleep(1000);
  pthread_barrier_wait(&started);
  MPI_Recv(&got, 1, MPI_INT, 0, 0, WORLD, IGNORE);
  return x;
}
int main(void) {
  pthread_t thread;
  int level;
  pthread_barrier_init(&started, NULL, 2);
  pthread_create(&thread, NULL, receive, NULL);
  MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
  pthread_barrier_wait(&started);
  usleep(1000);
  MPI_Send(&level, 1, MPI_INT, 0, 0, WORLD);
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
"""
        self.run_it(self.compile("early", "", text=text), ranks=1)

    # ---- Dates

    PING_PONG = ("static void* play(void* x) { char c = 0; const double begin = MPI_Wtime();\n"
                 "for (int i = 0; i < 50; ++i) if (rank == 0) { MPI_Send(&c, 1, MPI_CHAR, 1, 0, WORLD);\n"
                 "MPI_Recv(&c, 1, MPI_CHAR, 1, 0, WORLD, IGNORE); }\n"
                 "else { MPI_Recv(&c, 1, MPI_CHAR, 0, 0, WORLD, IGNORE); MPI_Send(&c, 1, MPI_CHAR, 0, 0, WORLD); }\n"
                 "played = MPI_Wtime() - begin; return x; }\nstatic double played;\n")

    def test_a_thread_communicates_while_another_one_computes(self):
        functions = "static double played;\n" + self.PING_PONG.replace("static double played;\n", "")
        show = 'if (rank == 0) printf("%.12f %.12f\\n", played, MPI_Wtime() - begin);'
        begin = "const double begin = MPI_Wtime();\n"
        alone, _ = self.times("alone", begin + "play(NULL);" + show, functions)
        self.assertGreater(alone, 0.1)  # 100 latencies
        for cores in (1, 4):
            played, total = self.times("both", begin + BESIDE.format(name="play") + "rehearse_compute_for(1);" + JOIN +
                                       show, functions, cores=cores)
            self.assertAlmostEqual(played, alone, delta=1e-5)
            self.assertAlmostEqual(total, 1, delta=1e-5)
        played, total = self.times("short", begin + BESIDE.format(name="play") + "rehearse_compute_for(0.01);" + JOIN +
                                   show, functions)
        self.assertAlmostEqual(total, alone, delta=1e-5)

    def test_threads_that_compute_share_the_cores(self):
        functions = "static void* work(void* x) { rehearse_compute_for(1); return x; }"
        body = ("const double begin = MPI_Wtime();" + BESIDE.format(name="work") + "work(NULL);" + JOIN +
                'printf("%.9f\\n", MPI_Wtime() - begin);')
        for cores, seconds in ((1, 2), (4, 1)):
            self.assertAlmostEqual(self.times("cores", body, functions, ranks=1, cores=cores)[0], seconds, delta=1e-5)

    def test_a_waiting_thread_holds_no_core(self):
        functions = ("static void* receive(void* x) { char c; MPI_Recv(&c, 1, MPI_CHAR, 1, 0, WORLD, IGNORE);\n"
                     "got = MPI_Wtime(); return x; }")
        body = ("if (rank == 0) {" + BESIDE.format(name="receive") + "rehearse_compute_for(1);" + JOIN +
                'printf("%.9f %.9f\\n", got, MPI_Wtime()); }\n'
                "else { usleep(500000); char c = 0; MPI_Send(&c, 1, MPI_CHAR, 0, 0, WORLD); }")
        got, end = self.times("core", body, "static double got;\n" + functions, cores=1)
        self.assertAlmostEqual(got, 0.501, delta=1e-4)
        self.assertAlmostEqual(end, 1, delta=1e-4)

    def test_a_message_wakes_its_thread_at_its_date(self):
        functions = ("static double got;\nstatic void* receive(void* x) { char c;\n"
                     "MPI_Recv(&c, 1, MPI_CHAR, rank, 0, WORLD, IGNORE); got = MPI_Wtime(); return x; }")
        for wait in ("rehearse_compute_for(0.25)", "usleep(250000)"):
            got = self.times("date", BESIDE.format(name="receive") + f"{wait}; char c = 0;\n"
                             "MPI_Send(&c, 1, MPI_CHAR, rank, 0, WORLD);" + JOIN + 'printf("%.9f\\n", got);',
                             functions, ranks=1)[0]
            self.assertAlmostEqual(got, 0.25, delta=1e-4)

    def test_waits_on_locks_and_conditions_have_the_dates_of_their_threads(self):
        functions = ("static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
                     "static pthread_cond_t c = PTHREAD_COND_INITIALIZER; static int is_there;\n"
                     "static void* receive(void* x) { char b; MPI_Recv(&b, 1, MPI_CHAR, 1, 0, WORLD, IGNORE);\n"
                     "rehearse_compute_for(0.1); pthread_mutex_lock(&m); is_there = 1; pthread_cond_signal(&c);\n"
                     "pthread_mutex_unlock(&m); return x; }")
        body = ("if (rank == 0) {" + BESIDE.format(name="receive") + "pthread_mutex_lock(&m);\n"
                "while (!is_there) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);\n"
                'printf("%.9f\\n", MPI_Wtime());' + JOIN + "} else { usleep(200000); char b = 0;\n"
                "MPI_Send(&b, 1, MPI_CHAR, 0, 0, WORLD); }")
        self.assertAlmostEqual(self.times("condition", body, functions)[0], 0.301, delta=1e-4)

    def test_polls_find_a_message_at_its_date(self):
        functions = ("static double got;\nstatic void* poll(void* x) { int flag = 0; char c;\n"
                     "while (!flag) { MPI_Iprobe(1, 0, WORLD, &flag, IGNORE); %s }\ngot = MPI_Wtime();\n"
                     "MPI_Recv(&c, 1, MPI_CHAR, 1, 0, WORLD, IGNORE); return x; }")
        body = ("if (rank == 0) {" + BESIDE.format(name="poll") + "rehearse_compute_for(1);" + JOIN +
                'printf("%.9f %.9f\\n", got, MPI_Wtime()); }\n'
                "else { usleep(500000); char c = 0; MPI_Send(&c, 1, MPI_CHAR, 0, 0, WORLD); }")
        for name, between in (("plain", ""), ("yields", "sched_yield();"), ("clock", "MPI_Wtime();")):
            got, end = self.times("poll_" + name, body, "#include <sched.h>\n" + functions % between)
            self.assertAlmostEqual(got, 0.501, delta=0.04)
            self.assertAlmostEqual(end, 1, delta=1e-3)

    def test_a_flag_that_another_thread_sets(self):
        functions = ("#include <sched.h>\nstatic volatile int flag;\nstatic void* set(void* x) { char c;\n"
                     "MPI_Recv(&c, 1, MPI_CHAR, 1, 0, WORLD, IGNORE); flag = 1; return x; }")
        for name, wait in (("yield", "sched_yield();"), ("clock", "MPI_Wtime();"),
                           ("lock", "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);")):
            body = ("pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; (void)m;\nif (rank == 0) {"
                    + BESIDE.format(name="set") + f"while (!flag) {{ {wait} }}\n"
                    'printf("%.9f\\n", MPI_Wtime());' + JOIN + "} else { usleep(10000); char c = 0;\n"
                    "MPI_Send(&c, 1, MPI_CHAR, 0, 0, WORLD); }")
            self.assertAlmostEqual(self.times("flag_" + name, body, functions)[0], 0.011, delta=0.001)

    def test_measured_code_of_threads_passes_side_by_side(self):
        functions = ("static double all; static void* work(void* x) { double sum = 0;\n"
                     "for (int i = 0; i < 20000000; ++i) sum += 1.0 / (i + 1); all += sum; return x; }")
        body = ("const double begin = MPI_Wtime();" + BESIDE.format(name="work") + "%s" + JOIN +
                'assert(all > 1); printf("%%.9f\\n", MPI_Wtime() - begin);')
        two = self.run_it(self.compile("measured2", body % "work(NULL);", functions), ranks=1)
        one = self.run_it(self.compile("measured1", body % "", functions), ranks=1)
        self.assertLess(float(two.stdout), 1.6 * float(one.stdout))  # the machine may be busy meanwhile
        self.assertGreater(float(one.stdout), 0.001)

    def test_runs_are_repeatable(self):
        program = self.compile("repeat", "pthread_t all[4]; for (long i = 0; i < 4; ++i)\n"
                               "pthread_create(&all[i], NULL, chat, (void*)i);\n"
                               "for (int i = 0; i < 4; ++i) pthread_join(all[i], NULL);\n"
                               'if (rank == 0) printf("%.12f\\n", MPI_Wtime());',
                               "static void* chat(void* x) { for (int i = 0; i < 20; ++i) { int in;\n"
                               "rehearse_compute_for(0.001 * (1 + (long)x)); MPI_Sendrecv(&i, 1, MPI_INT, 1 - rank,\n"
                               "(long)x, &in, 1, MPI_INT, 1 - rank, (long)x, WORLD, IGNORE); } return x; }")
        outputs = {self.run_it(program, "--compute", "none").stdout for _ in range(3)}
        self.assertEqual(len(outputs), 1)

    # ---- Wrong programs, and what is not supported

    def finding(self, program, ranks=1):
        report = self.folder / "report.json"
        done = self.run_it(program, "--json", report, ranks=ranks, status=1)
        return json.loads(report.read_text()), " ".join(done.stderr.split())

    def test_one_request_in_two_threads(self):
        functions = "static MPI_Request r;\nstatic void* wait(void* x) { MPI_Wait(&r, IGNORE); return x; }"
        for call in ("MPI_Wait(&r, IGNORE);", "int f; MPI_Test(&r, &f, IGNORE);", "MPI_Request_free(&r);"):
            program = self.compile("request", "int data; MPI_Irecv(&data, 1, MPI_INT, 0, 0, WORLD, &r);"
                                   + BESIDE.format(name="wait") + "usleep(1000);" + call + JOIN, functions)
            _, text = self.finding(program)
            self.assertIn("thread.request", text)
            self.assertIn("thread 0 calls it while thread 1 is in MPI_Wait at ", text)
            self.assertIn("request.c:14", text)

    def test_collectives_of_two_threads_on_one_communicator(self):
        functions = "static void* barrier(void* x) { MPI_Barrier(WORLD); return x; }"
        program = self.compile("collective", "if (rank == 0) {" + BESIDE.format(name="barrier") +
                               "usleep(1000); MPI_Barrier(WORLD);" + JOIN +
                               "} else { usleep(100000); MPI_Barrier(WORLD); MPI_Barrier(WORLD); }", functions)
        _, text = self.finding(program, ranks=2)
        self.assertIn("thread.collective", text)
        self.assertIn("thread 0 calls it while thread 1 is in MPI_Barrier at ", text)

    def test_a_deadlock_names_all_threads(self):
        functions = "static void* receive(void* x) { int d; MPI_Recv(&d, 1, MPI_INT, 0, 5, WORLD, IGNORE); return x; }"
        program = self.compile("stuck", BESIDE.format(name="receive") + "int d;\n"
                               "MPI_Recv(&d, 1, MPI_INT, (rank + 1) % size, 6, WORLD, IGNORE);" + JOIN, functions)
        _, text = self.finding(program, ranks=2)
        for words in ("deadlock.", "MPI_Recv(", "of rank 0, also thread 1 in MPI_Recv(", "stuck.c:13"):
            self.assertIn(words, text)

    def test_a_thread_that_polls_for_ever_is_found(self):
        functions = ("static void* poll(void* x) { int flag = 0; while (!flag)\n"
                     "MPI_Iprobe(0, 5, WORLD, &flag, IGNORE); return x; }")
        _, text = self.finding(self.compile("endless", BESIDE.format(name="poll") + JOIN, functions))
        self.assertIn("progress.polling", text)

    def test_rare_interruptions_do_not_hide_such_a_thread(self):
        functions = ("static void* poll(void* x) { int flag = 0; for (int polls = 1; !flag; ++polls) {\n"
                     "MPI_Iprobe(0, 5, WORLD, &flag, IGNORE);\n"
                     "if (polls % 200 == 0) for (volatile int i = 0; i < 50000; ++i) ; } return x; }")
        _, text = self.finding(self.compile("interrupted", BESIDE.format(name="poll") + JOIN, functions))
        self.assertIn("progress.polling", text)

    def test_locks_in_a_circle_are_found(self):
        functions = ("static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
                     "static void* take(void* x) { pthread_mutex_lock(&m); return x; }")
        _, text = self.finding(self.compile("locked", "pthread_mutex_lock(&m);" + BESIDE.format(name="take") + JOIN,
                                            functions))
        self.assertIn("thread.deadlock", text)

    def test_check_and_recordings_say_what_they_do_not_have(self):
        program = self.compile("plain", BESIDE.format(name="size_of") + JOIN,
                               "static void* size_of(void* x) { int s; MPI_Comm_size(WORLD, &s); return x; }")
        done = self.finish(REHEARSE, "check", "-n", 1, program, status=3)
        self.assertIn("MPI_THREAD_MULTIPLE", done.stdout + done.stderr)
        done = self.run_it(program, "--trace", "t.rtrace", ranks=1, status=3)
        self.assertIn("MPI_THREAD_MULTIPLE", done.stderr)

    def test_check_finds_errors_and_verifies_nothing(self):
        # Programs that go on with less than the level that they want.
        accepts = MAIN.replace("if (level != MPI_THREAD_MULTIPLE) MPI_Abort(WORLD, 1);", "(void)level;")
        calls = "static void* idle(void* x) { return x; }\n" \
                "static void* ask(void* x) { int s; MPI_Comm_size(WORLD, &s); return x; }\n" \
                "static void* fail(void* x) { assert(rank != 1); return x; }\n"
        exchange = "int data = rank; MPI_Sendrecv_replace(&data, 1, MPI_INT, 1 - rank, 0, 1 - rank, 0, WORLD, IGNORE);"
        receive = "int data; MPI_Recv(&data, 1, MPI_INT, 1 - rank, 0, WORLD, IGNORE);"
        truncate = "int data[2] = {0}; if (rank == 0) MPI_Send(data, 2, MPI_INT, 1, 0, WORLD);\n" \
                   "else MPI_Recv(data, 1, MPI_INT, 0, 0, WORLD, IGNORE);\n"
        for name, body, status, word in (
                ("idle", BESIDE.format(name="idle") + exchange + JOIN, 3, "inconclusive"),
                ("asks", BESIDE.format(name="ask") + exchange + JOIN, 3, "threads of a rank with MPI_THREAD_MULTIPLE"),
                ("none", exchange, 0, "verified"),
                ("deadlock", BESIDE.format(name="idle") + receive + JOIN, 1, "deadlock."),
                ("truncation", BESIDE.format(name="idle") + truncate + JOIN, 1, "message.truncated"),
                ("assertion", BESIDE.format(name="fail") + exchange + JOIN, 3, "the program ends without it")):
            with self.subTest(name):
                program = self.compile(f"accepts_{name}", "", text=PRELUDE + calls + accepts.format(body=body))
                done = self.finish(REHEARSE, "check", "-n", 2, program, status=status)
                self.assertIn(word, done.stdout + done.stderr)
                self.assertEqual("verified" in done.stdout + done.stderr, word == "verified")

    def test_what_is_legal_but_not_supported_is_named(self):
        functions = "static MPI_Request r;\nstatic void* wait(void* x) { MPI_Wait(&r, IGNORE); return x; }"
        program = self.compile("status", "int data, f; MPI_Irecv(&data, 1, MPI_INT, 0, 0, WORLD, &r);"
                               + BESIDE.format(name="wait") + "usleep(1000);\n"
                               "MPI_Request_get_status(r, &f, IGNORE);" + JOIN,
                               functions)
        done = self.run_it(program, ranks=1, status=3)
        self.assertIn("MPI_Request_get_status for a request for which another thread waits", done.stderr)

    def test_two_threads_that_test_one_request_are_named(self):
        functions = ("static MPI_Request r;\nstatic void* test(void* x) {\n"
                     "  int f = 0;\n  while (!f) MPI_Test(&r, &f, IGNORE);\n  return x;\n}")
        program = self.compile("two_tests", "int data; MPI_Irecv(&data, 1, MPI_INT, 0, 0, WORLD, &r);"
                               + BESIDE.format(name="test") + "test(NULL);" + JOIN, functions)
        done = self.run_it(program, ranks=1, status=3)
        self.assertIn("MPI_Test for a request for which another thread waits, or which it tests", done.stderr)

    def test_threads_poll_for_partitions_of_one_request(self):
        # Several partitions of the receiver may be parts of one message; also, all threads poll for one partition.
        functions = """
static MPI_Request r;
static int data[8], seen[4];
static void* poll(void* of) {
  const int partition = (int)(long)of;
  int f = 0;
  while (!f) MPI_Parrived(r, partition, &f);
  assert(data[2 * partition] == 2 * partition + 1 && data[2 * partition + 1] == 2 * partition + 2);
  ++seen[partition];
  return NULL;
}"""
        for sent in 1, 2, 4, 8:
            for apart in 1, 0:
                with self.subTest(sent=sent, apart=apart):
                    program = self.compile("partitions", f"""
  if (rank == 0) {{
    MPI_Psend_init(data, {sent}, {8 // sent}, MPI_INT, 1, 0, WORLD, MPI_INFO_NULL, &r);
    MPI_Start(&r);
    for (int i = {sent} - 1; i >= 0; --i) {{
      usleep(100000);
      for (int k = i * {8 // sent}; k < (i + 1) * {8 // sent}; ++k) data[k] = k + 1;
      MPI_Pready(i, r);
    }}
    MPI_Wait(&r, IGNORE);
  }} else {{
    MPI_Precv_init(data, 4, 2, MPI_INT, 0, 0, WORLD, MPI_INFO_NULL, &r);
    MPI_Start(&r);
    pthread_t all[4];
    for (long i = 0; i < 4; ++i) pthread_create(&all[i], NULL, poll, (void*)({apart} * i));
    for (int i = 0; i < 4; ++i) pthread_join(all[i], NULL);
    MPI_Wait(&r, IGNORE);
    for (int i = 0; i < 8; ++i) assert(data[i] == i + 1);
    for (int i = 0; i < 4; ++i) assert(seen[i] == ({apart} ? 1 : i == 0 ? 4 : 0));
  }}
  MPI_Request_free(&r);""", functions)
                    self.run_it(program)
                    self.run_it(program, "--compute", "none")

    def test_partitions_of_a_request_that_another_thread_waits_for_are_named(self):
        functions = "static MPI_Request r;\nstatic void* wait(void* x) { MPI_Wait(&r, IGNORE); return x; }"
        program = self.compile("waited_partition", """
  int data[2] = {0}, f;
  MPI_Precv_init(data, 2, 1, MPI_INT, 0, 0, WORLD, MPI_INFO_NULL, &r);
  MPI_Start(&r);
  pthread_create(&other, NULL, wait, NULL);
  usleep(1000);
  MPI_Parrived(r, 0, &f);""", functions)
        done = self.run_it(program, ranks=1, status=3)
        self.assertIn("MPI_Parrived for a request for which another thread waits", done.stderr)

    def test_a_test_of_a_generalized_request_lets_time_pass(self):
        functions = """
static MPI_Request r;
static int query(void* x, MPI_Status* status) {
  MPI_Status_set_elements(status, MPI_BYTE, 0);
  MPI_Status_set_cancelled(status, 0);
  return 0;
}
static int nothing(void* x) { return 0; }
static int cancel(void* x, int complete) { return 0; }
static void* complete(void* x) {
  sleep(100);
  MPI_Grequest_complete(r);
  return x;
}"""
        program = self.compile("generalized_test", """
  MPI_Grequest_start(query, nothing, cancel, NULL, &r);
  MPI_Request own = r;
  pthread_create(&other, NULL, complete, NULL);
  int f = 0;
  while (!f) MPI_Test(&own, &f, IGNORE);
  pthread_join(other, NULL);
  printf("%.0f s", MPI_Wtime() / 10);""", functions)
        done = self.run_it(program, ranks=1)
        self.assertRegex(done.stdout, "^1[01] s$")


if __name__ == "__main__":
    closing_line.main()
