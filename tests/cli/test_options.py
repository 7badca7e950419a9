"""What --set makes of a method's fields."""

import pytest
import typer

from gordium.cli import options
from gordium.methods import ISAVAE, BetaTCVAE, SlowVAE


def test_numbers_words_and_switches_come_as_what_the_field_is():
    given = ["rate=3", "pairs=uni", "doubled-cross-entropy=true"]
    assert options.method("slow-vae", given) == SlowVAE(
        rate=3, pairs="uni", doubled_cross_entropy=True
    )
    assert options.method("beta-tcvae", ["estimator=even"]) == BetaTCVAE(estimator="even")


def test_numbers_with_commas_are_a_tuple_where_the_field_may_be_one():
    assert options.method("isa-vae", ["layout=4,4,2"]) == ISAVAE(layout=(4, 4, 2))
    assert options.method("isa-vae", ["layout=3,", "p0=2"]) == ISAVAE(layout=(3,), p0=2)
    assert options.method("isa-vae", ["layout=5"]) == ISAVAE(layout=5)
    with pytest.raises(typer.BadParameter, match="takes name=number, not 'layout=x'"):
        options.method("isa-vae", ["layout=4,x"])
    with pytest.raises(typer.BadParameter, match="takes name=number, not 'p0=2,1'"):
        options.method("isa-vae", ["p0=2,1"])
    with pytest.raises(ValueError, match="layout must be whole numbers"):
        options.method("isa-vae", ["layout=4,2.5"])


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
