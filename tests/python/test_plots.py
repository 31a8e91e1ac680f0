"""Pictures of results: what is in them, that nothing lies over anything else, and what the command makes of them."""

import csv
import json
import re
import subprocess
import sys

import showing
from showing import InFolder, document, run

RUNS = {
    "converge": ("converge", "pendulum", "--form", "all", "--method", "cros,rk4,ida", "--step", "0.05", "--levels",
                 "2"),
    "few": ("converge", "pendulum", "--form", "index1", "--method", "cros", "--step", "0.05", "--levels", "3"),
    "bench": ("bench", "pendulum,kepler", "--method", "radau,ida", "--rtol", "1e-3:1e-6", "--runs", "1", "--seconds",
              "1e-9"),
    "drift": ("drift", "chain", "--form", "index1", "--method", "rk4,heun", "--step", "0.05", "--t-end", "8"),
    "scale": ("scale", "chain", "--vary", "N=2,4,8", "--method", "cros,ida", "--runs", "1", "--seconds", "1e-9"),
    "solve": ("solve", "string_pendulum", "--method", "dopri5"),
    "units": ("solve", "rolling_disc", "--samples", "3"),
    "pure": ("solve", "pleiades", "--samples", "3"),
    "vary": ("converge", "pendulum", "--form", "index1", "--method", "cros", "--step", "0.05", "--levels", "2",
             "--jacobian", "dual,fd", "--vary", "L=4,6"),
}
SIZES = ((0, 0), (85, 70), (170, 100))


