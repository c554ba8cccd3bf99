#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One-sided communication: data, epochs, locks and their time under run; verdicts and reasons of checks."""
import json
import time
import unittest

from checking import BEGIN, END, REHEARSE, WithPrograms
from installation import ROOT

WINDOW = """
  int memory[64] = {0}, value = 10 + rank, old = -1;
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  (void)value; (void)old;
  %s
  MPI_Win_free(&win);
"""
FENCES = WINDOW % """
  MPI_Win_fence(0, win);
  MPI_Put(&value, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win);
  MPI_Accumulate(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_SUM, win);
  MPI_Win_fence(0, win);
  MPI_Get(&old, 1, MPI_INT, (rank + size - 1) % size, 0, 1, MPI_INT, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  printf("%d %d %d\\n", memory[0], memory[1], old);
"""
HALO = WINDOW % """
  MPI_Group world, near;
  int both[2] = {(rank + 1) % size, (rank + size - 1) % size};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, size == 2 ? 1 : 2, both, &near);
  MPI_Win_post(near, 0, win);
  MPI_Win_start(near, 0, win);
  MPI_Put(&value, 1, MPI_INT, both[0], 0, 1, MPI_INT, win);
  MPI_Put(&value, 1, MPI_INT, both[1], 1, 1, MPI_INT, win);
  OPERATION
  MPI_Win_complete(win);
  MPI_Win_wait(win);
  printf("%d %d %d\\n", memory[0], memory[1], old);
  MPI_Group_free(&world);
  MPI_Group_free(&near);
"""
# Rank 0 exposes its window to all others.
START_EPOCH = WINDOW % """
  MPI_Group world, group;
  int count = rank == 0 ? size - 1 : 1, members[8] = {0};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  for (int i = 1; i < size && rank == 0; ++i) members[i - 1] = i;
  MPI_Group_incl(world, count, members, &group);
  if (rank == 0) {
    memory[0] = 42;
    MPI_Win_post(group, 0, win);
    /*EXPOSED*/
    MPI_Win_wait(win);
    /*WAITED*/
  } else {
    MPI_Win_start(group, 0, win);
    OPERATION
    MPI_Win_complete(win);
    /*AFTER*/
  }
  MPI_Group_free(&world);
  MPI_Group_free(&group);
"""
TICKETS = WINDOW % """
  int one = 1;
  MPI_Win_lock_all(0, win);
  MPI_Fetch_and_op(&one, &old, MPI_INT, 0, 0, MPI_SUM, win);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  printf("ticket %d\\n", old);
"""
COUNTER = WINDOW % """
  for (int i = 0; i < 3; ++i) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Get(&old, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    ++old;
    MPI_Put(&old, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("%d\\n", memory[0]);
"""

SUMS = WINDOW % """
  MPI_Win_lock_all(0, win);
  MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("%d\\n", memory[0]);
"""
POLLS = WINDOW % """
  int found = 0, count = 0;
  (void)count;
  MPI_Win_lock_all(0, win);
  do {
    MPI_Fetch_and_op(NULL, &found, MPI_INT, 0, 0, MPI_NO_OP, win);
    MPI_Win_flush(0, win);
  } while (found != 1000 CONDITION);
  MPI_Win_unlock_all(win);
"""
HANDSHAKE = WINDOW % """
  int found = 0, one = 1;
  MPI_Win_lock_all(0, win);
  if (rank == 0) {
    do {
      MPI_Fetch_and_op(NULL, &found, MPI_INT, 0, 0, MPI_NO_OP, win);
      MPI_Win_flush(0, win);
    } while (found != 1);
  } else {
    MPI_OPERATION(&one, 1, MPI_INT, 0, 0, 1, MPI_INT ADDED, win);
  }
  MPI_Win_unlock_all(win);
"""
SIGNAL = WINDOW % """
  if (rank == 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    FLUSH
    MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Win_unlock(1, win);
  } else {
    MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d\\n", memory[0]);
  }
"""
CYCLE = WINDOW % """
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - rank, 0, win);
  MPI_Win_unlock(1 - rank, win);
  MPI_Win_unlock(rank, win);
"""


