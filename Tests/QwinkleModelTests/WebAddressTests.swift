import Testing

@testable import QwinkleModel

@Suite struct WebAddressTests {
  @Test(arguments: [
    ("https://example.org/kiosk", "example.org"), ("HTTP://Example.ORG:8080/a?b#c", "example.org:8080"),
    ("https://bank.example@evil.example/", "evil.example"), ("https://a:b@evil.example:81?x", "evil.example:81"),
    ("https://evil.example\\@bank.example/", "evil.example"), ("https://[2001:db8::1]:8/x", "[2001:db8::1]:8"),
    ("https://bücher.example/ä", "bücher.example"),
  ])
  func `the host is the one that a browser would contact`(url: String, host: String) {
    #expect(WebAddress(url)?.host == host)
    #expect(WebAddress(url)?.url == url)
  }

  @Test(arguments: [
    "", "example.org", "javascript:alert(1)", "file:///etc/passwd", "ftp://example.org", "https://", "https:///x",
    "https://exa mple.org", "https://example.org/a b", "https://example.org/\u{1B}]0;x\u{07}", "https://example.org\n",
    "https://example.org:99999", "https://example.org:port", "https://user@", "https://[evil]", "-https://example.org",
    "https://example.org/\u{202E}gpj.exe", "https://exam$ple.org",
  ])
  func `a text that is not a web address is rejected`(text: String) {
    #expect(WebAddress(text) == nil)
  }

  @Test func `a typed address may omit the scheme but not the domain`() {
    #expect(WebAddress(typed: "example.org/kiosk")?.url == "https://example.org/kiosk")
    #expect(WebAddress(typed: "http://127.0.0.1:8/x")?.url == "http://127.0.0.1:8/x")
    for text in ["kiosk", "ftp://example.org", "", "a b.org", "--help"] { #expect(WebAddress(typed: text) == nil) }
  }

  @Test func `a host named in a text is recognized`() {
    let named = [
      "example.org": "example.org", "https://Example.org/x": "example.org", " example.org/very/lo…": "example.org",
      "example.org…": "example.org",
    ]
    for (text, host) in named { #expect(NamedHost.first(in: text)?.name?.written == host) }
    for text in ["click here", "e.g. this", "3.14", "version 1.2", "…", "", "a..b", "user"] {
      #expect(NamedHost.first(in: text) == nil, "\(text)")
    }
  }

  @Test func `a text that names another host is misleading`() throws {
    let address = try #require(WebAddress("https://www.example.org:443/kiosk"))
    for text in ["example.org/kiosk", "https://www.example.org", "the kiosk", ""] {
      #expect(!address.isMisnamed(by: text), "\(text)")
    }
    for text in ["bank.example", "https://example.com/kiosk", "example.org.evil.example"] {
      #expect(address.isMisnamed(by: text), "\(text)")
    }
  }

  @Test func `a displayed address omits the scheme and an empty path`() {
    #expect(WebAddress("https://example.org/")?.words == "example.org")
    #expect(WebAddress("https://example.org/a?b")?.words == "example.org/a?b")
  }
}

@Suite struct TimelineWordTests {
  @Test func `each word for a timeline is also its key`() {
    for word in TimelineName.words {
      let name = TimelineName(word: word)
      #expect(name != nil && name == (name?.key).flatMap(TimelineName.init(word:)))
    }
    #expect(TimelineName(word: "bookmarks") == .bookmarks)
    #expect(TimelineName(word: "#garden") == .tag("garden"))
    for word in ["", "#", "nowhere", "#a b", "##a", "#a/b", "@anna"] { #expect(TimelineName(word: word) == nil) }
  }
}
