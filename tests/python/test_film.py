"""Films: what is drawn of the frames that the command hands over."""

import json
import subprocess

import showing
from showing import InFolder

COUNT = 9


def clock(path):
    """A body that moves as t does, from 0 to 2."""
    times = [2 * k / (COUNT - 1) for k in range(COUNT)]
    fine = [2 * k / 1000 for k in range(1001)]
    return {"path": str(path), "title": "it's $a_clock", "unit": "s", "fps": 20, "trail": 0.5, "units": ["rad", "mm"],
            "frames": [[t, [[t, 0, 0.1], [0, 0, 0]], [[0, 0, t, 0]], [[0, -1, 2, -1]]] for t in times],
            "samples": [[t, [[t, 0]]] for t in fine]}


def film(request):
    return subprocess.run([showing.SYSTEM, "-B", str(showing.SHOW), "film"], input=json.dumps(request), text=True,
                          capture_output=True, check=False)


class Films(InFolder):
    def test_trail(self):
        """At t = 2 from 1.5 to 2, and of few points."""
        import numpy as np
        from daelab.show.film import _in_trail, _ways
        request = clock(self.folder / "a.gif")
        times = np.array([t for t, _ in request["samples"]])
        trail = _in_trail(request, times, 2.0)
        self.assertAlmostEqual(trail[0][0], 1.5, delta=0.02)
        self.assertEqual(trail[-1][0], 2)
        self.assertLess(len(trail), 130)
        ways, colours = _ways(trail, 0, 0.15, 0.75)
        self.assertEqual(len(ways), len(colours))
        self.assertEqual(len(_ways(trail, 1, 0.15, 0.75)[0]), 0)

    def test_axes(self):
        """Both have their unit, and room for it."""
        from daelab.show.film import Stage
        request = clock(self.folder / "a.gif")
        for units, labels in ((["rad", "mm"], ("x [mm]", "y [mm]")), (["-"], ("x", "y"))):
            stage = Stage({**request, "units": units}, 1.0)
            self.assertEqual((stage.axes.get_xlabel(), stage.axes.get_ylabel()), labels)
            stage.canvas.draw()
            for axis in (stage.axes.xaxis, stage.axes.yaxis):
                box = axis.label.get_window_extent()
                self.assertTrue(box.x0 > 1 and box.y0 > 1, box)

    def test_kinds(self):
        """All frames are in a GIF, on a white ground; nothing else is left in the folder."""
        from PIL import Image
        for name in ("a.gif", "a.png"):
            done = film(clock(self.folder / name))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
        with Image.open(self.folder / "a.gif") as picture:
            self.assertEqual((picture.n_frames, picture.info["duration"]), (COUNT, 50))
            self.assertEqual(picture.convert("RGB").getpixel((2, 2)), (255, 255, 255))
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["a.gif", "a.png"])

    def test_empty(self):
        """A problem that draws nothing."""
        request = clock(self.folder / "e.gif")
        request["frames"] = [[t, [], [], []] for t, *_ in request["frames"]]
        request["samples"] = [[t, []] for t, _ in request["samples"]]
        self.assertEqual(film(request).returncode, 0)

    def test_no_folder(self):
        done = film(clock(self.folder / "no" / "a.gif"))
        self.assertEqual(done.returncode, 3)
        self.assertIn("No such file", done.stderr)


if __name__ == "__main__":
    showing.main()
