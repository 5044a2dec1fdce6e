"""Plan a campaign, start it, and report the measurements of a (simulated) robot until the campaign has an answer."""

import random
import tempfile
from pathlib import Path

import purexp

random = random.Random(5)
rates = {"water": 42, "ethanol": 71, "acetone": 66, "toluene": 55}  # the true yields, unknown to the campaign
folder = Path(tempfile.mkdtemp())
(folder / "solvents.csv").write_text("solvent,guess\n" + "".join(f"{s},60\n" if s == "acetone" else f"{s},{r}\n" for s, r in rates.items()))
(folder / "solvents.toml").write_text("""
title = "Solvents"
question = { find = "best", delta = 0.05 }
candidates = { file = "solvents.csv" }
[[objective]]
name = "yield"
unit = "%"
noise = { sd = 3 }
tolerance = 2
guess = "guess"
""")

plan = purexp.plan(folder / "solvents.toml", runs=100)
usual = plan["rows"][0]
print(f"{usual['method']}: about {usual['measurements']['median']['value']:.0f} measurements")

campaign = purexp.Campaign.new(folder / "solvents.toml", folder / "solvents.campaign", who="robot-1")
while tickets := campaign.ask(plate=8):
    campaign.tell({"ticket": t.ticket, "yield": round(random.gauss(rates[t.candidate], 3), 1)} for t in tickets)
status = campaign.status()
print(status.headline)
for row in status.rows():
    print(f"  {row['candidate']}: {row['yield [%]']:.1f} [{row['yield [%] low']:.1f}, {row['yield [%] high']:.1f}], {row['verdict']}")
