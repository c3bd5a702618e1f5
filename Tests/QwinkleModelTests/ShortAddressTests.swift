import QwinkleModel
import Testing

@Suite struct ShortAddressTests {
  @Test(arguments: [
    ("https://example.org/archive/2026/november/the-boats/map", "example.org/archive/2026/november/…/map"),
    ("https://example.org/" + String(repeating: "long", count: 20), "example.org/longlonglonglonglonglonglon…"),
    ("https://example.org/a/b/" + String(repeating: "long", count: 20), "example.org/…/longlonglonglonglonglongl…"),
    (
      "https://a-host-with-a-long-name.example.org/" + String(repeating: "long", count: 20),
      "a-host-with-a-long-name.example.org/…"
    ),
    ("https://example.org/a/b/search?words=" + String(repeating: "boat", count: 20), "example.org/a/b/search?…"),
    ("https://example.org:8443/" + String(repeating: "long", count: 20) + "/end", "example.org:8443/…/end"),
    (
      "https://the-very-long-name-of-a-host-that-fills-a-line.example.org/map",
      "the-very-long-name-of-a-host-that-fills-a-line.example.org/…"
    ),
  ])
  func `a long address is shown with its whole host and the ends of its path`(url: String, short: String) {
    #expect(WebAddress(url)?.shortened(for: url) == short)
    #expect(LinkNote(text: short, url: url) == nil)
  }

  @Test func `an address that the server has shortened is shown with its end`() {
    let address = WebAddress("https://www.example.org/archive/2026/november/the-boats/map")
    #expect(address?.shortened(for: "example.org/archive/2026/novem…") == "www.example.org/archive/2026/…/map")
    #expect(WebAddress("https://example.org/a-map")?.shortened(for: "example.org/a…") == "example.org/a-map")
  }

  @Test(arguments: [
    ("https://example.org/map", "https://example.org/map"),
    ("https://example.org/archive/2026/november/the-boats/map", "a map of all boats that we saw in November 2026"),
    ("https://evil.example/" + String(repeating: "x", count: 40), "https://bank.example/a/long/way/to/the/login/page"),
    ("https://evil.example/archive/2026/november/the-boats", "bank.example/archive/2026/nov…"),
    (
      "https://bank.example@evil.example/archive/2026/november/x",
      "https://bank.example@evil.example/archive/2026/november/x"
    ),
    (
      "https://bank.example\\@evil.example/archive/2026/november/",
      "https://bank.example\\@evil.example/archive/2026/november/"
    ),
  ])
  func `other texts and misleading addresses are unchanged`(url: String, text: String) {
    #expect(WebAddress(url)?.shortened(for: text) == nil)
  }

  @Test func `a paragraph shortens a link that emphasis has split`() {
    let url = "https://example.org/archive/2026/november/the-boats/map"
    let link = RichText.Kind.link(url: url)
    let paragraph = RichText.Paragraph([
      .init("See "), .init("https://example.org/archive/2026/", kind: link),
      .init("november/the-boats/map", kind: link, emphasis: .strong), .init("."),
    ])
    #expect(paragraph.withShortAddresses.plainText == "See example.org/archive/2026/november/…/map.")
  }
}
