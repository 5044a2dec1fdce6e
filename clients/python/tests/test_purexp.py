"""Tests the package with the program at the path in PUREXP, or else with the program of the wheel."""

import csv
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import purexp

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def gaussian(means, sigma, seed):
    rnd = random.Random(seed)
    return lambda arm: tuple(rnd.gauss(m, sigma) for m in means[arm])


class Policies(unittest.TestCase):
    def test_run(self):
        problem = purexp.Problem(arms=3, sigma=0.5)
        for name in "recommended", "LUCB", "Betting":
            with purexp.Policy(name, problem, delta=0.1) as p:
                answer = p.run(gaussian([(1,), (0,), (0.2,)], 0.5, 1))
            self.assertEqual(answer.chosen, [0])
            self.assertTrue(answer.final)
            self.assertEqual([r.verdict for r in answer.reasons], ["optimal", "dominated", "dominated"])

    def test_same_seed(self):
        def path(seed):
            with purexp.Policy("PSIPS", purexp.Problem(arms=3, objectives=2, sigma=0.5, norm_sigma=0.5, question=purexp.pareto(),
                               features=[[1, 0], [0, 1], [0.5, 0.4]]), delta=0.1, seed=seed) as p:
                asked, measure = [], gaussian([(1, 0), (0, 1), (0.4, 0.3)], 0.5, 3)
                for _ in range(30):
                    if not (pulls := p.ask()):
                        break
                    asked.append(pulls)
                    p.tell([purexp.Result(a, n, measure(a)) if n == 1 else purexp.Result(a, n, [n * v for v in measure(a)])
                            for a, n in pulls])
                return asked
        self.assertEqual(path(7), path(7))

    def test_constraints_and_costs(self):
        problem = purexp.Problem(arms=3, objectives=2, sigma=0.3, norm_sigma=0.3, costs=[1, 9, 1],
                                 question=purexp.pareto(purexp.at_least(0.2, None)))
        with purexp.Policy("e-cAPE", problem, delta=0.1, Radius="mixture") as p:
            answer = p.run(gaussian([(1, 0), (0.5, 1), (-0.5, 2)], 0.3, 1))
        self.assertEqual(answer.chosen, [0, 1])
        self.assertEqual(answer.reasons[2].verdict, "infeasible")

    def test_most(self):
        for most, tells in (5, 0), (6, 1), (7, 1):
            with purexp.Policy("LUCB", purexp.Problem(arms=6, sigma=1), plate=6) as p:
                calls = []
                p.run(lambda arm: calls.append(arm) or float(arm == 0), most)
                self.assertEqual(len(calls), 6 * tells)

    def test_bounds_of_some_objectives(self):
        for bounds, sign in (purexp.at_least(None, 0.2, None, 0.4), -1), (purexp.at_most(None, 0.2, None, 0.4), 1):
            self.assertEqual([(list(c.weights), c.at_most) for c in bounds],
                             [([0, sign, 0, 0], sign * 0.2), ([0, 0, 0, sign], sign * 0.4)])

    def test_failed_measurements(self):
        with purexp.Policy("UGapE", purexp.Problem(arms=2, sigma=0.2), delta=0.1, plate=4) as p:
            self.assertEqual(p.evidence, "any sampling")
            measure, failed = gaussian([(1,), (0,)], 0.2, 1), 0
            while pulls := p.ask():
                self.assertLessEqual(sum(n for _, n in pulls), 4)
                results = [purexp.Result(a, n, [n * measure(a)[0]]) for a, n in pulls]
                results[0] = purexp.Result(pulls[0][0], 0) if failed < 3 else results[0]
                failed += 1
                p.tell(results)
            self.assertEqual(p.answer().chosen, [0])

    def test_errors(self):
        problem = purexp.Problem(arms=2, sigma=1.0)
        for wrong, text in (
            (lambda: purexp.Policy("nobody", problem), "unknown policy"),
            (lambda: purexp.Policy("LUCB", purexp.Problem(arms=2, sigma=-1)), "Sigma"),
            (lambda: purexp.Policy("LUCB", purexp.Problem(arms=2, sigma=1, question=purexp.pareto())), "question"),
            (lambda: purexp.Policy("LUCB", problem, Radius="wide"), "Radius"),
            (lambda: purexp.Policy("LUCB", problem, Colour="red"), "no field Colour"),
            (lambda: purexp.Policy("LUCB", problem).tell([]), "results: 0"),
            (lambda: purexp.Policy("LUCB", problem).tell([purexp.Result(0, 1, [float("nan")])]), "finite"),
        ):
            with self.assertRaises(purexp.PurexpError) as e:
                wrong()
            self.assertIn(text, str(e.exception))

    def test_no_program(self):
        named = os.environ.pop("PUREXP", None)
        path, os.environ["PATH"] = os.environ["PATH"], ""
        try:
            if not (Path(purexp.__file__).parent / "bin").exists():
                with self.assertRaises(purexp.PurexpError):
                    purexp.program()
        finally:
            os.environ["PATH"] = path
            if named:
                os.environ["PUREXP"] = named


