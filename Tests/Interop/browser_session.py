"""The service's pages in a browser, at two widths, light and dark, and a sign-in by keyboard."""

import json
import sys
import urllib.parse
import urllib.request
from pathlib import Path

from checks import PATIENCE, Checks
from selenium import webdriver
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.common.by import By

CODE_ONLY = "urn:ietf:wg:oauth:2.0:oob"


class BrowserSession(Checks):
    """A browser and a service on which anna and ben have tokens."""

    def __init__(self, url, pictures, tokens):
        super().__init__("browser")
        self.url = url
        self.pictures = Path(pictures)
        self.anna, self.ben = tokens
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--no-proxy-server"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
        self.browser = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))
        self.browser.set_page_load_timeout(PATIENCE)
        self.browser.set_script_timeout(PATIENCE)

    def run(self):
        try:
            self.take([self.write, self.look, self.read_by_keyboard, self.sign_in, self.register, self.ask_nobody_else])
        finally:
            self.browser.quit()

    # Steps

    def write(self):
        self.post = self.send(self.anna, "Frost on the #allotment. https://example.org/chard 👩‍🌾 <b>&amp;</b>")
        self.send(self.anna, "The basil dies.", spoiler_text="sad")
        self.send(self.ben, "@anna Cover it tonight.", in_reply_to_id=self.post["id"])
        self.send(self.ben, "x" * 300 + "\n\nשלום עולם\n\n" + "a long text of many words " * 5)

    def look(self):
        pages = {
            "front": "/", "person": "/@anna", "thread": f"/@anna/{self.post['id']}", "tag": "/tags/allotment",
            "missing": "/@nobody", "sign-in": self.sign_in_address(), "register": "/register",
        }
        for scheme in ("light", "dark"):
            self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            for width in (360, 1000):
                self.command(
                    "Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=width < 500)
                for name, path in pages.items():
                    self.open(path)
                    self.browser.save_screenshot(str(self.pictures / f"{name}-{width}-{scheme}.png"))
                    wide = self.value("document.documentElement.scrollWidth")
                    self.check(f"{name} fits {width} columns of pixels", wide <= width, wide)
                    headings = self.value("[...document.querySelectorAll('h1')].length")
                    self.check(f"{name} has one heading", headings == 1, headings)
                    self.check(f"{name} tells its language", self.value("document.documentElement.lang") == "en")
                    self.check(f"{name} has no script", self.value("document.scripts.length") == 0)
                    contrast = self.value(CONTRAST)
                    self.check(f"{name} can be read in {scheme}", not contrast, contrast)
        self.open(pages["thread"])
        text = self.browser.find_element(By.TAG_NAME, "body").text
        self.check("markup stays text", "<b>&amp;</b>" in text, text)
        self.check("the thread has the reply", "Cover it tonight." in text, text)
        self.open("/")
        warned = self.browser.find_element(By.TAG_NAME, "details")
        self.check("a warned post is closed", "The basil dies." not in warned.text and "sad" in warned.text, warned.text)

    def read_by_keyboard(self):
        self.open("/")
        stops = []
        for _ in range(40):
            self.press(Keys.TAB)
            stop = self.value(
                "(e => e === document.body ? '' : (e.innerText || e.value || '').trim()"
                " + (getComputedStyle(e).outlineStyle === 'none' ? ' (no outline)' : ''))(document.activeElement)")
            if not stop:
                break
            stops.append(stop)
        self.check("every stop says what it is, and shows it", all(s and "no outline" not in s for s in stops), stops)
        places = self.value("[...document.querySelectorAll('a[href], summary')].length")
        self.check("every link is a stop, in the order of the page", len(stops) >= min(places, 40), (len(stops), places))

    def sign_in(self):
        self.open(self.sign_in_address())
        self.press("anna", Keys.TAB, "wrong", Keys.ENTER)
        complaint = self.browser.find_element(By.CSS_SELECTOR, "[role=alert]").text
        self.check("a wrong password is told", complaint != "", complaint)
        self.picture("refused")
        self.check("the password has the focus", self.value("document.activeElement.id") == "password")
        self.press("correct horse", Keys.ENTER)
        self.picture("code")
        code = self.browser.find_element(By.ID, "code").text
        answer = self.ask(
            "/oauth/token", grant_type="authorization_code", code=code, redirect_uri=CODE_ONLY, **self.app())
        self.check("the code becomes a token", bool(answer.get("access_token")), answer)

    def register(self):
        self.open("/register")
        self.press("dora", Keys.TAB, "grows only roses", Keys.TAB, Keys.SPACE, Keys.TAB, Keys.ENTER)
        heading = self.browser.find_element(By.TAG_NAME, "h1").text
        self.check("somebody registers by keyboard", heading == "Welcome, @dora", heading)
        self.picture("welcome")

    def ask_nobody_else(self):
        hosts = set()
        for entry in self.browser.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                address = urllib.parse.urlsplit(message["params"]["request"]["url"])
                if address.scheme in ("http", "https", "ws", "wss"):
                    hosts.add(address.netloc)
        self.check("no other host is asked", hosts == {urllib.parse.urlsplit(self.url).netloc}, hosts)
        # Chromium also logs responses with an error status.
        faults = [e for e in self.browser.get_log("browser") if "status of 4" not in e["message"]]
        self.check("the console has no errors", not faults, faults)

    # The browser

    def open(self, path):
        self.browser.get(self.url + path)

    def value(self, script):
        return self.browser.execute_script(f"return {script}")

    def command(self, name, **parameters):
        self.browser.execute_cdp_cmd(name, parameters)

    def press(self, *keys):
        ActionChains(self.browser).send_keys(*keys).perform()

    def picture(self, name):
        self.browser.save_screenshot(str(self.pictures / f"{name}.png"))

    # The API

    def app(self):
        if not hasattr(self, "registered"):
            made = self.ask("/api/v1/apps", client_name="A reader", redirect_uris=CODE_ONLY, scopes="read write")
            self.registered = {key: made[key] for key in ("client_id", "client_secret")}
        return self.registered

    def sign_in_address(self):
        asked = {
            "response_type": "code", "client_id": self.app()["client_id"], "redirect_uri": CODE_ONLY,
            "scope": "read write",
        }
        return "/oauth/authorize?" + urllib.parse.urlencode(asked)

    def send(self, token, status, **more):
        return self.ask("/api/v1/statuses", token, status=status, **more)

    def ask(self, path, token=None, **form):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        request = urllib.request.Request(self.url + path, urllib.parse.urlencode(form).encode(), headers)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        return json.load(opener.open(request, timeout=PATIENCE))


# Finds texts with too little contrast to their background: a ratio below 4.5 (WCAG 2).
CONTRAST = """(() => {
  const parts = color => (color.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = element => {
    for (let e = element; e; e = e.parentElement) {
      const color = parts(getComputedStyle(e).backgroundColor);
      if (color.length === 3 || color[3] > 0) return color;
    }
    return matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18] : [255, 255, 255];
  };
  const low = [];
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!own || element.closest('[aria-hidden=true]') || !element.offsetParent) continue;
    const [a, b] = [light(parts(getComputedStyle(element).color)), light(behind(element))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) low.push(element.tagName + ' ' + element.textContent.trim().slice(0, 30) + ' ' + ratio.toFixed(1));
  }
  return low;
})()"""

if __name__ == "__main__":
    session = BrowserSession(sys.argv[1], sys.argv[2], sys.argv[3:])
    session.run()
    sys.exit(session.end())
