"""Direct messages and notifications at the screen."""

from screen import Screen, plain
from terminal import AUDIENCE, ENTER, ERASE_LINE, ESCAPE, SAVE


class Messages(Screen):
    @property
    def messages(self):
        return [self.write_privately, self.read_messages, self.delete_messages, self.hear_of_others, self.filter]

    def write_privately(self):
        self.command("read a profile", "user ben", "@ben", "joined")
        self.shows("an entry", "p", "Message to @ben", "Direct, only @ben")
        self.shows("a message is held", f"Is the door open?{SAVE}", "Sending in 60 s")
        self.does("send a message", "gs", "Sent")
        sent = self.newest()
        self.check("only ben reads it", sent["visibility"] == "direct" and not self.has(sent, "cora"), sent)
        self.becomes("ben has it", lambda: self.last_messages("ben"), [("@ben Is the door open?", True)])
        self.shows("recipients", "33c", "New message")
        self.shows("another entry", f"cora{ENTER}", "Message to @cora")
        self.shows("another message is held", f"It is cold.{SAVE}", "Sending in 60 s")
        self.does("send a message to a name", "gs", "Sent")
        self.becomes("cora has it", lambda: self.last_messages("cora"), [("@cora It is cold.", True)])
        self.shows("a post for one reader", f"11c@cora, you know.{AUDIENCE * 3}", "Direct, only @cora")
        self.shows("a direct post is held", SAVE, "Sending in 60 s")
        self.does("post directly", "gs", "Sent")
        status = self.newest()
        self.check("who reads it", (plain(status), status["visibility"]) == ("@cora, you know.", "direct"), status)

    def read_messages(self):
        self.write("ben", "@anna It is.", visibility="direct", in_reply_to_id=self.last_message("ben")["id"])
        self.does("read the conversations", "33", "Messages")
        self.shows("what is new", "gg", "unread: ben", "It is.", again=True)
        self.does("read a conversation", ENTER, "Messages, ben", "ben, ", "It is.")
        self.becomes("it is read", lambda: [found["unread"] for found in self.conversations()], [False, False])
        self.shows("what is written there is held", f"Thank you.{SAVE}", "Thank you.", "Sending in 60 s")
        self.shows("out of the text", ESCAPE, "Keys: i write")
        self.does("write in a conversation", "gs", "sent")
        self.becomes("ben has it", lambda: self.last_messages("ben"), [("@ben Thank you.", True)])
        self.shows("back", "q", "Messages")

    def delete_messages(self):
        self.shows("it asks", "33ggd", "Delete the conversation with")
        self.does("delete a conversation", "y", "End of list")
        self.becomes("one is left", lambda: len(self.conversations()), 1)
        self.check("ben keeps his", len(self.conversations("ben")) == 1)

    def hear_of_others(self):
        status = self.write("anna", "Who waters the plants?")
        for act in ("favourite", "reblog"):
            self.ask("ben", "POST", f"statuses/{status['id']}/{act}")
        mention = self.write("cora", "@anna I do.", in_reply_to_id=status["id"])
        self.does("read the notifications", "44", "Notifications", "cora replied to you", "I do.")
        self.shows("others", "j", "ben boosted · ben favourited", "Who waters the plants?")
        self.does("read of mentions alone", "@", "Showing only mentions")
        self.command("read of favourites alone", "only favourites", "only favourites", "ben favourited")
        self.command("read all notifications", "only", "Showing all notifications")
        self.does("read what a notification is about", ENTER, "Notifications, Thread")
        self.becomes("the server knows that they are read", self.count_unread, 0)

    def filter(self):
        self.ask("anna", "POST", f"accounts/{self.ids['cora']}/unfollow")
        self.shows("the policy", f":notification-policy{ENTER}", "Notification policy")
        self.does("choose what is filtered", f"{ERASE_LINE}filter{SAVE}", "Notification policy saved")
        policy = self.ask("anna", "GET", "notifications/policy", version=2)
        self.check("the server has it", policy["for_not_following"] == "filter", policy)
        self.write("cora", "@anna Buy my tea!")
        self.becomes("a request", lambda: len(self.ask("anna", "GET", "notifications/requests")), 1)
        self.command("read the filtered senders", "filtered-notifications", "Filtered notifications", "cora @cora")
        self.does("accept a filtered sender", "A", "Notifications of @cora are accepted now")
        self.becomes("no request", lambda: len(self.ask("anna", "GET", "notifications/requests")), 0)
        self.ask("anna", "PATCH", "notifications/policy", {"for_not_following": "accept"}, version=2)

    def count_unread(self):
        return self.ask("anna", "GET", "notifications/unread_count")["count"]

    # At the server

    def conversations(self, name="anna"):
        return self.ask(name, "GET", "conversations")

    def last_message(self, name):
        return self.conversations(name)[0]["last_status"]

    def last_messages(self, name):
        """Returns the last message of each conversation and whether the conversation is unread."""
        return [(plain(found["last_status"]), found["unread"]) for found in self.conversations(name)]
