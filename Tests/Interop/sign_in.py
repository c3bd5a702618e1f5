"""A minimal browser for signing in: it stores cookies, fills in the form and reads the code."""

import urllib.error
import urllib.parse
import urllib.request
from html.parser import HTMLParser
from http.cookiejar import CookieJar

from checks import PATIENCE


def code_from(address, name, password):
    """Signs in at `address` and returns the code on the resulting page, or None if there is no code."""
    open_page = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(CookieJar())
    ).open
    form = Page(open_page(address, timeout=PATIENCE))
    fields = {**form.fields, "name": name, "password": password}
    target = urllib.parse.urljoin(address, form.action)
    try:
        answer = open_page(target, urllib.parse.urlencode(fields).encode(), timeout=PATIENCE)
    except urllib.error.HTTPError as error:
        # Errors are also pages, but without a code.
        answer = error
    return Page(answer).code


class Page(HTMLParser):
    """The form of a page, and its code, if any."""

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
        # Enter submits the form with its first button.
        is_first_button = tag == "button" and attributes.get("name") not in self.fields
        if attributes.get("type") == "hidden" or (is_first_button and attributes.get("name")):
            self.fields[attributes["name"]] = attributes.get("value", "")

    def handle_endtag(self, tag):
        self.is_in_code = False

    def handle_data(self, data):
        if self.is_in_code:
            self.code = data.strip()