class OneSided(WithPrograms):
    def watched(self, source):
        return self.compile(source, "watched", "--check-memory")

    def output(self, source, ranks, *options):
        return self.rehearse("run", "-n", ranks, "--quiet", *options, self.compile(source)).stdout.splitlines()

    def test_fences_move_data_there_and_back(self):
        self.assertEqual(sorted(self.output(FENCES, 3)), ["10 0 12", "11 0 10", "12 33 11"])

    def test_a_program_with_fences_is_verified_with_one_execution(self):
        report = self.check(self.watched(FENCES), 3)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 1))

    def test_a_program_whose_loads_and_stores_are_not_seen_is_inconclusive(self):
        report = self.check(self.compile(FENCES), 3, status=3)
        self.assertEqual((report["verdict"], report["findings"]), ("inconclusive", []))
        self.assertIn("loads and stores of window memory", report["reasons"][0])

    def test_neighbours_expose_and_put(self):
        program = HALO.replace("OPERATION", "")
        self.assertEqual(sorted(self.output(program, 4)), ["10 12 -1", "11 13 -1", "12 10 -1", "13 11 -1"])
        self.assertEqual(self.check(self.watched(program), 3)["verdict"], "verified")

    def test_a_get_in_a_start_epoch_needs_no_wait_of_its_target(self):
        program = HALO.replace("OPERATION", "MPI_Get(&old, 1, MPI_INT, both[0], 5, 1, MPI_INT, win);")
        self.assertEqual(sorted(self.output(program, 3)), ["10 12 0", "11 10 0", "12 11 0"])
        report = self.check(self.watched(program), 3)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 1))

    def test_a_get_in_a_start_epoch_sees_what_its_target_stored_before_the_post(self):
        report = self.check(self.watched(START_EPOCH.replace("OPERATION", """
          MPI_Get(&old, 1, MPI_INT, 0, 0, 1, MPI_INT, win);""").replace("/*AFTER*/", "if (old != 42) abort();")), 3)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 1))

    def test_a_get_in_a_start_epoch_races_with_a_store_in_the_exposure(self):
        program = START_EPOCH.replace("OPERATION", "MPI_Get(&old, 1, MPI_INT, 0, 0, 1, MPI_INT, win);")
        report = self.check(self.watched(program.replace("/*EXPOSED*/", "memory[0] = 43;")), 2, status=1)
        self.assertEqual(report["findings"][0]["id"], "rma.race")
        self.assertIn("a store of rank 0 and MPI_Get of rank 1", report["findings"][0]["message"])

    def test_origins_take_tickets_in_every_order_in_start_epochs(self):
        program = START_EPOCH.replace("OPERATION", """
          int one = 1;
          MPI_Fetch_and_op(&one, &old, MPI_INT, 0, 0, MPI_SUM, win);""").replace(
              "/*AFTER*/", "if (old < 42 || old > 43) abort();").replace("/*WAITED*/", "if (memory[0] != 44) abort();")
        report = self.check(self.watched(program), 3)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 2))
        self.check(self.watched(program.replace("old > 43", "old > 42")), 3, status=1)

    def test_a_ticket_sees_the_updates_of_others_or_not(self):
        program = START_EPOCH.replace("OPERATION", """
          int one = 1;
          if (rank == 1) MPI_Fetch_and_op(&one, &old, MPI_INT, 0, 0, MPI_SUM, win);
          else MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);""").replace(
              "/*WAITED*/", "if (memory[0] != 41 + size) abort();")
        report = self.check(self.watched(program), 4)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 4))

    def test_a_replacement_in_a_start_epoch_needs_no_wait_of_its_origin(self):
        program = START_EPOCH.replace("OPERATION", """
          if (rank == 1) MPI_Get(&old, 1, MPI_INT, 0, 5, 1, MPI_INT, win);
          MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);""").replace(
              "/*WAITED*/", "if (memory[0] != 11 && memory[0] != 12) abort();")
        report = self.check(self.watched(program), 3)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 2))
        self.check(self.watched(program.replace(" && memory[0] != 12", "")), 3, status=1)

    def test_accumulates_of_many_elements_are_those_of_a_local_reduction(self):
        for kind, name, operation in [("struct { double value; int place; }", "MPI_DOUBLE_INT", "MPI_MAXLOC"),
                                      ("struct { short value; int place; }", "MPI_SHORT_INT", "MPI_MINLOC"),
                                      ("struct { int value, place; }", "MPI_2INT", "MPI_MAXLOC"),
                                      ("struct { short value; int place; }", "MPI_SHORT_INT", "MPI_REPLACE")]:
            program = self.compile("""
              enum { count = 1501 };
              typedef %s pair;
              char* bytes = calloc(1, sizeof(pair) * count + 1);
              pair *window = (pair*)(bytes + 1), *mine = calloc(count, sizeof(pair));
              pair *there = calloc(count, sizeof(pair)), *expected = calloc(count, sizeof(pair));
              for (int i = 0; i < count; ++i) {
                pair old = {i * 7 %% 13, i}, added = {i * 5 %% 11, -i};
                memcpy(&window[i], &old, sizeof old);
                expected[i] = old;
                mine[i] = added;
              }
              MPI_Win win;
              MPI_Win_create(window, sizeof(pair) * count, sizeof(pair), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
              MPI_Win_fence(0, win);
              if (rank == 1) {
                MPI_Get_accumulate(mine, count, %s, there, count, %s, 0, 0, count, %s, %s, win);
              }
              MPI_Win_fence(0, win);
              for (int i = 0; i < count; ++i) {
                if (rank == 1) assert(there[i].value == expected[i].value && there[i].place == expected[i].place);
              }
              if (%s == MPI_REPLACE) memcpy(expected, mine, sizeof(pair) * count);
              else MPI_Reduce_local(mine, expected, count, %s, %s);
              for (int i = 0; rank == 0 && i < count; ++i) {
                pair now;
                memcpy(&now, &window[i], sizeof now);
                assert(now.value == expected[i].value && now.place == expected[i].place);
              }
              MPI_Win_free(&win);
            """ % (kind, name, name, name, operation, operation, name, operation), "accumulates")
            self.rehearse("run", "-n", 2, program)

    def test_ten_thousand_gets_into_one_buffer_are_one_overlap(self):
        program = self.compile(WINDOW % """
          MPI_Win_fence(0, win);
          for (int i = 0; i < 10000 && rank == 0; ++i) {
            memory[1] = i;
            MPI_Get(&old, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
          }
          MPI_Win_fence(0, win);
        """)
        done = self.rehearse("run", "-n", 2, "--strict", program, status=1)
        self.assertEqual(done.stderr.count("buffer.overlap"), 1, done.stderr)
        self.assertNotIn("buffer.touched", done.stderr)

    def test_a_get_waits_for_an_exposure_that_never_comes(self):
        program = START_EPOCH.replace("OPERATION", "MPI_Get(&old, 1, MPI_INT, 0, 0, 1, MPI_INT, win);").replace(
            "MPI_Win_post(group, 0, win);", "MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
            "MPI_Win_post(group, 0, win);").replace("/*AFTER*/", "MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);")
        finding = self.check(self.watched(program), 2, "--buffering", "infinite", status=1)["findings"][0]
        self.assertTrue(finding["id"].startswith("deadlock."), finding)
        self.assertIn("to expose its window (MPI_Win_post)", finding["message"])

    def test_a_promise_of_no_puts_is_checked_in_epochs_with_gets(self):
        program = START_EPOCH.replace("OPERATION", """
          MPI_Get(&old, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
          MPI_Put(&value, 1, MPI_INT, 0, rank, 1, MPI_INT, win);""")
        self.assertEqual(self.check(self.watched(program), 3)["verdict"], "verified")
        report = self.check(self.watched(program.replace("post(group, 0", "post(group, MPI_MODE_NOPUT")), 3, status=1)
        self.assertEqual(report["findings"][0]["id"], "rma.assert")

    def test_start_may_wait_for_the_post(self):
        program = HALO.replace("OPERATION", "").replace("MPI_Win_post(near, 0, win);\n", "").replace(
            "MPI_Win_wait(win);", "MPI_Win_post(near, 0, win); MPI_Win_wait(win);")
        self.assertEqual(len(self.output(program, 3)), 3)
        finding = self.check(self.compile(program), 3, status=1)["findings"][0]
        self.assertTrue(finding["id"].startswith("deadlock."), finding)
        self.assertRegex(finding["message"], r"MPI_Win_start\(.* for ranks? .* to expose its window \(MPI_Win_post\)")
        self.assertIn("Call MPI_Win_post before MPI_Win_start", finding["advice"])

    def test_wait_names_the_epochs_that_are_not_complete(self):
        program = (HALO[:HALO.index("  MPI_Win_start(")] +
                   "MPI_Win_wait(win); MPI_Win_start(near, 0, win); MPI_Win_complete(win);" +
                   HALO[HALO.index("  printf("):])
        finding = self.check(self.compile(program), 3, status=1)["findings"][0]
        self.assertEqual(finding["id"], "deadlock.cycle")
        self.assertIn("to complete its epoch (MPI_Win_complete)", finding["message"])
        self.assertIn("MPI_Win_complete before MPI_Win_wait", finding["advice"])

    def test_each_rank_gets_its_own_ticket(self):
        self.assertEqual(sorted(self.output(TICKETS, 5)), [f"ticket {i}" for i in range(5)])

    def test_a_check_takes_the_tickets_in_every_order(self):
        for reduction in ("matching", "odpor"):
            report = self.check(self.watched(TICKETS), 3, "--reduction", reduction)
            self.assertEqual((report["verdict"], report["executions"], report["duplicates"]), ("verified", 6, 0))

    def test_orders_of_exclusive_sections_are_executions_and_those_of_readers_are_not(self):
        program = self.compile(ROOT / "tests/bench/programs/window_counts.c", "counts", "--check-memory")
        for kind, ranks, executions in (("ticket", 4, 24), ("exclusive", 3, 6), ("exclusive", 4, 24), ("readers", 4, 1),
                                        ("accumulate", 4, 1)):
            with self.subTest(kind=kind, ranks=ranks):
                done = self.rehearse("check", "-n", ranks, "--json", "-", program, kind)
                report = json.loads(done.stdout)
                self.assertEqual((report["verdict"], report["executions"], report["duplicates"]),
                                 ("verified", executions, 0))

    def test_jobs_share_the_orders_of_tickets(self):
        report = self.check(self.watched(TICKETS), 4, "--jobs", 2)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 24))

    # When each message repeated all records, and each record what came before it, the first took 408 MiB, the second
    # 625 MiB, and the third more than four minutes.
    def test_exclusive_sections_puts_and_tickets_in_long_rows_need_memory_for_each_once(self):
        section = """for (int i = 0; i < 1000 && rank == 0; ++i) {
          MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
          MPI_Put(&value, 1, MPI_INT, 1, i % 64, 1, MPI_INT, win);
          MPI_Win_unlock(1, win);
        }"""
        ticket = """MPI_Win_lock_all(0, win);
        for (int i = 0; i < 4000 && rank == 0; ++i) {
          MPI_Fetch_and_op(&value, &old, MPI_INT, 1, 0, MPI_SUM, win);
          MPI_Win_flush(1, win);
        }
        MPI_Win_unlock_all(win);"""
        accumulate = """MPI_Win_lock_all(0, win);
        for (int i = 0; i < 10000 && rank == 0; ++i) MPI_Accumulate(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);
        MPI_Win_unlock_all(win);"""
        for body in (section, ticket, accumulate):
            with self.subTest(body):
                report = self.check(self.watched(WINDOW % body), 2, "--jobs", 1)
                self.assertEqual((report["verdict"], report["executions"]), ("verified", 1))
                self.assertLess(report["peak_bytes"], 150 << 20)

    def test_ranks_that_only_accumulate_have_one_execution(self):
        report = self.check(self.watched(SUMS), 3)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 1))

    def test_exclusive_locks_protect_a_counter(self):
        self.assertEqual(self.output(COUNTER, 4), ["12"])
        report = self.check(self.watched(COUNTER), 2)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 20))  # 6 over 3 orders of sections

    def test_a_shared_lock_does_not_protect_a_counter(self):
        program = self.watched(COUNTER.replace("MPI_LOCK_EXCLUSIVE", "MPI_LOCK_SHARED"))
        report = self.check(program, 2, "--counterexample", "race.json", status=1)
        race = report["findings"][0]
        self.assertEqual(race["id"], "rma.race")
        self.assertEqual(len({at["line"] for at in race["locations"]}), 2)
        self.assertIn("MPI_Put", race["message"])
        replayed = self.rehearse("replay", "race.json", status=1)
        self.assertIn("reproduced rma.race", replayed.stderr + replayed.stdout)

    def test_a_message_without_a_flush_does_not_order_a_put(self):
        for flush, verdict in (("", "violation"), ("MPI_Win_flush(1, win);", "verified")):
            report = self.check(self.watched(SIGNAL.replace("FLUSH", flush)), 2, status=1 if flush == "" else 0)
            self.assertEqual(report["verdict"], verdict)

    def test_a_loop_that_gives_up_polling_is_no_deadlock(self):
        few = self.watched(POLLS.replace("CONDITION", "&& ++count < 30"))
        self.assertEqual(self.check(few, 1)["verdict"], "verified")
        report = self.check(self.watched(POLLS.replace("CONDITION", "&& ++count < 300")), 1, status=3)
        self.assertEqual(report["findings"], [])
        self.assertIn("more than 100 times in a row", report["reasons"][0])

    def test_a_loop_that_polls_forever_is_found_and_replayed(self):
        program = self.watched(POLLS.replace("CONDITION", ""))
        for reduction in ("matching", "odpor", "none"):
            with self.subTest(reduction=reduction):
                report = self.check(program, 1, "--reduction", reduction, "--counterexample", "polls.json", status=1)
                self.assertEqual([finding["id"] for finding in report["findings"]], ["progress.polling"])
                self.assertEqual(report["findings"][0]["locations"][0]["call"], "MPI_Win_flush(0, win)")
        done = self.rehearse("replay", "--compute", "none", "polls.json", status=1)
        self.assertIn("reproduced progress.polling", done.stderr)

    def test_a_loop_that_polls_until_a_value_comes_is_verified_without_assumptions(self):
        source = HANDSHAKE.replace("OPERATION", "Accumulate").replace("ADDED", ", MPI_SUM")
        report = self.check(self.watched(source), 2)
        self.assertEqual((report["verdict"], report.get("assumptions", [])), ("verified", []))

    def test_a_loop_that_a_thread_may_end_is_inconclusive(self):
        source = HANDSHAKE.replace("OPERATION", "Accumulate").replace("ADDED", ", MPI_SUM")
        source = source.replace("found != 1", "!done")
        source = source.replace("if (rank == 0) {", "if (rank == 0) { pthread_t t; pthread_create(&t, 0, finish, 0);")
        program = self.write("threads.c", "#include <pthread.h>\n#include <unistd.h>\nstatic volatile int done;\n"
                             "static void* finish(void* x) { usleep(1000); done = 1; return x; }\n"
                             + BEGIN + source + END)
        self.run_program(REHEARSE, "cc", "--check-memory", "-pthread", program, "-o", "threads")
        report = self.check(self.folder / "threads", 2, status=3)
        self.assertEqual(report["findings"], [])

    def test_a_crash_behind_more_polls_than_are_explored_is_an_assumption(self):
        source = HANDSHAKE.replace("OPERATION", "Accumulate").replace("ADDED", ", MPI_SUM")
        source = source.replace("} while", "if (++old == 3) abort(); } while")
        report = self.check(self.watched(source), 2)
        self.assertIn("goes on until the value changes", " ".join(report["assumptions"]))

    def test_a_loop_that_polls_for_an_access_that_races_is_a_race(self):
        report = self.check(self.watched(HANDSHAKE.replace("OPERATION", "Put").replace("ADDED", "")), 2, status=1)
        self.assertEqual({finding["id"] for finding in report["findings"]}, {"rma.race"})

    def test_a_loop_that_may_poll_by_loads_that_are_not_seen_is_inconclusive(self):
        source = HANDSHAKE.replace("OPERATION", "Put").replace("ADDED", "")
        source = source.replace("0, 0, MPI_NO_OP", "0, 5, MPI_NO_OP")
        source = source.replace("found != 1", "((volatile int*)memory)[0] != 1")
        report = self.check(self.compile(source), 2, status=3)
        self.assertEqual(report["findings"], [])
        self.assertIn("may load what others store there", " ".join(report["reasons"]))
        self.assertEqual(self.check(self.watched(source), 2, status=1)["findings"][0]["id"], "rma.race")

    def test_ranks_that_wait_forever_report_their_race(self):
        report = self.check(self.watched(WINDOW % """
          MPI_Win_lock_all(0, win);
          MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
          MPI_Win_flush(2, win);
          if (rank < 2) MPI_Recv(&old, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
          MPI_Win_unlock_all(win);
        """), 3, status=1)
        found = [finding["id"] for finding in report["findings"]]
        self.assertIn("deadlock.cycle", found)
        self.assertIn("rma.race", found)

    def test_locks_in_opposite_orders_are_a_deadlock_that_names_both_ranks(self):
        report = self.check(self.watched(CYCLE), 2, status=1)
        deadlock = report["findings"][0]
        self.assertEqual(deadlock["id"], "deadlock.cycle")
        self.assertEqual(deadlock["ranks"], [0, 1])
        self.assertIn("MPI_Win_lock", deadlock["message"])

    def test_a_lock_that_nobody_gives_back_is_a_deadlock_that_names_its_holder(self):
        program = self.compile(WINDOW % """
          if (rank == 0) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
            MPI_Recv(&data, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Win_unlock(1, win);
          } else if (rank == 2) {
            MPI_Barrier(MPI_COMM_SELF);
            MPI_Sendrecv(&data, 1, MPI_INT, 0, 1, &data, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
          }
        """)
        self.assertIn("deadlock", self.rehearse("run", "-n", 3, program, status=1).stderr)

    def test_the_data_of_a_put_takes_time_and_overlaps_with_computation(self):
        program = WINDOW.replace("memory[64] = {0}", "*memory = calloc(1 << 20, 4)").replace(
            "sizeof memory", "4 << 20") % """
          MPI_Win_fence(0, win);
          double begin = MPI_Wtime();
          if (rank == 0) MPI_Put(memory, 1 << 20, MPI_INT, 1, 0, 1 << 20, MPI_INT, win);
          double issued = MPI_Wtime();
          MPI_Win_fence(0, win);
          double done = MPI_Wtime();
          if (rank == 0) printf("%d %d\\n", issued - begin < 1e-4, done - begin > 1e-3);
        """
        self.assertEqual(self.output(program, 2), ["1 1"])

    def test_a_race_with_a_loop_of_the_owner_names_the_line_of_its_bytes(self):
        source = """
          enum { COUNT = 1000 };
          static int memory[3 * COUNT];
          int got = 0, sum = 0;
          MPI_Win win;
          MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
          MPI_Win_fence(0, win);
          if (rank == 1) {
            for (int i = 0; i < COUNT; i += 2) {
              memory[i] = i;                                  /* even numbers */
              memory[i + 1] = i;                              /* odd numbers */
            }
            for (int i = 0; i < COUNT; ++i) memory[COUNT + i] = i;
            for (int k = 0; k < 3; ++k)
              for (int i = 0; i < COUNT; ++i) sum += memory[2 * COUNT + i];
          }
          if (rank == 0) MPI_Get(&got, 1, MPI_INT, 1, PLACE, 1, MPI_INT, win);
          MPI_Win_fence(0, win);
          printf("%d %d\\n", got, sum);
          MPI_Win_free(&win);
        """
        lines = source.splitlines()
        for place, text in (("501", "odd numbers"), ("500", "even numbers"), ("1999", "memory[COUNT + i] = i")):
            finding = self.check(self.watched(source.replace("PLACE", place)), 2, status=1)["findings"][0]
            self.assertEqual(finding["id"], "rma.race")
            first = next(i for i, line in enumerate((self.folder / "watched.c").read_text().splitlines(), 1)
                         if "enum { COUNT" in line)
            begin = next(i for i, line in enumerate(lines) if "enum { COUNT" in line)
            right = first - begin + next(i for i, line in enumerate(lines) if text in line)
            self.assertIn(right, [at["line"] for at in finding["locations"]], finding)
        report = self.check(self.watched(source.replace("PLACE", "2500")), 2)
        self.assertEqual((report["verdict"], report["findings"]), ("verified", []))

    def test_records_of_accesses_do_not_exceed_the_memory(self):
        program = self.watched("""
  enum { COUNT = 1000000, TIMES = 500 };
  MPI_Win win;
  int *memory, *from = calloc(COUNT, sizeof(int));
  MPI_Win_allocate(COUNT * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Win_lock_all(0, win);
  for (int i = 0; i < TIMES && rank > 0; ++i) {
    MPI_Accumulate(from, COUNT, MPI_INT, 0, 0, COUNT, MPI_INT, MPI_SUM, win);
    MPI_Win_flush_local(0, win);
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  free(from);""")
        report = self.check(program, 2, "--max-memory", 1_000_000_000, "--jobs", 1, status=3)
        self.assertIn("records of window accesses", report["reasons"][0])
        self.assertLess(report["peak_bytes"], 1_500_000_000)

    def test_loops_that_poll_a_window_without_order_end_by_name(self):
        loops = {"while (*(volatile int*)memory == 0) MPI_Win_sync(win);": "MPI_Win_sync",
                 "while (got == 0) { MPI_Get(&got, 1, MPI_INT, 1, 0, 1, MPI_INT, win); MPI_Win_flush(1, win); }":
                 "MPI_Get"}
        for loop, call in loops.items():
            program = self.watched(WINDOW % f"""
              int got = 0;
              (void)got;
              MPI_Win_lock_all(0, win);
              if (rank == 0) {{ MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); MPI_Win_flush(1, win); }}
              else {{ {loop} }}
              MPI_Win_unlock_all(win);
            """)
            with self.subTest(call=call):
                report = self.check(program, 2, status=3)
                self.assertIn(call, report["reasons"][0])

    def test_reads_in_a_row_of_different_places_are_no_poll(self):
        program = self.watched(WINDOW % """
          int got = 0;
          MPI_Win_lock_all(0, win);
          if (rank == 0)
            for (int i = 0; i < 1500; ++i) {
              MPI_Get(&got, 1, MPI_INT, 1, i % 2, 1, MPI_INT, win);
              MPI_Win_flush(1, win);
              if (i % 500 == 0) MPI_Accumulate(&value, 1, MPI_INT, 1, 3, 1, MPI_INT, MPI_SUM, win);
            }
          MPI_Win_unlock_all(win);
        """)
        self.assertEqual(self.check(program, 2)["verdict"], "verified")

    def test_operations_of_a_lock_epoch_need_attached_memory(self):
        deeds = {"put": "MPI_Put(&value, 1, MPI_INT, 1, place, 1, MPI_INT, win);",
                 "rput": "MPI_Request request;"
                         "MPI_Rput(&value, 1, MPI_INT, 1, place, 1, MPI_INT, win, &request);"
                         "MPI_Wait(&request, MPI_STATUS_IGNORE);",
                 "get": "MPI_Get(&value, 1, MPI_INT, 1, place, 1, MPI_INT, win);",
                 "accumulate": "MPI_Accumulate(&value, 1, MPI_INT, 1, place, 1, MPI_INT, MPI_SUM, win);",
                 "fetch": "MPI_Fetch_and_op(&value, &old, MPI_INT, 1, place, MPI_SUM, win);"}
        text = """
  static int memory[4];
  int value = rank, old = 0;
  MPI_Aint place;
  MPI_Win win;
  (void)old;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Get_address(memory, &place);
  if (rank == 1) {
    ATTACH
  }
  MPI_Bcast(&place, 1, MPI_AINT, 1, MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
    OPERATION
    MPI_Win_unlock(1, win);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) { DETACH }
  MPI_Win_free(&win);"""
        attach, detach = "MPI_Win_attach(win, memory, sizeof memory);", "MPI_Win_detach(win, memory);"
        for name, operation in deeds.items():
            for before, after, status in ((attach, detach, 0), ("", "", 1), (attach + detach, "", 1)):
                body = text.replace("OPERATION", operation).replace("ATTACH", before).replace("DETACH", after)
                with self.subTest(operation=name, attached=before):
                    report = self.check(self.watched(body), 2, status=status)
                    self.assertEqual([finding["id"] for finding in report["findings"]], ["rma.attach"] * status)

    def test_an_operation_may_reach_over_regions_that_follow_each_other(self):
        text = """
  static int memory[12];
  int values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  MPI_Aint place;
  MPI_Win win;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Get_address(memory, &place);
  if (rank == 1) {
    MPI_Win_attach(win, memory, 4 * sizeof(int));
    MPI_Win_attach(win, memory + FROM, 4 * sizeof(int));
  }
  MPI_Bcast(&place, 1, MPI_AINT, 1, MPI_COMM_WORLD);
  MPI_Win_fence(0, win);
  if (rank == 0) MPI_Put(values, 8, MPI_INT, 1, place, 8, MPI_INT, win);
  MPI_Win_fence(0, win);
  if (rank == 1) {
    assert(memory[3] == 4 && memory[7] == 8);
    MPI_Win_detach(win, memory + FROM);
    MPI_Win_detach(win, memory);
  }
  MPI_Win_free(&win);"""
        adjacent = self.watched(text.replace("FROM", "4"))
        self.rehearse("run", "--no-summary", "-n", 2, adjacent)
        self.assertEqual(self.check(adjacent, 2)["verdict"], "verified")
        report = self.check(self.watched(text.replace("FROM", "5")), 2, status=1)
        self.assertIn("rma.attach", [finding["id"] for finding in report["findings"]])

    def test_answers_of_an_epoch_that_do_not_fit_into_memory_are_refused_by_name(self):
        program = self.compile("""
  enum { bytes = 1 << 20, times = 3000 };
  char *memory = calloc(1, bytes), *copy = malloc((size_t)bytes * times);
  MPI_Win win;
  MPI_Win_create(memory, bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  if (rank == 1)
    for (int i = 0; i < times; ++i) MPI_Get(copy + (size_t)i * bytes, bytes, MPI_CHAR, 0, 0, bytes, MPI_CHAR, win);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);""")
        done = self.rehearse("run", "-n", 2, program, status=3)
        self.assertIn("gets of more than 2 GB from one rank in one epoch is not supported yet", done.stderr)

    def test_a_replay_names_no_objects_of_windows(self):
        program = self.watched(TICKETS.replace("MPI_Barrier(MPI_COMM_WORLD);",
                                               "MPI_Barrier(MPI_COMM_WORLD); if (rank == 0 && old == 1) abort();"))
        self.check(program, 2, "--counterexample", "windows.json", status=1)
        done = self.rehearse("replay", "--json", "replay.json", "windows.json", status=1)
        self.assertIn("rank 1 on", done.stdout)
        self.assertNotIn("rank 2", done.stdout)
        self.assertEqual(len(json.loads((self.folder / "replay.json").read_text())["stops"]), 2)

    def test_all_rounds_of_a_check_share_one_limit_of_time(self):
        locks = "".join(f"MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win); MPI_Fetch_and_op(&value, &old, MPI_INT, 0, {i}, "
                        "MPI_SUM, win); MPI_Win_unlock(0, win);\n" for i in range(6))
        begin = time.monotonic()
        report = self.check(self.watched(WINDOW % locks), 3, "--max-seconds", "2", status=3)
        self.assertLess(time.monotonic() - begin, 12)
        self.assertLess(report["seconds"], 6)
        self.assertIn("--max-seconds", report["reasons"][0])

    def test_elements_of_atomic_operations_are_interleaved(self):
        body = """
          int ones[2] = {1, 1}, both[2] = {-1, -1};
          MPI_Win_fence(0, win);
          MPI_Get_accumulate(ones, 2, MPI_INT, both, 2, MPI_INT, 0, 0, 2, MPI_INT, MPI_SUM, win);
          MPI_Win_fence(0, win);
          if (both[0] == 0 && both[1] == 1) abort();
        """
        self.check(self.watched(WINDOW % body), 2, status=1)
        report = self.check(self.watched(WINDOW % body.replace("both[1] == 1", "both[1] == 2")), 2)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 4))

    def test_messages_order_an_owners_store_in_the_epoch_of_a_put(self):
        body = """
          MPI_Win_fence(0, win);
          if (rank == 0) { memory[0] = 1; MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD); }
          if (rank == 1) { MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                           MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win); }
          MPI_Win_fence(0, win);
          if (rank == 0 && memory[0] != 11) abort();
        """
        report = self.check(self.watched(WINDOW % body), 2)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 1))
        late = body.replace("memory[0] = 1; ", "").replace("1, 0, MPI_COMM_WORLD); }",
                                                           "1, 0, MPI_COMM_WORLD); memory[0] = 1; }")
        self.assertNotEqual(late, body)
        report = self.check(self.watched(WINDOW % late), 2, status=1)
        self.assertEqual(report["findings"][0]["id"], "rma.race")

    def test_the_separate_model_asks_for_calls_that_carry_changes(self):
        """Each body is right in the unified model. In the separate one, it needs what stands in place of OWNER."""
        put = "if (rank == 1) { MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win); MPI_Win_flush(0, win); }"
        get = "if (rank == 1) { MPI_Get(&old, 1, MPI_INT, 0, 0, 1, MPI_INT, win); MPI_Win_flush(0, win); }"
        order = "MPI_Barrier(MPI_COMM_WORLD); "
        begin, end = "MPI_Win_lock_all(0, win);", "MPI_Win_unlock_all(win);"
        model = """
          int *kind, flag = 0;
          MPI_Win_get_attr(win, MPI_WIN_MODEL, &kind, &flag);
          if (!flag || *kind != THE_MODEL) abort();
        """
        for body, owner in (
                (f"{begin} {put} {order} OWNER if (rank == 0 && memory[0] != 11) abort(); {end}", "MPI_Win_sync(win);"),
                (f"{begin} if (rank == 0) memory[0] = 5; OWNER {order} {get} {end} if (rank == 1 && old != 5) abort();",
                 "MPI_Win_sync(win);"),
                # different places of one window
                (f"{begin} if (rank == 0) memory[9] = 5; OWNER {order} {put} {end}", "MPI_Win_sync(win);"),
                (f"if (rank == 0) memory[0] = 5; OWNER {order} {begin} {get} {end} if (rank == 1 && old != 5) abort();",
                 "if (rank == 0) { MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win); MPI_Win_unlock(0, win); }"),
        ):
            program = self.watched(WINDOW % (model.replace("THE_MODEL", "MPI_WIN_UNIFIED") + body.replace("OWNER", "")))
            self.assertEqual(self.check(program, 2)["verdict"], "verified", body)
            separate = WINDOW % (model.replace("THE_MODEL", "MPI_WIN_SEPARATE") + body)
            report = self.check(self.watched(separate.replace("OWNER", "")), 2, "--rma-model", "separate",
                                "--counterexample", "race.json", status=1)
            self.assertEqual([finding["id"] for finding in report["findings"]], ["rma.race"], body)
            self.assertIn("in the separate memory model", report["findings"][0]["message"])
            replayed = self.rehearse("replay", "race.json", status=1)
            self.assertIn("reproduced rma.race", replayed.stderr + replayed.stdout)
            report = self.check(self.watched(separate.replace("OWNER", owner)), 2, "--rma-model", "separate")
            self.assertEqual(report["verdict"], "verified", body)
        done = self.rehearse("check", "-n", 2, "--rma-model", "separate", "--save", "later",
                             self.watched(separate.replace("OWNER", owner)), status=2)
        self.assertIn("cannot be explored with saved explorations", done.stderr)

    def test_a_recording_refuses_operations_that_its_format_does_not_have(self):
        done = self.rehearse("trace", "record", "-n", 3, "-o", "run.rtrace", self.compile(FENCES), status=3)
        self.assertIn("one-sided communication", done.stderr)


if __name__ == "__main__":
    unittest.main()