class Shown(InFolder):
    """By the functions themselves, on results of the program."""

    kept_documents = {}

    def result(self, name):
        from daelab.show.results import Result
        if name not in self.kept_documents:
            self.kept_documents[name] = document(self.folder, *RUNS[name])
        return Result(self.kept_documents[name])

    def figures(self, name):
        from daelab.show.studies import figures_of
        result = self.result(name)
        return figures_of(result, result.table("runs")["part"].iloc[0], ())

    def test_panels(self):
        """Title and labels of the axes of the first panel, and labels of curves, of each kind."""
        for name, title, labels, curves in (
                ("few", "index1, cros", ("step [s]", "error"),
                 ["position [m]", "velocity [m/s]", "multiplier [N]", "declared slope"]),
                ("bench", "pendulum, index3", ("time [s]", "error, position [m]"), ["radau", "ida"]),
                ("scale", "one step", ("N", "time [s]"), ["cros", "ida", "proportional to the size"]),
                ("solve", "positions", ("t [s]", "x, y [m]"), ["x", "y", "event"]),
                ("units", "positions", ("t [s]", "x, y [m]"), ["x", "y"])):
            panel = self.figures(name)[0].panels[0]
            self.assertEqual(panel.title, title)
            self.assertEqual((panel.xlabel, panel.ylabel), labels)
            told = [curve.label for curve in panel.curves if curve.label != "recovered [N]"]
            self.assertEqual(told, curves or told)

    def test_no_unit_where_there_is_none(self):
        from daelab.show.pictures import unit_of_length
        self.assertEqual(self.figures("pure")[0].panels[0].xlabel, "t")
        for positions, unit in (([""], ""), (["rad"], "m"), (["rad", "mm"], "mm")):
            self.assertEqual(unit_of_length(positions), unit)

    def test_what_is_shown(self):
        """The unknowns that are asked for, in this order, and no path."""
        from daelab.show.studies import figures_of
        result = self.result("solve")
        runs = {"part": "solve", "problem": "string_pendulum", "first": 1, "count": 1, "show": "T,x"}
        panels = figures_of(result, "solve", [runs])[0].panels
        self.assertEqual([(panel.title, panel.ylabel) for panel in panels],
                         [("multipliers", "T [N]"), ("positions", "x [m]")])

    def test_curves_that_are_alike(self):
        """Everywhere: they are one with both labels; in some panels: a note says so."""
        from daelab.show.layout import merged
        from daelab.show.pictures import Curve, Figure, Panel
        x = [1, 2, 3]
        first = Panel("one", "x", "y", "", [Curve("a", x, [1, 4, 9]), Curve("b", x, [1, 4.001, 9]),
                                            Curve("c", x, [1, 4, 9])])
        second = Panel("two", "x", "y", "y", [Curve("a", x, [1, 2, 3]), Curve("b", x, [1, 2.001, 3]),
                                              Curve("c", x, [1, 2.2, 3])])
        figure = merged(Figure("", [first, second]))
        self.assertEqual([[curve.label for curve in panel.curves] for panel in figure.panels],
                         [["a, b", "c"], ["a, b", "c"]])
        self.assertEqual(figure.notes, ["one: c lies on a"])

    def test_key_takes_less_than_a_fifth(self):
        """Of a page of 85 mm x 70 mm, with one curve and with 38; on each page that of its own panels."""
        from daelab.show import style
        from daelab.show.layout import MM, Words, _number, _planned, merged
        look = style.Look(width=85, height=70)
        style.choose_fonts(look)
        for name in RUNS:
            for figure in map(merged, self.figures(name)):
                _number([figure])
                plan, pages, rims = _planned(figure, look, Words(look.font), False)
                self.assertEqual(len(pages), len(rims))
                for rim in rims:
                    self.assertLess(rim.key_height(plan.width), 0.2 * 70 * MM, name)
                    self.assertGreaterEqual(rim.key_size(plan.width), 0.6 * look.font)

    def test_points_are_the_results(self):
        runs = self.result("few").table("runs")
        curve = self.figures("few")[0].panels[0].curves[0]
        self.assertEqual(list(curve.x), list(runs["step"]))
        self.assertEqual(list(curve.y), list(runs["error_position"]))

    def test_grid(self):
        """A column for each formulation, a row for each method; steps and tolerances apart; what does not apply."""
        steps, tolerances = self.figures("converge")
        self.assertEqual((steps.rows_are, tolerances.rows_are), (["cros", "rk4"], ["ida"]))
        self.assertEqual(steps.columns_are, ["index3", "index2", "index1", "baumgarte", "ggl", "ode"])
        self.assertEqual(steps.panels[6].empty, "does not apply")
        self.assertEqual(tolerances.panels[0].xlabel, "evaluations of F")

    def test_failures(self):
        """A cross at the end of a run that failed, and its reason; runs that explode leave room for others."""
        figure = self.figures("drift")[0]
        crosses = [curve for panel in figure.panels for curve in panel.curves if curve.style == "cross"]
        self.assertEqual({curve.label for curve in crosses}, {"index1 rk4", "index1 heun"})
        self.assertTrue(figure.notes[0].startswith("× index1 rk4: t = "))
        for panel in figure.panels:
            tops = [curve.y[panel.points(curve)].max() for curve in panel.curves if panel.points(curve).any()]
            self.assertLess(max(tops), 1e31)

    def test_what_is_varied(self):
        titles = [panel.title for panel in self.figures("vary")[0].panels]
        self.assertEqual([title for title in titles if "L = 4" in title and "L = 6" in title], [])
        self.assertEqual(len(set(titles)), len(titles))

    def test_nothing_lies_over_anything(self):
        """Words of ticks and axes, titles, key and notes, in all sizes: no two meet, all are on the page."""
        from daelab.show import style
        from daelab.show.layout import pages_of
        for name in RUNS:
            for width, height in SIZES:
                look = style.Look(width=width, height=height)
                style.choose_fonts(look)
                for page in pages_of(self.figures(name), look)[0]:
                    self.words_are_apart(page, f"{name} {width}x{height}")

    def words_are_apart(self, page, where):
        from matplotlib.text import Text
        renderer = page.canvas.get_renderer()
        page.draw(renderer)
        words = [text for text in page.findobj(Text) if text.get_visible() and text.get_text()]
        boxes = [(text.get_text(), text.get_window_extent(renderer)) for text in words]
        boxes = [one for one in boxes if self.is_drawn(one, page)]
        for i, (text, box) in enumerate(boxes):
            inside = box.x0 > -1 and box.y0 > -1 and box.x1 < page.bbox.x1 + 1 and box.y1 < page.bbox.y1 + 1
            self.assertTrue(inside, f"{where}: {text} leaves the page")
            for other, its in boxes[:i]:
                wide = min(box.x1, its.x1) - max(box.x0, its.x0)
                high = min(box.y1, its.y1) - max(box.y0, its.y0)
                self.assertFalse(wide > 1 and high > 1.5, f"{where}: {text} meets {other}")

    @staticmethod
    def is_drawn(one, page):
        """Labels of ticks that are switched off have a place all the same: at the page's corner."""
        _, box = one
        return box.width > 0 and not (abs(box.x0) < 1e-9 and abs(box.y0) < 1e-9) and page is not None

    def test_styles(self):
        """No two of many labels look alike."""
        from daelab.show import style
        looks = {(one["color"], one["marker"], str(one["linestyle"])) for one in map(style.curve_style, range(100))}
        self.assertEqual(len(looks), 100)

    def test_ticks(self):
        """At least two, inside, at most as many as there is room for, and words that are the numbers."""
        from daelab.show import style
        for low, high in ((1e-9, 1), (0.2, 0.7), (3, 4), (1, 1.01), (1e-15, 1e15), (40, 5000), (0.02, 0.11)):
            for most in (2, 4, 7):
                for places, words, _ in (style.log_ticks(low, high, most), style.linear_ticks(low, high, most)):
                    slack = 1e-6 * (high - low)
                    self.assertTrue(all(low - slack <= x <= high + slack for x in places))
                    self.assertTrue(1 <= len(places) == len(words) <= 2 * most + 1, (low, high, most, words))


