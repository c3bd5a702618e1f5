"""`qwinkle stream home --json` prints each post once and in order while its server is restarted three times."""

import json
import os
import re
import signal
import subprocess
import threading
import time
import urllib.error

from checks import PATIENCE, Checks
from service import Service

POSTS = 2000 if os.environ.get("QWINKLE_SOAK") else 400
RESTARTS = 3


class StreamSession(Checks):
    """anna streams, ben posts."""

    def __init__(self, program, folder):
        super().__init__("qwinkle stream")
        self.program = program
        self.folder = folder
        folder.mkdir()

    def run(self):
        with Service(self.program, self.folder, "--unlimited") as self.service:
            self.take([self.sign_in, self.listen, self.write, self.hear, self.leave])
            complaints = self.service.complaints()
        self.check("the service complains of nothing", not complaints, complaints)
        return self.end(f", {POSTS} posts, {RESTARTS} restarts, {self.failures} requests repeated")

    # Steps

    def sign_in(self):
        self.tokens = {name: self.service.add_qwinker(name, "correct horse") for name in ("anna", "ben")}
        ben = self.ask("ben", "GET", "accounts/verify_credentials")
        self.ask("anna", "POST", f"accounts/{ben['id']}/follow")
        home = self.folder / "home"
        home.mkdir()
        self.environment = {"HOME": str(home), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
        subprocess.run(
            [self.program, "login", self.service.url, "--token-stdin"], input=self.tokens["anna"] + "\n", text=True,
            env=self.environment, check=True, stdout=subprocess.DEVNULL, timeout=PATIENCE)

    def listen(self):
        first = self.ask("ben", "POST", "statuses", {"status": "the first"})
        self.lines = []
        self.process = subprocess.Popen(
            [self.program, "stream", "home", "--json", "--since", first["id"]], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, text=True, env=self.environment)
        self.reader = threading.Thread(target=lambda: self.lines.extend(self.process.stdout))
        self.reader.start()
        # A stream that can't connect at first would exit, so wait until it is open.
        self.ask("ben", "POST", "statuses", {"status": "the second"})
        self.wait("the stream is open", lambda: self.lines)

    def write(self):
        self.failures = 0
        self.written = []
        for number in range(POSTS):
            if number % (POSTS // (RESTARTS + 1)) == POSTS // (2 * (RESTARTS + 1)) and number < POSTS * 3 // 4:
                restart = threading.Thread(target=self.service.restart)
                restart.start()
            self.written.append(self.post_once(f"post {number}")["id"])
        restart.join(PATIENCE)
        self.check("the server restarts", not restart.is_alive(), self.service.complaints())

    def hear(self):
        # Stops waiting after this long without a new line.
        count, since = 0, time.monotonic()
        while len(self.lines) < POSTS + 1 and time.monotonic() - since < PATIENCE:
            if len(self.lines) > count:
                count, since = len(self.lines), time.monotonic()
            time.sleep(0.1)
        # A duplicate may be printed after the last post.
        time.sleep(1)
        posts = [json.loads(line) for line in self.lines[1:]]
        ids = [post["id"] for post in posts]
        self.check("nothing is missing", not set(self.written) - set(ids), sorted(set(self.written) - set(ids))[:5])
        self.check("each post is printed once", len(ids) == len(set(ids)), len(ids))
        wrong = next((n for n, (mine, theirs) in enumerate(zip(ids, self.written)) if mine != theirs), None)
        self.check("in order", ids == self.written, wrong)
        texts = [re.sub("<[^>]*>", "", post["content"]) for post in posts]
        self.check("the texts are there", texts == [f"post {number}" for number in range(POSTS)], texts[:3])

    def leave(self):
        self.process.send_signal(signal.SIGINT)
        self.wait("^C ends it", lambda: self.process.poll() is not None, lambda: self.lines[-1:])
        self.check("its status is 0", self.process.returncode == 0, self.process.returncode)
        self.process.kill()
        self.reader.join(PATIENCE)

    # Requests

    def post_once(self, text):
        """Posts, and retries while the server is down."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return self.ask("ben", "POST", "statuses", {"status": text}, key=text)
            except (urllib.error.URLError, ConnectionError, OSError) as error:
                if isinstance(error, urllib.error.HTTPError) and error.code < 500:
                    raise
                if time.monotonic() > deadline:
                    raise TimeoutError(f"“{text}” is not posted after {PATIENCE} s.") from error
                self.failures += 1
                time.sleep(0.05)

    def ask(self, name, method, path, form=None, key=None):
        fields = {"Idempotency-Key": key} if key else None
        return self.service.ask(self.tokens[name], method, f"v1/{path}", form, fields)
