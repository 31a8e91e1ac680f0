"""daelab report: what a page says of results, in HTML, Markdown and LaTeX; text of others in it; large studies; its
script in a browser."""

import html.parser
import importlib.util
import json
import math
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import daelab
import numpy

MISSING = [name for name in ("pandas", "jinja2") if importlib.util.find_spec(name) is None]
if not MISSING:
    import pandas
    from daelab.show.pages import panels, work, write
    from daelab.show.pages.ladders import ladders_of
    from daelab.show.pages.orders import judged
    from daelab.show.pages.page import Quantity, Tone
    from daelab.show.pages.sections import page_of
    from daelab.show.pages.study import Study
    from daelab.show.results import Result, Table, read

BROWSER = next((found for found in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if found), None)
HOSTILE = "<img src=x onerror=\"alert('1')\">&amp;</script><!--{{ 7 * 7 }}|`*_$%#{}\\\n## x\0"
PLACE = None                    # the folder of the results
COMMANDS = {
    "converge": "converge pendulum --form index3,index1 --method cros --step 0.02 --levels 7",
    "drift": "drift pendulum --form index3,index1 --method cros --step 0.01 --reference",
    "failures": "drift pendulum --form index3,index1 --method rk4 --step 0.01",
    "bench": "bench pendulum --form index1 --method radau --rtol 1e-4:1e-6 --runs 2 --seconds 0.001",
    "scale": "scale chain --vary N=4,8 --method cros",
    "solve": "solve bouncing_ball"}


def setUpModule():
    global PLACE
    if MISSING:
        raise unittest.SkipTest(f"there is no {' and no '.join(MISSING)}")
    PLACE = tempfile.TemporaryDirectory()
    for name, command in COMMANDS.items():
        subprocess.run([daelab.program_path(), *command.split(), "--format", "json", "--output",
                        f"{PLACE.name}/{name}.json", "--quiet"], check=name not in ("failures", "solve"),
                       stderr=subprocess.PIPE)


def tearDownModule():
    if PLACE:
        PLACE.cleanup()


def result(name):
    return read(f"{PLACE.name}/{name}.json")


def page(*results):
    return page_of([Study(one, one.name, i + 1 if len(results) > 1 else 0) for i, one in enumerate(results)], "Made.")


def findings(of):
    return [block for block in of.sections[0].blocks if block.kind == "finding"]


