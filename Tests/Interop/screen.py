"""A user of the program's screen: typed keys, the program's output, and the server's state afterwards."""

import html
import os
import re
import subprocess
import tempfile
import time
from pathlib import Path

from checks import PATIENCE, Checks
from pictures import png
from terminal import CHOOSE, ENTER, SAVE, Terminal

PASSWORD = "correct horse"
PEOPLE = ("anna", "ben", "cora")


class Failed(Exception):
    """A check failed, which ends the step."""


class Screen(Checks):
    """anna uses the screen in linear mode, which is for screen readers. ben and cora use the API."""

    def __init__(self, program, folder):
        super().__init__("qwinkle")
        self.program = program
        self.folder = folder
        self.operations = set()
        self.requests = folder / "requests"
        folder.mkdir()

    # Preparing

    def prepare(self):
        """Creates the accounts and starts the program."""
        self.tokens = {name: self.service.add_qwinker(name, PASSWORD) for name in PEOPLE}
        self.ids = {name: self.me(name)["id"] for name in PEOPLE}
        self.start()

    def start(self):
        """Signs in with an empty home directory and starts the program."""
        self.home = Path(tempfile.mkdtemp(prefix="home-", dir=self.folder))
        (self.home / "face.png").write_bytes(png())
        environment = {
            "HOME": str(self.home), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TERM": "xterm-256color",
            "TZ": "UTC", "BROWSER": str(self.browser())}
        subprocess.run(
            [self.program, "login", self.service.url, "--token-stdin"], input=self.tokens["anna"] + "\n", text=True,
            env=environment, check=True, stdout=subprocess.DEVNULL, timeout=PATIENCE)
        self.terminal = Terminal([self.program, "--linear"], environment, self.folder)
        self.shows("it starts", "", "Qwinkle, 2 Home.")
        self.shows("it shows Public", "1", "Public")
        # Long enough to undo each pending action, even on a busy machine.
        self.shows("posts are held", f":set hold 60{ENTER}", "hold: 60")
        self.shows("it knows who is there", "c", "Visibility Public, everyone")
        self.type(CHOOSE + "k")

    def browser(self):
        """Returns the path of a browser that only records the address to open."""
        self.opened = self.home / "opened"
        browser = self.home / "browser"
        browser.write_text(f'#!/bin/sh\necho "$1" >"{self.opened}"\n')
        browser.chmod(0o755)
        return browser

    def page(self):
        """Returns the last address that the browser was asked to open, if any."""
        return self.opened.read_text().strip() if self.opened.exists() else ""

    def take(self, steps):
        """Runs each step from the public timeline up to its first failure. Restarts the program after a failure, so
        that the next steps don't fail for the same reason."""
        for step in steps:
            try:
                self.type("11")
                super().take([step])
            except Failed:
                self.begin_again()
            except (OSError, LookupError) as error:
                super().check(step.__name__.replace("_", " "), False, repr(error))
                self.begin_again()

    def begin_again(self):
        self.terminal.kill()
        self.start()

    # At the screen

    def type(self, keys):
        self.terminal.type(keys)

    def does(self, operation, keys, *words, again=False):
        """Types `keys`, expects `words`, and counts the operation as used."""
        self.shows(operation, keys, *words, again=again)
        self.operations.add(operation)

    def shows(self, what, keys, *words, again=False):
        """Types `keys` and expects the program to write `words` in this order. `again`: repeats the keys until it does,
        as their effect may depend on a response."""
        # After a first failure, the next ones need not take as long.
        patience = PATIENCE if not self.failed else PATIENCE // 6
        said = self.terminal.type(keys, *words, again=again, patience=patience)
        self.check(what, said is None, f"“{'”, “'.join(words)}” did not appear in {patience} s, but: {said}")

    def command(self, operation, line, *words):
        """Performs an operation by a command."""
        self.does(operation, f":{line}{ENTER}", *words)

    def opens(self, status, *words):
        """Opens a post by its URL."""
        self.command("open an address", f"open {status['url']}", "Thread", *words or [plain(status).split("\n")[0]])

    def posts(self, operation, keys, *words):
        """Writes a post, sends it without waiting for the delay, and returns it as stored by the server."""
        self.shows(f"{operation}, held", keys + SAVE, "Posting in 60 s")
        self.does(operation, "gs", *words or ["Posted"])
        return self.newest()

    # At the server

    def check(self, what, is_so, found=""):
        super().check(what, is_so, found)
        if not is_so:
            self.print_logs()
            raise Failed

    def print_logs(self):
        """Prints the last requests to the server and the last lines of the program's log."""
        for log in (self.requests, self.home / ".local/state/qwinkle/log"):
            if log.exists():
                print("".join(f"    {line}\n" for line in log.read_text().splitlines()[-8:]), end="", flush=True)

    def becomes(self, what, value, expected):
        """Waits until the server's value is the expected one."""
        since = time.monotonic()
        while (found := value()) != expected and time.monotonic() - since < PATIENCE:
            time.sleep(0.05)
        self.check(what, found == expected, f"{expected} is expected, not {found}")

    def me(self, name="anna"):
        return self.ask(name, "GET", "accounts/verify_credentials")

    def newest(self, name="anna"):
        return self.ask(name, "GET", f"accounts/{self.ids[name]}/statuses?limit=1")[0]

    def status(self, status, name="anna"):
        """Returns the current state of a post as a user sees it."""
        return self.ask(name, "GET", f"statuses/{status['id']}")

    def has(self, status, name="anna"):
        """Whether a user can read a post."""
        return status["id"] in [found["id"] for found in self.ask(name, "GET", f"statuses?id[]={status['id']}")]

    def write(self, name, text, **form):
        """Posts by the API."""
        return self.ask(name, "POST", "statuses", {"status": text, **form})

    def upload(self, name, description):
        """Uploads a picture by the API."""
        boundary = "a picture follows"
        parts = [("description", description.encode()), ('file"; filename="sign.png', png())]
        body = b"".join(
            f'--{boundary}\r\nContent-Disposition: form-data; name="{part}"\r\n\r\n'.encode() + content + b"\r\n"
            for part, content in parts) + f"--{boundary}--\r\n".encode()
        return self.service.ask(
            self.tokens[name], "POST", "v2/media", body,
            {"Content-Type": f'multipart/form-data; boundary="{boundary}"'})

    def handles(self, path, name="anna"):
        """Returns the handles of a list of accounts."""
        return [person["acct"] for person in self.ask(name, "GET", path)]

    def relationship(self, to, name="anna"):
        return self.ask(name, "GET", f"accounts/relationships?id[]={self.ids[to]}")[0]

    def ask(self, name, method, path, form=None, version=1):
        return self.service.ask(self.tokens[name], method, f"v{version}/{path}", form)


def plain(status):
    """Returns the text of a post without HTML."""
    return html.unescape(re.sub("<[^>]*>", "", re.sub("<br ?/?>|</p><p>", "\n", status["content"])))
