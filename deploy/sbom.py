"""Prints what a package of Tesela is made of, as CycloneDX 1.5.

Usage: sbom.py VERSION PACKAGE.deb

Debian's libraries are those that the package depends on, in the versions installed here; the
packages of the page are those of package-lock.json that are not only for development.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]


def output_of(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def libraries(package: str) -> list[dict]:
    depends = output_of("dpkg-deb", "--field", package, "Depends")
    names = {re.split(r"[ (|]", one.strip())[0] for one in depends.split(",")}
    query = output_of("dpkg-query", "--show", "--showformat", "${Package} ${Version}\n",
                      *sorted(names))
    return [{"type": "library", "name": name, "version": version,
             "purl": f"pkg:deb/debian/{name}@{version}?distro=bookworm"}
            for name, _, version in (line.partition(" ") for line in query.splitlines())
            if version]


def page() -> list[dict]:
    lock = json.loads((ROOT / "clients/package-lock.json").read_text())
    return [{"type": "library", "name": name, "version": entry["version"],
             "purl": f"pkg:npm/{name.replace('@', '%40')}@{entry['version']}"}
            for path, entry in sorted(lock["packages"].items())
            # Our own packages are links there, and folders without a path.
            if "version" in entry and not entry.get("dev")
            and (name := path.partition("node_modules/")[2])]


def main(version: str, package: str) -> None:
    print(json.dumps({
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": {"component": {"type": "application", "name": "tesela", "version": version,
                                   "licenses": [{"license": {"id": "Apache-2.0"}}]}},
        "components": libraries(package) + page()}, indent=1))


if __name__ == "__main__":
    main(*sys.argv[1:])
