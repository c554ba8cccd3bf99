# SPDX-License-Identifier: MIT
"""Source packages of Debian 12, fetched with apt into a cache folder of ours: nothing of the machine's package lists,
caches or settings is changed, and no privilege is needed.

Some mirrors lack Debian's own part of some packages; the original archive is enough then, if its checksum is the one of
the package's description. Signatures are checked with the machine's Debian keyring. A package once fetched is taken
from the cache, also offline.
Errors: Unavailable, with the last lines of what apt said.
"""
import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

SUITE = "bookworm"
MIRROR = "http://deb.debian.org/debian"
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"


class Unavailable(Exception):
    """The source package cannot be fetched or unpacked."""


def cache_folder():
    """$REHEARSE_CACHE, or rehearse/ in the user's cache folder."""
    if "REHEARSE_CACHE" in os.environ:
        return Path(os.environ["REHEARSE_CACHE"])
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "rehearse"


def source_line(kind):
    """Of apt's list of sources, for `deb` or `deb-src`."""
    signed = f" [signed-by={KEYRING}]" if Path(KEYRING).exists() else ""
    return f"{kind}{signed} {MIRROR} {SUITE} main\n"


def apt_settings(folder, line):
    """Options that make apt read and write only below `folder`."""
    for sub in ("state/lists/partial", "cache/archives/partial", "etc/parts"):
        (folder / sub).mkdir(parents=True, exist_ok=True)
    (folder / "state/status").touch()
    sources = folder / "etc/sources.list"
    sources.write_text(line)
    values = {"Dir::State": folder / "state", "Dir::State::status": folder / "state/status",
              "Dir::Cache": folder / "cache", "Dir::Etc::sourcelist": sources,
              "Dir::Etc::sourceparts": folder / "etc/parts", "APT::Sandbox::User": "",
              "APT::Get::List-Cleanup": "0", "Acquire::Languages": "none", "Acquire::Retries": "3"}
    return [word for key, value in values.items() for word in ("-o", f"{key}={value}")]


def apt(settings, *command, cwd=None):
    """What went wrong, or nothing."""
    done = subprocess.run(["apt-get", "-q", *settings, *command], cwd=cwd, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if done.returncode == 0:
        return ""
    return f"apt-get {' '.join(command)} failed:\n" + "\n".join(done.stdout.splitlines()[-8:])


def _originals(description):
    """The original archives that the .dsc names and that are there with the checksums it names; all or none."""
    sums = re.search(r"^Checksums-Sha256:\n((?: .*\n)+)", description.read_text(errors="replace"), re.M).group(1)
    wanted = [(words[2], words[0]) for words in map(str.split, sums.splitlines())
              if ".orig" in words[2] and not words[2].endswith(".asc")]
    paths = [description.parent / name for name, _ in wanted]
    good = all(path.exists() and hashlib.sha256(path.read_bytes()).hexdigest() == checksum
               for path, (_, checksum) in zip(paths, wanted))
    return paths if good else []


def fetched(package):
    """The .dsc of the package in the cache, fetched if it is not there."""
    place = cache_folder() / "sources" / package
    found = sorted(place.glob("*.dsc"))
    if found:
        return found[-1]
    if shutil.which("apt-get") is None:
        raise Unavailable("no apt-get: this is not a Debian machine")
    settings = apt_settings(cache_folder() / "apt", source_line("deb-src"))
    if not any((cache_folder() / "apt/state/lists").glob("*Sources*")):
        wrong = apt(settings, "update")
        if wrong:
            raise Unavailable(wrong)
    fresh = place.with_name(place.name + ".fetching")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    wrong = apt(settings, "source", "--download-only", "--only-source", package, cwd=fresh)
    if wrong and not any(_originals(description) for description in fresh.glob("*.dsc")):
        raise Unavailable(wrong)
    shutil.rmtree(place, ignore_errors=True)
    fresh.rename(place)
    return next(place.glob("*.dsc"))


def version(package):
    """The version of the package that is fetched, as Debian writes it."""
    return re.search(r"^Version:\s*(\S+)", fetched(package).read_text(errors="replace"), re.M).group(1)


def unpacked(package, into):
    """Unpacks the package as the folder `into`, which must not exist: with Debian's patches, or, where there is no
    dpkg-source or the mirror lacks Debian's part, the original archive alone."""
    description = fetched(package)
    into = Path(into)
    into.parent.mkdir(parents=True, exist_ok=True)
    if shutil.which("dpkg-source"):
        done = subprocess.run(["dpkg-source", "--no-check", "--no-copy", "-x", str(description), str(into)],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode == 0:
            return into
        shutil.rmtree(into, ignore_errors=True)
    archives = [path for path in _originals(description) if ".orig.tar." in path.name]
    if not archives:
        raise Unavailable(f"{package}: no original archive beside {description}")
    into.mkdir()
    subprocess.run(["tar", "-xf", str(archives[0]), "--strip-components=1", "-C", str(into)], check=True)
    return into
