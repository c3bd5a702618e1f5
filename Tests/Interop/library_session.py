"""Three users of Mastodon.py, an independent library. Each step checks the returned values."""

import queue
import sys
import urllib.request
from datetime import datetime, timedelta, timezone

from checks import PATIENCE, Checks
from mastodon import Mastodon, StreamListener, errors
from pictures import png
from sign_in import code_from

SCOPES = ["read", "write", "follow"]


class LibrarySession(Checks):
    """anna, ben and cora on one service, each with a client."""

    def __init__(self, url, passwords):
        super().__init__("Mastodon.py")
        self.url = url
        self.passwords = passwords
        self.people = {}
        self.called = set()

    def run(self):
        self.take([
            self.sign_in, self.tell_of_server, self.register, self.post, self.read, self.reply, self.react, self.follow,
            self.profile, self.hear_in_groups, self.hear, self.write_privately, self.stream, self.search, self.page,
            self.tags, self.poll, self.schedule, self.show_pictures, self.lists, self.filters, self.keep_away, self.lock,
            self.take_back, self.refuse, self.sign_out,
        ])

    # Steps

    def sign_in(self):
        self.app, self.secret = Mastodon.create_app(
            "interop", scopes=SCOPES, redirect_uris="urn:ietf:wg:oauth:2.0:oob", api_base_url=self.url,
            request_timeout=PATIENCE)
        for name, password in self.passwords.items():
            person = self.new_client()
            address = person.auth_request_url(scopes=SCOPES, allow_http=True)
            person.log_in(code=code_from(address, name, password), scopes=SCOPES, allow_http=True)
            self.people[name] = Watched(person, self.called)
            self.check(f"{name} signs in by code", person.account_verify_credentials().username == name)
        self.called |= {"create_app", "auth_request_url", "log_in", "account_verify_credentials"}
        self.anna, self.ben, self.cora = (self.people[name] for name in ("anna", "ben", "cora"))
        self.check("the app is known", self.anna.app_verify_credentials().name == "interop")
        self.ids = {name: person.me().id for name, person in self.people.items()}

    def tell_of_server(self):
        two, one = self.anna.instance_v2(), self.anna.instance_v1()
        self.check("it tells its limits", two.configuration.statuses.max_characters > 0, two.configuration)
        self.check("both versions agree", two.version == one.version)
        self.check("an empty list of emojis", self.anna.custom_emojis() == [])
        self.check("preferences", "posting:default:visibility" in self.anna.preferences())
        self.check("it is well", self.anna.instance_health())
        rules = self.anna.instance_rules()
        self.check("rules", [rule.text for rule in rules] == ["Water in the evening.", "No leeks."], rules)
        self.check("a picture", two.thumbnail.url.startswith("http"), two.thumbnail)

    def register(self):
        dora = self.new_client()
        _, wrong = dora.create_account(
            "anna", "short", "dora@example.org", agreement=True, scopes=SCOPES, return_detailed_error=True)
        found = {name: [fault["error"] for fault in faults] for name, faults in wrong.details.items() if faults}
        self.check("what is wrong", found == {"username": ["ERR_TAKEN"], "password": ["ERR_TOO_SHORT"]}, wrong)
        dora.create_account("dora", "grows only roses", "dora@example.org", agreement=True, scopes=SCOPES)
        self.check("registered", dora.me().username == "dora")
        self.called.add("create_account")

    def post(self):
        self.first = self.anna.status_post("Frost on the #allotment, says @ben", visibility="public", language="en")
        self.check("a post is public", self.first.visibility == "public" and self.first.language == "en")
        self.check("it mentions ben", [m.username for m in self.first.mentions] == ["ben"])
        warned = self.anna.status_post("The basil dies", spoiler_text="sad", sensitive=True, visibility="unlisted")
        self.check("a warning", warned.spoiler_text == "sad" and warned.sensitive)
        key = "the same key"
        twice = [self.anna.status_post("Once", idempotency_key=key) for _ in range(2)]
        self.check("the same key posts once", twice[0].id == twice[1].id)
        edited = self.anna.status_update(self.first.id, "Frost on the #allotment, says @ben. Cover it")
        self.check("an edit", "Cover it" in edited.content and edited.edited_at is not None)
        self.check("its history", len(self.anna.status_history(self.first.id)) == 2)
        self.check("its source", self.anna.status_source(self.first.id).text.endswith("Cover it"))

    def read(self):
        for name, statuses in [
            ("public", self.ben.timeline_public()), ("local", self.ben.timeline_local()),
            ("its tag", self.ben.timeline_hashtag("allotment")),
            ("its author", self.ben.account_statuses(self.ids["anna"])),
        ]:
            self.check(f"found: {name}", self.first.id in [status.id for status in statuses])
        self.check("home has one's own", self.first.id in [status.id for status in self.anna.timeline_home()])
        self.check("by its id", self.ben.status(self.first.id).id == self.first.id)
        self.check("several", [s.id for s in self.ben.statuses([self.first.id])] == [self.first.id])

    def reply(self):
        answer = self.ben.status_reply(self.first, "Too late")
        self.check("a reply", answer.in_reply_to_id == self.first.id and "@anna" in answer.content.replace("<span>", ""))
        thread = self.cora.status_context(answer.id)
        self.check("its thread", [status.id for status in thread.ancestors] == [self.first.id])
        self.answer = answer

    def react(self):
        boost = self.ben.status_reblog(self.first.id)
        self.check("a boost", boost.reblog.id == self.first.id)
        self.check("a favourite", self.ben.status_favourite(self.first.id).favourited)
        self.check("a bookmark", self.ben.status_bookmark(self.first.id).bookmarked)
        self.check("who boosted", [a.username for a in self.anna.status_reblogged_by(self.first.id)] == ["ben"])
        self.check("who favourited", [a.username for a in self.anna.status_favourited_by(self.first.id)] == ["ben"])
        self.check("bookmarks", [s.id for s in self.ben.bookmarks()] == [self.first.id])
        self.check("favourites", [s.id for s in self.ben.favourites()] == [self.first.id])

    def follow(self):
        self.check("following", self.ben.account_follow(self.ids["anna"]).following)
        self.check("followers", [a.username for a in self.anna.account_followers(self.ids["anna"])] == ["ben"])
        self.check("followed", [a.username for a in self.anna.account_following(self.ids["ben"])] == ["anna"])
        relationship = self.anna.account_relationships(self.ids["ben"])[0]
        self.check("a relationship", relationship.followed_by and not relationship.following)
        self.check("home has who is followed", self.first.id in [s.id for s in self.ben.timeline_home()])

    def profile(self):
        me = self.anna.account_update_credentials(display_name="Anna", note="I grow basil")
        self.check("a profile", me.display_name == "Anna" and "basil" in me.note)
        self.check("by id", self.ben.account(self.ids["anna"]).display_name == "Anna")
        self.check("by name", self.ben.account_lookup("anna").id == self.ids["anna"])
        self.check("by search", [a.username for a in self.ben.account_search("anna")] == ["anna"])

    def hear_in_groups(self):
        heard = self.anna.grouped_notifications()
        kinds = sorted(group.type for group in heard.notification_groups)
        self.check("groups", kinds == ["favourite", "follow", "mention", "reblog"], heard)
        group = next(group for group in heard.notification_groups if group.type == "favourite")
        self.check("whose doing", [str(id) for id in group.sample_account_ids] == [str(self.ids["ben"])], group)
        one = self.anna.grouped_notification(group.group_key)
        self.check("one group", one.notification_groups[0].group_key == group.group_key, one)
        people = self.anna.grouped_notification_accounts(group.group_key)
        self.check("its people", [account.username for account in people] == ["ben"], people)
        self.check("unread groups", self.anna.unread_grouped_notifications_count() == 4)
        self.check("nothing is kept back", self.anna.notifications_policy().for_not_following == "accept")
        self.anna.dismiss_grouped_notification(group.group_key)
        left = [group.type for group in self.anna.grouped_notifications().notification_groups]
        self.check("a group dismissed", "favourite" not in left, left)

    def hear(self):
        heard = self.anna.notifications()
        kinds = {notification.type for notification in heard}
        self.check("notifications", kinds == {"mention", "reblog", "follow"}, kinds)
        self.check("one of them", self.anna.notifications(id=heard[0].id).id == heard[0].id)
        only = self.anna.notifications(types=["follow"])
        self.check("of one kind", [notification.type for notification in only] == ["follow"])
        self.check("unread", self.anna.notifications_unread_count().count >= len(heard) - 1)
        marker = self.anna.markers_set("notifications", heard[0].id)
        self.check("a marker", str(marker["notifications"].last_read_id) == str(heard[0].id), marker)
        self.check("it is kept", "notifications" in self.anna.markers_get("notifications"))
        self.anna.notifications_dismiss(heard[0].id)
        self.check("dismissed", heard[0].id not in [notification.id for notification in self.anna.notifications()])
        self.anna.notifications_clear()
        self.check("cleared", self.anna.notifications() == [])

    def write_privately(self):
        self.private = self.anna.status_post("@ben between us", visibility="direct")
        conversations = self.ben.conversations()
        self.check("a conversation", [c.last_status.id for c in conversations] == [self.private.id])
        self.check("unread", conversations[0].unread and not self.ben.conversations_read(conversations[0]).unread)
        self.refused("cora can't read it", lambda: self.cora.status(self.private.id), errors.MastodonNotFoundError)

    def stream(self):
        self.check("streams are well", self.ben.stream_healthy())
        user, public, tag, direct = (Heard() for _ in range(4))
        handles = [
            self.ben.stream_user(user, run_async=True), self.cora.stream_public(public, run_async=True),
            self.cora.stream_hashtag("basil", tag, run_async=True), self.ben.stream_direct(direct, run_async=True),
        ]
        self.wait(
            "all streams are open", lambda: all(handle.is_receiving() for handle in handles),
            lambda: [handle.is_receiving() for handle in handles])
        status = self.anna.status_post("Live: #basil")
        self.anna.status_update(status.id, "Live: #basil, @ben")
        private = self.anna.status_post("@ben live", visibility="direct")
        self.anna.status_delete(status.id)
        live = str(status.id)
        self.check("a user's stream", user.next(5) == [
            ("update", live), ("notification", "mention"), ("status_update", live), ("notification", "mention"),
            ("delete", live),
        ], user.all)
        for name, stream in [("public", public), ("a tag's", tag)]:
            kinds = [("update", live), ("status_update", live), ("delete", live)]
            self.check(f"{name} stream", stream.next(3) == kinds, stream.all)
        self.check("a conversation, live", direct.next(1) == [("conversation", str(private.id))], direct.all)

    def search(self):
        found = self.ben.search_v2("allotment")
        self.check("found by a word", self.first.id in [status.id for status in found.statuses])
        self.check("found as a tag", "allotment" in [tag.name for tag in found.hashtags])
        self.check("a person", [a.username for a in self.ben.search_v2("cora", result_type="accounts").accounts] == ["cora"])

    def page(self):
        posted = [self.cora.status_post(f"Number {number}").id for number in range(1, 8)]
        page, pages = self.cora.account_statuses(self.ids["cora"], limit=3), []
        while page:
            pages.append([status.id for status in page])
            page = self.cora.fetch_next(page)
        self.check("older pages", pages == [posted[:3:-1], posted[3:0:-1], posted[:1]], pages)
        start = self.cora.account_statuses(self.ids["cora"], limit=2, max_id=posted[2])
        newer = self.cora.fetch_previous(start)
        self.check("a newer page", [status.id for status in newer][-1] == posted[2], newer)
        everything = self.cora.fetch_remaining(self.cora.account_statuses(self.ids["cora"], limit=3))
        self.check("all of them", len(everything) == 7)

    def tags(self):
        self.check("a tag", self.ben.tag("allotment").name == "allotment")

        self.check("a followed tag", self.ben.tag_follow("allotment").following)
        self.check("followed tags", [tag.name for tag in self.ben.followed_tags()] == ["allotment"])
        self.check("a tag unfollowed", not self.ben.tag_unfollow("allotment").following)
        featured = self.anna.featured_tag_create("allotment")
        self.check("a featured tag", [tag.name for tag in self.ben.account_featured_tags(self.ids["anna"])] == ["allotment"])
        self.anna.featured_tag_delete(featured.id)
        self.check("none is featured", self.anna.featured_tags() == [])

    def poll(self):
        poll = self.anna.make_poll(["Kale", "Leek"], expires_in=3600, multiple=True)
        asked = self.anna.status_post("Which?", poll=poll)
        voted = self.ben.poll_vote(asked.poll.id, [0, 1])
        self.check("votes", [option.votes_count for option in voted.options] == [1, 1] and voted.voters_count == 1, voted)
        self.check("a poll", self.cora.poll(asked.poll.id).voted is False)

    def schedule(self):
        later = datetime.now(timezone.utc) + timedelta(hours=1)
        planned = self.anna.status_post("Sow peas", scheduled_at=later)
        self.check("scheduled", [status.id for status in self.anna.scheduled_statuses()] == [planned.id])
        moved = self.anna.scheduled_status_update(planned.id, later + timedelta(hours=1))
        self.check("another time", moved.scheduled_at > planned.scheduled_at, moved)
        self.check("by its id", self.anna.scheduled_status(planned.id).params.text == "Sow peas")
        self.anna.scheduled_status_delete(planned.id)
        self.check("no longer", self.anna.scheduled_statuses() == [])

    def show_pictures(self):
        limits = self.anna.instance_v2().configuration.media_attachments
        self.check("it takes pictures", "image/png" in limits.supported_mime_types and limits.image_size_limit > 0, limits)
        frog = self.anna.media_post(png(), mime_type="image/png", description="A frog")
        self.check("an upload", frog.type == "image" and frog.description == "A frog", frog)
        self.check("its size", frog.meta.original.width == 8 and frog.meta.original.height == 6, frog)
        self.check("another text", self.anna.media_update(frog.id, description="A red frog").description == "A red frog")
        self.check("asked for", self.anna.media(frog.id).id == frog.id)
        shown = self.anna.status_post("Look", media_ids=[frog])
        self.check("a post with it", [m.description for m in shown.media_attachments] == ["A red frog"], shown)
        with urllib.request.urlopen(shown.media_attachments[0].url, timeout=PATIENCE) as file:
            content = file.read()
            kind = file.headers["Content-Type"]
        self.check("its file", content.startswith(b"\x89PNG") and kind == "image/png" and b"secret" not in content)
        self.check("by kind", [s.id for s in self.ben.timeline_public(only_media=True)] == [shown.id])
        self.check("of hers", [s.id for s in self.ben.account_statuses(self.ids["anna"], only_media=True)] == [shown.id])
        toad = self.anna.media_post(png(color=(20, 90, 20)), mime_type="image/png")
        # Mastodon.py can't send new pictures and edited attributes together.
        self.anna.status_update(
            shown.id, "Look again",
            media_attributes=[self.anna.generate_media_edit_attributes(frog.id, description="Still red")])
        edited = self.anna.status_update(shown.id, "Look, two", media_ids=[toad, frog])
        found = [(str(m.id), m.description) for m in edited.media_attachments]
        self.check("an edit of pictures", found == [(str(toad.id), None), (str(frog.id), "Still red")], found)
        history = [[m.description for m in version.media_attachments] for version in self.ben.status_history(shown.id)]
        self.check("their history", history == [["A red frog"], ["Still red"], [None, "Still red"]], history)
        self.refused("no text file", lambda: self.anna.media_post(b"text", mime_type="image/png"), errors.MastodonAPIError)
        me = self.anna.account_update_credentials(
            avatar=png(16, 16), avatar_mime_type="image/png", header=png(30, 10), header_mime_type="image/png")
        self.check("avatar and header", "/media/" in me.avatar and "/media/" in me.header, me)
        me = self.anna.account_delete_avatar()
        self.check("no avatar", "/media/" not in me.avatar and "/media/" in me.header, me)
        me = self.anna.account_delete_header()
        self.check("no header", "/media/" not in me.header, me)
        later = datetime.now(timezone.utc) + timedelta(hours=1)
        planned = self.anna.status_post(
            "Later", media_ids=[self.anna.media_post(png(), mime_type="image/png")], scheduled_at=later)
        self.check("scheduled with a picture", len(planned.media_attachments) == 1, planned)
        self.anna.scheduled_status_delete(planned.id)
        self.anna.status_delete(shown.id)

    def lists(self):
        made = self.ben.list_create("Gardeners")
        self.ben.list_accounts_add(made.id, [self.ids["anna"]])
        self.check("its people", [a.username for a in self.ben.list_accounts(made.id)] == ["anna"])
        live, heard = Heard(), Heard()
        handles = [self.ben.stream_list(made.id, live, run_async=True), self.ben.stream_user(heard, run_async=True)]
        self.wait(
            "all streams are open", lambda: all(handle.is_receiving() for handle in handles),
            lambda: [handle.is_receiving() for handle in handles])
        fresh = self.anna.status_post("Live for the list")
        self.check("a list's stream", live.next(1) == [("update", str(fresh.id))], live.all)
        warned = self.ben.create_filter_v2("Live", ["home"], "warn")
        told = heard.next(2)
        self.check("filters, live", ("filters_changed", "") in told, told)
        self.ben.delete_filter_v2(warned.id)
        self.anna.status_delete(fresh.id)
        self.check("its timeline", self.first.id in [status.id for status in self.ben.timeline_list(made.id)])
        self.check("lists of somebody", [l.id for l in self.ben.account_lists(self.ids["anna"])] == [made.id])
        self.check("another title", self.ben.list_update(made.id, "Growers").title == "Growers")
        self.ben.list_accounts_delete(made.id, [self.ids["anna"]])
        self.ben.list_delete(made.id)
        self.check("no lists", self.ben.lists() == [])
        self.check("pinned", self.anna.status_pin(self.first.id).pinned)
        self.check("pins", [s.id for s in self.ben.account_statuses(self.ids["anna"], pinned=True)] == [self.first.id])
        self.check("unpinned", not self.anna.status_unpin(self.first.id).pinned)

    def filters(self):
        made = self.ben.create_filter_v2("Cold", ["home", "public"], "warn", keywords_attributes=[{"keyword": "frost", "whole_word": True}])
        found = self.ben.status(self.first.id).filtered
        self.check("a filter warns", [result.keyword_matches for result in found] == [["frost"]], found)
        self.check("filters", [one.title for one in self.ben.filters_v2()] == ["Cold"])
        old = self.ben.filters()
        self.check("filters of old", [(one.phrase, one.whole_word) for one in old] == [("frost", True)], old)
        self.check("one of old", self.ben.filter(old[0].id).phrase == "frost")
        self.ben.delete_filter_v2(made.id)
        self.check("no filter", self.ben.status(self.first.id).filtered == [])

    def keep_away(self):
        self.check("a mute", self.cora.account_mute(self.ids["ben"], duration=600).muting)
        self.check("mutes", [a.username for a in self.cora.mutes()] == ["ben"])
        self.check("no mute", not self.cora.account_unmute(self.ids["ben"]).muting)
        self.check("a muted thread", self.anna.status_mute(self.first.id).muted)
        self.check("heard again", not self.anna.status_unmute(self.first.id).muted)
        self.check("a block", self.cora.account_block(self.ids["ben"]).blocking)
        self.check("blocks", [a.username for a in self.cora.blocks()] == ["ben"])
        self.refused("nothing of whom one blocks", lambda: self.cora.status(self.answer.id), errors.MastodonNotFoundError)
        self.check("no block", not self.cora.account_unblock(self.ids["ben"]).blocking)
        self.check("a note", self.cora.account_note_set(self.ids["ben"], "Grows leeks").note == "Grows leeks")
        self.check("a report", self.cora.report(self.ids["ben"], comment="Too many leeks").comment == "Too many leeks")

    def lock(self):
        self.check("locked", self.anna.account_update_credentials(locked=True).locked)
        self.check("a request", self.cora.account_follow(self.ids["anna"]).requested)
        self.check("requests", [a.username for a in self.anna.follow_requests()] == ["cora"])
        self.check("accepted", self.anna.follow_request_authorize(self.ids["cora"]).followed_by)
        fields = self.anna.account_update_credentials(locked=False, fields=[("Site", "https://example.org")]).fields
        self.check("fields", [field.name for field in fields] == ["Site"], fields)

    def take_back(self):
        self.check("no favourite", not self.ben.status_unfavourite(self.first.id).favourited)
        self.check("no bookmark", not self.ben.status_unbookmark(self.first.id).bookmarked)
        self.check("no boost", not self.ben.status_unreblog(self.first.id).reblogged)
        self.check("not followed", not self.ben.account_unfollow(self.ids["anna"]).following)
        self.ben.status_delete(self.answer.id)
        self.refused("deleted", lambda: self.ben.status(self.answer.id), errors.MastodonNotFoundError)

    def refuse(self):
        self.refused("an empty post", lambda: self.anna.status_post(""), errors.MastodonAPIError)
        self.refused("too long a post", lambda: self.anna.status_post("x" * 100_000), errors.MastodonAPIError)
        self.refused("another's post", lambda: self.ben.status_delete(self.first.id), errors.MastodonNotFoundError)

    def sign_out(self):
        self.anna.revoke_access_token(allow_http=True)
        self.refused("the token is gone", lambda: self.anna.me(), errors.MastodonError)

    # Checks

    def new_client(self):
        return Mastodon(
            client_id=self.app, client_secret=self.secret, api_base_url=self.url, request_timeout=PATIENCE)

    def refused(self, what, call, error):
        try:
            call()
            self.check(what, False)
        except error:
            self.check(what, True)


