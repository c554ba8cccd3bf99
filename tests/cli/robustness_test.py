#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse check with programs that crash, never come to a call, use up the memory or write files."""
from checking import BEGIN, END, REHEARSE, WithPrograms

import closing_line

# In one of six executions, when the message of rank 2 comes first and that of rank 1 second, STATEMENT happens.
ONE_OF_SIX = """
  if (rank == 0) {
    int order[3];
    for (int i = 0; i < 3; ++i)
      MPI_Recv(&order[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (order[0] == 2 && order[1] == 1) {
      %s
    }
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }"""
SCHEDULE = "0:r0<-2#0;0:r1<-1#0;0:r2<-3#0"
HEAD = """#define _GNU_SOURCE
#include <locale.h>
#include <signal.h>
#include <stdint.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>
#include <wchar.h>
volatile int zero;
int* volatile null;
__attribute__((noinline)) int recurse(int n) {
  volatile char frame[1000];
  frame[n % 1000] = 1;
  return recurse(n + 1) + frame[0];
}
"""


class Robustness(WithPrograms):
    def compile_with_head(self, body, name="program"):
        return self.compile(self.write(name + ".c", HEAD + BEGIN + body + END), name)

    def one_of_six(self, statement, *options):
        """The report; the statement happens in one execution, and all the others are explored, too."""
        report = self.check(self.compile_with_head(ONE_OF_SIX % statement), 4, "--all", *options, status=1)
        self.assertEqual((report["executions"], report["duplicates"], report["reasons"]), (6, 0, []))
        report["findings"] = [f for f in report["findings"] if f["severity"] != "note"]  # of an open order
        self.assertEqual({f["schedule"] for f in report["findings"]}, {SCHEDULE})
        return report

    def assert_found(self, report, name, line_of=None):
        finding = report["findings"][0]
        self.assertEqual(finding["id"], name)
        if line_of is not None:
            lines = (self.folder / "program.c").read_text().splitlines()
            self.assertIn(line_of, lines[finding["locations"][0]["line"] - 1])
        return finding["message"]


class Crashes(Robustness):
    def test_a_crash_in_one_execution_is_found_with_its_line_and_the_others_are_explored(self):
        for name, statement in (("crash.segfault", "*null = 1;"),
                                ("crash.fpe", "zero = 10 % zero;"),
                                ("crash.illegal_instruction", "__builtin_trap();"),
                                ("crash.abort", "abort();"),
                                ("crash.stack_overflow", "zero = recurse(0);"),
                                ("crash.signal", "raise(SIGTERM);"),
                                ("assertion.failed", "assert(zero == 1);")):
            with self.subTest(name):
                self.assert_found(self.one_of_six(statement), name,
                                  "int recurse(int n)" if "overflow" in name else statement.split(";")[0])

    def test_an_exit_in_the_middle_is_found(self):
        names = {f["id"] for f in self.one_of_six("exit(3);")["findings"]}
        self.assertEqual(names, {"crash.exit_status", "lifecycle.finalized"})

    def test_an_exception_that_nobody_catches_is_found(self):
        source = "#include <stdexcept>\n" + BEGIN + ONE_OF_SIX % 'throw std::runtime_error("no way out");' + END
        self.run_program(REHEARSE, "c++", "-g", self.write("thrown.cpp", source), "-o", "thrown")
        report = self.check(self.folder / "thrown", 4, "--all", status=1)
        self.assertEqual(report["executions"], 6)
        self.assertIn("no way out", self.assert_found(report, "crash.exception"))


