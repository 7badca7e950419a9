"""What --set makes of a method's fields."""

import pytest
import typer

from gordium.cli import options
from gordium.methods import BetaTCVAE, SlowVAE


def test_numbers_words_and_switches_come_as_what_the_field_is():
    given = ["rate=3", "pairs=uni", "doubled-cross-entropy=true"]
    assert options.method("slow-vae", given) == SlowVAE(
        rate=3, pairs="uni", doubled_cross_entropy=True
    )
    assert options.method("beta-tcvae", ["estimator=even"]) == BetaTCVAE(estimator="even")


@pytest.mark.parametrize(
    ("pair", "error", "text"),
    [
        ("pairs=unn", ValueError, "Did you mean uni"),
        ("doubled_cross_entropy=1", typer.BadParameter, "takes true or false, not '1'"),
        ("rate=fast", typer.BadParameter, "takes name=number, not 'rate=fast'"),
        ("pair=uni", typer.BadParameter, "takes name=number"),
    ],
)
def test_a_wrong_value_is_named(pair, error, text):
    with pytest.raises(error, match=text):
        options.method("slow-vae", [pair])
