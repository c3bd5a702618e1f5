"""Lists, filters and followed hashtags, changed from the screen."""

from screen import Screen
from terminal import CHOOSE, ENTER, ERASE_LINE, SAVE, TAB


class Records(Screen):
    @property
    def records(self):
        return [self.lists, self.filters, self.follow_tags, self.announcements, self.trends, self.emoji]

    def lists(self):
        self.ask("anna", "POST", f"accounts/{self.ids['ben']}/follow")
        self.command("read the lists", "lists", "You have no lists")
        self.does("make a list", f"cKiosks{ENTER}", "Created")
        made = self.ask("anna", "GET", "lists")
        self.check("the server has it", [item["title"] for item in made] == ["Kiosks"], made)
        members = f"lists/{made[0]['id']}/accounts"
        self.does("read who is on a list", "m", "This list is empty")
        self.does("add somebody to a list", f"cben{ENTER}", "@ben added")
        self.becomes("the server has them", lambda: self.handles(members), ["ben"])
        self.command("read a list", "list Kiosks", "Kiosks", "ben @ben")
        self.shows("back", "q", "On the list")
        self.does("remove somebody from a list", "d", "@ben removed")
        self.becomes("nobody is on it", lambda: self.handles(members), [])
        self.shows("the lists", "q", "Kiosks")
        self.does("rename a list", f"e{ERASE_LINE}Shops{ENTER}", "Renamed")
        self.becomes("its name", lambda: [item["title"] for item in self.ask("anna", "GET", "lists")], ["Shops"])
        self.does("delete a list", "dy", "You have no lists")
        self.becomes("no list is left", lambda: self.ask("anna", "GET", "lists"), [])

    def filters(self):
        self.write("ben", "The menu of today.")
        self.command("read the filters", "filters", "You have no filters")
        self.shows("a form", "c", "New filter")
        self.does("make a filter", f"Menus{TAB}menu, price*{SAVE}", "Menus warns")
        self.becomes("the server has it", self.filtered, [("Menus", "warn", {"menu": True, "price": False})])
        self.command("read what is filtered", "search today", "Filtered: Menus")
        self.shows("back", "q", "Filters")
        self.shows("a form with it", "e", "Title:", "Menus")
        self.does("change a filter", f"{ERASE_LINE}Food{TAB}{ERASE_LINE}bread{SAVE}", "Food warns", "bread")
        self.becomes("the server has that", self.filtered, [("Food", "warn", {"bread": True})])
        self.does("delete a filter", "dy", "You have no filters")
        self.becomes("no filter is left", self.filtered, [])

    def filtered(self):
        return [
            (item["title"], item["filter_action"], {word["keyword"]: word["whole_word"] for word in item["keywords"]})
            for item in self.ask("anna", "GET", "filters", version=2)]

    def follow_tags(self):
        self.command("read the followed hashtags", "followed-tags", "You follow no hashtags")
        self.does("follow a hashtag", f"cgarden{ENTER}", "#garden")
        self.becomes("the server knows", self.followed, ["garden"])
        self.shows("it opens", ENTER, "The kiosk is open.")
        self.shows("back", "q", "#garden")
        self.does("unfollow a hashtag", "d", "Unfollowed #garden")
        self.becomes("none is left", self.followed, [])
        self.does("undo that by u", "u", "#garden")
        self.becomes("it is back", self.followed, ["garden"])

    def followed(self):
        return [tag["name"] for tag in self.ask("anna", "GET", "followed_tags")]

    # Features without content on this service

    def announcements(self):
        self.shows("there are none", f":announcements{ENTER}", "No announcements")

    def trends(self):
        self.shows("there are none", f":trends{ENTER}", "Nothing is trending here.")

    def emoji(self):
        self.shows("there are none", f"cTea :te{TAB}", "This server has no custom emoji.")
        self.type(f"{CHOOSE}k")
