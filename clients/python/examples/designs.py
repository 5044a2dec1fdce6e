"""Allocate twelve measurements to the rows of a table, so that the estimates of a linear model are most precise."""

import tempfile
from pathlib import Path

import purexp

table = Path(tempfile.mkdtemp()) / "runs.csv"
table.write_text("run,temperature,time\n" + "".join(f"R{10 * t + h},{t},{h}\n" for t in (1, 2, 3) for h in (1, 2, 3)))
rows = purexp.design(table, features=["temperature", "time"], pulls=12, arm="run")
for row in rows:
    print(row["arm"], row["measurements"])
print("in all:", sum(int(row["measurements"]) for row in rows))
