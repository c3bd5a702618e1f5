"""Five Unix users share a `qwinkle serve --socket` that another Unix user runs.

Each reads and writes as themselves with the real program. None can act as another user, or read another user's direct
messages: through the socket, from files, from /proc, from the access log or from a backup. Only root can act as several
users, so the session is skipped for everyone else.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from checks import PATIENCE, Checks
from unix_users import UnixUser, add_names, can_connect, opened, prepared_program, readable_text, write_attempts

FIRST_UID = 61001
PEOPLE = 5
SECRET = "the-secret-of-"


class UsersSession(Checks):
    def __init__(self, program, _):
        super().__init__("five users")
        self.built = program

    def run(self):
        if os.geteuid() != 0:
            print("five users: skipped, as only root can act as several users.")
            return 0
        # Not in the folder of the other sessions: other users can't enter it.
        with tempfile.TemporaryDirectory(prefix="qwinkle-users-") as folder:
            os.chmod(folder, 0o755)
            self.folder = Path(folder)
            self.prepare()
            if not add_names([self.service, *self.people], self.folder):
                print("five users: skipped, as this system allows no mounts.")
                return 0
            self.start()
            try:
                self.take([
                    self.everyone_posts, self.everyone_reads_all_posts, self.everyone_sends_a_message,
                    self.only_participants_read_messages, self.nobody_writes_as_another, self.tokens_belong_to_a_user,
                    self.streams_have_no_messages_of_others, self.data_files_are_closed, self.the_socket_stays,
                    self.processes_are_closed, self.homes_are_closed, self.the_log_has_no_text,
                    self.a_backup_is_closed,
                ])
            finally:
                self.server.terminate()
                try:
                    self.server.wait(PATIENCE)
                except subprocess.TimeoutExpired:
                    self.server.kill()
            self.check("the server ends with status 0", self.server.returncode == 0, self.server.returncode)
            complaints = (self.folder / "errors").read_text()
            self.check("the server complains of nothing", not complaints, complaints)
        return self.end()

    def check(self, what, is_so, found=""):
        if is_so:
            print(f"{self.client}: ok: {what}", flush=True)
        super().check(what, is_so, found)

    # The server

    def prepare(self):
        self.program, self.environment = prepared_program(self.built, self.folder / "bin")
        homes = self.folder / "homes"
        homes.mkdir()
        self.service = UnixUser(FIRST_UID - 1, homes / "service")
        self.service.home.chmod(0o700)
        self.people = [UnixUser(FIRST_UID + number, homes / f"user{number}") for number in range(PEOPLE)]
        for name in ("run", "log", "backup"):
            (self.folder / name).mkdir()
            os.chown(self.folder / name, self.service.uid, self.service.uid)
        self.socket = self.folder / "run/qwinkle.sock"
        self.log = self.folder / "log/access.log"
        # The folder above is open, so that only the mode of the data folder protects it.
        (self.folder / "state").mkdir()
        os.chown(self.folder / "state", self.service.uid, self.service.uid)
        self.data = self.folder / "state/data"

    def start(self):
        with open(self.folder / "errors", "w") as errors:
            self.server = self.service.start(
                [self.program, "serve", "--socket", self.socket, "--data", self.data, "--access-log", self.log],
                self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
        deadline = time.monotonic() + PATIENCE
        while not can_connect(self.socket):
            if self.server.poll() is not None or time.monotonic() > deadline:
                self.server.kill()
                sys.exit("qwinkle serve --socket doesn't listen.\n" + (self.folder / "errors").read_text())
            time.sleep(0.05)

    # Steps

    def everyone_posts(self):
        for user in self.people:
            status, _, errors = self.qwinkle(user, "post", f"The post of {user.name}")
            self.check(f"{user.name} posts", status == 0, errors)

    def everyone_reads_all_posts(self):
        self.posts = {}
        for user in self.people:
            status, output, errors = self.qwinkle(user, "timeline", "public", "--json", "--limit", "40")
            authors = {text_of(post): post["account"]["username"] for post in loaded(output)}
            right = {f"The post of {other.name}": other.name for other in self.people}
            self.check(
                f"{user.name} reads each post with its author", status == 0 and right.items() <= authors.items(),
                f"{authors} {errors}")
            status, output, errors = self.qwinkle(user, "timeline", "home", "--json")
            mine = {post["account"]["username"] for post in loaded(output)}
            is_own = status == 0 and mine == {user.name}
            self.check(f"{user.name}'s home has only own posts", is_own, f"{mine} {errors}")
            for post in loaded(output):
                self.posts[user.name] = post["id"]

    def everyone_sends_a_message(self):
        for user, other in self.pairs():
            # On the command line, other users could see the text in the list of processes.
            status, _, errors = self.qwinkle(user, "message", f"@{other.name}", text=SECRET + user.name)
            self.check(f"{user.name} sends {other.name} a message", status == 0, errors)

    def only_participants_read_messages(self):
        self.messages = {}
        for index, user in enumerate(self.people):
            status, output, errors = self.qwinkle(user, "messages", "--json")
            mine = {SECRET + self.people[index - 1].name, SECRET + user.name}
            found = set(re.findall(SECRET + r"user\d+", output))
            is_right = status == 0 and found == mine
            self.check(f"{user.name} reads exactly the own messages", is_right, f"{found} {errors}")
            for conversation in loaded(output):
                post = conversation["last_status"]
                self.messages[text_of(post).split()[-1]] = (post["id"], conversation["id"])
        for user in self.people:
            for secret, (post, conversation) in self.messages.items():
                if self.is_of(user, secret):
                    continue
                status, text = user.ask(self.socket, "GET", f"/api/v1/statuses/{post}")
                self.check(f"{user.name} can't open {secret}", status == 404 and SECRET not in text, (status, text))
                self.refused(user, "POST", f"/api/v1/conversations/{conversation}/read", f"mark {secret} as read")
                self.refused(user, "GET", f"/api/v1/statuses/{post}/context", f"open the thread of {secret}")
            for target in (
                f"/api/v2/search?q={SECRET}", "/api/v1/timelines/public?limit=40", "/api/v1/notifications",
                "/api/v1/conversations", "/api/v1/timelines/home?limit=40",
            ):
                status, text = user.ask(self.socket, "GET", target)
                others = [secret for secret in re.findall(SECRET + r"user\d+", text) if not self.is_of(user, secret)]
                self.check(f"{user.name} finds no message of others at {target}", not others, f"{status} {others}")

    def nobody_writes_as_another(self):
        for user, other in self.pairs():
            claims = {
                "X-Forwarded-User": other.name, "Remote-User": other.name, "X-Uid": other.uid,
                "Cookie": f"user={other.name}",
            }
            status, text = user.ask(self.socket, "GET", "/api/v1/accounts/verify_credentials", fields=claims)
            self.check(
                f"{user.name} stays the same with headers that name {other.name}",
                status == 200 and json.loads(text)["username"] == user.name, text)
            for field in ("X-Forwarded-For", "Forwarded", "X-Real-IP"):
                status, text = user.ask(
                    self.socket, "GET", "/api/v1/accounts/verify_credentials", fields={field: "127.0.0.1"})
                self.check(f"a proxy of {user.name} with {field} is refused", status == 403, (status, text))
            post = self.posts[other.name]
            self.refused(user, "DELETE", f"/api/v1/statuses/{post}", f"delete {other.name}'s post")
            self.refused(
                user, "PUT", f"/api/v1/statuses/{post}", f"edit {other.name}'s post", {"status": "changed"})
            self.refused(user, "POST", f"/api/v1/statuses/{post}/pin", f"pin {other.name}'s post")
            for token in ("x", str(other.uid), other.name):
                status, _ = user.ask(
                    self.socket, "GET", "/api/v1/accounts/verify_credentials",
                    fields={"Authorization": f"Bearer {token}"})
                self.check(f"{user.name} can't sign in with the token “{token}”", status == 401, status)

    def tokens_belong_to_a_user(self):
        user, other = self.people[:2]
        status, text = user.ask(self.socket, "POST", "/api/qwinkle/v1/tokens", {"name": "mine"})
        self.check(f"{user.name} makes a token", status == 200 and "access_token" in text, (status, text))
        mine = loaded(user.ask(self.socket, "GET", "/api/qwinkle/v1/tokens")[1])
        self.check(f"{user.name} sees the token in a list", len(mine) >= 1, mine)
        theirs = loaded(other.ask(self.socket, "GET", "/api/qwinkle/v1/tokens")[1])
        ids = {token["id"] for token in mine}
        self.check(f"{other.name} doesn't see it", not ids & {token["id"] for token in theirs}, theirs)
        for token in ids:
            self.refused(other, "DELETE", f"/api/qwinkle/v1/tokens/{token}", f"revoke {user.name}'s token")
        left = {token["id"] for token in loaded(user.ask(self.socket, "GET", "/api/qwinkle/v1/tokens")[1])}
        self.check(f"{user.name}'s token is still valid", ids <= left, left)

    def streams_have_no_messages_of_others(self):
        first, second, third = self.people[:3]
        streams = {user: self.stream(user) for user in (second, third)}
        text = SECRET + first.name + "-streamed"
        try:
            self.wait_for_streams(streams)
            status, _, errors = self.qwinkle(first, "message", f"@{second.name}", text=text)
            self.check(f"{first.name} sends a message while others stream", status == 0, errors)
            # This message is sent later, so the other one would arrive before it.
            self.qwinkle(self.people[4], "message", f"@{third.name}", text="the-end-of-the-stream")
            self.wait("a later message reaches the other stream", lambda: self.has(third, "the-end-of-the-stream"))
            self.wait("the message reaches its receiver", lambda: self.has(second, text))
            self.check(f"the message reaches {second.name}'s stream", self.has(second, text))
            self.check(f"the message doesn't reach {third.name}'s stream", not self.has(third, text))
            for user, process in streams.items():
                paths = [f"/proc/{process.pid}/{name}" for name in ("environ", "mem", "fd", "maps", "cwd")]
                found = first.call(opened, paths)
                self.check(f"{first.name} can't open the memory of {user.name}'s program", found == [], found)
        finally:
            for process in streams.values():
                process.kill()
                process.wait()

    def data_files_are_closed(self):
        paths = [self.data, *self.data.rglob("*")]
        self.check("the data folder has a database", any(path.name == "service.sqlite" for path in paths), paths)
        for user in self.people:
            found = user.call(opened, [str(path) for path in paths])
            self.check(f"{user.name} can't open any of {len(paths)} data files", found == [], found)
        loose = [path for path in paths if path.stat().st_mode & 0o077 and path.stat().st_mode & 0o170000 != 0o140000]
        self.check("the modes of the data files admit only the service", not loose, loose)

    def the_socket_stays(self):
        for user in self.people:
            found = user.call(write_attempts, str(self.socket))
            self.check(f"{user.name} can't replace the socket", found == [], found)
        self.check("the socket still accepts connections", can_connect(self.socket))

    def processes_are_closed(self):
        process = Path(f"/proc/{self.server.pid}")
        names = ("environ", "mem", "maps", "fd", "cwd", "root", "exe", "map_files", "stack", "auxv")
        paths = [str(process / name) for name in names]
        paths += [str(path) for path in (process / "fd").iterdir()]
        for user in self.people:
            found = user.call(opened, paths)
            self.check(f"{user.name} can't open the server's memory and files", found == [], found)
        line = (process / "cmdline").read_bytes().decode()
        self.check("the server's command line has no text of users", SECRET not in line and "post of" not in line, line)

    def homes_are_closed(self):
        for user, other in self.pairs():
            for word in (SECRET, "access_token"):
                found = user.call(readable_text, str(other.home), word)
                self.check(f"{user.name} can't read “{word}” in {other.name}'s home", found == [], found)

    def the_log_has_no_text(self):
        for user in self.people:
            found = user.call(opened, [str(self.log)])
            self.check(f"{user.name} can't open the access log", found == [], found)
        text = self.log.read_text()
        self.check("the access log has requests", text.count("\n") > 2 * PEOPLE, text[:300])
        words = [word for word in (SECRET, "post of", "changed", "mine", "Bearer") if word in text]
        self.check("the access log has no text of users", not words, words)

    def a_backup_is_closed(self):
        backup = self.folder / "backup/backup.sqlite"
        status, _, errors = self.service.run(
            [self.program, "serve", "backup", backup, "--data", self.data], self.environment)
        self.check("the service backs up", status == 0 and backup.exists(), errors)
        paths = [path for path in backup.parent.iterdir()]
        for user in self.people:
            found = user.call(opened, [str(path) for path in paths])
            self.check(f"{user.name} can't open the backup", found == [], found)
            status, output, _ = user.run(
                [self.program, "serve", "users", "list", "--data", self.data], self.environment)
            self.check(f"{user.name} can't use the operator's commands", status != 0 and not output, output)

    # Helpers

    def pairs(self):
        """Returns each user with the next one."""
        return list(zip(self.people, self.people[1:] + self.people[:1]))

    def is_of(self, user, secret):
        """Whether a user sent or received a message."""
        sender = int(re.search(r"user(\d+)", secret).group(1))
        index = sender - FIRST_UID
        return user in (self.people[index], self.people[(index + 1) % PEOPLE])

    def refused(self, user, method, target, what, form=None):
        status, text = user.ask(self.socket, method, target, form)
        self.check(f"{user.name} can't {what}", status in (401, 403, 404, 422) and SECRET not in text, (status, text))

    def qwinkle(self, user, *arguments, text=""):
        return user.run([self.program, "--socket", self.socket, *arguments], self.environment, text)

    def stream(self, user):
        """Starts `qwinkle stream` for the user's direct messages, with output to a file."""
        with open(self.output(user), "w") as output:
            return user.start(
                [self.program, "--socket", self.socket, "stream", "direct", "--json"], self.environment,
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)

    def wait_for_streams(self, streams):
        """Sends messages until all streams show one, as they only show those that are newer than their connection."""
        deadline = time.monotonic() + PATIENCE
        while not all(self.has(user, "a-sign-of-life") for user in streams) and time.monotonic() < deadline:
            for user in streams:
                self.qwinkle(self.people[4], "message", f"@{user.name}", text="a-sign-of-life")
            time.sleep(0.2)
        self.check("the streams are open", all(self.has(user, "a-sign-of-life") for user in streams))

    def output(self, user):
        return self.folder / f"stream-{user.name}"

    def has(self, user, word):
        return word in self.output(user).read_text(errors="replace")


def loaded(text):
    """Returns the array that a command or the server printed, or an empty list if it printed something else."""
    try:
        value = json.loads(text)
    except ValueError:
        return []
    return value if isinstance(value, list) else []


def text_of(post):
    return re.sub("<[^>]*>", "", post["content"])
