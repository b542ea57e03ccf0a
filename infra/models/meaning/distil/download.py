"""Fetches what `packages.txt` names, by pip and npm, and checks each by its hash: `python download.py WORK`."""

import hashlib
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def fetch(folder, registry, name, version):
    """The file that came, whatever the registry calls it."""
    inside = folder / registry / f"{name}-{version}".replace("/", "-")
    inside.mkdir(parents=True, exist_ok=True)
    if not any(inside.iterdir()):
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest", "."]
        tool = [*pip, f"{name}=={version}"] if registry == "pypi" else ["npm", "pack", "--silent", f"{name}@{version}"]
        subprocess.run(tool, cwd=inside, check=True)
    return next(inside.iterdir())


def main(work):
    for line in (HERE / "packages.txt").read_text().splitlines():
        registry, name, version, expected = line.split()
        file = fetch(work / "packages", registry, name, version)
        if hashlib.sha256(file.read_bytes()).hexdigest() != expected:
            raise SystemExit(f"{file} is not what packages.txt names")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
