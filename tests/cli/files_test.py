#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files of MPI: data, views, pointers and errors under run; verdicts and reasons of checks."""
import struct
import unittest

from checking import WithPrograms

FILE = """
  int values[4] = {10 * rank, 10 * rank + 1, 10 * rank + 2, 10 * rank + 3}, back[4] = {-1, -1, -1, -1};
  MPI_File file;
  MPI_Request request;
  MPI_Status status;
  MPI_Datatype every;
  MPI_Offset at;
  (void)request; (void)status; (void)every; (void)at; (void)back;
  MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  %s
  MPI_File_close(&file);
"""
BLOCKS = FILE % """
  MPI_File_write_at_all(file, 8 * rank, values, 2, MPI_INT, &status);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(file);
  MPI_File_read_at(file, 8 * ((rank + 1) % size), back, 4, MPI_INT, &status);
  MPI_Get_count(&status, MPI_INT, &data);
  printf("%d %d of %d\\n", back[0], back[1], data);
"""
STRIPES = FILE % """
  MPI_Type_vector(1, 1, 1, MPI_INT, &every);
  MPI_Datatype stripe;
  MPI_Type_create_resized(every, 0, size * (MPI_Aint)sizeof(int), &stripe);
  MPI_Type_commit(&stripe);
  MPI_File_set_view(file, rank * (MPI_Offset)sizeof(int), MPI_INT, stripe, "native", MPI_INFO_NULL);
  CALL
  MPI_File_get_position(file, &at);
  MPI_File_seek(file, -1, MPI_SEEK_CUR);
  MPI_File_read(file, back, 1, MPI_INT, &status);
  printf("%d %d\\n", (int)at, back[0]);
  MPI_Type_free(&every);
  MPI_Type_free(&stripe);
"""
SHARED = FILE % """
  MPI_File_write_shared(file, values, 1, MPI_INT, &status);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(file);
  MPI_File_get_position_shared(file, &at);
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  MPI_File_read_ordered(file, back, 1, MPI_INT, &status);
  MPI_File_write_ordered(file, values, 1 + rank % 2, MPI_INT, &status);
  printf("%d %d\\n", (int)at, rank == 0 && back[0] == 0);
"""
ATOMIC = FILE % """
  MPI_File_set_atomicity(file, 1);
  if (rank == 0) MPI_File_write_at(file, 0, values, 4, MPI_INT, &status);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) OTHER
"""

DISKS = """<?xml version="1.0"?>
<platform version="4.1">
  %s
  <zone id="disks" routing="Full">
    <host id="a" speed="1Gf"><disk id="d" read_bw="4MBps" write_bw="2MBps"/></host>
    <host id="b" speed="1Gf"><disk id="d" read_bw="4MBps" write_bw="2MBps"/></host>
    <host id="s" speed="1Gf"><disk id="d" read_bw="8MBps" write_bw="5MBps"/></host>
    <link id="l" bandwidth="4MBps" latency="1ms"/>
    <link id="m" bandwidth="4MBps" latency="1ms"/>
    <route src="a" dst="b"><link_ctn id="l"/></route>
    <route src="a" dst="s"><link_ctn id="l"/></route>
    <route src="b" dst="s"><link_ctn id="m"/></route>
  </zone>
</platform>
"""
# Each rank prints the milliseconds of CALL. Each rank has a block of 1 MB of the file, which has twice as much.
TIMED = """
  enum { bytes = 1000000 };
  char* block = calloc(1, bytes);
  MPI_File file;
  MPI_Request request;
  int usleep(unsigned);
  (void)request; (void)data; (void)usleep;
  MPI_Offset at = rank * (MPI_Offset)bytes;
  MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_set_size(file, 2 * bytes);
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = MPI_Wtime();
  CALL
  printf("%d\\n", (int)(1000 * (MPI_Wtime() - begin) + 0.5));
  MPI_File_close(&file);
  free(block);
"""


