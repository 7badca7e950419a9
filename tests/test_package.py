"""The package as a whole: its names, and what it does not import."""

import subprocess
import sys

import pytest

import gordium as gd


@pytest.mark.parametrize("name", gd.__all__)
def test_every_public_name_is_there(name):
    assert getattr(gd, name) is not None


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = gd.nonsense


def test_metrics_and_reports_do_not_load_torch():
    code = "import sys, gordium.metrics, gordium.report; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