class Endless(Robustness):
    def test_a_loop_without_calls_is_interrupted_and_the_other_executions_are_explored(self):
        report = self.one_of_six("for (;;) zero = zero + 1;", "--max-step-seconds", 0.2)
        message = self.assert_found(report, "progress.step", "for (;;)")
        self.assertIn("0.2 seconds", message)
        self.assertIn("--max-step-seconds", message)

    def test_a_loop_of_functions_of_the_library_is_interrupted(self):
        report = self.one_of_six("for (;;) { char* p = malloc(100); memset(p, zero, 100); free(p); strlen(argv[0]); }",
                                 "--max-step-seconds", 0.2)
        self.assert_found(report, "progress.step")

    def test_a_rank_that_waits_for_something_outside_is_interrupted(self):
        report = self.one_of_six("int ends[2]; char c; (void)!pipe(ends); (void)!read(ends[0], &c, 1);",
                                 "--max-step-seconds", 0.2)
        self.assert_found(report, "progress.step")

    def test_a_loop_of_output_or_looks_at_the_clock_is_left(self):
        for statement in ('for (;;) { printf("still here\\n"); fflush(stdout); }',
                          "double begin = MPI_Wtime(); while (MPI_Wtime() >= begin) ++zero;",
                          "for (;;) usleep(1000);"):
            with self.subTest(statement):
                self.assert_found(self.one_of_six(statement, "--max-step-seconds", 0.2), "progress.step")

    def test_what_takes_less_than_the_limit_is_not_interrupted(self):
        program = self.compile_with_head(ONE_OF_SIX % "for (long i = 0; i < 100000000; ++i) zero = zero ^ 1;")
        self.assertEqual(self.check(program, 4)["verdict"], "verified")

    def test_a_run_in_time_has_the_limit_when_it_is_asked_for(self):
        program = self.compile_with_head("if (rank == 1) for (;;) zero = zero + 1;")
        done = self.rehearse("run", "-n", 2, "--max-step-seconds", 0.2, program, status=1)
        self.assertIn("progress.step", done.stderr)

    def test_a_loop_without_calls_does_not_keep_another_rank_from_ending_all(self):
        program = self.compile_with_head(
            "if (rank == 0) for (;;) zero = zero + 1; else { usleep(100000); MPI_Abort(MPI_COMM_WORLD, 3); }")
        done = self.rehearse("run", "-n", 2, "--compute", "none", "--max-step-seconds", 0.2, program, status=1)
        self.assertIn("MPI_Abort(MPI_COMM_WORLD, 3)", done.stderr)
        self.assertNotIn("progress.step", done.stderr)

    def test_a_loop_without_calls_ends_before_what_happens_later(self):
        program = self.compile_with_head(
            "if (rank == 0) for (;;) zero = zero + 1; else { sleep(9); MPI_Abort(MPI_COMM_WORLD, 3); }")
        done = self.rehearse("run", "-n", 2, "--compute", "none", "--max-step-seconds", 0.2, program, status=1)
        self.assertIn("progress.step", done.stderr)


# Without any function that could know of it.
KILL = """{
      long process, none;
      __asm__ volatile("syscall" : "=a"(process) : "0"(39L) : "rcx", "r11", "memory");
      __asm__ volatile("syscall" : "=a"(none) : "0"(62L), "D"(process), "S"(%dL) : "rcx", "r11", "memory");
    }"""


class Deaths(Robustness):
    def test_what_kills_the_explorer_is_reported_with_its_schedule_and_left_out(self):
        program = self.compile_with_head(ONE_OF_SIX % (KILL % 9))
        for jobs in (1, 2):
            with self.subTest(jobs):
                report = self.check(program, 4, "--jobs", jobs, status=3)
                # Two jobs may visit executions in which another message comes first: a note of an open order.
                findings = [f for f in report["findings"] if f["severity"] != "note"]
                self.assertEqual((report["verdict"], findings), ("inconclusive", []))
                self.assertIn(report["executions"], range(1, 6))  # the one and what follows it are left out
                self.assertIn("by signal 9", report["reasons"][0])
                self.assertIn("left out: " + SCHEDULE.rsplit(";", 1)[0], report["reasons"][0])  # up to its last match

    def test_a_death_that_is_not_repeated_makes_it_inconclusive(self):
        flag = self.folder / "died"
        program = self.compile_with_head(ONE_OF_SIX % ("""{
      long made;
      __asm__ volatile("syscall" : "=a"(made) : "0"(2L), "D"("%s"), "S"(%dL), "d"(0600L) : "rcx", "r11", "memory");
      if (made >= 0) %s
    }""" % (flag, 0o301, KILL % 9)))
        report = self.check(program, 4, "--jobs", 1, status=3)
        self.assertEqual((report["verdict"], report["executions"]), ("inconclusive", 6))
        self.assertIn("by signal 9", report["reasons"][0])

    def test_a_program_that_always_kills_it_is_reported_with_status_3(self):
        program = self.compile_with_head(KILL % 9)
        done = self.rehearse("check", "-n", 2, "--search", "random:3", "--json", "report.json", program, status=3)
        self.assertIn("inconclusive: the process that explores ended by signal 9", done.stderr)
        self.assertFalse((self.folder / "rehearse-counterexample.json").exists())

    def test_wild_writes_into_the_explorer_do_not_verify_anything(self):
        program = self.compile_with_head(ONE_OF_SIX % "memset((char*)stdin - 64 * (argc > 100), 0, 16); "
                                         "for (long* p = (long*)((uintptr_t)&strlen & ~0xfffUL); ; ++p) *p = 1;")
        report = self.check(program, 4, "--all", status=1)
        self.assertEqual(report["executions"], 6)


