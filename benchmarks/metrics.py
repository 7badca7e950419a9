"""How fast the metrics are, against the same definitions written with scikit-learn.

`python benchmarks/metrics.py` times the six metrics of the large study on 10,000 codes of ten
dimensions and on held-out 5,000; ours and the straightforward formulation take turns in one run on
one thread. Seconds are processor time, so that a busy machine matters less. What numba compiles is
compiled before, and reported apart. DCI the other way takes minutes; `--plain-rounds 10` fits only
so many of its 100 rounds of trees, whose costs are alike, and counts them as all.

`--rows 1000000` shows cost and peak memory of ours up to so many rows, beside DCI those of the same
trees by LightGBM if it is installed; `--convergence` how scores from one encode pass of N images
approach those of fresh draws.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import importlib.util
import json
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

SIZES = {"dsprites": (3, 6, 40, 32, 32), "shapes3d": (10, 10, 10, 8, 4, 15)}
SIX = ("beta_vae_score", "factor_vae_score", "mig", "modularity", "explicitness", "dci", "sap")
POINTS, EVALUATED, BATCH, ROUNDS = 10_000, 5_000, 64, 100
LIGHTGBM = "lightgbm"


class Arrays(NamedTuple):
    """Codes and factors to fit, and to test."""

    z: np.ndarray
    v: np.ndarray
    z_test: np.ndarray
    v_test: np.ndarray


class Encoder(NamedTuple):
    """Standardised factors, turned into `n_codes` dimensions, with noise.

    At `angle` 0 each code is one factor or nothing, at 1 a random rotation, in between the
    rotation's power.
    """

    sizes: np.ndarray
    turn: np.ndarray
    noise: float

    @classmethod
    def of(
        cls, data: str, *, n_codes: int = 10, angle: float = 1.0, noise: float = 0.3
    ) -> "Encoder":
        sizes = np.array(SIZES[data])
        skew = np.random.default_rng(0).standard_normal((n_codes, n_codes))
        half = angle * (skew - skew.T) / 4
        identity = np.eye(n_codes)
        turn = np.linalg.solve(identity + half, identity - half)  # Cayley's map: orthogonal
        return cls(sizes, turn[: len(sizes)], noise)

    def factors(self, n: int, rng: np.random.Generator) -> np.ndarray:
        return rng.integers(self.sizes, size=(n, len(self.sizes)))

    def codes(self, factors: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        s = (factors - (self.sizes - 1) / 2) / np.sqrt((self.sizes**2 - 1) / 12)
        noise = rng.standard_normal((len(s), self.turn.shape[1]), dtype=np.float32)
        return (s @ self.turn).astype(np.float32) + np.float32(self.noise) * noise


def draw(encoder: Encoder, n: int, n_test: int, seed: int = 0) -> Arrays:
    rng = np.random.default_rng(seed)
    v, v_test = encoder.factors(n, rng), encoder.factors(n_test, rng)
    return Arrays(encoder.codes(v, rng), v, encoder.codes(v_test, rng), v_test)


# The definitions as one would write them first.


def plain_information(data: Arrays) -> np.ndarray:
    from sklearn.metrics import mutual_info_score

    def cut(column: np.ndarray) -> np.ndarray:
        return np.digitize(column, np.histogram(column, 20)[1][:-1])

    return np.array([[mutual_info_score(v, cut(z)) for v in data.v.T] for z in data.z.T])


def plain_mig(data: Arrays, encoder: Encoder) -> float:
    from sklearn.metrics import mutual_info_score

    ranked = np.sort(plain_information(data), axis=0)
    entropy = [mutual_info_score(v, v) for v in data.v.T]
    return float(np.mean((ranked[-1] - ranked[-2]) / entropy))


def plain_modularity(data: Arrays, encoder: Encoder) -> float:
    squared = plain_information(data) ** 2
    most = squared.max(axis=1)
    return float(np.mean(1 - (squared.sum(axis=1) / most - 1) / (squared.shape[1] - 1)))


def plain_explicitness(data: Arrays, encoder: Encoder) -> float:
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score
    from sklearn.preprocessing import StandardScaler

    scaler, areas = StandardScaler().fit(data.z), []
    z, z_test = scaler.transform(data.z), scaler.transform(data.z_test)
    for v, v_test in zip(data.v.T, data.v_test.T, strict=True):
        model = LogisticRegression().fit(z, v)
        for rows, truth in ((z, v), (z_test, v_test)):
            sure = model.predict_proba(rows)
            areas.append(roc_auc_score(truth, sure, multi_class="ovr", average="macro"))
    return float(np.mean(areas[1::2]))


def plain_dci(data: Arrays, encoder: Encoder, rounds: int = ROUNDS) -> float:
    from scipy.stats import entropy
    from sklearn.ensemble import GradientBoostingClassifier

    columns = []
    for v, v_test in zip(data.v.T, data.v_test.T, strict=True):
        model = GradientBoostingClassifier(n_estimators=rounds, random_state=0).fit(data.z, v)
        model.score(data.z, v)
        model.score(data.z_test, v_test)
        columns.append(model.feature_importances_)
    importance = np.stack(columns, axis=1)
    per_code = 1 - entropy(importance.T + 1e-11, base=importance.shape[1])
    return float(importance.sum(axis=1) @ per_code / importance.sum())


def plain_sap(data: Arrays, encoder: Encoder) -> float:
    from sklearn.svm import LinearSVC

    scores = np.empty((data.z.shape[1], data.v.shape[1]))
    for j in range(scores.shape[0]):
        for k in range(scores.shape[1]):
            model = LinearSVC(C=0.01, class_weight="balanced")
            model.fit(data.z[:, [j]], data.v[:, k])
            scores[j, k] = model.score(data.z_test[:, [j]], data.v_test[:, k])
    ranked = np.sort(scores, axis=0)
    return float(np.mean(ranked[-1] - ranked[-2]))


def plain_beta_vae_score(data: Arrays, encoder: Encoder) -> float:
    """Fresh draws from the grid, as published: each point encodes two batches."""
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(0)

    def points(n: int) -> tuple[np.ndarray, np.ndarray]:
        features, held = np.empty((n, encoder.turn.shape[1])), np.empty(n, int)
        for i in range(n):
            held[i] = k = rng.integers(len(encoder.sizes))
            v, other = encoder.factors(BATCH, rng), encoder.factors(BATCH, rng)
            other[:, k] = v[:, k]
            features[i] = np.abs(encoder.codes(v, rng) - encoder.codes(other, rng)).mean(axis=0)
        return features, held

    return float(LogisticRegression().fit(*points(POINTS)).score(*points(EVALUATED)))


def plain_factor_vae_score(data: Arrays, encoder: Encoder) -> float:
    rng = np.random.default_rng(0)
    variance = encoder.codes(encoder.factors(POINTS, rng), rng).var(axis=0, ddof=1)
    active = np.flatnonzero(np.sqrt(variance) >= 0.05)

    def votes(n: int) -> np.ndarray:
        counts = np.zeros((len(encoder.sizes), len(active)), int)
        for _ in range(n):
            k = rng.integers(len(encoder.sizes))
            v = encoder.factors(BATCH, rng)
            v[:, k] = v[0, k]
            local = encoder.codes(v, rng).var(axis=0, ddof=1)
            counts[k, np.argmin((local / variance)[active])] += 1
        return counts

    fit, scored = votes(POINTS), votes(EVALUATED)
    return float(scored[fit.argmax(axis=0), np.arange(len(active))].sum() / scored.sum())


PLAIN: dict[str, Callable[..., float]] = {name: globals()[f"plain_{name}"] for name in SIX}


def ours(name: str, data: Arrays, *, split: bool = False) -> float:
    """The headline of our metric; interventional ones draw from the rows to test if `split`."""
    import gordium.metrics

    metric = gordium.metrics.METRICS[name]
    tested = split or name in ("explicitness", "dci", "sap")
    options = {"test": (data.z_test, data.v_test)} if tested else {}
    value = metric(data.z, data.v, **options)
    return float(value[0] if isinstance(value, tuple) else value)


def seconds(run: Callable[[], float], repeats: int = 1) -> tuple[float, float]:
    """The least processor time of several runs, and the result."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        result = run()
        times.append(time.process_time() - start)
    return min(times), result