class Commanded(InFolder):
    """By the command."""

    def test_kinds(self):
        """Each kind of file, whole, of one process; --output FOLDER/ has its own."""
        status, _, said = run(self.folder, "solve pendulum --plot a.svg --plot a.png --plot a.pdf --plot a.tex "
                                           "--plot-size 17cmx12cm --output all/")
        self.assertEqual((status, said), (0, ""))
        begins = {"a.svg": b"<?xml", "a.png": b"\x89PNG", "a.pdf": b"%PDF", "a.tex": b"%"}
        for name, begin in begins.items():
            self.assertTrue((self.folder / name).read_bytes().startswith(begin), name)
        self.assertIn("</svg>", (self.folder / "all/solve.svg").read_text())
        width = re.search(r'width="([\d.]+)pt" height|height="[\d.]+pt".*width="([\d.]+)pt"',
                          (self.folder / "a.svg").read_text())
        self.assertAlmostEqual(float(width.group(1) or width.group(2)), 170 / 25.4 * 72, delta=0.1)
        plots = json.loads((self.folder / "all/study.json").read_text())["plots"]
        self.assertEqual(plots[-1], {"part": "solve", "file": "solve.svg"})

    def test_modes_and_paths(self):
        """A solution is drawn as densely as steps are, with the path of its bodies, by modes."""
        status, _, _ = run(self.folder, "solve string_pendulum --method dopri5 --plot s.svg --plot-data -q")
        self.assertEqual(status, 0)
        rows = (self.folder / "s.svg.csv").read_text().splitlines()
        self.assertGreater(sum(",taut,path," in row for row in rows), 1000)
        self.assertGreater(sum(",slack,path," in row for row in rows), 1000)
        self.assertTrue(any(",x,trace," in row for row in rows) and any(",event,times," in row for row in rows))

    def test_panels_of_a_solution(self):
        """One class and one unit each; what a formulation adds is no multiplier; names, not all of many."""
        for problem, wanted in (
                ("andrews", {"positions": "[rad]", "velocities": "[rad/s]", "multipliers": "[N]",
                             "auxiliary": "[rad/s^2]", "path": "y [m]"}),
                ("rolling_disc", {"positions": "x, y [m]|phi, theta [rad]", "multipliers": "[N]", "path": "y [m]",
                                  "velocities": "vx, vy [m/s]|omega, rolling [rad/s]"}),
                ("pleiades", {"positions": "", "velocities": "", "path": "y"})):
            run(self.folder, f"solve {problem} --t-end 0.001 --plot s.svg --plot-data -q")
            with open(self.folder / "s.svg.csv", encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            panels = {}
            for row in rows:
                if row["y_label"] not in panels.setdefault(row["title"], []):
                    panels[row["title"]].append(row["y_label"])
            self.assertEqual({title: "|".join(labels) for title, labels in panels.items()}, wanted, problem)
            if problem == "andrews":
                self.assertEqual({row["curve"] for row in rows if row["title"] == "auxiliary"},
                                 {f"a{i}" for i in range(1, 8)})

    def points(self, line):
        """The rows of the CSV of the points that a command line draws, and its standard output."""
        _, told, _ = run(self.folder, line + " --plot s.svg --plot-data")
        with open(self.folder / "s.svg.csv", encoding="utf-8") as file:
            return list(csv.DictReader(file)), told

    def test_names_of_bodies(self):
        """By their names; several of one name are numbered, and of too many the last is drawn."""
        for problem, wanted in (("double_pendulum", {"bob 1", "bob 2"}), ("slider_crank", {"joint", "slider"}),
                                ("fekete", {"point 20"})):
            rows, _ = self.points(f"solve {problem} --t-end 0.001 --samples 2 -q")
            self.assertEqual({row["curve"] for row in rows if row["style"] == "path"}, wanted)

    def test_varied_solution(self):
        """One picture with a curve for each value in each panel, and a table of the ends."""
        rows, told = self.points("solve pendulum --vary L=5,6 --samples 2 --t-end 0.1")
        self.assertEqual({row["figure"] for row in rows}, {"1"})
        panels = {}
        for row in rows:
            curves = panels.setdefault(row["title"], [])
            curves.extend([row["curve"]] if row["curve"] not in curves else [])
        self.assertEqual(panels, {**{name: ["L = 5", "L = 6"] for name in ("x", "y", "vx", "vy", "T", "T_recovered")},
                                  "path": ["", "L = 5", "L = 6"]})
        self.assertRegex(told, r"where each run ended\nL +t \[s\] +x \[m\].*\n.*\n5 +0\.1 .*\n6 +0\.1 ")
        self.assertIn("pendulum, index1, radau", (self.folder / "s.svg").read_text())

    def test_show(self):
        """Of all unknowns those that are asked for: in the table and in the picture; another name is told."""
        line = "solve pendulum --samples 3 --plot s.svg --plot-data --show "
        status, table, _ = run(self.folder, line + "T,T_recovered --plot-title ''")
        self.assertEqual(status, 0)
        self.assertRegex(table, r"t \[s\] +T \[N\] +T_recovered \[N\]\n")
        rows = (self.folder / "s.svg.csv").read_text().splitlines()[1:]
        self.assertEqual({row.split(",")[-4] for row in rows}, {"T", "T_recovered"})
        status, _, said = run(self.folder, line + "T,T_recoverd")
        self.assertEqual(status, 2)
        self.assertIn("pendulum has no column 'T_recoverd'; did you mean T_recovered?", said)

    def test_latex(self):
        """Names with signs that TeX takes for its own; by LaTeX itself where it is there."""
        run(self.folder, "drift string_pendulum,pendulum --form index1 --method radau --t-end 1 --plot d.tex -q")
        text = (self.folder / "d.tex").read_text()
        self.assertIn(r"string\_pendulum", text)
        self.assertEqual(text.count(r"\begin{pgfpicture}"), text.count(r"\end{pgfpicture}"))
        self.assertIn(r"$10^{", text)
        run(self.folder, "solve rolling_disc --samples 3 --plot r.tex --plot-title US$_5 -q")
        text = (self.folder / "r.tex").read_text()
        self.assertIn(r"selectfont US\$\_5}", text)

    def test_pages(self):
        """What does not fit one page goes on to others, and is said; a page that is too small is refused."""
        line = "converge pendulum --form all --method cros,rk4,heun --step 0.05 --levels 2 --plot g.svg "
        status, _, said = run(self.folder, line + "--plot-size 85mmx70mm")
        self.assertEqual(status, 0)
        self.assertRegex(said, r"the picture takes \d+ pages: g-1.svg to g-\d+.svg")
        self.assertTrue((self.folder / "g-1.svg").exists() and not (self.folder / "g.svg").exists())
        status, _, said = run(self.folder, line + "--plot-size 1cmx1cm")
        self.assertEqual(status, 3)
        self.assertIn("has no room for axes", said)

    def test_looks(self):
        status, _, said = run(self.folder, "solve pendulum --samples 3 --plot b.svg --plot-title a<b>&c --transparent "
                                           "--plot-font Nowhere,9")
        self.assertEqual(status, 0)
        self.assertIn("there is no font Nowhere", said)
        self.assertIn("a&lt;b&gt;&amp;c", (self.folder / "b.svg").read_text())

    def test_parts(self):
        """Of several parts of a file a picture each."""
        (self.folder / "s.yaml").write_text(
            "study: two\nparts:\n  - name: a\n    kind: solve\n    problem: pendulum\n"
            "  - name: c\n    kind: drift\n    problem: pendulum\n    method: cros\n")
        status, _, said = run(self.folder, "study s.yaml --plot p.svg --output o/ -q")
        self.assertEqual((status, said), (0, ""))
        self.assertTrue((self.folder / "p-a.svg").exists() and (self.folder / "o/c.svg").exists())

    def test_without_matplotlib(self):
        """A sentence, status 3, and all else is written."""
        broken = self.folder / "python"
        broken.write_text(f"#!/bin/sh\nexec {sys.executable} -S \"$@\"\n")
        broken.chmod(0o755)
        done = subprocess.run([showing.PROGRAM, "solve", "pendulum", "--plot", "p.svg", "--output", "p.csv"],
                              cwd=self.folder, capture_output=True, text=True, check=False,
                              env={"DAELAB_PYTHON": str(broken), "PATH": "/usr/bin:/bin", "HOME": str(self.folder)})
        self.assertEqual(done.returncode, 3)
        self.assertIn("apt-get install python3-", done.stderr)
        self.assertTrue((self.folder / "p.csv").exists() and not (self.folder / "p.svg").exists())


if __name__ == "__main__":
    showing.main()
