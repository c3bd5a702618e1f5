"""What the running program does at a service: a person types its keys in a terminal, line by line as screen readers have
it, and the server is asked afterwards what became of that."""

import fcntl
import os
import pty
import signal
import struct
import subprocess
import termios
import threading
import time

from checks import Checks
from pictures import png
from service import Service

PATIENCE = 60
ROWS, COLUMNS = 50, 200
ENTER, ESCAPE, TAB, ERASE_LINE, SAVE, CHOOSE = "\r", "\x1b", "\t", "\x15", "\x04", "\x18"


class ScreenSession(Checks):
    """anna sits at the screen, ben writes."""

    def __init__(self, program, folder):
        super().__init__("qwinkle")
        self.program = program
        self.folder = folder
        folder.mkdir()

    def run(self):
        with Service(self.program, self.folder) as self.service:
            self.take([
                self.sign_in, self.start, self.lists, self.filters, self.schedule, self.follow_tags, self.announcements,
                self.trends, self.show_face, self.leave_out, self.leave,
            ])
            complaints = self.service.complaints()
        self.check("the service complains of nothing", not complaints, complaints)
        return self.end()

    # Steps

    def sign_in(self):
        self.tokens = {name: self.service.add_qwinker(name, "correct horse") for name in ("anna", "ben")}
        self.ids = {name: self.ask(name, "GET", "accounts/verify_credentials")["id"] for name in self.tokens}
        self.ask("ben", "POST", "statuses", {"status": "The kiosk is open. #garden"})
        self.ask("anna", "POST", f"accounts/{self.ids['ben']}/follow")
        home = self.folder / "home"
        home.mkdir()
        (home / "face.png").write_bytes(png())
        self.environment = {
            "HOME": str(home), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "TZ": "UTC"}
        subprocess.run(
            [self.program, "login", self.service.url, "--token-stdin"], input=self.tokens["anna"] + "\n", text=True,
            env=self.environment, check=True, stdout=subprocess.DEVNULL)

    def start(self):
        self.terminal = Terminal([self.program, "--linear"], self.environment, self.folder)
        self.shows("the newest qwink", "", "The kiosk is open.")

    def lists(self):
        self.shows("no list yet", ":lists" + ENTER, "You have no lists")
        self.shows("a list is made", "cKiosks" + ENTER, "Created")
        made = self.ask("anna", "GET", "lists")
        self.check("the server has it", [item["title"] for item in made] == ["Kiosks"], made)
        self.shows("nobody is on it", "m", "Nobody is on this list")
        self.shows("somebody is added", "cben" + ENTER, "@ben added")
        people = self.ask("anna", "GET", f"lists/{made[0]['id']}/accounts")
        self.check("the server has them", [person["acct"] for person in people] == ["ben"], people)
        self.type("q")
        self.shows("it opens", ENTER, "The kiosk is open.")
        self.type("q")
        self.shows("it is renamed", "e" + ERASE_LINE + "Shops" + ENTER, "Renamed")
        self.becomes("its name", lambda: [item["title"] for item in self.ask("anna", "GET", "lists")], ["Shops"])
        self.shows("it is deleted", "dy", "You have no lists")
        self.becomes("no list is left", lambda: self.ask("anna", "GET", "lists"), [])
        self.type("q")

    def filters(self):
        self.shows("no filter yet", ":filters" + ENTER, "You have no filters")
        self.shows("a form", "c", "New filter")
        self.shows("a filter is made", "Menus" + TAB + "menu, price*" + SAVE, "warns")
        made = self.ask("anna", "GET", "filters", version=2)
        found = [(item["title"], {word["keyword"]: word["whole_word"] for word in item["keywords"]}) for item in made]
        self.check("the server has it", found == [("Menus", {"menu": True, "price": False})], made)
        self.shows("it is deleted", "dy", "You have no filters")
        self.becomes("no filter is left", lambda: self.ask("anna", "GET", "filters", version=2), [])
        self.type("q")

    def schedule(self):
        self.type("cThe boat leaves at nine." + CHOOSE + "t2h" + ENTER)
        self.shows("it is planned", SAVE, "Scheduled for")
        self.shows("it is listed", ":scheduled" + ENTER, "The boat leaves at nine.")
        planned = self.ask("anna", "GET", "scheduled_statuses")
        self.check("the server has it", len(planned) == 1, planned)
        self.shows("it gets another time", "e3d" + ENTER, "Published at")
        self.becomes(
            "the other time",
            lambda: self.ask("anna", "GET", "scheduled_statuses")[0]["scheduled_at"] > planned[0]["scheduled_at"], True)
        self.shows("it is cancelled", "dy", "Nothing is scheduled")
        self.becomes("nothing is planned", lambda: self.ask("anna", "GET", "scheduled_statuses"), [])
        self.type("q")

    def follow_tags(self):
        self.shows("none is followed", ":followed-tags" + ENTER, "You follow no hashtags")
        self.shows("one is followed", "cgarden" + ENTER, "#garden")
        self.becomes("the server knows", self.followed, ["garden"])
        self.shows("it opens", ENTER, "The kiosk is open.")
        self.type("q")
        self.shows("it is unfollowed", "d", "Unfollowed #garden")
        self.becomes("none is left", self.followed, [])
        self.shows("u undoes that", "u", "#garden")
        self.becomes("it is back", self.followed, ["garden"])
        self.type("q")

    def announcements(self):
        self.shows("there are none", ":announcements" + ENTER, "No announcements")
        self.type("q")

    def trends(self):
        self.shows("there are none", ":trends" + ENTER, "Trending qwinks")
        self.type("q")

    def show_face(self):
        self.shows("an avatar is sent", ":avatar ~/face.png" + ENTER, "Avatar saved")
        self.check("the server has it", "/media/" in self.me()["avatar"], self.me()["avatar"])
        self.shows("it is removed", ":avatar none" + ENTER, "Avatar removed")
        self.check("the server has none", "/media/" not in self.me()["avatar"], self.me()["avatar"])

    def leave_out(self):
        self.shows("search finds it", ":search kiosk" + ENTER, "The kiosk is open.")
        self.shows("its author is muted", "M", "Muted @ben")
        muted = self.ask("anna", "GET", "mutes")
        self.check("the server knows", [person["acct"] for person in muted] == ["ben"], muted)
        self.shows("u undoes that", "u", "@ben unmuted")
        self.becomes("nobody is muted", lambda: self.ask("anna", "GET", "mutes"), [])

    def leave(self):
        self.type("1")
        self.shows("it asks", "q", "Quit Qwinkle?")
        self.type("y")
        self.check("it ends with 0", self.terminal.end() == 0, self.terminal.text[-500:])

    # Asking

    def type(self, keys):
        self.terminal.type(keys)

    def shows(self, what, keys, words):
        """Types `keys`, after which the program writes `words`."""
        said = self.terminal.type(keys, words)
        self.check(what, said is None, said)

    def becomes(self, what, value, expected):
        """The server has what is expected, now or soon."""
        since = time.monotonic()
        while (found := value()) != expected and time.monotonic() - since < PATIENCE:
            time.sleep(0.05)
        self.check(what, found == expected, found)

    def followed(self):
        return [tag["name"] for tag in self.ask("anna", "GET", "followed_tags")]

    def me(self):
        return self.ask("anna", "GET", "accounts/verify_credentials")

    def ask(self, name, method, path, form=None, version=1):
        return self.service.ask(self.tokens[name], method, f"v{version}/{path}", form)


class Terminal:
    """A program in a terminal that only collects what it writes."""

    def __init__(self, command, environment, folder):
        self.text = ""
        self.changed = threading.Condition()
        self.process_id, self.side = pty.fork()
        if self.process_id == 0:
            os.chdir(folder)
            os.execve(command[0], command, environment)
        fcntl.ioctl(self.side, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        while True:
            try:
                written = os.read(self.side, 65536)
            except OSError:
                return
            if not written:
                return
            with self.changed:
                self.text += written.decode(errors="replace")
                self.changed.notify()

    def type(self, keys, words=None):
        """Waits until `words` come after `keys`. Returns what came instead; None if they did."""
        with self.changed:
            start = len(self.text) if keys else 0
        os.write(self.side, keys.encode())
        if words is None:
            return None
        with self.changed:
            came = self.changed.wait_for(lambda: words in self.text[start:], PATIENCE)
            return None if came else self.text[start:]

    def end(self):
        """Its exit status; None if it does not end."""
        since = time.monotonic()
        while time.monotonic() - since < PATIENCE:
            done, status = os.waitpid(self.process_id, os.WNOHANG)
            if done:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.05)
        os.kill(self.process_id, signal.SIGKILL)
        os.waitpid(self.process_id, 0)
        return None