def against_plain(args: argparse.Namespace) -> None:
    small = draw(Encoder.of("dsprites"), 300, 150)
    compiling = {name: seconds(lambda name=name: ours(name, small))[0] for name in args.metrics}
    print(f"first call on 300 rows, with imports and compilation: {sum(compiling.values()):.1f} s")
    for data_name in args.data:
        encoder = Encoder.of(data_name, n_codes=args.codes, angle=args.angle, noise=args.noise)
        data = draw(encoder, args.samples, args.samples // 2)
        print(f"\n{data_name}, {args.samples:,} x {args.codes} codes")
        print(f"{'metric':18}{'ours s':>9}{'plain s':>9}{'ratio':>8}{'ours':>9}{'plain':>9}")
        totals = np.zeros(2)
        for name in args.metrics:
            took, value = seconds(lambda n=name, d=data: ours(n, d), 1 if name == "dci" else 3)
            line = f"{name:18}{took:9.3f}"
            if name in args.skip_plain:
                print(f"{line}{'-':>9}{'-':>8}{value:9.3f}", flush=True)
                continue
            rounds = {"rounds": args.plain_rounds} if name == "dci" else {}
            plain, expected = seconds(
                lambda n=name, d=data, e=encoder, r=rounds: PLAIN[n](d, e, **r)
            )
            whole = rounds.get("rounds", ROUNDS) / ROUNDS
            plain, expected = plain / whole, expected if whole == 1 else np.nan
            totals += took, plain
            print(f"{line}{plain:9.2f}{plain / took:7.0f}x{value:9.3f}{expected:9.3f}", flush=True)
        if totals[0]:
            print(f"{'total':18}{totals[0]:9.3f}{totals[1]:9.2f}{totals[1] / totals[0]:7.0f}x")


def one_size(name: str, data_name: str, n: int) -> None:
    """In a process of its own, so that its peak memory is its own: one JSON line."""
    import resource

    import gordium.metrics

    encoder = Encoder.of(data_name)
    small, data = draw(encoder, 500, 1), draw(encoder, n, 1)
    log_variances = np.full_like(data.z, -2.0)

    def run(z: np.ndarray, v: np.ndarray, log_var: np.ndarray) -> float:
        if name == LIGHTGBM:
            return fit_lightgbm(z, v)
        gordium.metrics.score(z, v, metrics=(name,), log_variances=log_var)
        return 0.0

    run(small.z, small.v, log_variances[:500])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    took, _ = seconds(lambda: run(data.z, data.v, log_variances))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"seconds": took, "peak_mb": peak / 1024, "before_mb": before / 1024}))


