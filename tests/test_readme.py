"""The README's promises: its example prints what it says, and its commands are what the project has."""

import re
import subprocess
import sys
from pathlib import Path

from tests.test_cli import cli

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(marker: str) -> str:
    """The fenced block that follows a marker."""
    return re.search(rf"<!-- {marker} -->\n```\w+\n(.*?)```", README, re.DOTALL).group(1)


def test_example_prints_the_output_shown():
    command = [sys.executable, "-c", block("example")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout == block("output")
    assert len([line for line in block("example").splitlines() if line.strip()]) <= 10


def test_every_option_shown_exists():
    for line in re.findall(r"^python -m aklo (.*?)(?:  #.*)?$", README, re.MULTILINE):
        if line.split()[0].isupper():
            continue
        command, *words = line.split()
        code, shown, _ = cli(command, "--help")
        assert code == 0
        for word in words:
            if word.startswith("-"):
                assert re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", shown), f"{word} in: {line}"
