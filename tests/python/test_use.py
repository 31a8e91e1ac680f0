"""Results and problems in use: kept, copied, pickled, in threads and processes; what holds where solve is called."""

import copy
import gc
import multiprocessing
import pickle
import resource
import sys
import threading
import unittest
import unittest.mock
import weakref

import daelab
import numpy as np


def decay(**options):
    return daelab.FirstOrderProblem("decay", u=[1.0], rhs=lambda t, u, p: -p.k * u, params={"k": 1.0}, **options)


def end_of(t):
    return daelab.solve("pendulum", t_span=(0, t), dense_output=True)


class Kept(unittest.TestCase):
    def test_rows_outlive(self):
        """Columns of a result whose result is gone, beside others that take its memory if it is free."""
        result = daelab.solve("pendulum", t_eval=np.linspace(0, 2, 5001))
        column, total = result["T"], result["T"].sum()
        del result
        gc.collect()
        others = [daelab.solve("kepler", t_eval=np.linspace(0, 2, 5001)) for _ in range(5)]
        self.assertEqual(column.sum(), total)
        self.assertEqual(len(others), 5)

    def test_problems_go(self):
        """A problem in Python is freed with its last result, without the collector of circles having much to do."""
        problems = []
        for _ in range(10):
            problem = decay()
            daelab.solve(problem, dense_output=True).sol(0.5)
            problems.append(weakref.ref(problem))
        del problem
        gc.collect()
        self.assertEqual([one() for one in problems], [None] * 10)

    def test_memory(self):
        """Runs, and runs that fail, leave nothing."""
        def many():
            for _ in range(60):
                daelab.solve("pendulum", t_eval=np.linspace(0, 2, 20001))
                with self.assertRaises(daelab.DaelabError):
                    daelab.solve("pendulum", t_eval=np.linspace(0, 2, 20001), rtol=1e-8, max_steps=7)
        many()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        many()
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 8000)      # kB, of 96 MB

    def test_arguments_are_kept(self):
        """What functions are given is theirs: to keep, and to change."""
        seen = []

        def rhs(t, u, p):
            seen.append(u)
            u *= -1
            return u
        result = daelab.solve(daelab.FirstOrderProblem("keeps", u=[1.0], rhs=rhs), rtol=1e-8)
        self.assertAlmostEqual(result.y[0, -1], np.exp(-1), 7)
        seen = np.real(np.ravel(seen[100:]))
        self.assertTrue(np.all((seen < -0.3) & (seen > -1.1)))


class Copied(unittest.TestCase):
    def test_pickle(self):
        for problem in ("pendulum", decay()):
            result = daelab.solve(problem, dense_output=True)
            for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result), copy.copy(result)):
                self.assertTrue(np.array_equal(again.y, result.y))
                self.assertTrue(np.array_equal(again.sol(0.3), result.sol(0.3)))
                self.assertEqual(repr(again), repr(result))
        ball = daelab.solve("bouncing_ball", t_span=(0, 1))
        self.assertEqual(pickle.loads(pickle.dumps(ball)).events[0].t, ball.events[0].t)

    def test_catalogue(self):
        for one in (daelab.problems.pendulum, daelab.methods.radau, daelab.formulations.index2, daelab.problems):
            self.assertIs(pickle.loads(pickle.dumps(one)), one)
        self.assertIs(copy.deepcopy(daelab.problems.pendulum), daelab.problems.pendulum)
        mine = decay()
        self.assertIs(copy.deepcopy(mine), mine)
        with self.assertRaisesRegex(TypeError, "decay has functions of Python"):
            pickle.dumps(mine)

    def test_errors(self):
        with self.assertRaises(daelab.DaelabError) as caught:
            daelab.solve("pendulum", rtol=1e-8, max_steps=3)
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((str(again), again.code, len(again.result)),
                         (str(caught.exception), "DAE_MAX_STEPS", len(caught.exception.result)))


class Parallel(unittest.TestCase):
    def test_threads(self):
        """One problem in three threads, with other parameters; where functions fail in one, the others go on."""
        def rhs(t, u, p):
            if p.k == 3.0 and np.real(t) > 0.5:
                raise LookupError("k is 3")
            return -p.k * u
        problem = daelab.FirstOrderProblem("shared", u=[1.0], rhs=rhs, params={"k": 1.0})
        found = {}

        def run(k):
            try:
                found[k] = [daelab.solve(problem, params={"k": k}, rtol=1e-8, max_step=0.01).y[0, -1]
                            for _ in range(3)]
            except LookupError as error:
                found[k] = str(error)
        threads = [threading.Thread(target=run, args=(k,)) for k in (1.0, 2.0, 3.0)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found[3.0], "k is 3")
        for k in (1.0, 2.0):
            self.assertTrue(np.allclose(found[k], np.exp(-k), rtol=0, atol=1e-7), found)

    def test_processes(self):
        """Results come back from the processes of a pool, which are forked."""
        with multiprocessing.get_context("fork").Pool(2) as pool:
            results = pool.map(end_of, [1.0, 2.0])
        for t, result in zip((1.0, 2.0), results):
            self.assertTrue(np.array_equal(result.y, end_of(t).y))
            self.assertIs(result.problem, daelab.problems.pendulum)

    def test_within(self):
        """A function that solves the same problem."""
        runs = []

        def rhs(t, u, p):
            if np.real(t) > 0.5 and not runs:
                runs.append(None)
                runs[0] = daelab.solve(made[0], params={"k": 2.0}, rtol=1e-8).y[0, -1]
            return -p.k * u
        made = [daelab.FirstOrderProblem("within", u=[1.0], rhs=rhs, params={"k": 1.0})]
        self.assertAlmostEqual(daelab.solve(made[0], rtol=1e-8).y[0, -1], np.exp(-1), 7)
        self.assertAlmostEqual(runs[0], np.exp(-2), 6)


class Around(unittest.TestCase):
    def test_interrupt_in_a_function(self):
        """KeyboardInterrupt and SystemExit of a function come out at once, and leave all as it was."""
        for kind in (KeyboardInterrupt, SystemExit):
            calls = []

            def rhs(t, u, p):
                calls.append(t)
                if stop and len(calls) > 20:
                    raise kind
                return -u
            stop = False
            problem = daelab.FirstOrderProblem("stops", u=[1.0], rhs=rhs)
            calls, stop = [], True
            with self.assertRaises(kind):
                daelab.solve(problem, rtol=1e-8, max_step=0.01)
            self.assertEqual(len(calls), 21)
            stop = False
            self.assertEqual(daelab.solve(problem).code, "DAE_OK")

    def test_errors_of_numpy(self):
        """np.errstate around solve holds in its functions."""
        def rhs(t, u, p):
            return -u / np.where(np.real(t) < 0.5, 1.0, 0.0)
        problem = daelab.FirstOrderProblem("divides", u=[1.0], rhs=rhs)
        with np.errstate(divide="raise"), self.assertRaisesRegex(FloatingPointError, "divide by zero"):
            daelab.solve(problem)
        with np.errstate(all="ignore"), self.assertRaises(daelab.DaelabError):
            daelab.solve(problem)

    def test_end_of_program(self):
        """Rows that outlive the names of the module, as at the end of a program, are freed without a word."""
        result, told = daelab.solve("pendulum"), []
        with unittest.mock.patch.object(sys, "unraisablehook", told.append), \
                unittest.mock.patch.object(sys.modules["daelab.solving"], "lib", None):
            del result
            gc.collect()
        self.assertEqual(told, [])


if __name__ == "__main__":
    unittest.main()