def fit_lightgbm(z: np.ndarray, v: np.ndarray) -> float:
    """The disentanglement of LightGBM's trees, as many and as deep, of the first two thirds."""
    from lightgbm import LGBMClassifier
    from scipy.stats import entropy

    rows, shape = len(z) - len(z) // 3, {"max_depth": 3, "num_leaves": 8, "learning_rate": 0.1}
    columns = []
    for factor in v.T:
        model = LGBMClassifier(
            n_estimators=ROUNDS, importance_type="gain", n_jobs=1, verbose=-1, **shape
        )
        model.fit(z[:rows], factor[:rows]).score(z[rows:], factor[rows:])
        columns.append(model.feature_importances_ / model.feature_importances_.sum())
    importance = np.stack(columns, axis=1)
    per_code = 1 - entropy(importance.T + 1e-11, base=importance.shape[1])
    return float(importance.sum(axis=1) @ per_code / importance.sum())


def cost_of_rows(args: argparse.Namespace) -> None:
    sizes = [n for n in (10_000, 100_000, 1_000_000, 10_000_000) if n < args.rows] + [args.rows]
    print(f"{'metric':28}" + "".join(f"{n:>12,} rows" for n in sizes) + f"{'peak MB':>10}")
    beside = "dci" in args.metrics and importlib.util.find_spec(LIGHTGBM) is not None
    for name in [*args.metrics, *[LIGHTGBM] * beside]:
        line = f"{name:28}"
        for n in sizes:
            command = [sys.executable, __file__, "--one", name, args.data[0], str(n)]
            answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            found = json.loads(answer.splitlines()[-1])
            line += f"{found['seconds']:15.2f} s"
        print(f"{line}{found['peak_mb']:10.0f}", flush=True)