class Memory(Robustness):
    def test_an_arena_that_is_full_gives_null(self):
        self.assert_found(self.one_of_six("while (malloc(100 << 20)) ++zero; assert(!zero);"), "assertion.failed")

    def test_a_rank_that_uses_up_the_memory_is_found(self):
        # Slowly enough that a busy machine looks before the last eighth is used, too; in one process, since what
        # processes share counts for each of them.
        report = self.one_of_six("for (;;) { memset(malloc(1 << 20), 1, 1 << 20); "
                                 "for (volatile int i = 0; i < 100000; ++i) {} }", "--max-memory", 2_000_000_000,
                                 "--jobs", 1)
        self.assert_found(report, "crash.memory")


    def test_ranks_that_need_much_together_are_not_at_fault(self):
        program = self.compile_with_head("""
  char* volatile all[300];
  for (int i = 0; i < 300; ++i) {
    all[i] = memset(malloc(1 << 20), 1, 1 << 20);
    for (volatile int j = 0; j < 100000; ++j) {}
  }
  MPI_Barrier(MPI_COMM_WORLD);
  zero = *all[299] - 1;
""")
        report = self.check(program, 4, "--max-memory", 1_000_000_000, "--jobs", 1, status=3)
        self.assertEqual(report["findings"], [])
        self.assertIn("--max-memory allows more", report["reasons"][0])


class HiddenNonDeterminism(Robustness):
    # The messages come back to rank 0 in each order, so that it is put back to where it has read the clock. Steps that
    # take long are saved instead of run again. So these steps are short (looking up the program's variables takes
    # long), and to save a rank takes long on every machine. In one process, since another one may be the first to
    # notice, and it cannot tell which rank it was.
    QUICK = ("--without", "buffer,argument.buffer", "--jobs", 1)
    TAKES_ITS_TIME = """
  static char much[4 << 20];
  memset(much, 1, sizeof much);
  unsigned low, high;
  if (rank == 0) {
    for (int i = 0; i < 4; ++i) {
      MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
      MPI_Send(&%s, 1, MPI_INT, size - 1, %s, MPI_COMM_WORLD);
    }
  } else if (rank < 5) {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  } else {
    for (int i = 0; i < 4; ++i)
      MPI_Recv(&data, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }"""

    def test_a_rank_that_reads_the_processors_counter_is_named_with_its_line(self):
        for values, words in ((("low", "0"), "with other data than before"),
                              (("data", "low >> 8 & 4095"), "and asked for a message of 4 bytes to rank 5, tag")):
            with self.subTest(words):
                program = self.compile_with_head(self.TAKES_ITS_TIME % values)
                report = self.check(program, 6, *self.QUICK, status=3)
                line = (self.folder / "program.c").read_text().splitlines()
                place = next(i for i, text in enumerate(line, 1) if "MPI_Send(&" + values[0] in text)
                self.assertRegex(report["reasons"][0], "^rank 0 is not deterministic: with the same answers")
                self.assertIn("program.c:%d" % place, report["reasons"][0])
                self.assertIn(words, report["reasons"][0])
                self.assertIn("rdtsc", report["reasons"][0])

    def test_what_is_wrong_is_found_although_a_rank_strays(self):
        wrong = self.TAKES_ITS_TIME.replace("} else if (rank < 5) {", "} else if (rank < 5) {\n    assert(rank != 4);")
        for values in (("low", "0"), ("data", "low >> 8 & 4095")):
            with self.subTest(values):
                report = self.check(self.compile_with_head(wrong % values), 6, "--all", *self.QUICK, status=1)
                self.assertEqual((report["verdict"], report["exhaustive"]), ("violation", False))
                self.assertEqual(report["findings"][0]["id"], "assertion.failed")
                self.assertIn("rank 0 is not deterministic", report["reasons"][0])
                self.rehearse("replay", "--on", "cluster:8", "rehearse-counterexample.json", status=1)


