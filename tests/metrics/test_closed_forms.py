"""Values on complete grids that can be worked out on paper, and what holds for any codes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gordium.metrics import METRICS, PROPERTIES, score

BITS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
A, B = BITS.T
FOUR = np.array(np.unravel_index(np.arange(16), (2, 2, 2, 2))).T  # four independent bits
CIRCLE = np.array(np.unravel_index(np.arange(16), (8, 2))).T  # eight angles, and a bit
ANGLE = 2 * np.pi * CIRCLE[:, 0] / 8
LOG_2 = np.log(2)
LOW = 2 - 0.75 * np.log2(3) - 0.5  # bits: I(a & b; a) = H(1/4) - 1/2 H(1/2)

CASES = {
    # The factors themselves, in any order, of any sign and scale.
    "perfect": (BITS, BITS),
    "permuted": (BITS[:, ::-1], BITS),
    "flipped": (BITS * [1, -1], BITS),
    "scaled": (BITS * [8, 0.25], BITS),
    "duplicated": (BITS[:, [0, 1, 0, 1]], BITS),
    # Two bits that have nothing to do with the two factors.
    "independent": (FOUR[:, 2:], FOUR[:, :2]),
    "and gate": (np.stack([A, A & B], axis=1), BITS),
    # Rounded: sin(pi) is not 0, and 0 is the edge of a bin.
    "sine and cosine": (
        np.round(np.stack([np.sin(ANGLE), np.cos(ANGLE), CIRCLE[:, 1]], axis=1), 9),
        CIRCLE,
    ),
}
GOOD = {
    **dict.fromkeys(("mig", "mig_equal_frequency", "modularity", "irs", "mcc", "infomec"), 1.0),
    **dict.fromkeys(("infomec.explicitness", "infomec.compactness"), 1.0),
    **dict.fromkeys(("gaussian_total_correlation", "wasserstein_correlation"), 0.0),
    "code_mutual_information": 0.0,
}
EXPECTED = {
    "perfect": GOOD,
    "permuted": GOOD,
    "flipped": GOOD,
    # A code of a 32nd of the range of another is inactive to infomec: 1 of the 2 is left.
    "scaled": {name: value for name, value in GOOD.items() if not name.startswith("infomec")},
    "duplicated": {
        "mig": 0.0,
        "mig_equal_frequency": 0.0,
        "sap": 0.0,
        "disentanglement_score": 0.0,
        "modularity": 1.0,
        "irs": 1.0,
        "mcc": 1.0,
        "infomec": 1.0,
        # Two of four codes tell of a factor: (1/2 - 1/4) / (3/4).
        "infomec.compactness": 1 / 3,
        "gaussian_total_correlation": np.inf,
        # Two of the six pairs share a bit.
        "code_mutual_information": LOG_2 / 3,
    },
    "independent": {
        **dict.fromkeys(("mig", "mig_equal_frequency", "sap", "modularity", "irs", "mcc"), 0.0),
        **dict.fromkeys(("infomec", "infomec.compactness"), 0.0),
        "gaussian_total_correlation": 0.0,
        "code_mutual_information": 0.0,
    },
    "and gate": {
        # Factor a leaves a gap of 1 - h, factor b one of h - 0.
        "mig": 0.5,
        "mig_equal_frequency": 0.5,
        # Code a is modular, and a & b tells equally much of both factors.
        "modularity": 0.5,
        # M is 1/2 and 3/4. Holding a, the gate moves by 0 or 1/2: (1/2 + 3/4 (1 - 1/3)) / (5/4).
        "irs": 0.8,
        # The correlation of the gate with b is (1/8) / sqrt(3/16 1/4).
        "mcc": (1 + 1 / np.sqrt(3)) / 2,
        "gaussian_total_correlation": -0.5 * np.log(1 - 1 / 3),
        "code_mutual_information": LOW * LOG_2,
    },
    "sine and cosine": {
        # The angle is told equally by both, the bit by its own code.
        "mig": 0.5,
        "mig_equal_frequency": 0.5,
        "modularity": 1.0,
        "irs": 1.0,
        "infomec": 1.0,
        # (1/2 - 1/3) / (2/3) for the angle, 1 for the bit.
        "infomec.compactness": 0.625,
        "gaussian_total_correlation": 0.0,
        # 2 H(sin) - H(angle) = 2 * 2.25 - 3 bits in one of three pairs.
        "code_mutual_information": 0.5 * LOG_2,
    },
}


@pytest.mark.parametrize("case", CASES)
def test_complete_grids_score_what_paper_says(case):
    codes, factors = (np.tile(array, (12, 1)) for array in CASES[case])
    expected = EXPECTED[case]
    names = {name.partition(".")[0] for name in expected}
    found = score(codes, factors, metrics=sorted(names))
    for name, value in expected.items():
        # infomec stops fitting after a hundred steps, when the loss is not quite 0.
        within = 1e-3 if name == "infomec.explicitness" else 1e-9
        assert found[name] == pytest.approx(value, abs=within), name


def test_a_code_of_a_32nd_of_the_range_is_inactive_to_infomec():
    codes, factors = (np.tile(array, (12, 1)) for array in CASES["scaled"])
    found = METRICS["infomec"](codes, factors)
    assert found.is_active.tolist() == [True, False]


@pytest.mark.parametrize("name", METRICS)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n_dead=st.integers(0, 3), at=st.sampled_from([0, 0.1, -7]))
def test_any_codes_dead_ones_too_score_within_the_range(name, seed, n_dead, at):
    rng = np.random.default_rng(seed)
    factors = rng.integers((2, 3), size=(90, 2))
    factors[:3], factors[-3:] = [[0, 0], [1, 1], [0, 2]], [[0, 0], [1, 1], [0, 2]]
    codes = factors @ rng.standard_normal((2, 3)) + rng.uniform(0, 2) * rng.standard_normal((90, 3))
    codes[:, rng.permutation(3)[:n_dead]] = at
    found = score(codes, factors, metrics=(name,), log_variances=np.full((90, 3), -2.0))
    declared = PROPERTIES[name]
    assert declared.least - 1e-9 <= found[name] <= declared.greatest + 1e-9