def convergence(args: argparse.Namespace) -> None:
    """Error of a score from a pass of N images, against the spread of the fresh draws' seeds."""
    print("a pass is split: one third to test; or whole: drawn from for both")
    for data_name in args.data:
        for angle in (0.0, 0.3, 1.0):
            encoder = Encoder.of(data_name, angle=angle, noise=args.noise)
            for name in ("beta_vae_score", "factor_vae_score"):
                fresh = [FRESH[name](encoder, np.random.default_rng(s)) for s in range(8)]
                mean, spread = np.mean(fresh), np.std(fresh, ddof=1)
                print(
                    f"{name}, {data_name}, angle {angle}: fresh draws {mean:.4f}, sd {spread:.4f}"
                )
                for n in args.passes:
                    print(f"  {n:7,} images: {_errors(name, encoder, n, mean)}", flush=True)


def _errors(name: str, encoder: Encoder, n: int, mean: float) -> str:
    split, whole = [], []
    for seed in range(6):
        data = draw(encoder, n - n // 3, n // 3, seed=100 + seed)
        z, v = np.concatenate([data.z, data.z_test]), np.concatenate([data.v, data.v_test])
        split.append(ours(name, data, split=True) - mean)
        whole.append(ours(name, Arrays(z, v, z, v)) - mean)
    parts = zip(("split", "whole"), (split, whole), strict=True)
    return "; ".join(
        f"{word}: bias {np.mean(x):+.4f}, error of one pass {np.sqrt(np.mean(np.square(x))):.4f}"
        for word, x in parts
    )


def _groups(encoder: Encoder, rng: np.random.Generator, n: int, batches: int) -> Iterator[tuple]:
    """Which factor is held, and `batches` batches of codes that share it, per pair or per batch."""
    for _ in range(0, n, 250):
        held = rng.integers(len(encoder.sizes), size=250)
        v = [encoder.factors(250 * BATCH, rng).reshape(250, BATCH, -1) for _ in range(batches)]
        points = np.arange(250)
        shared = v[0][points, :, held] if batches == 2 else v[0][points, :1, held]
        v[-1][points, :, held] = shared
        codes = (encoder.codes(x.reshape(250 * BATCH, -1), rng) for x in v)
        yield held, *(z.reshape(250, BATCH, -1) for z in codes)


def fresh_beta_vae_score(encoder: Encoder, rng: np.random.Generator) -> float:
    """As `plain_beta_vae_score`, many points at a time."""
    from sklearn.linear_model import LogisticRegression

    def points(n: int) -> tuple[np.ndarray, np.ndarray]:
        drawn = [(np.abs(a - b).mean(axis=1), k) for k, a, b in _groups(encoder, rng, n, 2)]
        return tuple(map(np.concatenate, zip(*drawn, strict=True)))

    return float(LogisticRegression().fit(*points(POINTS)).score(*points(EVALUATED)))


def fresh_factor_vae_score(encoder: Encoder, rng: np.random.Generator) -> float:
    """As `plain_factor_vae_score`, many votes at a time; all codes are active."""
    scale = encoder.codes(encoder.factors(POINTS, rng), rng).var(axis=0, ddof=1)

    def votes(n: int) -> np.ndarray:
        counts = np.zeros((len(encoder.sizes), len(scale)), int)
        for held, z in _groups(encoder, rng, n, 1):
            np.add.at(counts, (held, (z.var(axis=1) / scale).argmin(axis=1)), 1)
        return counts

    fit, scored = votes(POINTS), votes(EVALUATED)
    return float(scored[fit.argmax(axis=0), np.arange(len(scale))].sum() / scored.sum())


FRESH = {
    "beta_vae_score": fresh_beta_vae_score,
    "factor_vae_score": fresh_factor_vae_score,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--metrics", nargs="+", default=list(SIX))
    parser.add_argument("--data", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--samples", type=int, default=10_000)
    parser.add_argument("--codes", type=int, default=10)
    parser.add_argument("--angle", type=float, default=1.0)
    parser.add_argument("--noise", type=float, default=0.3)
    parser.add_argument("--skip-plain", nargs="*", default=[], metavar="METRIC")
    parser.add_argument("--plain-rounds", type=int, default=ROUNDS)
    parser.add_argument("--rows", type=int, help="up to how many rows to show the cost of")
    parser.add_argument("--convergence", action="store_true")
    passes = [1_000, 2_000, 5_000, 10_000, 20_000, 50_000]
    parser.add_argument("--passes", type=int, nargs="+", default=passes, help="sizes of a pass")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    if args.one:
        one_size(args.one[0], args.one[1], int(args.one[2]))
    elif args.convergence:
        convergence(args)
    elif args.rows:
        cost_of_rows(args)
    else:
        against_plain(args)


if __name__ == "__main__":
    main()
