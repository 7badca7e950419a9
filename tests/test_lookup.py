"""Unknown names are answered with the nearest known ones."""

import pytest

from gordium.lookup import pick


def test_an_unknown_name_suggests_the_nearest():
    with pytest.raises(ValueError, match=r"unknown method 'betavae'. Did you mean beta-vae"):
        pick("method", "betavae", {"ae": 0, "beta-vae": 1})


def test_a_name_like_no_other_lists_all():
    with pytest.raises(ValueError, match=r"unknown metric 'zzz'. Known: mig, sap"):
        pick("metric", "zzz", {"mig": 0, "sap": 1})
