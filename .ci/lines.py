"""Lists lines of Go code with more than 120 characters, outside tests and raw strings. A tab counts as 4 characters."""

import re
import subprocess

found = 0
for path in subprocess.run(["git", "ls-files", "*.go"], check=True, capture_output=True, text=True).stdout.split():
    if path.endswith("_test.go"):
        continue
    with open(path, encoding="utf-8") as f:
        text = re.sub("`[^`]*`", lambda raw: "`" + "\n" * raw[0].count("\n"), f.read())
    for number, line in enumerate(text.splitlines(), 1):
        if len(line.replace("\t", "    ")) > 120:
            found += 1
            print(f"{path}:{number}: {line.strip()[:60]}...")
if found:
    raise SystemExit(f"lint: {found} lines have more than 120 characters (a tab counts as 4); wrap these lines")
