"""Downloads the packages in `packages.txt` by pip and npm, and checks their hashes: `python download.py WORK`."""

import hashlib
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def read_packages():
    """Registry, name, version and hash; a further word marks a package for the judge."""
    return [line.split() for line in (HERE / "packages.txt").read_text().splitlines()]


def fetched(work, registry, name, version):
    """The downloaded file, whatever its name."""
    inside = work / "packages" / registry / f"{name}-{version}".replace("/", "-")
    inside.mkdir(parents=True, exist_ok=True)
    if not any(inside.iterdir()):
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest", "."]
        tool = [*pip, f"{name}=={version}"] if registry == "pypi" else ["npm", "pack", "--silent", f"{name}@{version}"]
        subprocess.run(tool, cwd=inside, check=True)
    return next(inside.iterdir())


def main(work):
    for registry, name, version, expected, *_ in read_packages():
        file = fetched(work, registry, name, version)
        if hashlib.sha256(file.read_bytes()).hexdigest() != expected:
            raise SystemExit(f"{file} is not what packages.txt names")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
