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


def test_files_of_the_hosting_section_exist_and_agree():
    section = README.partition("## On a server")[2].partition("\n## ")[0]
    files = re.findall(r"`((?:docs|assets|tests)/[\w./-]+)`", section)
    assert len(files) >= 4 and all((ROOT / file).is_file() for file in files)
    site = (ROOT / "docs/hosting/site.conf").read_text(encoding="utf-8")
    parts = re.findall(r'set \$policy "(?:\$policy )?(.*)";', site)
    policy = " ".join((ROOT / "assets/content-security-policy.txt").read_text(encoding="utf-8").split())
    assert " ".join([*parts, "frame-ancestors 'self'"]) == policy
    limit = int(re.search(r"client_max_body_size (\d+)m;", site).group(1))
    config = (ROOT / ".streamlit/config.toml").read_text(encoding="utf-8")
    assert limit > int(re.search(r"^maxUploadSize = (\d+)", config, re.M).group(1))
