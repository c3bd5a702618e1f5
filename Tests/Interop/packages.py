"""Packages from PyPI, installed once per requirements file."""

import fcntl
import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

BUILD = Path(__file__).resolve().parents[2] / ".build"
UNREACHABLE = re.compile(
    r"name resolution|NewConnectionError|ConnectTimeout|Connection refused|Network is unreachable|ProxyError|timed out",
    re.IGNORECASE,
)


def install(requirements):
    """Returns the Python of an environment in .build with the required packages, or None if PyPI is unreachable.

    Concurrent sessions share the environment: the first one creates it while the others wait.
    """
    version = hashlib.sha256(sys.version.encode() + requirements.read_bytes()).hexdigest()[:16]
    environment = BUILD / f"python-{version}"
    BUILD.mkdir(exist_ok=True)
    with (BUILD / "python.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        # Written last, so that an interrupted installation is repeated.
        complete = environment / "complete"
        if not complete.exists() and not make(environment, requirements):
            return None
        complete.touch()
    return environment / "bin/python"


def make(environment, requirements):
    """Creates the environment. Returns false if PyPI is unreachable; exits on any other failure."""
    shutil.rmtree(environment, ignore_errors=True)
    made = subprocess.run([sys.executable, "-m", "venv", environment], capture_output=True, text=True)
    if made.returncode != 0:
        sys.exit("python3 -m venv fails: make deps-test installs what it needs.\n" + made.stdout + made.stderr)
    pip = [environment / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    got = subprocess.run(
        [*pip, "--retries", "2", "--timeout", "20", "--requirement", requirements], capture_output=True, text=True
    )
    if got.returncode == 0:
        return True
    if UNREACHABLE.search(got.stdout + got.stderr):
        return False
    sys.exit(f"{requirements.name} cannot be installed.\n" + got.stdout + got.stderr)
