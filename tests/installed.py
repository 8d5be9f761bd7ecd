"""The package, built as a wheel and installed in a virtual environment of its own, away from the repository.

The packages that it depends on are those of the running Python, so that nothing has to be fetched; `.ci/run` installs
the package with all that it needs.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Installed:
    """wheel: the file; programs: the folder of `python` and `aklo`; folder: an empty working directory."""

    wheel: Path
    programs: Path
    folder: Path

    @property
    def env(self) -> dict[str, str]:
        """The environment variables: these programs first, and nothing that leads to the repository."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        return kept | {"PATH": f"{self.programs}{os.pathsep}{kept['PATH']}", "PYTHONIOENCODING": "utf-8"}

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run one of the programs, such as "aklo", in the empty folder."""
        command = [str(self.programs / words[0]), *words[1:]]
        return subprocess.run(
            command, cwd=self.folder, env=self.env, capture_output=True, text=True, encoding="utf-8", timeout=300
        )


def build_wheel(folder: Path) -> Path:
    """Build the wheel into a folder, with the build backend that is installed."""
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--wheel-dir", str(folder)]
    _run(sys.executable, "-m", "pip", "wheel", *options, str(ROOT))
    (wheel,) = folder.glob("*.whl")
    return wheel


def install(folder: Path) -> Installed:
    """Build the wheel and install it in a new virtual environment, both within a folder."""
    wheel = build_wheel(folder / "wheel")
    venv.create(folder / "venv", with_pip=False, symlinks=os.name != "nt")
    programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    python = programs / "python"
    options = ["--no-deps", "--no-index", "--quiet"]
    _run(sys.executable, "-m", "pip", "--python", str(python), "install", *options, str(wheel))
    packages = Path(_run(str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    others = [entry for entry in sys.path if entry.endswith(("site-packages", "dist-packages"))]
    (packages / "packages_of_the_tests.pth").write_text("\n".join(others), encoding="utf-8")
    (folder / "elsewhere").mkdir()
    return Installed(wheel, programs, folder / "elsewhere")


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}:\n{done.stdout}\n{done.stderr}")
    return done.stdout
