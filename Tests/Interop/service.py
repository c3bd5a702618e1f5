"""The service that the clients are tested with."""

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request
from pathlib import Path

from checks import PATIENCE

ROOT = Path(__file__).resolve().parents[2]


def built_program(arguments):
    """Returns the program to serve with: the first argument, or the debug build."""
    program = Path(arguments[0] if arguments else ROOT / ".build/debug/qwinkle").resolve()
    if not os.access(program, os.X_OK):
        sys.exit(f"{program} is not there. Build it first: swift build.")
    return program


class Service:
    """A running `qwinkle serve`, with its own home directory."""

    def __init__(self, program, folder, *options):
        self.program = program
        self.data = folder / "data"
        home = folder / "service-home"
        home.mkdir()
        rules = folder / "rules"
        rules.write_text("Water in the evening.\nNo leeks.\n")
        self.options = ["--open-registration", "--rules", rules, *options]
        self.environment = {"HOME": str(home), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}

    def __enter__(self):
        self.errors = tempfile.TemporaryFile("w+")
        self.start("127.0.0.1:0")
        return self

    def start(self, address):
        self.process = subprocess.Popen(
            [self.program, "serve", "--bind", address, "--data", self.data, *self.options],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.errors, text=True, env=self.environment,
        )
        # Killing the process also ends the read below.
        limit = threading.Timer(PATIENCE, self.process.kill)
        limit.start()
        line = self.process.stdout.readline()
        limit.cancel()
        found = re.search(r"http://127\.0\.0\.1:\d+", line)
        if not found:
            self.__exit__()
            sys.exit(f"qwinkle serve prints no address within {PATIENCE} s.\n" + line + self.complaints())
        self.url = found.group()

    def restart(self):
        """Restarts the service at the same address. Another test may use the port for a moment."""
        self.__exit__()
        address = self.url.removeprefix("http://")
        deadline = time.monotonic() + PATIENCE
        while self.is_taken(address) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.start(address)

    @staticmethod
    def is_taken(address):
        """Whether the port of an address is in use."""
        host, port = address.rsplit(":", 1)
        with socket.socket() as probe:
            # Ignores recently closed connections, as the server does.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, int(port)))
            except OSError:
                return True
        return False

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            sys.exit(f"qwinkle serve does not end within {PATIENCE} s of SIGTERM.\n" + self.complaints())

    def complaints(self):
        """Returns the standard error output so far."""
        self.errors.seek(0)
        return self.errors.read()

    def add_qwinker(self, name, password):
        """Adds a user and returns their token."""
        return subprocess.run(
            [self.program, "serve", "add-user", name, "--data", self.data, "--password-stdin"],
            input=password + "\n", stdout=subprocess.PIPE, text=True, env=self.environment, check=True,
            timeout=PATIENCE,
        ).stdout.split()[0]

    def ask(self, token, method, path, form=None, fields=None):
        """Returns the JSON response to a request below `/api/`. If `form` is bytes, `fields` must name its type."""
        body = form if isinstance(form, bytes) else urllib.parse.urlencode(form or {}, doseq=True).encode()
        request = urllib.request.Request(
            f"{self.url}/api/{path}", body if method != "GET" else None,
            {"Authorization": f"Bearer {token}", **(fields or {})}, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=PATIENCE) as answer:
            return json.load(answer)
