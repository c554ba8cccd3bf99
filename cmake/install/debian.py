# SPDX-License-Identifier: MIT
"""A Debian package of a build tree, and a trial of it in a fresh root.

Usage:  debian.py --build BUILD --output FOLDER [--no-trial]
Tree:   everything is in /usr/lib/rehearse; /usr/bin has a link to the program, /usr/share the manual pages and
        completions. Names such as mpicc are in /usr/lib/rehearse/libexec/rehearse/bin, so other MPIs stay as they are.
Trial:  debootstrap makes a root, the package and its dependencies are installed there, a program is compiled, checked
        and run. Where that is not possible (not root, no debootstrap, no mirror) the reason is printed.
Errors: exit status 1 and one line.
Source: Debian Policy Manual, chapters 5 and 8; deb(5), dpkg-shlibdeps(1), debootstrap(8).
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HOME = Path("usr/lib/rehearse")
PROGRAM = """#include <mpi.h>
int main(int argc, char** argv) {
  int rank, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return sum != 6;
}
"""
TRIAL = """set -e
cd /tmp
export PATH="/usr/lib/rehearse/libexec/rehearse/bin:$PATH"
mpicc sum.c -o sum
rehearse check -n 4 ./sum
mpiexec -n 4 ./sum
test -e /usr/share/man/man1/rehearse.1.gz
"""


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, text=True, **options)


def stage(build, root):
    """The files of the package below `root`."""
    run("cmake", "--install", build, "--prefix", root / HOME, stdout=subprocess.DEVNULL)
    # It has another licence and needs ns-3, so it is not a part of this package.
    (root / HOME / "bin/rehearse-ns3").unlink(missing_ok=True)
    shutil.rmtree(root / HOME / "share/doc/rehearse-ns3", ignore_errors=True)
    run("strip", "--strip-unneeded", root / HOME / "bin/rehearse")
    # As Debian Policy 10.2 asks. Without the sections for optimisation at link time, which only this version of the
    # compiler can read.
    run("strip", "--strip-debug", "--remove-section=.gnu.lto_*", "--remove-section=.gnu.debuglto_*",
        "--strip-symbol=__gnu_lto_v1", *(root / HOME / "lib/rehearse").glob("*.a"))
    shutil.move(root / HOME / "share", root / "usr/share")
    for page in (root / "usr/share/man/man1").iterdir():
        run("gzip", "-9n", page)
    (root / "usr/share/zsh").rename(root / "usr/share/zsh-installed")
    (root / "usr/share/zsh/vendor-completions").mkdir(parents=True)
    (root / "usr/share/zsh-installed/site-functions/_rehearse").rename(
        root / "usr/share/zsh/vendor-completions/_rehearse")
    shutil.rmtree(root / "usr/share/zsh-installed")
    (root / "usr/bin").mkdir()
    (root / "usr/bin/rehearse").symlink_to("../lib/rehearse/bin/rehearse")


def needed_libraries(root):
    """The packages of the libraries that the program links to, as dpkg-shlibdeps finds them."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "debian").mkdir()
        Path(folder, "debian/control").write_text("Source: rehearse\n\nPackage: rehearse\nArchitecture: any\n")
        done = run("dpkg-shlibdeps", "-O", root / HOME / "bin/rehearse", cwd=folder, capture_output=True)
    return re.search(r"shlibs:Depends=(.*)", done.stdout).group(1)


def control(root, version):
    architecture = run("dpkg", "--print-architecture", capture_output=True).stdout.strip()
    kilobytes = sum(path.lstat().st_size for path in root.rglob("*")) // 1024
    return f"""Package: rehearse
Version: {version}
Architecture: {architecture}
Maintainer: The Rehearse developers <rehearse@localhost>
Installed-Size: {kilobytes}
Depends: {needed_libraries(root)}, gcc, libc6-dev
Recommends: g++, libboost-context-dev, coinor-libclp1, libz3-4
Suggests: gdb
Section: devel
Priority: optional
Description: checks MPI programs and predicts their time
 Rehearse runs an unmodified MPI program on one machine. It predicts how long
 the program takes on a described platform, and it checks whether the program
 can go wrong in any legal execution.
"""


def make_package(build, output):
    version = run(build / "bin/rehearse", "--version", capture_output=True).stdout.split()[-1]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        root.chmod(0o755)
        stage(build, root)
        (root / "DEBIAN").mkdir()
        (root / "DEBIAN/control").write_text(control(root, version))
        output.mkdir(parents=True, exist_ok=True)
        done = run("dpkg-deb", "--root-owner-group", "--build", root, output, capture_output=True)
    return Path(re.search(r"in '(.*)'", done.stdout).group(1))


def mirror():
    """The mirror that this machine installs Debian's packages from. apt reads files with these two endings only."""
    folder = Path("/etc/apt/sources.list.d")
    for path in [Path("/etc/apt/sources.list"), *sorted(folder.glob("*.sources")), *sorted(folder.glob("*.list"))]:
        if path.is_file():
            found = re.search(r"^(?:URIs:|deb(?: \[.*\])?) *(http\S*debian\S*)", path.read_text(), re.M)
            if found:
                return found.group(1)
    return "http://deb.debian.org/debian"


def why_no_trial():
    """Why the package cannot be tried here; empty: it can."""
    if os.geteuid() != 0:
        return "it needs root"
    return "" if shutil.which("debootstrap") else "debootstrap is not installed"


def try_package(package):
    """Empty, or why the trial could not take place. A trial that fails raises."""
    with tempfile.TemporaryDirectory(prefix="rehearse-root-") as folder:
        root = Path(folder)
        made = subprocess.run(["debootstrap", "--variant=minbase", "bookworm", root, mirror()], capture_output=True,
                              text=True)
        if made.returncode:
            return "debootstrap failed: " + (made.stdout + made.stderr).strip().splitlines()[-1]
        # A root that installs from elsewhere (a proxy, a local mirror) does so as this machine does.
        for path in Path("/etc/apt/apt.conf.d").glob("*"):
            shutil.copy(path, root / "etc/apt/apt.conf.d")
        shutil.copy(package, root / "tmp/rehearse.deb")
        (root / "tmp/sum.c").write_text(PROGRAM)
        run("mount", "-t", "proc", "proc", root / "proc")
        try:
            done = subprocess.run(["chroot", root, "sh", "-c", "apt-get update -q && DEBIAN_FRONTEND=noninteractive "
                                   "apt-get install -qy --no-install-recommends /tmp/rehearse.deb"],
                                  capture_output=True, text=True)
            if done.returncode:
                raise SystemExit("package: it cannot be installed: " + (done.stdout + done.stderr)[-2000:])
            done = subprocess.run(["chroot", root, "sh", "-c", TRIAL], capture_output=True, text=True)
            if done.returncode or "verified:" not in done.stdout + done.stderr:
                raise SystemExit("package: the trial fails: " + (done.stdout + done.stderr)[-2000:])
        finally:
            run("umount", root / "proc")
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--no-trial", action="store_true")
    arguments = parser.parse_args()
    package = make_package(arguments.build.resolve(), arguments.output.resolve())
    print(f"package: {package} ({package.stat().st_size // 1024} KB)")
    if arguments.no_trial:
        return 0
    reason = why_no_trial() or try_package(package)
    print(f"package: not tried in a fresh root: {reason}" if reason else
          "package: installed, compiled, checked and run in a fresh root")
    return 0


if __name__ == "__main__":
    sys.exit(main())