class Structure(html.parser.HTMLParser):
    """Every element is closed where it was opened; tags are counted."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags = [], []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag


class Pages(unittest.TestCase):
    def test_structure(self):
        """One file, nothing of elsewhere; each kind of result has its section and its figures."""
        for name, section in (("converge", "orders"), ("drift", "drift"), ("bench", "work"), ("scale", "scale"),
                              ("solve", "solution")):
            text = write.as_html(page(result(name)))
            tags = Structure(text).tags
            self.assertIn(section, [attributes.get("id") for tag, attributes in tags if tag == "section"])
            self.assertIn("figure", [tag for tag, _ in tags])
            self.assertIn("provenance", [attributes.get("id") for tag, attributes in tags if tag == "section"])
            for word in ("http://", "https://", " src=", "Mnan", "Lnan", " nan"):
                self.assertNotIn(word, text)

    def test_numbers(self):
        """Every error of every run stands in the page with all of its digits."""
        found = result("converge")
        text = write.as_html(page(found))
        shown = set(map(float, re.findall(r'data-v="([^"]+)"', text))) | {
            float(x) for x in re.findall(r"<td class=\"n\">([-+.e0-9]+)<", text) if x != "-"}
        runs = found.table("runs")
        errors = [x for name in runs if name.startswith("error_") and name != "error_test" for x in runs[name].dropna()]
        self.assertGreater(len(errors), 6 * 7)
        self.assertLessEqual(set(errors), shown)

    def test_worst_first(self):
        said = findings(page(result("converge")))
        tones = [finding.tone for finding in said]
        self.assertEqual(tones, sorted(tones, reverse=True))
        self.assertIn("index3 by cros: the error of multiplier does not fall with the step (order 0.00)", said[0].text)
        self.assertIn("a small drift does not make it right; recovered has order 2.00", said[0].text)
        self.assertFalse([finding for finding in said if "index1 by cros: the error of" in finding.text])
        self.assertIn("does a small drift mean a small error?", write.as_html(page(result("converge"))))

    def test_single_runs(self):
        """Without a ladder of levels: one run, its error beside its drift."""
        said = [finding.text for finding in findings(page(result("drift")))]
        self.assertRegex(said[0], "^pendulum, index3 by cros: multiplier is wrong by .* of its size")
        self.assertFalse([text for text in said if "pendulum, index1 by cros: " in text])
        self.assertTrue([text for text in said if text.startswith("pendulum: the drift of position is ")])
        self.assertIn("the law by which drifts grow", write.as_markdown(page(result("drift"))))

    def test_failures(self):
        """What failed has its reason, in the table and under the cursor."""
        text = write.as_html(page(result("failures")))
        runs = result("failures").table("runs")
        reasons = set(runs.loc[runs["status"] != "ok", "reason"])
        self.assertTrue(reasons)
        for reason in reasons:
            self.assertIn(reason.replace("'", "&#39;"), text)
        self.assertIn("Failures", [section.title for section in page(result("failures")).sections])

    def test_markdown(self):
        text = write.as_markdown(page(result("converge")))
        self.assertIn("- ✗ pendulum, index3 by cros: the error of multiplier does not fall", text)
        self.assertIn("| method | index3 | index1 |\n|:---|:---|:---|\n| cros | ✗ ", text)
        self.assertRegex(text, "\n    [^ ]*daelab converge pendulum --form index3,index1")

    def test_several(self):
        both = page(result("converge"), result("drift"))
        names = [section.name for section in both.sections]
        self.assertEqual(names[:3], ["1-answer", "2-answer", "1-orders"])
        self.assertEqual(both.title, "2 results")
        Structure(write.as_html(both))

    def test_nothing(self):
        """A result without tables has a page."""
        empty = Result({"title": "", "question": "", "provenance": {}, "tables": {}, "remarks": [],
                        "interrupted": True}, "empty.json")
        self.assertIn("The study was interrupted", write.as_markdown(page(empty)))
        Structure(write.as_html(page(empty)))
        write.as_latex(page(empty))

    def test_latex(self):
        for name in COMMANDS:
            text = write.as_latex(page(result(name)))
            self.assertEqual(text.count("\\begin{"), text.count("\\end{"))
            self.assertNotIn("U+", text)
            place = Path(PLACE.name, f"{name}.tex")
            place.write_text(text, encoding="utf-8")
        wanted = [f"{name}.sty" for name in re.findall(r"\\usepackage.*{(.*)}", text)]
        if not shutil.which("pdflatex") or subprocess.run(["kpsewhich", *wanted], stdout=subprocess.DEVNULL).returncode:
            self.skipTest("there is no pdflatex with all packages: the documents are not compiled")
        for name in COMMANDS:
            ran = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", f"{name}.tex"],
                                 cwd=PLACE.name, stdout=subprocess.PIPE)
            self.assertEqual(ran.returncode, 0, ran.stdout[-2000:])


class TextOfOthers(unittest.TestCase):
    """Names, titles and reasons that are code of HTML, Markdown or LaTeX stay text."""

    @classmethod
    def setUpClass(cls):
        document = json.loads(Path(PLACE.name, "bench.json").read_text(encoding="utf-8"))
        document.update(title=HOSTILE, question=HOSTILE, remarks=[{"part": "", "problem": HOSTILE, "text": HOSTILE}])
        document["provenance"]["command"] = ["daelab", HOSTILE]
        for table in document["tables"].values():
            for i, column in enumerate(table["columns"]):
                if column in ("problem", "reason", "form", "method"):
                    for row in table["rows"]:
                        row[i] = HOSTILE
        cls.page = page(Result(document, HOSTILE))

    def test_html(self):
        text = write.as_html(self.page)
        tags = Structure(text).tags
        self.assertFalse([tag for tag, attributes in tags if tag == "img" or "onerror" in attributes])
        self.assertNotIn("<!--", text)
        self.assertIn("&lt;img src=x onerror=&#34;alert(&#39;1&#39;)&#34;&gt;&amp;amp;", text)
        for data in re.findall(r'<script type="application/json">(.*?)</script>', text):
            self.assertIn(HOSTILE, json.dumps(json.loads(data)).encode().decode("unicode_escape"))

    def test_markdown(self):
        text = write.as_markdown(self.page)
        prose = "\n".join(line for line in text.splitlines() if not line.startswith("    "))
        self.assertNotIn("<img", prose)
        self.assertNotIn("\n## x", text)
        self.assertIn("\\|\\`\\*\\_\\$%\\#{}\\\\ ", prose)
        for written, wanted in (("1. a", "1\\. a"), ("- a", "\\- a"), ("-0.5", "-0.5"), ("1.5", "1.5")):
            self.assertEqual(write.escape_markdown(written), wanted)

    def test_latex(self):
        text = write.as_latex(self.page)
        self.assertIn("\\textbar{}\\textasciigrave{}*\\_\\allowbreak{}\\$\\%\\#\\{\\}\\textbackslash{}", text)
        self.assertNotIn("onerror=\"", text)
        self.assertEqual(write.escape_latex("a--b αß²"), "a-{}-b [U+03B1]ß\\textsuperscript{2}")


class Judgements(unittest.TestCase):
    """Which rows are a curve, and what a row of the table of orders says."""

    def test_orders(self):
        none = math.nan
        rows = [("step", "agrees", 2, 1.95, 2.05, 1e-6, False, Tone.GOOD),
                ("step", "above", 3, 2.95, 3.05, 1e-6, False, Tone.GOOD),
                ("step", "below", 1, 0.95, 1.05, 1e-6, False, Tone.BAD),
                ("step", "not determined", 2.4, 2.1, 2.9, 1e-6, False, Tone.NOTE),
                ("step", "no run", none, none, none, none, False, Tone.PLAIN),
                ("step", "agrees", 0, -0.02, 0.02, 1.2, True, Tone.BAD),                # as declared, and wrong
                ("step", "below", 0.3, 0.2, 0.4, 1.2, True, Tone.BAD),
                ("step", "not determined", 0.1, none, none, 1.2, False, Tone.NOTE),     # it may be rounding
                ("step", "not determined", 0.3, -0.2, 0.8, 1.2, False, Tone.NOTE),
                ("step", "agrees", 0, -0.02, 0.02, 1e-13, False, Tone.GOOD),            # rounding of a size of 4
                ("rtol", "slope against rtol", 0.4, 0.35, 0.45, 1e-3, False, Tone.PLAIN),
                ("rtol", "slope against rtol", 0, -0.05, 0.05, 1e-3, True, Tone.BAD),
                ("rtol", "slope against rtol", 0, -0.05, 0.05, 1e-12, False, Tone.PLAIN),       # at rounding
                ("rtol", "slope against rtol", 0, none, none, 1e-3, False, Tone.PLAIN)]
        table = pandas.DataFrame([row[:6] for row in rows],
                                 columns=["levels_by", "verdict", "observed", "low", "high", "error_finest"])
        table["class"], table["scale"] = "position", 4.0
        for row, found in zip(rows, judged(table).itertuples()):
            self.assertEqual((bool(found.stays), found.tone), row[6:], row)

    def test_scale(self):
        """A class after events may be where its reference is zero: its size is that of the class."""
        table = pandas.DataFrame({"form": ["a", "a", "b"], "class": ["position"] + 2 * ["position_after_events"],
                                  "levels_by": "rtol", "observed": 0.0, "low": -0.1, "high": 0.1,
                                  "error_finest": [1e-3, 1e-15, 1e-15], "scale": [4, 1e-17, 1e-17]})
        found = judged(table)
        self.assertEqual(found.scale.to_list(), [4, 4, 1e-17])
        self.assertEqual(found.stays.to_list(), [True, False, True])

    @staticmethod
    def runs(*rows):
        table = pandas.DataFrame(rows, columns=["method", "rtol", "vary_L", "jacobian", "status"])
        table = Table(table.assign(part="work", problem="ball", form="as-written", atol=2 * table.rtol))
        table.settings = ["rtol", "atol", "jacobian"]
        return table

    def test_ladders(self):
        """Levels are one curve, though the absolute tolerance follows them; values of a parameter are several, also of
        runs that failed."""
        table = self.runs(("first", 1e-3, 1, "dual", "ok"), ("first", 1e-4, 1, "dual", "ok"),
                          ("first", 1e-3, 2, "dual", "ok"), ("first", 1e-4, 2, "best", "DAE_SINGULAR"),
                          ("second", 1e-3, 1, "dual", "ok"))
        found = ladders_of(table)
        self.assertEqual([(ladder.label, len(ladder.rows), ladder.by_rtol) for ladder in found],
                         [("first L=1", 2, True), ("first L=2", 2, True), ("second", 1, True)])
        self.assertEqual([ladder.label for ladder in ladders_of(table, levels=False)][1], "first L=1 rtol=0.0001")
        atols = pandas.concat([table[:2], table[:2].assign(atol=1e-9)], ignore_index=True)
        self.assertEqual([len(ladder.rows) for ladder in ladders_of(atols)], [1, 1, 2])

    def test_open_settings(self):
        """What a run that was not made would have chosen is not known: it belongs to the others."""
        found = ladders_of(self.runs(("first", 1e-3, 1, "best", "not_run"), ("first", 1e-4, 1, "dual", "ok"),
                                     ("second", 1e-3, 1, "dual", "ok"), ("second", 1e-3, 1, "fd", "killed")))
        self.assertEqual([(ladder.label, len(ladder.rows)) for ladder in found],
                         [("first", 2), ("second jacobian=dual", 1), ("second jacobian=fd", 1)])

    def test_ratios(self):
        """A median differs from 1 by the sign test: six rounds at least."""
        for rounds, differs in ((5, False), (6, True)):
            found = work.ratio_of(pandas.Series(2.0, index=range(rounds)), pandas.Series(1.0, index=range(rounds)))
            self.assertEqual((found.ratio, found.differs), (2, differs))
        self.assertFalse(work.median_differs(numpy.array([2.0] * 8 + [0.5] * 2)))       # 2 (1 + 10 + 45) / 1024 > 0.05
        self.assertTrue(work.median_differs(numpy.array([2.0] * 9 + [0.5])))

    def test_axes(self):
        """Decades, steps of 1, 2 or 5, and room where there is one value or none; zeros lie on the edge."""
        axis = panels.Axis(Quantity("", ""), numpy.array([3e-7, 2e-4, math.nan, 0, -1, math.inf]))
        self.assertEqual([label for _, label in axis.ticks()], ["10⁻⁷", "10⁻⁶", "10⁻⁵", "10⁻⁴", "10⁻³"])
        numpy.testing.assert_allclose(axis.place(numpy.array([1e-5, 0, math.nan])), [0.5, 0, math.nan])
        axis = panels.Axis(Quantity("", "", False), numpy.array([0.0, 2]))
        self.assertEqual([label for _, label in axis.ticks()], ["0", "0.5", "1", "1.5", "2"])
        for values in ([], [5.0], [0.0]):
            for log in (False, True):
                axis = panels.Axis(Quantity("", "", log), numpy.array(values))
                self.assertGreater(axis.high, axis.low)


class LargeStudies(unittest.TestCase):
    """The page of a large study is short enough to open fast, and says what it leaves out."""

    @staticmethod
    def study(levels):
        """5 problems in 5 formulations by 6 methods."""
        pairs = [(f"problem{i // 30}", f"form{i // 6 % 5}", f"method{i % 6}") for i in range(150)]
        rows = [pair + (1 + k + levels * i, 0.01 / 2 ** k) for i, pair in enumerate(pairs) for k in range(levels)]
        runs = pandas.DataFrame(rows, columns=["problem", "form", "method", "run", "step"])
        runs["step"] *= 1 + 1e-3 * (runs["run"] % 7)
        runs = runs.assign(part="orders", kind="converge", status=numpy.where(runs["run"] % 97, "ok", "DAE_SINGULAR"))
        for i, name in enumerate(("position", "velocity", "multiplier", "recovered")):
            runs["error_" + name] = 3.3 * runs["step"] ** (i % 2 + 1)
        runs["rhs"] = 777 * runs["run"]
        orders = pandas.DataFrame(pairs, columns=["problem", "form", "method"]).assign(
            part="orders", observed=1.0, verdict="agrees", **{"class": "position"})
        tables = {name: {"columns": list(table), "units": [""] * len(table.columns), "rows": table.values.tolist()}
                  for name, table in (("runs", runs), ("orders", orders))}
        return Result({"title": "large", "question": "", "provenance": {}, "tables": tables, "remarks": [],
                       "interrupted": False}, "large.json")

    def test_1200_runs(self):
        """Everything is there. A panel holds the methods of one formulation."""
        text = write.as_html(page(self.study(8)))
        self.assertTrue(500_000 < len(text) < 3_000_000)
        self.assertEqual(text.count('<svg class="panel-svg"'), 5 * 5 * 4)
        self.assertEqual(text.count("<td>DAE_SINGULAR</td>"), 1200 // 97)
        self.assertNotIn("as the page would be too long", text)

    def test_6000_runs(self):
        text = write.as_html(page(self.study(40)))
        self.assertTrue(500_000 < len(text) < 8_000_000)
        self.assertIn("as the page would be too long", text)


@unittest.skipUnless(BROWSER, "there is no Chromium: the script of the page is not run")
class Script(unittest.TestCase):
    """What a reader does (tests/browser.js), and what is seen then."""

    def visit(self, width):
        script = (Path(__file__).resolve().parents[1] / "browser.js").read_text(encoding="utf-8")
        text = write.as_html(page(result("converge"), result("bench")))
        visited = Path(PLACE.name, "visited.html")
        visited.write_text(text.replace("</body>", f"<script>\n{script}</script>\n</body>"), encoding="utf-8")
        ran = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                              f"--user-data-dir={PLACE.name}/browser", f"--window-size={width},900", "--dump-dom",
                              visited.as_uri()], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=100,
                             check=True)
        said = re.search('id="seen">SEEN (.*?) SEEN</pre>', ran.stdout.decode(), re.S)
        self.assertTrue(said, ran.stdout[-500:])
        return json.loads(said.group(1))

    def test_wide(self):
        seen = self.visit(1280)
        self.assertEqual((len(seen["up"]), seen["up"]), (14, sorted(seen["up"])))
        self.assertEqual((seen["down"], seen["sorted"]), (sorted(seen["up"], reverse=True), "descending"))
        self.assertEqual(seen["filtered"], [True] * 7)
        values = [float(x) for x in re.findall(r" = ([-+.e0-9]*[0-9])", seen["tip"])][:2]
        numpy.testing.assert_allclose(values, seen["first"], rtol=1e-4)
        self.assertTrue(seen["gone"] and seen["back"])
        self.assertEqual(seen["key"], seen["tip"])
        self.assertIn("cros", seen["spoken"])
        self.assertEqual((seen["off"], seen["on"] != "none"), ("none", True))
        self.assertNotEqual(*seen["grounds"])
        self.assertNotEqual(*seen["words"])
        self.assertIn("against error of position", seen["axes"]["label"])
        self.assertIn("against steps", seen["axes"]["after"])
        self.assertTrue(seen["axes"]["moved"])
        self.assertEqual(seen["overflow"], 0)

    def test_narrow(self):
        """On a phone nothing is wider than the screen but what can be moved by itself."""
        seen = self.visit(500)
        self.assertLessEqual(seen["width"], 500)
        self.assertEqual(seen["overflow"], 0)


if __name__ == "__main__":
    unittest.main()
