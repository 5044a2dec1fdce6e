#!/usr/bin/env python3
"""Writes docker/requirements.txt and docker/requirements-book.txt: the lists of the .in files with the SHA-256 of every
file that PyPI has of these versions, so that pip installs what was published and tried here, or nothing (--require-hashes).

    python3 docker/lock.py           after an edit of a .in file
    python3 docker/lock.py --check   whether the .txt files have the same versions, without a network
"""

import concurrent.futures
import json
import pathlib
import re
import sys
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
NAMES = ("requirements", "requirements-book")
HEAD = "# Made from {}.in by docker/lock.py; edit that, and run this.\n"
LINE = re.compile(r"([A-Za-z0-9._-]+)==([^\s;]+)\s*(;.*)?$")


def wanted(list_name):
    for n, line in enumerate((HERE / f"{list_name}.in").read_text().splitlines(), 1):
        line = line.strip()
        if line and not line.startswith("#"):
            found = LINE.match(line)
            if not found:
                sys.exit(f"docker/{list_name}.in:{n}: {line!r} is not NAME==VERSION")
            yield line, found[1], found[2]


def hashes(name, version):
    """The SHA-256 of the files of this version, as the simple index has them (PEP 691)."""
    request = urllib.request.Request(
        f"https://pypi.org/simple/{re.sub('[-_.]+', '-', name).lower()}/",
        headers={"Accept": "application/vnd.pypi.simple.v1+json"},
    )
    with urllib.request.urlopen(request, timeout=180) as answer:
        files = json.load(answer)["files"]
    of = re.compile(r"[-_.]+".join(map(re.escape, re.split("[-_.]+", name))) + "-" + re.escape(version) + r"(-|\.tar|\.zip)", re.I)
    found = sorted({f["hashes"]["sha256"] for f in files if of.match(f["filename"]) and not f.get("yanked")})
    if not found:
        sys.exit(f"docker/lock.py: PyPI has no files of {name} {version}")
    return found


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    for name in NAMES:
        lines = list(wanted(name))
        target = HERE / f"{name}.txt"
        have = [l.removesuffix("\\").strip() for l in target.read_text().splitlines() if "==" in l and not l.startswith("#")] if target.exists() else []
        if have == [line for line, _, _ in lines]:
            continue
        if sys.argv[1:]:
            sys.exit(f"docker/{name}.txt is not that of {name}.in; run: python3 docker/lock.py")
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda l: hashes(*l[1:]), lines))
        target.write_text(HEAD.format(name) + "".join(
            line + "".join(f" \\\n    --hash=sha256:{h}" for h in hs) + "\n" for (line, _, _), hs in zip(lines, found)))


main()
