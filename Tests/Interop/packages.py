"""What comes from PyPI."""

import re
import subprocess
import sys

UNREACHABLE = re.compile(
    r"name resolution|NewConnectionError|ConnectTimeout|Connection refused|Network is unreachable|ProxyError|timed out",
    re.IGNORECASE,
)


def install(requirements, folder):
    """The Python of an environment in `folder` with what a file of requirements lists; None where PyPI cannot be reached."""
    environment = folder / "venv"
    made = subprocess.run([sys.executable, "-m", "venv", environment], capture_output=True, text=True)
    if made.returncode != 0:
        sys.exit("python3 -m venv fails: make deps-test installs what it needs.\n" + made.stdout + made.stderr)
    pip = [environment / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    got = subprocess.run(
        [*pip, "--retries", "2", "--timeout", "20", "--requirement", requirements], capture_output=True, text=True
    )
    if got.returncode == 0:
        return environment / "bin/python"
    if UNREACHABLE.search(got.stdout + got.stderr):
        return None
    sys.exit(f"{requirements.name} cannot be installed.\n" + got.stdout + got.stderr)
