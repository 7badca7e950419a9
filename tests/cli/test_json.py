"""What programs read: JSON from every command, names whole in a pipe, completion in a shell."""

import json
import os
import subprocess
import sys

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from gordium.cli.main import app
from gordium.cli.printing import print_json

RUNNER = CliRunner()


def commands(group, name=""):
    for key, command in getattr(group, "commands", {}).items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{name}{key} ")
        else:
            yield f"{name}{key}", command


@pytest.mark.parametrize(("name", "command"), list(commands(get_command(app))))
def test_every_command_has_json_and_a_whole_help(name, command):
    assert any("--json" in option.opts for option in command.params)
    shown = RUNNER.invoke(
        app, [*name.split(), "--help"], terminal_width=400, env={"COLUMNS": "200"}
    )
    assert shown.exit_code == 0
    assert "…" not in shown.stdout
    assert all(getattr(option, "help", "") for option in command.params), "each option is explained"


LISTS = (
    "evaluate --list",
    "datasets list",
    "doctor",
    "clean --dry-run",
    "reproduce --list",
    "zoo list",
)


@pytest.mark.parametrize("line", LISTS)
def test_lists_are_json_for_programs(line):
    found = RUNNER.invoke(app, [*line.split(), "--json"])
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout)


def test_no_name_is_cut_in_a_pipe():
    found = RUNNER.invoke(app, ["reproduce", "--list"], env={"COLUMNS": "40"})
    known = json.loads(RUNNER.invoke(app, ["reproduce", "--list", "--json"]).stdout)
    assert known
    for entry in known:
        assert entry["id"] in found.stdout
        assert entry["about"] in found.stdout


def test_numbers_that_json_does_not_know_are_null(capsys):
    print_json({"a": float("nan"), "b": (1, float("inf"))})
    assert json.loads(capsys.readouterr().out) == {"a": None, "b": [1, None]}


def test_a_shell_completes_commands_and_options():
    asked = {
        "_GORDIUM_COMPLETE": "complete_bash", "COMP_WORDS": "gordium explo", "COMP_CWORD": "1",
    }  # fmt: skip
    script = "import sys; sys.argv = ['gordium']; from gordium.cli import main; main()"
    found = subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, **asked}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert "explore" in found.stdout
