"""Reading at the screen, and reactions to other users' posts."""

from screen import Screen
from terminal import ENTER


class Reading(Screen):
    @property
    def reading(self):
        return [
            self.read_timelines, self.read_a_profile, self.read_a_thread, self.boost, self.favourite, self.bookmark,
            self.mute_a_thread, self.vote, self.search, self.open_links, self.see_pictures, self.hear_what_is_new,
            self.keep_the_place, self.hide_by_rule, self.mute_a_hashtag, self.filter_a_post, self.catch_up,
            self.lack_abilities,
        ]

    def read_timelines(self):
        self.write("cora", "The boat is late. #river")
        self.write("ben", "The kiosk is open. #garden")
        self.does("read the public timeline", "gg", "The kiosk is open.", again=True)
        self.does("read the home timeline", "22", "Home", "No one you follow has posted yet.")
        self.command("read the local timeline", "timeline local", "Local", "The kiosk is open.")
        self.command("read a hashtag", "tag river", "#river", "The boat is late.", "End of list")
        self.command("read several hashtags", "tag river garden", "#river or #garden", "The kiosk is open.")

    def read_a_profile(self):
        self.command("read a profile", "user ben", "@ben", "1 post")
        self.shows("its posts", "j", "The kiosk is open.", again=True)
        self.write("ben", "I am not.", in_reply_to_id=self.newest("cora")["id"])
        self.command("read what is no reply", "posts ben", "without replies", "The kiosk is open.", "End of list")

    def read_a_thread(self):
        first = self.write("ben", "Who has the key?")
        answer = self.write("cora", "I have.", in_reply_to_id=first["id"])
        self.opens(first, "Who has the key?", "1 reply")
        self.does("read a thread", "j", "I have.", again=True)
        self.opens(answer)
        self.does("go to what is replied to", "gp", "Thread", "Who has the key?", "1 reply")
        warned = self.write("ben", "The butler did it.", spoiler_text="Book ending")
        self.opens(warned, "warning: Book ending")
        self.does("show what is behind a warning", "z", "The butler did it.")

    def boost(self):
        status = self.write("ben", "Boost this.")
        self.opens(status)
        self.does("boost", "b", "1 boost including yours", "Boosted")
        self.becomes("a boost", lambda: self.status(status)["reblogged"], True)
        self.does("see who boosted", "gb", "Boosted by", "anna @anna")
        self.shows("back", "q", "1 boost including yours")
        self.does("undo a boost", "b", "Boost removed")
        self.becomes("no boost", lambda: self.status(status)["reblogged"], False)
        self.does("undo that by u", "u", "1 boost including yours")
        self.becomes("a boost again", lambda: self.status(status)["reblogged"], True)

    def favourite(self):
        status = self.write("ben", "Favour this.")
        self.opens(status)
        self.does("favourite", "f", "1 favourite including yours", "Favourited")
        self.becomes("a favourite", lambda: self.status(status)["favourited"], True)
        self.does("see who favourited", "gf", "Favourited by", "anna @anna")
        self.command("read the favourites", "timeline favourites", "Favourites", "Favour this.")
        self.does("unfavourite", "f", "Favourite removed")
        self.becomes("no favourite", lambda: self.status(status)["favourites_count"], 0)

    def bookmark(self):
        status = self.write("ben", "Keep this.")
        self.opens(status)
        self.does("bookmark", "m", "Bookmarked")
        self.becomes("a bookmark", lambda: self.status(status)["bookmarked"], True)
        self.does("read the bookmarks", "55", "Bookmarks", "Keep this.")
        self.does("remove a bookmark", "m", "Bookmark removed")
        self.becomes("no bookmark", lambda: self.ask("anna", "GET", "bookmarks"), [])

    def mute_a_thread(self):
        status = self.write("ben", "@anna, this will be long.")
        self.opens(status)
        self.does("mute a thread", "gm", "Thread muted")
        self.becomes("it is muted", lambda: self.status(status)["muted"], True)
        self.does("unmute a thread", "gm", "Thread unmuted")
        self.becomes("it is heard", lambda: self.status(status)["muted"], False)

    def vote(self):
        form = {"poll[options][]": ["Tea", "Coffee", "Water"], "poll[expires_in]": 3600, "poll[multiple]": "true"}
        status = self.write("ben", "What to drink?", **form)
        self.opens(status, "What to drink?", "0 votes")
        self.shows("the options", "x", "1 Tea · 2 Coffee · 3 Water")
        self.shows("a vote is held", "1 3" + ENTER, "Voting in 60 s")
        self.does("vote", "gs", "Voted · Tea 1 · Coffee 0 · Water 1")
        self.becomes("votes", lambda: self.status(status)["poll"]["own_votes"], [0, 2])
        self.write("cora", "Coffee.")
        poll = status["poll"]["id"]
        self.ask("cora", "POST", f"polls/{poll}/votes", {"choices[]": [1]})
        self.command("see the results of a poll", "vote", "Tea 1 · Coffee 1 · Water 1")
        other = self.write("ben", "And to eat?", **form)
        self.opens(other, "And to eat?", "0 votes")
        self.shows("the options again", "x", "1 Tea")
        self.shows("another vote is held", "2" + ENTER, "Voting in 60 s")
        self.does("take a vote back", "u", "Not voted")
        self.check("no votes", not self.status(other)["poll"]["voted"], other)

    def search(self):
        self.write("ben", "The #harbour has a crane.")
        self.command("search", "search crane", "Posts:", "The #harbour has a crane.", "1 found")
        self.command("find a hashtag", "search harbour", "Hashtags:", "#harbour")
        self.command("find a user", "search cora", "People:", "cora @cora")

    def open_links(self):
        status = self.write("ben", "The menu: https://kiosk.example/menu")
        self.opens(status)
        self.does("copy a link", "y", status["url"])
        self.does("open a link", "o", "Opening kiosk.example/menu")
        self.becomes("the browser has it", self.page, "https://kiosk.example/menu")

    def see_pictures(self):
        media = self.upload("ben", "A red sign")
        self.write("ben", "By the road.", **{"media_ids[]": media["id"]})
        self.command("read what has pictures", "media ben", "Pictures and videos", "By the road.", "A red sign")
        self.does("look at a picture", "v", "A red sign")

    def hear_what_is_new(self):
        self.shows("the home timeline is in front", "22", "Home")
        self.ask("anna", "POST", f"accounts/{self.ids['cora']}/follow")
        self.write("cora", "It rains at the pier.")
        self.does("hear what comes", "gg", "It rains at the pier.", again=True)

    def keep_the_place(self):
        status = self.write("cora", "The pier is wet.")
        self.does("read to the newest", "22gg", "The pier is wet.", again=True)
        self.type("gg")
        self.becomes("the server knows how far that is", self.place_at_home, status["id"])

    def hide_by_rule(self):
        self.write("ben", "Rhubarb again.")
        self.shows("its post", "gg", "Rhubarb again.", again=True)
        self.command("hide by a rule", "hide 'rhubarb'", "Hiding what matches 'rhubarb' in this visit")
        self.does("show the hidden posts", "ghgg", "Rhubarb again.")
        self.command("end the rule", "show", "Showing everything")

    def mute_a_hashtag(self):
        self.write("ben", "Beans. #allotment")
        self.command("mute a hashtag", "mute-tag allotment", "#allotment muted")
        self.becomes("a filter", self.filters, ["#allotment"])
        self.command("unmute a hashtag", "mute-tag allotment", "#allotment unmuted")
        self.becomes("no filter", self.filters, [])

    def filter_a_post(self):
        status = self.write("ben", "The end of the film.")
        self.shows("it is in the timeline", "11gg", "The end of the film.", again=True)
        self.opens(status)
        self.command("filter a post", "filter-post", "Filtered: Hidden posts")
        self.becomes("a filter with a post", lambda: [len(found["statuses"]) for found in self.found_filters()], [1])
        self.command("read what a filter hides", "filter-matches Hidden posts", "The end of the film.")
        for found in self.found_filters():
            self.ask("anna", "DELETE", f"filters/{found['id']}", version=2)

    def catch_up(self):
        self.ask("anna", "POST", f"accounts/{self.ids['ben']}/follow")
        status = self.write("ben", "While you were away.")
        self.command("catch up", "catchup 12h", "Catch up", "left")
        self.shows("the newest is last", "G", "While you were away.", again=True)
        self.does("mark as read to here", ".", "Home is read to")
        self.becomes("the server knows", self.place_at_home, status["id"])
        self.ask("anna", "POST", f"accounts/{self.ids['ben']}/unfollow")

    def filters(self):
        return [word["keyword"] for found in self.found_filters() for word in found["keywords"]]

    def found_filters(self):
        return self.ask("anna", "GET", "filters", version=2)

    def place_at_home(self):
        return self.ask("anna", "GET", "markers?timeline[]=home").get("home", {}).get("last_read_id")

    def lack_abilities(self):
        self.opens(self.write("ben", "Guten Tag."))
        self.shows("this server translates nothing", "gt", "does not support translating posts")
        self.shows("this server has no collections", "gc", "does not support collections")
