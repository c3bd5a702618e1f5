"""Three users of toot. Each step checks toot's output, both JSON and text."""

import json
import signal
import sys
import tempfile
from pathlib import Path

from checks import PATIENCE, Checks
from forked_toot import Toot
from pictures import png
from sign_in import code_from
from toot import api, config


class TootSession(Checks):
    """anna, ben and cora on one service. anna posts, ben replies, and cora must not see their private posts."""

    def __init__(self, url, passwords):
        super().__init__("toot")
        self.url = url
        self.host = url.removeprefix("http://")
        self.passwords = passwords

    def run(self):
        self.take([
            self.sign_in, self.post, self.read, self.reply, self.hear, self.react, self.follow, self.search,
            self.write_privately, self.page, self.tell_of_oneself, self.ask, self.show_pictures, self.plan, self.gather,
            self.keep_away, self.take_back, self.delete, self.sign_out,
        ])

    # Steps

    def sign_in(self):
        refused = self.login("anna", "wrong")
        self.check("a wrong password gives no code", refused is None)
        for name, password in self.passwords.items():
            said = self.login(name, password)
            self.check(f"{name} signs in by code", said is not None and "Successfully logged in" in said, said)
            self.check("who am I", self.json(name, "whoami")["username"] == name)
            self.shown("whoami is shown", name, "whoami", words=f"@{name}")

    def post(self):
        status = self.json("anna", "post", "Frost on the allotment. #Garden <b>&amp;</b> https://example.org/chard")
        self.first = status["id"]
        self.check("what was posted is public", status["visibility"] == "public")
        self.check("a tag is a tag", [tag["name"].lower() for tag in status["tags"]] == ["garden"], status["tags"])
        self.check("markup stays text", "&lt;b&gt;" in status["content"], status["content"])
        self.check("a link is a link", 'href="https://example.org/chard"' in status["content"], status["content"])
        warned = self.json("anna", "post", "The basil dies.", "--spoiler-text", "sad", "--visibility", "unlisted")
        self.check("a warning is kept", warned["spoiler_text"] == "sad" and warned["visibility"] == "unlisted")
        self.warned = warned["id"]

    def read(self):
        public = self.ids("ben", "timelines", "public")
        self.check("it is in the public timeline", self.first in public)
        self.check("what is unlisted is not", self.warned not in public)
        self.check("it is in its author's home", self.first in self.ids("anna", "timelines", "home"))
        self.check("it is filed under its tag", self.ids("ben", "timelines", "tag", "garden") == [self.first])
        self.check(
            "its author's page has both", self.ids("ben", "timelines", "account", "anna") == [self.warned, self.first])
        self.check("it can be asked for", self.json("ben", "status", self.first)["id"] == self.first)
        self.shown("the timeline is shown", "ben", "timelines", "public", "--no-pager", words="Frost on the allotment")
        self.shown("the old timeline is shown", "ben", "timeline", "--public", "--once", words="Frost")
        self.shown("a status is shown", "ben", "status", self.first, words="Frost on the allotment")

    def reply(self):
        answer = self.json("ben", "post", "@anna Cover it tonight.", "--reply-to", self.first)
        self.answer = answer["id"]
        self.check("an answer knows what it answers", answer["in_reply_to_id"] == self.first)
        self.check("it names whom it answers", [m["acct"] for m in answer["mentions"]] == ["anna"], answer["mentions"])
        again = self.json("anna", "post", "@ben Too late.", "--reply-to", self.answer)
        thread = self.json("cora", "thread", self.answer)
        self.check("what it answers stands above it", [s["id"] for s in thread["ancestors"]] == [self.first])
        self.check("what answers it stands below", [s["id"] for s in thread["descendants"]] == [again["id"]])
        self.shown("a thread is shown", "cora", "thread", self.first, words="Too late.")
        self.check("answers are counted", self.json("ben", "status", self.first)["replies_count"] == 1)

    def hear(self):
        heard = self.json("anna", "notifications")
        mentions = [n for n in heard if n["type"] == "mention"]
        self.check(
            "an answer is heard of",
            [(n["account"]["acct"], n["status"]["id"]) for n in mentions] == [("ben", self.answer)], heard)
        self.shown("notifications are shown", "anna", "notifications", words="Cover it tonight.")
        self.check("others hear nothing of it", self.json("cora", "notifications") == [])

    def react(self):
        for verb, field in [("favourite", "favourited"), ("reblog", "reblogged"), ("bookmark", "bookmarked")]:
            self.json("ben", verb, self.first)
            self.check(f"{verb} holds", self.json("ben", "status", self.first)[field] is True)
        status = self.json("cora", "status", self.first)
        self.check("they are counted", (status["favourites_count"], status["reblogs_count"]) == (1, 1), status)
        self.check("they are ben's alone", not status["favourited"] and not status["bookmarked"])
        self.check("favourites are listed", self.ids("ben", "timelines", "favourites") == [self.first])
        self.shown("bookmarks are listed", "ben", "bookmarks", "--once", words="Frost on the allotment")
        by = self.json("cora", "reblogged-by", self.first)
        self.check("who boosted it is listed", [account["acct"] for account in by] == ["ben"], by)
        kinds = {n["type"] for n in self.json("anna", "notifications") if n["account"]["acct"] == "ben"}
        self.check("its author hears of it", kinds == {"mention", "favourite", "reblog"}, kinds)
        self.check("and by kind", len(self.json("anna", "notifications", "--type", "favourite")) == 1)
        self.check("and without a kind", len(self.json("anna", "notifications", "--exclude-type", "mention")) == 2)

    def follow(self):
        self.check("home is empty of strangers", self.ids("cora", "timelines", "home") == [])
        relationship = self.json("cora", "follow", "anna")
        self.check("cora follows anna", relationship["following"] is True, relationship)
        self.check("her home has it", self.first in self.ids("cora", "timelines", "home"))
        self.check("whom she follows", [a["acct"] for a in self.json("cora", "following", "cora")] == ["anna"])
        self.check("who follows anna", [a["acct"] for a in self.json("ben", "followers", "anna")] == ["cora"])
        self.shown("followers are shown", "ben", "followers", "anna", words="cora")
        self.check("anna hears of it", self.json("anna", "notifications")[0]["type"] == "follow")
        self.json("ben", "follow", "cora")
        self.json("cora", "reblog", self.answer)
        home = self.json("ben", "timelines", "home")
        boosts = [s["reblog"]["id"] for s in home if s["reblog"] and s["account"]["acct"] == "cora"]
        self.check("boosts reach followers", boosts == [self.answer], boosts)

    def search(self):
        found = self.json("cora", "search", "allotment")
        self.check("words are found", self.first in [s["id"] for s in found["statuses"]], found["statuses"])
        found = self.json("cora", "search", "gard", "--type", "hashtags")
        self.check("tags are found", [tag["name"].lower() for tag in found["hashtags"]] == ["garden"], found["hashtags"])
        self.check("of one kind alone", found["statuses"] == [] and found["accounts"] == [])
        self.check("people are found", self.json("cora", "whois", "@anna")["acct"] == "anna")
        self.shown("what was found is shown", "cora", "search", "ann", words="@anna")
        self.shown("somebody is shown", "cora", "whois", "ben", words="@ben")
        url = self.json("ben", "status", self.first)["url"]
        found = self.json("ben", "search", url, "--resolve")
        self.check("an address is resolved", [s["id"] for s in found["statuses"]] == [self.first], found["statuses"])

    def write_privately(self):
        said = self.json("anna", "post", "@ben Between us: the basil was bought.", "--visibility", "direct")["id"]
        self.check("ben can read it", self.json("ben", "status", said)["visibility"] == "direct")
        self.check("ben hears of it", self.json("ben", "notifications")[0]["status"]["id"] == said)
        for arguments in [("status", said), ("thread", said), ("reblogged-by", said)]:
            refused = self.run_toot("cora", *arguments, "--json")
            self.check(f"cora gets no {arguments[0]}", refused.returncode != 0 and "basil was" not in refused.stdout)
        for arguments in [
            ("timelines", "public"), ("timelines", "home"), ("timelines", "account", "anna"), ("search", "bought"),
            ("notifications",),
        ]:
            self.check(f"nor by {' '.join(arguments)}", "was bought" not in self.run_toot("cora", *arguments, "--json").stdout)
        self.check("ben cannot boost it", self.run_toot("ben", "reblog", said).returncode != 0)
        followers = self.json("anna", "post", "For those who follow me.", "--visibility", "private")["id"]
        self.check("followers read what is theirs", followers in self.ids("cora", "timelines", "home"))
        self.check("others don't", self.run_toot("ben", "status", followers).returncode != 0)

    def page(self):
        written = [self.json("anna", "post", f"Row {number}")["id"] for number in range(5)]
        read, last = [], None
        while len(read) < 5:
            page = self.ids("ben", "timelines", "account", "anna", "--limit", "2", *(["--max-id", last] if last else []))
            if not page:
                break
            read, last = read + page, page[-1]
        self.check("pages follow each other without a gap", read[:5] == written[::-1], read)
        self.check("toot follows the links between pages", self.linked_pages("ben", 2)[:5] == written[::-1])

    def tell_of_oneself(self):
        self.json("ben", "update-account", "--display-name", "Ben 🌱", "--note", "Grows things & talks.")
        ben = self.json("cora", "whois", "ben")
        self.check("a new name is seen", ben["display_name"] == "Ben 🌱", ben)
        self.check("so is the note", "Grows things &amp; talks." in ben["note"], ben["note"])

    def ask(self):
        asked = self.json("anna", "post", "Which?", "--poll-option", "Kale", "--poll-option", "Leek", "--poll-expires-in", "1h")
        poll = asked["poll"]["id"]
        voted = self.json("ben", "polls", "vote", poll, "1")
        self.check("a vote is counted", [option["votes_count"] for option in voted["options"]] == [0, 1], voted)
        self.check("one votes once", self.run_toot("ben", "polls", "vote", poll, "0").returncode != 0)
        self.shown("a poll is shown", "cora", "polls", "show", poll, words="Leek")

    def show_pictures(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "frog.png")
            file.write_bytes(png())
            shown = self.json("anna", "post", "Look", "--media", str(file), "--description", "A frog")
            pictures = [(m["type"], m["description"]) for m in shown["media_attachments"]]
            self.check("a picture is posted with its text", pictures == [("image", "A frog")], shown)
            self.shown("it is shown", "ben", "status", shown["id"], words="/media/")
            ran = self.run_toot("anna", "upload", str(file), "--description", "A toad")
            self.check("a picture is uploaded alone", ran.returncode == 0, ran.stdout + ran.stderr)
            ran = self.run_toot("ben", "update-account", "--avatar", str(file))
            self.check("an avatar is uploaded", ran.returncode == 0, ran.stdout + ran.stderr)
            self.check("others see it", "/media/" in self.json("cora", "whois", "ben")["avatar"])
            Path(folder, "text.png").write_text("text")
            ran = self.run_toot("anna", "upload", str(Path(folder, "text.png")))
            self.check("what is no picture is refused", ran.returncode != 0)

    def plan(self):
        planned = self.json("anna", "post", "Sow peas.", "--scheduled-in", "10m")
        self.check("a scheduled post says when", "scheduled_at" in planned, planned)
        self.check("nobody sees it yet", "Sow peas" not in self.run_toot("anna", "timelines", "home", "--json").stdout)

    def gather(self):
        self.json("ben", "follow", "anna")
        self.json("ben", "lists", "create", "Gardeners", "--replies-policy", "list")
        self.json("ben", "lists", "add", "Gardeners", "anna")
        self.check("a list has its people", [a["acct"] for a in self.json("ben", "lists", "accounts", "Gardeners")] == ["anna"])
        self.check("and their posts", self.first in self.ids("ben", "timelines", "list", "Gardeners"))
        self.json("ben", "lists", "delete", "Gardeners")
        self.json("ben", "unfollow", "anna")
        self.check("a post is pinned", self.json("anna", "pin", self.first)["pinned"] is True)
        self.check("and unpinned", self.json("anna", "unpin", self.first)["pinned"] is False)
        self.check("a tag is followed", self.json("cora", "tags", "follow", "garden")["following"] is True)
        self.check("it is listed", [tag["name"] for tag in self.json("cora", "tags", "followed")] == ["garden"])
        self.check("a tag is featured", self.json("anna", "tags", "feature", "garden")["name"] == "garden")
        self.check("it is on the profile", [tag["name"] for tag in self.json("anna", "tags", "featured")] == ["garden"])

    def keep_away(self):
        self.check("ben is muted", self.json("cora", "mute", "ben")["muting"] is True)
        self.check("the mute is listed", [a["acct"] for a in self.json("cora", "muted")] == ["ben"])
        self.check("his posts are in no timeline", self.answer not in self.ids("cora", "timelines", "public"))
        self.check("ben is heard again", self.json("cora", "unmute", "ben")["muting"] is False)
        self.check("ben is blocked", self.json("cora", "block", "ben")["blocking"] is True)
        self.check("the block is listed", [a["acct"] for a in self.json("cora", "blocked")] == ["ben"])
        self.check("his posts are gone", self.run_toot("cora", "status", self.answer).returncode != 0)
        self.check("the block ends", self.json("cora", "unblock", "ben")["blocking"] is False)

    def take_back(self):
        for verb, field in [("unfavourite", "favourited"), ("unreblog", "reblogged"), ("unbookmark", "bookmarked")]:
            self.json("ben", verb, self.first)
            self.check(f"{verb} holds", self.json("ben", "status", self.first)[field] is False)
        self.check("no favourite is left", self.ids("ben", "timelines", "favourites") == [])
        self.check("cora no longer follows", self.json("cora", "unfollow", "anna")["following"] is False)
        self.check("nobody follows anna", self.json("ben", "followers", "anna") == [])

    def delete(self):
        refused = self.run_toot("ben", "delete", self.first)
        self.check("nobody deletes what is another's", refused.returncode != 0)
        deleted = self.json("anna", "delete", self.first)
        self.check("what is deleted is given back", "Frost on the allotment" in (deleted.get("text") or ""), deleted)
        self.check("it is gone", self.run_toot("ben", "status", self.first).returncode != 0)
        self.check("from every timeline", self.first not in self.ids("ben", "timelines", "public"))
        self.check("from the search", self.json("ben", "search", "allotment")["statuses"] == [])
        self.check("its answer stays", self.json("ben", "status", self.answer)["id"] == self.answer)

    def sign_out(self):
        for name in self.passwords:
            self.check(f"{name} signs out", self.run_toot(None, "logout", f"{name}@{self.host}").returncode == 0)

    # Running toot

    def login(self, name, password):
        """Signs in and returns toot's output, or None if the page shows no code."""
        process = Toot("login", "--instance", self.url)
        address = ""
        while not address.startswith("http"):
            address = process.output.readline()
            if not address:
                return f"There is no address to sign in at: {process.end('').stderr}"
        code = code_from(address.strip(), name, password)
        # toot asks whether to open a browser, and quits at the end of its input.
        ended = process.end(f"n\n{code}\n" if code else "")
        return ended.stdout if code else None

    def run_toot(self, name, *arguments):
        account = ["--as", f"{name}@{self.host}"] if name else []
        return Toot("--no-color", *account, *arguments).end("")

    def json(self, name, *arguments):
        """Returns the JSON that toot prints. After a failure, returns an empty value, with which later checks fail."""
        ran = self.run_toot(name, *arguments, "--json")
        try:
            if ran.returncode == 0:
                return json.loads(ran.stdout)
        except ValueError:
            pass
        self.check(f"toot {' '.join(arguments)}", False, ran.stdout + ran.stderr)
        return Nothing()

    def ids(self, name, *arguments):
        return [status["id"] for status in self.json(name, *arguments)]

    def linked_pages(self, name, limit):
        """Returns the ids of the public timeline, page by page along the Link headers."""
        def give_up(*_):
            raise TimeoutError(f"toot has not read all pages after {PATIENCE} s.")

        user, app = config.get_user_app(f"{name}@{self.host}")
        pages = api.public_timeline_generator(app, user, limit=limit)
        # toot's requests have no time limit.
        signal.signal(signal.SIGALRM, give_up)
        signal.alarm(PATIENCE)
        try:
            return [status["id"] for page in pages for status in page]
        finally:
            signal.alarm(0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)

    def shown(self, what, name, *arguments, words):
        ran = self.run_toot(name, *arguments)
        self.check(what, ran.returncode == 0 and words in ran.stdout, ran.stdout + ran.stderr)


class Nothing:
    """Replaces a missing response. All of its items are empty too."""

    def __getitem__(self, _):
        return self

    def __iter__(self):
        return iter(())

    def get(self, *_):
        return None


if __name__ == "__main__":
    session = TootSession(sys.argv[1], dict(line.rstrip("\n").split(" ", 1) for line in sys.stdin))
    session.run()
    sys.exit(session.end())