class Locales(Robustness):
    def test_a_locale_that_is_freed_is_there_in_the_other_executions(self):
        program = self.compile_with_head("""
  locale_t own = newlocale(LC_CTYPE_MASK, "C.UTF-8", NULL), copy = duplocale(own);
  assert(own != NULL && copy != NULL && newlocale(LC_ALL_MASK, "no locale", NULL) == NULL);
  own = newlocale(LC_NUMERIC_MASK, "C", own);
  if (rank == 0) {
    wchar_t one = 0;
    for (int i = 1; i < size; ++i)
      MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    uselocale(own);
    assert(mbtowc(&one, "\\xc3\\xa9", 2) == 2 && one == 0xe9);
    uselocale(LC_GLOBAL_LOCALE);
    freelocale(own);
    freelocale(copy);
    MPI_Barrier(MPI_COMM_WORLD);
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    freelocale(copy);
    MPI_Barrier(MPI_COMM_WORLD);
    freelocale(own);
  }""")
        report = self.check(program, 4)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 6))


class Files(Robustness):
    def snapshot(self):
        return {p.name: p.read_bytes() for p in self.folder.iterdir() if p.suffix == ".txt"}

    def check_unchanged(self, program, ranks, *options, status=0):
        before = self.snapshot()
        report = self.check(program, ranks, *options, status=status)
        self.assertEqual(self.snapshot(), before)
        return report

    def test_what_ranks_write_is_theirs_in_each_execution_and_not_on_the_disk(self):
        program = self.compile_with_head("""
  if (rank == 0) {
    FILE* out = fopen("result.txt", "w");
    assert(out != NULL);
    for (int i = 1; i < size; ++i) {
      MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      fprintf(out, "%d\\n", data);
    }
    fclose(out);
    int in = open("result.txt", O_RDONLY), sum = 0;
    char text[100];
    ssize_t got = read(in, text, sizeof text - 1);
    assert(got == 2 * (size - 1));
    for (int i = 0; i < size - 1; ++i) sum |= 1 << (text[2 * i] - '0');
    assert(sum == (1 << size) - 2);
    struct stat status;
    assert(fstat(in, &status) == 0 && status.st_size == got && S_ISREG(status.st_mode));
    close(in);
    assert(rename("result.txt", "other.txt") == 0 && access("result.txt", F_OK) != 0);
    assert(stat("other.txt", &status) == 0 && unlink("other.txt") == 0 && fopen("other.txt", "r") == NULL);
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }""")
        report = self.check_unchanged(program, 4)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 6))

    def test_a_position_in_a_file_goes_back_with_its_rank(self):
        (self.folder / "input.txt").write_text("10 20 30 40 50\n")
        program = self.compile_with_head("""
  if (rank == 0) {
    FILE* in = fopen("input.txt", "r");
    int raw = open("input.txt", O_RDONLY), number;
    char two[3] = "";
    for (int i = 1; i < size; ++i) {
      assert(fscanf(in, "%d", &number) == 1 && number == 10 * i);
      assert(read(raw, two, 2) == 2 && atoi(two) == 10 * i && lseek(raw, 1, SEEK_CUR) == 3 * i);
      MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }""")
        report = self.check_unchanged(program, 5, "--reduction", "none", "--max-executions", 20, status=3)
        self.assertEqual(report["findings"], [])
        self.assertEqual(self.check_unchanged(program, 5)["executions"], 24)

    def test_real_files_stay_as_they_are(self):
        (self.folder / "log.txt").write_text("before\n")
        (self.folder / "old.txt").write_text("old\n")
        program = self.compile_with_head("""
  if (rank == 0) {
    char text[100] = "";
    FILE* log = fopen("log.txt", "a+");
    fprintf(log, "after\\n");
    rewind(log);
    assert(fread(text, 1, sizeof text, log) == 13 && strcmp(text, "before\\nafter\\n") == 0);
    fclose(log);
    int middle = open("log.txt", O_RDWR);
    assert(pwrite(middle, "B", 1, 0) == 1 && ftruncate(middle, 4) == 0 && pread(middle, text, 10, 0) == 4);
    assert(memcmp(text, "Befo", 4) == 0 && close(middle) == 0);
    assert(remove("old.txt") == 0 && open("old.txt", O_RDONLY) < 0);
    assert(mkdir("made.txt", 0755) == 0 && mkdir("made.txt", 0755) != 0);
    assert(fclose(fopen("made.txt/inside", "w")) == 0);
    char name[] = "XXXXXX";
    int own = mkstemp(name);
    assert(write(own, "x", 1) == 1 && access(name, F_OK) == 0);
    FILE* scratch = tmpfile();
    fputs("scratch", scratch);
    rewind(scratch);
    assert(fgets(text, 100, scratch) && strcmp(text, "scratch") == 0);
  }""")
        self.assertEqual(self.check_unchanged(program, 2)["verdict"], "verified")

    def test_streams_of_c_plus_plus_are_kept_too(self):
        source = """#include <fstream>
#include <string>
""" + BEGIN + """
  if (rank == 0) {
    { std::ofstream out("stream.txt"); out << "one " << 2 << std::endl << "three"; assert(out.good()); }
    std::ifstream in("stream.txt");
    std::string one, three; int two;
    in >> one >> two >> three;
    assert(one == "one" && two == 2 && three == "three");
    in.clear(); in.seekg(4); in >> two;
    assert(two == 2);
  }""" + END
        self.run_program(REHEARSE, "c++", self.write("stream.cpp", source), "-o", "stream")
        self.assertEqual(self.check_unchanged(self.folder / "stream", 2)["verdict"], "verified")

    def test_a_file_that_one_rank_writes_and_another_reads_makes_it_inconclusive(self):
        program = self.compile_with_head("""
  if (rank == 0) fclose(fopen("shared.txt", "w"));
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) { FILE* in = fopen("shared.txt", "r"); if (in != NULL) fclose(in); }""")
        report = self.check_unchanged(program, 2, status=3)
        self.assertIn("shared.txt, which rank 0 changes and rank 1 reads", report["reasons"][0])

    def test_a_file_that_is_open_for_writing_but_only_read_has_not_changed(self):
        (self.folder / "input.txt").write_text("input")
        program = self.compile_with_head("""
  FILE* in = fopen("input.txt", "r+");
  char text[8] = "";
  assert(in && fgets(text, 8, in) && strcmp(text, "input") == 0);
  if (rank == 0 && size == 3) { fseek(in, 0, SEEK_SET); fputs("other", in); }
  fclose(in);""")
        self.assertEqual(self.check_unchanged(program, 2)["verdict"], "verified")
        report = self.check_unchanged(program, 3, status=3)
        self.assertIn("input.txt, which rank 0 changes and rank 1 reads", report["reasons"][0])

    def test_what_cannot_be_kept_is_refused_by_name(self):
        program = self.compile_with_head('  (void)!symlink("program.c", "link.txt");')
        report = self.check_unchanged(program, 1, status=3)
        self.assertIn("symlink", report["reasons"][0])


if __name__ == "__main__":
    closing_line.main()
