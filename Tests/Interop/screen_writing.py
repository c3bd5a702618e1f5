"""Writing at the screen."""

from screen import Screen, plain
from terminal import AUDIENCE, CHOOSE, ENTER, ERASE_LINE, SAVE

LONG = " ".join(f"Sentence {number} of a text that is far too long for one post." for number in range(1, 16))


class Writing(Screen):
    @property
    def writing(self):
        return [
            self.post, self.choose_who_reads, self.take_back, self.reply, self.edit, self.delete, self.redraft,
            self.split, self.ask_many, self.attach, self.pin, self.plan, self.quote,
        ]

    def post(self):
        status = self.posts("post", "cThe tea is ready. #tea")
        self.check("its text", plain(status) == "The tea is ready. #tea", status)
        self.check("all read it", status["visibility"] == "public" and not status["spoiler_text"], status)
        self.does("warn", f"cDer Butler.{CHOOSE}w", "CW:")
        self.does("set the language", f"Ende{ENTER}{CHOOSE}l", "Lang:")
        status = self.posts("post with a warning", f"de{ENTER}")
        self.check("a warning", status["spoiler_text"] == "Ende" and plain(status) == "Der Butler.", status)
        self.check("a language", status["language"] == "de", status)
        self.does("complete a name", "c@be\t", "@ben")
        status = self.posts("mention somebody", "is back.")
        self.check("it mentions ben", [person["acct"] for person in status["mentions"]] == ["ben"], status)

    def choose_who_reads(self):
        for presses, visibility, readers in [(1, "unlisted", "Unlisted"), (2, "private", "Followers")]:
            self.shows(f"{visibility} is chosen", "cFor few." + AUDIENCE * presses, readers)
            status = self.posts(f"post {visibility}", "", "Posted")
            self.check("who reads it", status["visibility"] == visibility, status)
        self.check("ben can't read that", not self.has(status, "ben"), status)

    def take_back(self):
        before = self.newest()
        self.shows("a post is held", "cToo hasty." + SAVE, "Posting in 60 s")
        self.does("take a post back", "u", "Not posted", "New post", "Draft restored")
        self.check("nothing was posted", self.newest() == before, before)
        self.does("discard a draft", CHOOSE + "k", "Draft discarded")
        self.shows("posts are hardly held", f":set hold 1{ENTER}", "hold: 1")
        self.does("wait until it is posted", "cIn good time." + SAVE, "Posted")
        self.check("the server has it", plain(self.newest()) == "In good time.", self.newest())
        self.shows("posts are held again", f":set hold 60{ENTER}", "hold: 60")

    def reply(self):
        status = self.write("ben", "Who has the key?")
        self.opens(status)
        self.shows("an entry", "r", "Reply to @ben")
        answer = self.posts("reply", "I have it.", "Reply posted")
        self.check("to that post", answer["in_reply_to_id"] == status["id"], answer)
        self.check("its author is mentioned", plain(answer) == "@ben I have it.", answer)

    def edit(self):
        status = self.write("anna", "The gate opens at nine.")
        self.opens(status)
        self.shows("its text", "e", "Edit your post", "The gate opens at nine.")
        self.does("edit", f"{ERASE_LINE}The gate opens at ten.{SAVE}", "Edit saved")
        self.becomes("its text now", lambda: plain(self.status(status)), "The gate opens at ten.")
        self.does("read the edit history", "ge", "Edit history", "Edited once.", "[-nine.-][+ten.+]", "original")

    def delete(self):
        status = self.write("anna", "Not for long.")
        self.opens(status)
        self.shows("a deletion is held", "d", "Deleting in 60 s")
        self.does("take a deletion back", "u", "Not deleted")
        self.check("it is there", self.has(status))
        self.shows("another is held", "d", "Deleting in 60 s")
        self.does("delete", "gs", "Deleted")
        self.becomes("it is gone", lambda: self.has(status), False)

    def redraft(self):
        status = self.write("anna", "Nearly right.", spoiler_text="Draft", visibility="unlisted", language="en")
        self.opens(status, "warning: Draft")
        self.shows("it asks", "D", "Delete this post and write it again?")
        self.shows("an entry", "y", "New post", "Unlisted", "Nearly right.")
        self.becomes("it is gone", lambda: self.has(status), False)
        again = self.posts("redraft", " Now right.")
        self.check("its text", plain(again) == "Nearly right. Now right.", again)
        kept = (again["visibility"], again["spoiler_text"], again["language"])
        self.check("all else is kept", kept == ("unlisted", "Draft", "en"), again)

    def split(self):
        self.shows("a thread", "c" + LONG + CHOOSE + "s", "A long text is posted as a thread")
        self.shows("with numbers", CHOOSE + "s", "A long text is posted as a numbered thread")
        self.posts("post a thread", "", "Posted", "Reply posted")
        self.becomes("two parts", lambda: [part["in_reply_to_id"] is None for part in self.parts()], [True, False])
        first, second = self.parts()
        self.check("one replies to the other", second["in_reply_to_id"] == first["id"], second)
        ends = [plain(part)[-5:] for part in (first, second)]
        self.check("numbers", ends == ["(1/2)", "(2/2)"], ends)
        texts = " ".join(plain(part)[:-6] for part in (first, second))
        self.check("nothing is lost", texts == LONG, texts)

    def parts(self):
        """Returns anna's two newest posts, the older one first."""
        return self.ask("anna", "GET", f"accounts/{self.ids['anna']}/statuses?limit=2")[::-1]

    def ask_many(self):
        self.shows("a form for a poll", f"cWhich tea?{CHOOSE}p", "Option 1")
        self.shows("its duration", f"Green{ENTER}Black{ENTER}{ENTER}", "Ends in:")
        self.shows("one choice", f"3d{ENTER}", "Several: no")
        status = self.posts("ask in a poll", " ")
        poll = status["poll"]
        self.check("its options", [option["title"] for option in poll["options"]] == ["Green", "Black"], poll)
        self.check("several can be chosen", poll["multiple"], poll)

    def attach(self):
        self.shows("a line for a file", f"cBy the road.{CHOOSE}a", "File:")
        self.shows("it is uploaded", f"~/face.png{ENTER}", "Alt text:", "uploaded")
        self.does("describe a picture", f"A red sign{ENTER}", "“A red sign”")
        status = self.posts("attach a picture", "")
        found = [(media["type"], media["description"]) for media in status["media_attachments"]]
        self.check("a picture with its description", found == [("image", "A red sign")], status)
        self.shows("another line", f"cBy the lake.{CHOOSE}a", "File:")
        self.shows("another upload", f"~/face.png{ENTER}", "Alt text:", "uploaded")
        self.shows("not described", ENTER, "By the lake.")
        self.does("remove a file", CHOOSE + "d", "face.png removed")
        self.check("no picture", not self.posts("post without the file", "")["media_attachments"])

    def pin(self):
        status = self.write("anna", "Read this first.")
        self.opens(status)
        self.does("pin", "P", "Pinned to your profile")
        pinned = f"accounts/{self.ids['anna']}/statuses?pinned=true"
        self.becomes("it is pinned", lambda: [found["id"] for found in self.ask("ben", "GET", pinned)], [status["id"]])
        self.shows("its author", "a", "@anna")
        self.does("read what is pinned", "ggj", "pinned", "Read this first.", again=True)
        self.does("unpin", "P", "Unpinned")
        self.becomes("nothing is pinned", lambda: self.ask("ben", "GET", pinned), [])

    def plan(self):
        self.type(f"cThe boat leaves at nine.{CHOOSE}t2h{ENTER}")
        self.does("schedule", SAVE, "Scheduled for")
        self.command("read what is scheduled", "scheduled", "The boat leaves at nine.")
        planned = self.ask("anna", "GET", "scheduled_statuses")
        self.check("the server has it", len(planned) == 1, planned)
        self.does("schedule for another time", f"e3d{ENTER}", "Published at")
        self.becomes(
            "the other time",
            lambda: self.ask("anna", "GET", "scheduled_statuses")[0]["scheduled_at"] > planned[0]["scheduled_at"], True)
        self.does("cancel what is scheduled", "dy", "Nothing is scheduled")
        self.becomes("nothing is planned", lambda: self.ask("anna", "GET", "scheduled_statuses"), [])

    def quote(self):
        quoted = self.write("ben", "The bridge is open.")
        self.opens(quoted)
        self.shows("an entry with the quoted post", "gq", "Quote @ben")
        quoting = self.posts("quote", "At last.")
        self.check("it quotes that post", quoting["quote"]["quoted_status"]["id"] == quoted["id"], quoting)
        self.does("read who quoted", "gQ", "Quotes", "At last.")
        own = self.write("anna", "The tower is open.", quote_approval_policy="public")
        self.write("ben", "So it is.", quoted_status_id=own["id"])
        self.opens(self.newest("ben"))
        self.shows("it asks", f":revoke-quote{ENTER}", "Remove your post from this post of @ben?")
        self.does("revoke a quote", "y", "Removed your post from it")
        self.becomes("revoked", lambda: self.newest("ben")["quote"]["state"], "revoked")
        self.opens(own)
        self.command("choose who may quote", "quote-policy nobody", "Quotes: only you")
        self.becomes("nobody may", lambda: self.status(own, "ben")["quote_approval"]["current_user"], "denied")
