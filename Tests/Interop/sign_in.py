"""A browser, as far as signing in needs one: it keeps cookies, fills the form in and reads the code."""

import urllib.error
import urllib.parse
import urllib.request
from html.parser import HTMLParser
from http.cookiejar import CookieJar

from checks import PATIENCE


def code_from(address, name, password):
    """The code that the sign-in page at `address` shows to who has this name and password; None where it shows none."""
    open_page = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(CookieJar())
    ).open
    form = Page(open_page(address, timeout=PATIENCE))
    fields = {**form.fields, "name": name, "password": password}
    target = urllib.parse.urljoin(address, form.action)
    try:
        answer = open_page(target, urllib.parse.urlencode(fields).encode(), timeout=PATIENCE)
    except urllib.error.HTTPError as error:
        # What was wrong stands on a page too, but there is no code on it.
        answer = error
    return Page(answer).code


class Page(HTMLParser):
    """A page's form, and the code where there is one."""

    def __init__(self, response):
        super().__init__()
        self.action = ""
        self.fields = {}
        self.code = None
        self.is_in_code = False
        self.feed(response.read().decode())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.is_in_code = tag == "code"
        if tag == "form":
            self.action = attributes.get("action", "")
        # Who presses Enter presses the first button.
        is_first_button = tag == "button" and attributes.get("name") not in self.fields
        if attributes.get("type") == "hidden" or (is_first_button and attributes.get("name")):
            self.fields[attributes["name"]] = attributes.get("value", "")

    def handle_endtag(self, tag):
        self.is_in_code = False

    def handle_data(self, data):
        if self.is_in_code:
            self.code = data.strip()