class Heard(StreamListener):
    """Records the events of a stream: their kind, and the id or type of their subject."""

    def __init__(self):
        self.events = queue.Queue()
        self.all = []

    def next(self, count):
        for _ in range(count):
            try:
                self.all.append(self.events.get(timeout=PATIENCE))
            except queue.Empty:
                break
        return self.all

    def on_update(self, status):
        self.events.put(("update", str(status.id)))

    def on_status_update(self, status):
        self.events.put(("status_update", str(status.id)))

    def on_delete(self, status_id):
        self.events.put(("delete", str(status_id)))

    def on_notification(self, notification):
        self.events.put(("notification", notification.type))

    def on_filters_changed(self):
        self.events.put(("filters_changed", ""))

    def on_conversation(self, conversation):
        self.events.put(("conversation", str(conversation.last_status.id)))

    def on_abort(self, error):
        self.events.put(("abort", str(error)))


class Watched:
    """A client that records which of its operations are used."""

    def __init__(self, client, called):
        self.client = client
        self.called = called

    def __getattr__(self, name):
        self.called.add(name)
        return getattr(self.client, name)


if __name__ == "__main__":
    session = LibrarySession(sys.argv[1], dict(line.rstrip("\n").split(" ", 1) for line in sys.stdin))
    session.run()
    sys.exit(session.end(f"; {len(session.called)} operations used"))
