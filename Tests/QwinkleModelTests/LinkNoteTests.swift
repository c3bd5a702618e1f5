import QwinkleModel
import Testing

@Suite struct LinkNoteTests {
  @Test(arguments: [
    ("https://bank.example", "https://evil.example/x"), ("bank.example", "https://evil.example"),
    ("https://bank.example@evil.example", "https://evil.example"), ("(bank.example)", "https://evil.example"),
    ("pay at bank.example.", "https://evil.example"), ("bank.example/evil.example", "https://evil.example"),
    ("bank。example", "https://evil.example"), ("bank․example", "https://evil.example"),
    ("192.168.1.1", "https://evil.example"), ("https://localhost:80/", "http://evil.example"),
    ("https://bank.example\\@evil.example", "https://evil.example"),
    ("https://bank.example@evil.example/", "https://bank.example@evil.example/"),
  ])
  func `a link whose text names another host shows its real host`(text: String, url: String) {
    #expect(LinkNote(text: text, url: url)?.words == "[evil.example]")
    #expect(LinkNote(text: text, url: url)?.isWarning == true)
  }

  @Test(arguments: [
    ("read this", "https://evil.example"), ("example.org/very/lo…", "https://www.example.org/very/long"),
    ("https://www.example.org", "http://example.org:8080/"), ("EXAMPLE.org", "https://example.org"),
    ("see example.org/a.html", "https://example.org/a.html"), ("@alice@example.org", "https://example.org/@alice"),
    ("example.org/ä", "https://example.org/ä"), ("https://[::1]/x", "http://[::1]/x"), ("3.14", "https://pi.example"),
    ("これはペンです。あれも", "https://example.org"), ("https://☃.net/", "https://☃.net/"), ("call", "tel:+123"),
    ("https://user:secret@example.org/", "https://user:secret@example.org/"), ("", "https://example.org"),
  ])
  func `a link whose text names its host or no host has no note`(text: String, url: String) {
    #expect(LinkNote(text: text, url: url) == nil)
  }

  @Test(arguments: [
    ("münchen.de", "https://m%C3%BCnchen.de/"), ("https://m%C3%BCnchen.de/x", "https://münchen.de/x"),
    ("m%c3%bcnchen.de", "https://xn--mnchen-3ya.de/"), ("MÜNCHEN.de", "https://m%C3%BCnchen.de:8443/"),
    ("example.org", "https://ex%61mple%2Eorg/"), ("https://ex%61mple.org", "https://example.org"),
  ])
  func `another spelling of the same host is not a warning`(text: String, url: String) {
    let note = LinkNote(text: text, url: url)
    #expect(note?.isWarning != true && note?.words.hasPrefix("[") != true, "\(note?.words ?? "")")
  }

  @Test(arguments: [
    ("https://bank.example", "https://ev%69l.example/"), ("https://b%61nk.example", "https://evil.example/"),
    ("https://bank.example%2F", "https://evil.example/"), ("evil.example", "https://bank.example%2Fevil.example/"),
    ("bank.example", "https://bank.example%40evil.example/"),
  ])
  func `percent encoding does not hide another host`(text: String, url: String) {
    #expect(LinkNote(text: text, url: url)?.isWarning == true)
  }

  @Test(arguments: [
    ("x@example.org", "mailto:x@example.org"), ("X@Example.org", "mailto:x@example.ORG?subject=Hello"),
    ("write to x@example.org.", "mailto:x@example.org"), ("<x@example.org>", "mailto:x%40example.org"),
    ("mailto:x@example.org", "mailto:x@example.org?body=y"),
    ("a@x.example, b@y.example", "mailto:a@x.example,b@y.example"),
    ("write me", "mailto:x@example.org"),
  ])
  func `an email link whose text is honest has no note`(text: String, url: String) {
    #expect(LinkNote(text: text, url: url) == nil)
  }

  @Test(arguments: [
    ("x@bank.example", "mailto:x@evil.example"), ("boss@example.org", "mailto:evil@example.org"),
    ("x@bank.example", "mailto:x@evil.example?cc=x@bank.example"), ("bank.example", "mailto:x@evil.example"),
    ("x@bank.example", "mailto:"), ("bank.example", "tel:+123"),
  ])
  func `a link to another address than its text names shows its target`(text: String, url: String) {
    #expect(LinkNote(text: text, url: url)?.words == "[\(url)]")
  }

  @Test func `an internationalized host is followed by its ASCII form`() {
    #expect(LinkNote(text: "bücher.example", url: "https://bücher.example/")?.words == "(xn--bcher-kva.example)")
    #expect(LinkNote(text: "bücher.example", url: "https://xn--bcher-kva.example/")?.words == "(xn--bcher-kva.example)")
    #expect(LinkNote(text: "bücher.example", url: "https://bücher.example/")?.isWarning == false)
    #expect(LinkNote(text: "xn--bcher-kva.example", url: "https://bücher.example/") == nil)
    #expect(
      LinkNote(text: "apple.example", url: "https://аррӏе.example")?.words == "[аррӏе.example (xn--80ak6aa92e.example)]"
    )
  }

  @Test func `an abbreviated host is completed without a warning`() {
    let note = LinkNote(text: "bank.co…", url: "https://bank.com.evil.example/")
    #expect(note?.words == "[bank.com.evil.example]" && note?.isWarning == false)
    #expect(LinkNote(text: "bank.com…", url: "https://evil.example/")?.isWarning == true)
  }

  @Test func `a host name that does not link to a web address shows the target`() {
    #expect(LinkNote(text: "bank.example", url: "mailto:x@evil.example")?.words == "[mailto:x@evil.example]")
    #expect(LinkNote(text: "bank.example", url: "https://exa$mple/")?.words == "[https://exa$mple/]")
  }

  @Test func `each link in a text is followed by its note`() {
    let evil = RichText.Kind.link(url: "https://evil.example")
    let text = RichText([
      .init([
        .init("See "), .init("bank", kind: evil), .init(".example", kind: evil, emphasis: .strong), .init(" soon"),
      ]),
      .init([
        .init("and bank.exam"), .init("ple", kind: evil), .init("/login, "), .init("this", kind: evil), .init("."),
      ]),
      .init([
        .init("@alice", kind: .mention(url: "https://evil.example/@alice")), .init("#a.example", kind: .tag(name: "a")),
      ]),
    ])
    #expect(
      text.structuredText == """
        See bank.example [evil.example] soon

        and bank.example [evil.example]/login, this.

        @alice#a.example
        """)
  }
}