class FilesOfMpi(WithPrograms):
    def output(self, source, ranks, *options):
        return self.rehearse("run", "-n", ranks, "--quiet", *options, self.compile(source)).stdout.splitlines()

    def integers(self):
        content = (self.folder / "data").read_bytes()
        return list(struct.unpack(f"{len(content) // 4}i", content))

    def test_blocks_of_ranks_are_on_the_disk_and_come_back(self):
        self.assertEqual(sorted(self.output(BLOCKS, 3)), ["0 1 of 4", "10 11 of 4", "20 21 of 2"])
        self.assertEqual(self.integers(), [0, 1, 10, 11, 20, 21])

    def test_a_check_verifies_it_and_writes_nothing(self):
        report = self.check(self.compile(BLOCKS), 3)
        self.assertEqual((report["verdict"], report["findings"]), ("verified", []))
        self.assertFalse((self.folder / "data").exists())

    def test_views_interleave_the_ranks(self):
        calls = ("MPI_File_write(file, values, 2, MPI_INT, &status);",
                 "MPI_File_write_all(file, values, 2, MPI_INT, &status);",
                 "MPI_File_iwrite(file, values, 2, MPI_INT, &request); MPI_Wait(&request, &status);",
                 "MPI_File_iwrite_all(file, values, 2, MPI_INT, &request); MPI_Waitall(1, &request, &status);",
                 "MPI_File_write_all_begin(file, values, 2, MPI_INT); MPI_File_write_all_end(file, values, &status);",
                 "MPI_File_write_c(file, values, 2, MPI_INT, &status);")
        for call in calls:
            with self.subTest(call=call):
                self.assertEqual(sorted(self.output(STRIPES.replace("CALL", call), 2)), ["2 1", "2 11"])
                self.assertEqual(self.integers(), [0, 10, 1, 11])
                (self.folder / "data").unlink()
        report = self.check(self.compile(STRIPES.replace("CALL", calls[3])), 2)
        self.assertEqual((report["verdict"], report["findings"]), ("verified", []))

    def test_external32_is_big_endian(self):
        self.output(FILE % """
  MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL);
  MPI_File_write_at(file, rank, values, 1, MPI_INT, &status);
  MPI_File_read_at(file, rank, back, 1, MPI_INT, &status);
  assert(back[0] == values[0]);
""", 2)
        self.assertEqual((self.folder / "data").read_bytes(), bytes([0, 0, 0, 0, 0, 0, 0, 10]))

    def test_the_shared_pointer_gives_each_rank_its_place(self):
        self.assertEqual([line.split()[0] for line in self.output(SHARED, 3)], ["12", "12", "12"])
        self.assertEqual(sorted(self.integers()[:3]), [0, 10, 20])
        self.assertEqual(self.integers()[3:], [0, 10, 11, 20])

    def test_a_check_explores_the_orders_of_the_shared_pointer(self):
        report = self.check(self.compile(SHARED), 2)
        self.assertEqual((report["verdict"], report["findings"]), ("verified", []))
        self.assertGreaterEqual(report["executions"], 2)
        wrong = SHARED.replace('printf("%d', 'if (rank == 0) assert(back[0] == 0); printf("%d')
        report = self.check(self.compile(wrong), 2, status=1)
        self.assertEqual(report["findings"][0]["id"], "assertion.failed")

    def test_a_race_names_both_calls_and_the_bytes(self):
        source = BLOCKS.replace("MPI_File_sync(file);", "")
        finding = self.check(self.compile(source), 2, status=1)["findings"][0]
        self.assertEqual(finding["id"], "file.race")
        self.assertEqual(len({at["line"] for at in finding["locations"]}), 2)
        self.assertIn("bytes 0 to 7", finding["message"])
        self.assertIn("MPI_File_sync", finding["message"])

    def test_a_message_orders_accesses_in_atomic_mode(self):
        read = "{ MPI_File_read_at(file, 0, back, 4, MPI_INT, &status); assert(back[3] == 3); }"
        report = self.check(self.compile(ATOMIC.replace("OTHER", read)), 2)
        self.assertEqual((report["verdict"], report["findings"]), ("verified", []))
        self.output(ATOMIC.replace("OTHER", read), 2)

    def test_a_read_in_atomic_mode_finds_all_of_a_write_or_nothing(self):
        body = FILE % """
  MPI_File_set_atomicity(file, 1);
  if (rank == 0) {
    MPI_File_write_at(file, 0, values, 4, MPI_INT, &status);
  } else {
    MPI_File_read_at(file, 0, back, 4, MPI_INT, &status);
    MPI_Get_count(&status, MPI_INT, &data);
    CLAIM
  }
"""
        report = self.check(self.compile(body.replace("CLAIM", "assert(data == 0 || (data == 4 && back[3] == 3));")), 2)
        self.assertEqual((report["verdict"], report["executions"], report["duplicates"]), ("verified", 2, 0))
        for claim in ("assert(data == 0);", "assert(data == 4);"):
            report = self.check(self.compile(body.replace("CLAIM", claim)), 2, status=1)
            self.assertEqual(report["findings"][0]["id"], "assertion.failed")
            replayed = self.rehearse("replay", "rehearse-counterexample.json", status=1)
            self.assertIn("reproduced assertion.failed", replayed.stdout + replayed.stderr)
            self.assertFalse((self.folder / "data").exists())

    def test_each_order_of_writes_in_atomic_mode_is_an_execution(self):
        body = FILE % """
  MPI_File_set_atomicity(file, 1);
  MPI_File_write_at(file, 4 * (rank % 2), values, 3, MPI_INT, &status);
  MPI_File_sync(file);
  MPI_File_read_at(file, 0, back, 4, MPI_INT, &status);
  int others[4], same;
  MPI_Allreduce(back, others, 4, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  same = memcmp(back, others, sizeof back) == 0;
  assert(same && (back[1] == 1 || back[1] == 10) && (back[1] == 1) == (back[2] == 2));
  CLAIM
"""
        report = self.check(self.compile(body.replace("CLAIM", "")), 2)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 2))
        for claim in ("assert(back[1] == 1);", "assert(back[1] == 10);"):
            report = self.check(self.compile(body.replace("CLAIM", claim)), 2, status=1)
            self.assertEqual(report["findings"][0]["id"], "assertion.failed")
        self.output(body.replace("CLAIM", ""), 2)

    def test_atomic_mode_makes_no_update_atomic(self):
        body = FILE % """
  MPI_File_set_atomicity(file, 1);
  if (rank == 0) { values[0] = 0; MPI_File_write_at(file, 0, values, 1, MPI_INT, &status); }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_read_at(file, 0, back, 1, MPI_INT, &status);
  ++back[0];
  MPI_File_write_at(file, 0, back, 1, MPI_INT, &status);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_read_at(file, 0, back, 1, MPI_INT, &status);
  assert(back[0] == size);
"""
        report = self.check(self.compile(body), 2, status=1)
        self.assertEqual(report["findings"][0]["id"], "assertion.failed")
        weaker = body.replace("back[0] == size", "back[0] >= 1 && back[0] <= size")
        self.assertEqual(self.check(self.compile(weaker), 2)["verdict"], "verified")

    def test_accesses_in_atomic_mode_that_may_take_effect_later_are_not_explored(self):
        access = "{ MPI_File_i%s_at(file, 0, %s, 4, MPI_INT, &request); MPI_Wait(&request, &status); }"
        for other, reason in ((access % ("read", "back"), "nonblocking or split read"),
                              (access % ("write", "values"), "in atomic mode")):
            report = self.check(self.compile(ATOMIC.replace("OTHER", other)), 2, status=3)
            self.assertEqual((report["verdict"], report["findings"]), ("inconclusive", []))
            self.assertIn(reason, " ".join(report["reasons"]))

    def test_a_long_log_of_atomic_mode_is_inconclusive_by_name(self):
        body = FILE % """
  char* many = calloc(1, 70000);
  MPI_File_set_atomicity(file, 1);
  if (rank == 0) MPI_File_write_at(file, 0, many, 70000, MPI_CHAR, &status);
  free(many);
"""
        report = self.check(self.compile(body), 2, status=3)
        self.assertIn("more than 64 kB", " ".join(report["reasons"]))

    def test_a_file_that_ranks_also_use_by_other_means(self):
        after = BLOCKS + """
  if (rank == 0) {
    FILE* plain = fopen("data", "rb");
    fseek(plain, 8, SEEK_SET);
    assert(fread(back, 4, 2, plain) == 2);
    fclose(plain);
    assert(back[0] == 10);
    remove("data");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  int code = MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  assert(code == MPI_ERR_NO_SUCH_FILE);
"""
        self.output(after, 2)
        self.assertEqual(self.check(self.compile(after), 2)["verdict"], "verified")
        early = BLOCKS.replace("MPI_File_sync", 'if (rank == 0) fclose(fopen("data", "rb")); MPI_File_sync', 1)
        report = self.check(self.compile(early), 2, status=3)
        self.assertIn("data", " ".join(report["reasons"]))

    def test_a_file_that_another_rank_made_alone_is_no_error(self):
        program = self.compile("""
  MPI_File file;
  if (rank == 0) MPI_File_open(MPI_COMM_SELF, "own", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  if (rank == 0) MPI_File_close(&file);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) assert(!MPI_File_open(MPI_COMM_SELF, "own", MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
  if (rank == 1) MPI_File_close(&file);
""")
        report = self.check(program, 2, status=3)
        self.assertEqual(report["findings"], [])
        self.assertIn("MPI_File_open by some of the ranks", " ".join(report["reasons"]))

    def second_handles(self, statements, status):
        """The report of a program in which each rank has a second handle, `own`, of the file that all have open."""
        program = self.compile("""
  MPI_File all, own;
  int value = 10 + rank, there[2] = {-1, -1};
  MPI_File_open(MPI_COMM_WORLD, "both", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &all);
  MPI_File_open(MPI_COMM_SELF, "both", MPI_MODE_RDWR, MPI_INFO_NULL, &own);
  (void)value;
""" + statements.replace("WRITE(", "MPI_File_write_at(").replace("READ(", "MPI_File_read_at(")
                   .replace("ONE)", "1, MPI_INT, MPI_STATUS_IGNORE)") + """
  if (own != MPI_FILE_NULL) MPI_File_close(&own);
  if (all != MPI_FILE_NULL) MPI_File_close(&all);
""")
        self.rehearse("run", "--no-summary", "-n", 2, program)
        (self.folder / "both").unlink()
        report = self.check(program, 2, status=status)
        if status == 1:
            self.assertEqual({finding["id"] for finding in report["findings"]}, {"file.race"}, statements)
            self.rehearse("run", "--strict", "--no-summary", "-n", 2, program, status=1)
            (self.folder / "both").unlink()
        else:
            self.assertEqual(report["findings"], [], statements)
        return report

    def test_second_handles_that_are_synchronised(self):
        """As PnetCDF does: each rank has a second handle for its independent accesses."""
        for behind in ("MPI_File_close(&own); MPI_File_close(&all); %s" % (
                           'MPI_File_open(MPI_COMM_WORLD, "both", MPI_MODE_RDONLY, MPI_INFO_NULL, &all);'),
                       "MPI_File_sync(own); MPI_File_sync(all);"):
            report = self.second_handles("WRITE(own, 4 * rank, &value, ONE);" + behind + """
  READ(all, 4 - 4 * rank, there, ONE);
  assert(there[0] == 11 - rank);""", 0)
            self.assertEqual(report["verdict"], "verified")
        report = self.second_handles("""
  WRITE(all, 4 * rank, &value, ONE);
  MPI_File_sync(all);
  MPI_File_sync(own);
  READ(own, 4 - 4 * rank, there, ONE);
  READ(own, 4 * rank, there + 1, ONE);
  assert(there[0] == 11 - rank && there[1] == value);""", 0)
        self.assertEqual(report["verdict"], "verified")

    def test_second_handles_that_race(self):
        read_all = "READ(all, 4 - 4 * rank, there, ONE);"
        for statements in (
                # without MPI_File_sync of the one handle, of the other, at the right place
                "WRITE(own, 4 * rank, &value, ONE); MPI_File_sync(all);" + read_all,
                "WRITE(own, 4 * rank, &value, ONE); MPI_File_sync(all); MPI_File_sync(own);" + read_all,
                "WRITE(own, 4 * rank, &value, ONE); MPI_File_sync(own); MPI_Barrier(MPI_COMM_WORLD);" + read_all,
                "if (rank == 0) WRITE(all, 0, &value, ONE); MPI_File_sync(all);"
                "if (rank == 1) READ(own, 0, there, ONE);",
                "MPI_File_sync(own); if (rank == 1) WRITE(all, 0, &value, ONE); MPI_File_sync(all);"
                "MPI_File_sync(all); if (rank == 0) READ(own, 0, there, ONE);",
                # of one rank
                "if (rank == 1) { WRITE(all, 0, &value, ONE); READ(own, 0, there, ONE); }",
                "if (rank == 1) { WRITE(own, 0, &value, ONE); READ(all, 0, there, ONE); }",
                "if (rank == 0) { WRITE(own, 0, &value, ONE); MPI_File_sync(own); } MPI_File_set_size(all, 64);"
                "if (rank == 0) READ(all, 0, there, ONE);"):
            self.second_handles(statements, 1)

    def test_second_handles_that_are_not_explored(self):
        for statements, reason in (
                # Right, but the barrier is not known to order it. The assertion does not hold in the check.
                ("if (rank == 0) { WRITE(own, 0, &value, ONE); MPI_File_sync(own); } MPI_Barrier(MPI_COMM_WORLD);"
                 "if (rank == 1) { MPI_File_sync(own); READ(own, 0, there, ONE); assert(there[0] == 10); }",
                 "which single ranks have opened, too (the program, which may not know its content, ends"),
                ("if (rank == 0) WRITE(own, 0, &value, ONE); if (rank == 1) WRITE(own, 0, &value, ONE);",
                 "of which two handles of single ranks access the same bytes"),
                ("WRITE(own, 4 * rank, &value, ONE); MPI_File_sync(all);"
                 "if (rank == 1) READ(own, 0, there, ONE);", "of which two handles of single ranks"),
                ("if (rank == 0) MPI_File_set_size(own, 64);", "whose size a handle of one rank sets"),
                ("WRITE(own, 4 * rank, &value, ONE); MPI_File_close(&all);", "behind MPI_File_close of all ranks"),
                ("MPI_File_close(&all); READ(own, 0, there, ONE);", "behind MPI_File_close of all ranks"),
                ("MPI_File_close(&own);"
                 "if (rank == 0) { FILE* f = fopen(\"both\", \"a\"); fputs(\"x\", f); fclose(f); }",
                 "some of them by other means")):
            self.assertIn(reason, " ".join(self.second_handles(statements, 3)["reasons"]))

    def test_files_that_do_not_fit_into_the_memory_of_a_check_are_inconclusive(self):
        program = self.compile("""
  enum { block = 50000000 };
  char* bytes = malloc(block);
  MPI_File file;
  memset(bytes, 7, block);
  MPI_File_open(MPI_COMM_SELF, "large", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  for (int i = 0; i < 10; ++i)
    MPI_File_write_at(file, (MPI_Offset)i * block, bytes, block, MPI_CHAR, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  free(bytes);
""")
        report = self.check(program, 1, "--max-memory", 300_000_000, "--jobs", 1, status=3)
        self.assertEqual(report["findings"], [])
        self.assertIn("--max-memory", " ".join(report["reasons"]))

    def test_harmless_uses_do_not_hide_a_race(self):
        """Twenty places write what the size of the file does not depend on; the last one races."""
        write = "MPI_File_write_at(file, {}, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);"
        writes = " ".join(write.format(4 * place) for place in range(20))
        report = self.check(self.compile(f"""
  MPI_File file;
  MPI_Offset bytes;
  int value[20] = {{0}};
  MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  if (rank == 0) MPI_File_write_at(file, 0, value, 20, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_sync(file);
  if (rank == 0) {{
    {writes}
  }} else {{
    MPI_File_get_size(file, &bytes);
    MPI_File_read_at(file, 76, value, 1, MPI_INT, MPI_STATUS_IGNORE);
  }}
  MPI_File_close(&file);
"""), 2, status=1)
        self.assertEqual([finding["id"] for finding in report["findings"]], ["file.race"])

    def test_errors_have_the_class_of_the_standard(self):
        self.output("""
  MPI_File file;
  int code, value = 1;
  char buffer[8];
  #define EXPECT(class, call) if ((code = call) != class) { printf(#call ": %d\\n", code); abort(); }
  EXPECT(MPI_ERR_NO_SUCH_FILE, MPI_File_open(MPI_COMM_WORLD, "none", MPI_MODE_RDWR, MPI_INFO_NULL, &file))
  EXPECT(MPI_ERR_AMODE, MPI_File_open(MPI_COMM_WORLD, "a", MPI_MODE_CREATE | MPI_MODE_RDONLY, MPI_INFO_NULL, &file))
  EXPECT(MPI_ERR_AMODE, MPI_File_open(MPI_COMM_WORLD, "a", MPI_MODE_RDWR | MPI_MODE_WRONLY, MPI_INFO_NULL, &file))
  EXPECT(MPI_ERR_NO_SUCH_FILE, MPI_File_delete("none", MPI_INFO_NULL))
  EXPECT(MPI_SUCCESS, MPI_File_open(MPI_COMM_WORLD, "a", MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY,
                                    MPI_INFO_NULL, &file))
  EXPECT(MPI_ERR_ACCESS, MPI_File_read_at(file, 0, buffer, 1, MPI_CHAR, MPI_STATUS_IGNORE))
  EXPECT(MPI_ERR_ARG, MPI_File_write_at(file, -1, &value, 1, MPI_INT, MPI_STATUS_IGNORE))
  EXPECT(MPI_ERR_UNSUPPORTED_DATAREP, MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "mine", MPI_INFO_NULL))
  EXPECT(MPI_ERR_ARG, MPI_File_seek(file, -4, MPI_SEEK_SET))
  EXPECT(MPI_SUCCESS, MPI_File_close(&file))
  EXPECT(MPI_ERR_FILE_EXISTS, MPI_File_open(MPI_COMM_WORLD, "a", MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR,
                                            MPI_INFO_NULL, &file))
  EXPECT(MPI_SUCCESS, MPI_File_open(MPI_COMM_WORLD, "a", MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                                    &file))
  EXPECT(MPI_ERR_READ_ONLY, MPI_File_write_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE))
  EXPECT(MPI_SUCCESS, MPI_File_close(&file))
  EXPECT(MPI_ERR_NO_SUCH_FILE, MPI_File_open(MPI_COMM_WORLD, "a", MPI_MODE_RDONLY, MPI_INFO_NULL, &file))
  EXPECT(MPI_ERR_FILE, MPI_File_sync(MPI_FILE_NULL))
""", 2)

    def milliseconds(self, call, *options, settings=""):
        (self.folder / "disks.xml").write_text(DISKS % settings)
        source = TIMED.replace("CALL", call)
        lines = self.output(source, 2, "--on", "disks.xml", "--network", "raw", "--compute", "none", *options)
        return sorted(int(line) for line in lines)

    def assert_times(self, call, options, expected):
        """Up to 2 ms: a rank leaves the barrier before the measurement up to a latency earlier than the other one."""
        times = self.milliseconds(call, *options)
        for time, right in zip(times, expected, strict=True):
            self.assertLessEqual(abs(time - right), 2, (times, expected))

    def test_accesses_take_the_time_of_the_disks(self):
        write = "MPI_File_write_at(file, at, block, bytes, MPI_CHAR, MPI_STATUS_IGNORE);"
        read = write.replace("write", "read")
        self.assertEqual(self.milliseconds(write), [0, 0])
        self.assertEqual(self.milliseconds(write, "--file-system", "local"), [500, 500])
        self.assertEqual(self.milliseconds(read, "--file-system", "local"), [250, 250])
        # Two streams share the 5 MB/s of the disk of s, which their links do not limit; 1 ms there and 1 ms back.
        self.assert_times(write, ("--file-system", "s"), [402, 402])
        # The links limit the read streams to 4 MB/s each, that of the disk.
        self.assert_times(read, ("--file-system", "s"), [252, 252])
        # Half of each block is on the disk of a, whose 2 MB/s both ranks share.
        striped = ("--file-system", "a,s", "--stripe-bytes", 500000)
        self.assert_times(write, striped, [499, 501])
        self.assert_times("if (rank == 0) " + write, striped, [0, 250])

    def test_the_time_of_the_disks_is_an_option_of_platforms_too(self):
        write = "MPI_File_write_at(file, at, block, bytes, MPI_CHAR, MPI_STATUS_IGNORE);"
        settings = '<config id="General"><prop id="rehearse/file-system" value="local"/></config>'
        self.assertEqual(self.milliseconds(write, settings=settings), [500, 500])
        self.assertEqual(self.milliseconds(write, "--file-system", "none", settings=settings), [0, 0])

    def test_nonblocking_accesses_and_computation_overlap_in_time(self):
        start = "MPI_File_iwrite_at(file, at, block, bytes, MPI_CHAR, &request);"
        work = "usleep(300000);"
        wait = "MPI_Wait(&request, MPI_STATUS_IGNORE);"
        local = ("--file-system", "local")
        self.assertEqual(self.milliseconds(start + work + wait, *local), [500, 500])
        self.assertEqual(self.milliseconds(start + work + work + wait, *local), [600, 600])
        poll = "for (int done = 0; !done;) MPI_Test(&request, &done, MPI_STATUS_IGNORE);"
        self.assertTrue(all(500 <= time <= 540 for time in self.milliseconds(start + poll, *local)))
        split = ("MPI_File_read_at_all_begin(file, at, block, bytes, MPI_CHAR);" + work +
                 "MPI_File_read_at_all_end(file, block, MPI_STATUS_IGNORE);")
        self.assertEqual(self.milliseconds(split, *local), [300, 300])

    def test_a_read_takes_the_time_of_the_bytes_that_the_file_has(self):
        read = "MPI_File_read_at(file, at + bytes, block, bytes, MPI_CHAR, MPI_STATUS_IGNORE);"
        self.assertEqual(self.milliseconds(read, "--file-system", "local"), [0, 250])

    def test_collective_accesses_wait_for_the_slowest_rank(self):
        write = ("MPI_File_write_at_all(file, at, block, rank == 0 ? bytes : bytes / 2, MPI_CHAR, MPI_STATUS_IGNORE);")
        times = self.milliseconds(write, "--file-system", "local")
        self.assertTrue(all(500 <= time <= 505 for time in times), times)

    def test_wrong_file_systems_are_refused_by_name(self):
        program = self.compile(TIMED.replace("CALL", ""))
        (self.folder / "disks.xml").write_text(DISKS % "")
        run = ("run", "-n", 2, "--on", "disks.xml", "--file-system")
        self.assert_one_error(self.rehearse(*run, "c", program, status=2), "--file-system", "no host 'c'")
        self.rehearse("run", "-n", 2, "--on", "cluster:2", program)
        done = self.rehearse("run", "-n", 2, "--on", "cluster:2", "--file-system", "node-0", program, status=2)
        self.assert_one_error(done, "--file-system", "host 'node-0' has no disk")
        done = self.rehearse("run", "-n", 2, "--on", "disks.xml", "--file-system", "local", "--trace", "t", program,
                             status=2)
        self.assert_one_error(done, "recordings have no accesses to disks")


if __name__ == "__main__":
    unittest.main()
