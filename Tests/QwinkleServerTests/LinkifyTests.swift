import QwinkleModel
import TerminalTesting
import Testing

@testable import QwinkleServer

@Suite(.bounded) struct LinkifyTests {
  /// The links, mentions and tags in a text, each prefixed with its kind.
  private func found(_ text: String) -> [String] {
    linkify(text, mentions: ["alice": "https://q/@alice", "bob_2": "https://q/@bob_2"])
      .paragraphs.flatMap(\.spans).compactMap { span in
        switch span.kind {
        case .link(let url): "link \(url)"
        case .mention(let url): "mention \(url)"
        case .tag(let name): "tag \(name)"
        default: nil
        }
      }
  }

  @Test(arguments: [
    ("see https://example.org.", "https://example.org"),
    ("see https://example.org/a?b=c&d=e#f, and", "https://example.org/a?b=c&d=e#f"),
    ("(https://example.org/a)", "https://example.org/a"),
    ("https://en.wikipedia.org/wiki/Swift_(bird)", "https://en.wikipedia.org/wiki/Swift_(bird)"),
    ("(see https://en.wikipedia.org/wiki/Swift_(bird))", "https://en.wikipedia.org/wiki/Swift_(bird)"),
    ("\"https://example.org/\"!", "https://example.org/"),
    ("HTTPS://EXAMPLE.ORG/X", "HTTPS://EXAMPLE.ORG/X"),
    ("https://müller.example/größe…", "https://müller.example/größe"),
    ("日本https://example.jp/道。次", "https://example.jp/道"),
    ("http://[::1]:8420/", "http://[::1]:8420/"),
    ("https://example.org/@alice/1", "https://example.org/@alice/1"),
    ("<https://example.org/a>", "https://example.org/a"),
  ])
  func `a URL ends before the punctuation that follows it`(_ text: String, _ url: String) {
    #expect(found(text) == ["link \(url)"])
  }

  @Test(arguments: ["https://", "https://.", "xhttps://a.example", "http:/a", "javascript:alert(1)", "https:// a"])
  func `text that only resembles a URL isn't linked`(_ text: String) {
    #expect(found(text) == [])
  }

  @Test(arguments: [
    ("@alice", ["mention https://q/@alice"]),
    ("(@Alice, @bob_2)", ["mention https://q/@alice", "mention https://q/@bob_2"]),
    ("@alice's", ["mention https://q/@alice"]), ("@nobody", []), ("me@alice", []), ("@alice@example.org", []),
    ("@aliceé", []), ("@élise", []), ("@@alice", []), ("x/@alice", []), ("@", []),
    (".@alice", ["mention https://q/@alice"]),
    ("@alice@", []),
  ])
  func `names of local qwinkers become mentions`(_ text: String, _ expected: [String]) {
    #expect(found(text) == expected)
  }

  @Test(arguments: [
    ("#fun", ["tag fun"]), ("#Straßenbahn, #日本語。", ["tag Straßenbahn", "tag 日本語"]), ("#1", []),
    ("#2026jahr", ["tag 2026jahr"]),
    ("C#", []), ("a#b", []), ("#", []), ("##x", []), ("＃全角", ["tag 全角"]), ("#l·l", ["tag l·l"]), ("#हिन्दी", ["tag हिन्दी"]),
    ("#a-b", ["tag a"]), ("&#39;", []), ("#می\u{200C}خواهم", ["tag می\u{200C}خواهم"]),
  ])
  func `tags are words of any script`(_ text: String, _ expected: [String]) {
    #expect(found(text) == expected)
  }

  @Test func `no text is lost and blank lines separate paragraphs`() {
    let text = "One @alice\n#two https://a.example/\n\n \n\nthree @nobody @x"
    let rich = linkify(text, mentions: ["alice": "u"])
    #expect(rich.paragraphs.count == 2)
    #expect(rich.plainText == "One @alice\n#two https://a.example/\n\nthree @nobody @x")
    #expect(rich.paragraphs[1].spans.count == 1)
    #expect(linkify("").isEmpty)
    #expect(linkify(" \n ").paragraphs.isEmpty)
  }

  @Test func `tags are compared regardless of case and composition`() {
    #expect(TagName.folded("Café") == TagName.folded("CAFE\u{301}"))
    #expect(Array(TagName.folded("Café").utf8) == Array(TagName.folded("CAFE\u{301}").utf8))
    #expect(linkify("#A #a #b").tagNames == ["A", "b"])
  }

  @Test(arguments: [
    ("a+b%20c", "a b c", true), ("a+b", "a+b", false), ("%", "%", true), ("%4", "%4", true), ("%zz%41", "%zzA", true),
    ("%E2%82%AC", "€", true), ("%4%41", "%4A", true),
  ])
  func `invalid percent escapes are left unchanged`(_ text: String, _ expected: String, _ plusIsSpace: Bool) {
    #expect(PercentEncoding.decoded(text.utf8, plusIsSpace: plusIsSpace) == expected)
  }
}
