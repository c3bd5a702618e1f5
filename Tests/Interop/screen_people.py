"""Follows, mutes, blocks, notes and the user's profile, from the screen."""

import subprocess

from checks import PATIENCE
from screen import PASSWORD, Screen
from sign_in import code_from
from terminal import ENTER, ERASE_LINE, SAVE, TAB


class People(Screen):
    @property
    def people(self):
        return [
            self.follow, self.follow_with_options, self.feature_a_hashtag, self.ask_to_follow, self.answer_requests, self.mute, self.block, self.block_a_server,
            self.take_notes, self.report, self.change_profile, self.change_pictures, self.sign_in_as_well,
        ]

    def follow(self):
        self.command("read a profile", "user ben", "@ben", "joined")
        self.does("follow", "F", "Following @ben · u")
        self.becomes("followed", lambda: self.relationship("ben")["following"], True)
        self.does("read whom somebody is followed by", "L", "Followers of @ben", "anna @anna")
        self.command("read whom one follows", "following", "Followed by @anna", "ben @ben")
        self.command("read a profile", "user ben", "@ben", "joined")
        self.does("unfollow", "F", "Unfollowed @ben · u")
        self.becomes("not followed", lambda: self.relationship("ben")["following"], False)
        self.does("undo that by u", "u", "Following @ben")
        self.becomes("followed again", lambda: self.relationship("ben")["following"], True)
        self.ask("ben", "POST", f"accounts/{self.ids['cora']}/follow")
        self.does("read whom somebody follows", "W", "Followed by @ben", "cora @cora")
        self.command("read one's followers", "followers", "Followers of @anna", "No followers")

    def follow_with_options(self):
        self.command("choose options of a follow", "follow-options ben", "Boosts")
        self.shows("no boosts", f" {SAVE}", "boosts hidden")
        self.becomes("no boosts", lambda: self.relationship("ben")["showing_reblogs"], False)
        self.shows("undo that by u", "u", "boosts shown")
        self.becomes("boosts again", lambda: self.relationship("ben")["showing_reblogs"], True)

    def feature_a_hashtag(self):
        self.command("feature a hashtag", "feature-tag tea", "#tea")
        self.becomes("featured", lambda: [tag["name"] for tag in self.ask("anna", "GET", "featured_tags")], ["tea"])
        self.command("feature it no more", "unfeature-tag tea", "#tea")
        self.becomes("not featured", lambda: self.ask("anna", "GET", "featured_tags"), [])

    def ask_to_follow(self):
        self.lock("cora", True)
        self.ask("anna", "POST", f"accounts/{self.ids['cora']}/unfollow")
        self.command("read a profile", "user cora", "@cora", "approves followers")
        # The first F may act on the state from before the page was fetched.
        self.does("ask to follow", "F", "Follow request sent to @cora", again=True)
        self.becomes("cora is asked", lambda: self.handles("follow_requests", "cora"), ["anna"])
        self.does("withdraw a follow request", "F", "Follow request to @cora withdrawn")
        self.becomes("nobody asks", lambda: self.handles("follow_requests", "cora"), [])
        self.lock("cora", False)

    def answer_requests(self):
        self.lock("anna", True)
        self.ask("ben", "POST", f"accounts/{self.ids['anna']}/follow")
        self.shows("ben asks", "44R", "ben wants to follow you")
        self.does("accept a follow request", "ggA", "@ben follows you now")
        self.becomes("ben follows", lambda: self.relationship("ben")["followed_by"], True)
        self.ask("cora", "POST", f"accounts/{self.ids['anna']}/follow")
        self.shows("cora asks", "R", "cora wants to follow you")
        self.command("read who asks to follow", "requests", "Follow requests", "cora @cora")
        self.shows("a question", "X", "Refuse the follow request of @cora?")
        self.does("refuse a follow request", "y", "Follow request of @cora refused")
        self.becomes("nobody asks", lambda: self.handles("follow_requests"), [])
        self.check("cora does not follow", not self.relationship("cora")["followed_by"])
        self.lock("anna", False)

    def lock(self, name, is_locked):
        """Sets whether the account approves its followers."""
        self.ask(name, "PATCH", "accounts/update_credentials", {"locked": str(is_locked).lower()})

    def mute(self):
        self.write("ben", "The pump is dry.")
        self.command("search", "search pump", "Posts:", "The pump is dry.")
        self.does("mute", "M", "Muted @ben · u")
        self.becomes("muted", lambda: self.handles("mutes"), ["ben"])
        self.command("read who is muted", "muted", "Muted", "ben @ben")
        self.does("undo that by u", "u", "@ben unmuted")
        self.becomes("nobody is muted", lambda: self.handles("mutes"), [])
        self.command("mute for some time", "mute ben 8h", "Muted @ben")
        self.becomes("it ends", lambda: bool(self.relationship("ben")["muting_expires_at"]), True)
        self.command("unmute", "unmute ben", "Unmuted @ben")
        self.becomes("nobody is muted again", lambda: self.handles("mutes"), [])

    def block(self):
        self.command("read a profile", "user ben", "@ben", "joined")
        self.shows("a block is held", "B", "Blocking @ben in 60 s")
        self.does("take a block back", "u", "Not blocked: @ben")
        self.check("nobody is blocked", self.handles("blocks") == [])
        self.shows("another is held", "B", "Blocking @ben in 60 s")
        self.does("block", "gs", "Blocked @ben")
        self.becomes("blocked", lambda: self.handles("blocks"), ["ben"])
        self.command("read who is blocked", "blocked", "Blocked", "ben @ben")
        self.does("unblock", "B", "Unblocked @ben")
        self.becomes("nobody is blocked now", lambda: self.handles("blocks"), [])

    def block_a_server(self):
        self.shows("it is held", f":block-server tilde.example{ENTER}", "Blocking tilde.example in 60 s")
        self.shows("this server has none of that", "gs", "does not support blocking whole servers")

    def take_notes(self):
        self.opens(self.write("ben", "Tea for sale."))
        self.command("keep a note", "note Sells tea.", "Note saved")
        self.becomes("a note", lambda: self.relationship("ben")["note"], "Sells tea.")
        self.command("remove a note", "note", "Note removed")
        self.becomes("no note", lambda: self.relationship("ben")["note"], "")

    def report(self):
        status = self.write("ben", "Tea! Tea! Tea!")
        self.opens(status)
        self.command("read about the server", "server", "Up to 500 characters and 4 files per post.")
        self.shows("its rules", "jj", "Rule 2", "No leeks.")
        self.shows("back", "q", "@ben")
        self.command("report", "report Too much tea.", "Reported @ben")
        self.command("report by a rule", "report rule 2 Leeks.", "Reported @ben")
        said = subprocess.run(
            [self.program, "serve", "reports", "--data", self.service.data], stdout=subprocess.PIPE, text=True,
            env=self.service.environment, check=True, timeout=PATIENCE).stdout
        self.check("who runs the server reads it", "@anna reported @ben" in said and "Too much tea." in said, said)
        self.check("and which rule is broken", "rule: No leeks." in said, said)
        self.check("and which post it is about", status["id"] in said, said)

    def change_profile(self):
        self.command("edit one's profile", "edit-profile", "Your profile", "Everyone can see this.")
        self.shows("another name", f"{ERASE_LINE}Anna of the kiosk{TAB}Tea and news.{SAVE}", "Profile saved")
        me = self.me()
        found = (me["display_name"], me["source"]["note"])
        self.check("the server has it", found == ("Anna of the kiosk", "Tea and news."), me)
        self.command("read one's profile", "profile", "Anna of the kiosk @anna", "Tea and news.")

    def change_pictures(self):
        for picture in ("avatar", "header"):
            name = picture.capitalize()
            self.command(f"send {picture}", f"{picture} ~/face.png", f"{name} saved")
            self.check("the server has it", "/media/" in self.me()[picture], self.me()[picture])
            self.command(f"remove {picture}", f"{picture} none", f"{name} removed")
            self.check("the server has none", "/media/" not in self.me()[picture], self.me()[picture])

    def sign_in_as_well(self):
        """Signs in as a second user with the browser."""
        self.shows("accounts", "A", "Accounts")
        self.shows("a server", "c", "Server:")
        self.shows("a browser", f"{self.service.url}{ENTER}", "Allow Qwinkle in your browser.", "Code:")
        self.becomes("a page to sign in", lambda: "/oauth/authorize?" in self.page(), True)
        code_from(self.page(), "ben", PASSWORD)
        self.does("sign in", "", "Signed in as ben@")
        self.shows("accounts of both", "A", "Accounts", "1 anna@")
        self.does("switch accounts", "1", "Public")
        self.posts("post as the first of them", "cIt is I, anna.")
