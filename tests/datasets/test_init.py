import re

import pytest

from gordium.datasets import Modified, from_declaration, list_datasets, load_dataset


def test_the_sets_that_need_no_file_come_first():
    variants = ["color-dsprites", "noisy-dsprites", "scream-dsprites"]
    like = ["cars3d-like", "smallnorb-like", "faces3d-like"]
    assert list_datasets()[:8] == ["dsprites", *variants, "shapes3d", *like]


def test_an_unknown_name_gets_a_suggestion():
    with pytest.raises(ValueError, match=r"unknown data set 'shape3d'. Did you mean shapes3d"):
        load_dataset("shape3d")


def test_an_unknown_option_is_told_the_known_ones():
    message = "data set 'dsprites' has no option width; it has size, path, verify, source."
    with pytest.raises(TypeError, match=re.escape(message)):
        load_dataset("dsprites", width=3)


def test_a_modified_set_needs_the_maker_of_its_change():
    class Still:
        epsilon = 0.0
        declaration = {"of": "nothing"}  # noqa: RUF012
        factors = load_dataset("shapes3d").factors

    modified = Modified(load_dataset("shapes3d", size=16), Still())
    with pytest.raises(ValueError, match="give load_change"):
        from_declaration(modified.declaration)
    assert from_declaration(modified.declaration, lambda _: modified.change) == modified


def test_an_unknown_variant_is_named():
    base = load_dataset("shapes3d", size=16).declaration
    with pytest.raises(ValueError, match=r"unknown variant 'nosy'. Did you mean noisy"):
        from_declaration({"variant": "nosy", "base": base})