class First:
    """A policy whose answer is the first arm."""

    def __init__(self, problem, delta, budget, random):
        if problem.objectives > 1:
            raise purexp.Refuse(f"objectives: {problem.objectives}; expected 1")
        self.asked = 0
        print("not a message")

    def ask(self):
        self.asked += 1
        return [(0, 2)] if self.asked == 1 else []

    def tell(self, results):
        self.results = results

    def answer(self):
        return [0], [{"class": "optimal"}, {"class": "undecided"}]


class Guests(unittest.TestCase):
    def say(self, *messages):
        out = io.StringIO()
        purexp.serve(First, io.StringIO("".join(json.dumps(m) + "\n" for m in messages)), out)
        return [json.loads(line) for line in out.getvalue().splitlines()]

    def test_serve(self):
        begin = {"type": "init", "protocol": 1, "delta": 0.1, "seed": "18446744073709551615",
                 "problem": {"arms": 2, "objectives": 1, "sigma": 1, "question": {"find": "best"}, "later": 1}}
        two = {**begin, "problem": {**begin["problem"], "objectives": 2}}
        said = self.say(two, begin, {"type": "answer"}, {"type": "tell", "results": [{"arm": 0, "n": 2, "sum": [3]}]}, begin)
        self.assertEqual([m["type"] for m in said], ["refuse", "ready", "ask", "answer", "stop", "ready", "ask"])
        self.assertEqual(said[2]["pulls"], [[0, 2]])
        self.assertEqual(said[4]["answer"]["chosen"], [0])

    def test_wrong(self):
        self.assertIn("before init", self.say({"type": "tell"})[0]["message"])
        self.assertIn("version 2", self.say({"type": "init", "protocol": 2})[0]["message"])

    def run_program(self, *arguments):
        env = {**os.environ, "PYTHONPATH": str(Path(purexp.__file__).parent.parent)}
        return subprocess.run([purexp.program(), *arguments], capture_output=True, text=True, env=env, timeout=300)

    def test_conformance(self):
        good = EXAMPLES / "elimination.py"
        done = self.run_program("policytest", "--exec", f"{sys.executable} {good}", "--runs", "100")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("16 of 16 rules", done.stdout)
        with tempfile.TemporaryDirectory() as folder:
            bad = Path(folder) / "bad.py"
            planted = good.read_text().replace("math.sqrt(2 * math.log(1 / level)", "math.sqrt(math.log(1 / level) / 8")
            self.assertNotEqual(planted, good.read_text())
            bad.write_text(planted)
            done = self.run_program("policytest", "--exec", f"{sys.executable} {bad}", "--runs", "100")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("error rate: above delta", done.stdout)

    def test_crash(self):
        done = self.run_program("policytest", "--exec", f"{sys.executable} -c 'raise SystemExit(\"no licence\")'")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no licence", done.stderr)

    def test_arena(self):
        done = self.run_program("arena", "--exec", f"{sys.executable} {EXAMPLES / 'elimination.py'}", "--name", "mine",
                                "--question", "best item", "--reps", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^ *\d+ +mine ")


    def test_study(self):
        with tempfile.TemporaryDirectory() as folder:
            for command, want in ((f"{sys.executable} {EXAMPLES / 'elimination.py'}", "stopped"),
                                  (f"{sys.executable} -c 'raise SystemExit(3)'", "failure")):
                rows = Path(folder) / f"{want}.jsonl"
                done = self.run_program("run", "rage/benchmark", "--exec", command, "--name", "mine", "--reps", "1", "--quiet",
                                        "--quiet-exec", "--output", str(rows))
                self.assertEqual(done.returncode, 0, done.stderr)
                mine = [r for r in map(json.loads, rows.read_text().splitlines()[1:]) if r["method"] == "mine"]
                self.assertGreater(len(mine), 3)
                self.assertEqual({r["status"] for r in mine} - {"pull limit"}, {want})


class Campaigns(unittest.TestCase):
    def test_campaign(self):
        with tempfile.TemporaryDirectory() as folder:
            top = Path(folder)
            (top / "p.csv").write_text("name,price\nA,3\nB,1\n")
            (top / "p.toml").write_text('question = { find = "best", delta = 0.1 }\ncandidates = { file = "p.csv", cost = "price" }\n'
                                        '[[objective]]\nname = "yield"\nunit = "%"\nnoise = { sd = 1 }\n')
            c = purexp.Campaign.new(top / "p.toml", top / "p.campaign", who="test")
            tickets = c.ask(plate=4)
            self.assertEqual(len(tickets), 4)
            with self.assertRaises(purexp.PurexpError) as e:
                c.tell([{"ticket": tickets[0].ticket, "yield": "high"}])
            self.assertIn("yield", str(e.exception))
            receipt = c.tell([{"ticket": t.ticket, "yield": None if i == 0 else 10 * (t.candidate == "A")}
                              for i, t in enumerate(tickets)])
            self.assertEqual((receipt["used"], receipt["failed"]), (3, 1))
            while tickets := c.ask(plate=4):
                c.tell({"ticket": t.ticket, "yield": 10 * (t.candidate == "A")} for t in tickets)
            status = c.status()
            self.assertTrue(status.finished, status.headline)
            row = status.rows()[0]
            self.assertEqual(row["verdict"], "in the answer")
            self.assertLess(row["yield [%] low"], row["yield [%]"])
            self.assertLess(row["yield [%]"], row["yield [%] high"])
            self.assertIn("price", status.raw["paid"])
            try:
                self.assertEqual(status.frame().loc["A", "verdict"], "in the answer")
            except ImportError:
                pass
            c.report(top / "report.html")
            self.assertIn("<html", (top / "report.html").read_text(encoding="utf-8")[:2000])
            self.assertTrue(c.certificate())

    def test_changes(self):
        with tempfile.TemporaryDirectory() as folder:
            top = Path(folder)
            (top / "p.toml").write_text('question = { find = "best", delta = 0.1 }\ncandidates = { names = ["A", "B", "C"] }\n'
                                        '[[objective]]\nname = "yield"\nnoise = { sd = 1 }\n')
            c = purexp.Campaign.new(top / "p.toml", top / "p.campaign", who="test")
            tickets = c.ask(plate=6)
            self.assertEqual(c.pending(), tickets)
            self.assertEqual(purexp.Campaign(c.file).pending(), tickets)
            self.assertEqual(purexp.Campaign(c.file, who="other").pending(), [])
            old = [{"candidate": "A", "yield": 5.5}, {"candidate": "B", "yield": 6}]
            self.assertEqual(c.tell(old, batch="2025")["unused"], 2)
            self.assertEqual(c.tell(old, batch="2025")["repeated"], 2)
            mean = [{"candidate": "A", "yield": 5.5, "n": 4}]
            self.assertEqual(c.tell(mean, batch="means", replicates="n")["unused"], 4)
            self.assertEqual(len(c.drop("C", why="sold out").raw["arms"]), 3)
            self.assertEqual(len(c.join("D").raw["arms"]), 4)
            event = c.tell([{"ticket": c.ask(plate=2)[0].ticket, "yield": None}])["event"]
            self.assertEqual([(r["yield"], r["plate"], r["event"]) for r in c.export() if r["state"] == "failed"], [(None, 2, event)])
            self.assertEqual(c.undo(event, why="a slip").raw["failed"], 0)
            try:
                import numpy
                import pandas
            except ImportError:
                self.skipTest("pandas is not installed")
            tickets = c.ask(plate=4) or c.pending()[:4]
            frame = pandas.DataFrame({"ticket": [float(t.ticket) for t in tickets[:4]],
                                      "yield": [5.25, numpy.nan, "failed", None], "note": [pandas.NaT, pandas.NA, None, "x"]})
            receipt = c.tell(frame)
            self.assertEqual([receipt[n] for n in ("used", "failed")], [1, 2])
            self.assertEqual(c.frame().query("state == 'told' and `yield` == 5.25").candidate.tolist(), [tickets[0].candidate])
            c.tell([{"ticket": tickets[1].ticket, "yield": numpy.float64(5.5)}])

    def test_what_says_nothing(self):
        nan = float("nan")
        with tempfile.TemporaryDirectory() as folder:
            top = Path(folder)
            (top / "p.toml").write_text('question = { find = "best", delta = 0.1 }\ncandidates = { names = ["A", "B"] }\n'
                                        '[[objective]]\nname = "yield"\nunit = "%"\nnoise = { sd = 1 }\n')
            c = purexp.Campaign.new(top / "p.toml", top / "p.campaign")
            self.assertEqual([c.tell([])[n] for n in ("event", "used", "failed")], [0, 0, 0])
            n = [t.ticket for t in c.ask(plate=3)]
            receipt = c.tell([{"ticket": n[0], "yield": 6.0, "note": None, "batch": None},
                              {"ticket": n[1], "yield": 7.0, "candidate": None, "note": nan, "id": None},
                              {"ticket": n[2], "yield": None, "note": "two\nlines"},
                              {"ticket": None, "candidate": "A", "id": "p1", "yield": 5.0}])
            self.assertEqual((receipt["used"], receipt["unused"], receipt["failed"]), (2, 1, 1))  # the last result was not requested
            csv_text = subprocess.run([purexp.program(), "campaign", "export", "--format", "csv", "-f", c.file],
                                      capture_output=True, text=True, check=True).stdout
            notes = [r["note"] for r in csv.DictReader(io.StringIO(csv_text))]
            self.assertEqual(sorted(notes), ["", "", "", "two\nlines"])
            for wrong, row, field in (
                ([{"candidate": "A", "id": "p2", "yield": 5.0, "note": "a\nb"}, {"candidate": "A", "id": "p3", "yield": nan}], 1, "yield"),
                ([{"ticket": 99, "yield": 5.0}], 0, "ticket"),
                ([{"candidate": "C", "id": "p4", "yield": 5.0}], 0, "candidate"),
            ):
                with self.assertRaises(purexp.PurexpError) as e:
                    c.tell(wrong)
                self.assertEqual((e.exception.results[0]["row"], e.exception.results[0]["field"]), (row, field))
                self.assertTrue(str(e.exception).startswith(f"results[{row}][{field!r}]: "), str(e.exception))
            for field, wrong_call in (("name", lambda: purexp.Policy("--help", purexp.Problem(arms=2, sigma=1))),
                                      ("problem", lambda: purexp.Campaign.new("--help", top / "q.campaign")),
                                      ("problem", lambda: purexp.plan("-h")), ("table", lambda: purexp.design("--help"))):
                with self.assertRaises(purexp.PurexpError) as e:
                    wrong_call()
                self.assertTrue(str(e.exception).startswith(field + ": "), str(e.exception))

    def test_commas_in_names(self):
        with tempfile.TemporaryDirectory() as folder:
            problem, table = Path(folder) / "p.toml", Path(folder) / "t.csv"
            table.write_text('arm,"mass, dry"\nA,1\nB,2\nC,4\n')
            problem.write_text('[question]\nfind = "best"\ndelta = 0.1\n[candidates]\nfile = "t.csv"\n'
                               '[[objective]]\nname = "yield"\nnoise = { sd = 1 }\nguess = "mass, dry"\n')
            rows = purexp.plan(problem, methods=["GEGE, fixed confidence", "LUCB"], runs=2)["rows"]
            self.assertEqual([r["method"] for r in rows], ["GEGE, fixed confidence", "LUCB"])
            self.assertEqual([r["arm"] for r in purexp.design(table, arm="arm", features=["mass, dry"])], ["A", "C"])

    def test_instances(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([purexp.program(), "instances", "export", folder], check=True, capture_output=True)
            rows = list(csv.DictReader((Path(folder) / "instances.csv").open(encoding="utf-8")))
            self.assertEqual(len(rows), 60)
            for row in rows[:3] + rows[-3:]:
                instance = json.loads((Path(folder) / row["file"]).read_text(encoding="utf-8"))
                problem = purexp.Problem.of(instance["problem"])
                self.assertEqual(problem.n_items, int(row["items"]))
                with purexp.Policy("recommended", problem, delta=0.1) as p:
                    self.assertTrue(p.ask())


class Schema(unittest.TestCase):
    def test_schema(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("jsonschema is not installed")
        docs = EXAMPLES.parent.parent.parent / "docs"
        schema = json.loads((docs / "protocol.schema.json").read_text(encoding="utf-8"))
        line = jsonschema.Draft202012Validator(schema)
        page = (docs / "protocol.md").read_text(encoding="utf-8")
        transcript = page.split("TestTranscript -->\n```\n")[1].split("```")[0].splitlines()
        self.assertGreater(len(transcript), 8)
        for text in transcript:
            line.validate(json.loads(text[2:]))
        for wrong in ({"type": "ask", "pulls": []}, {"type": "bid"}, {"type": "stop"}, {"type": "tell", "results": [{"n": 1}]}):
            self.assertFalse(line.is_valid(wrong), wrong)
        one = jsonschema.Draft202012Validator({"$ref": "#/$defs/instance", "$defs": schema["$defs"]})
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([purexp.program(), "instances", "export", folder], check=True, capture_output=True)
            for file in Path(folder).glob("*.json"):
                one.validate(json.loads(file.read_text(encoding="utf-8")))


class Examples(unittest.TestCase):
    def test_examples(self):
        for name, want in (("drive", "-O3 -flto"), ("trade_off", "C: dominated by"), ("campaign", "Finished"),
                           ("designs", "in all: 12")):
            done = subprocess.run([sys.executable, str(EXAMPLES / f"{name}.py")], capture_output=True, text=True, timeout=120,
                                  env={**os.environ, "PYTHONPATH": str(Path(purexp.__file__).parent.parent)})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(want, done.stdout)

    def test_notebook(self):
        notebook = json.loads((EXAMPLES / "drive.ipynb").read_text(encoding="utf-8"))
        code = "\n".join("".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "code")
        kept = "".join("".join(o.get("text", [])) for c in notebook["cells"] for o in c.get("outputs", []))
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120,
                              env={**os.environ, "PYTHONPATH": str(Path(purexp.__file__).parent.parent)})
        self.assertEqual((done.stderr, done.stdout), ("", kept))


if __name__ == "__main__":
    unittest.main()
