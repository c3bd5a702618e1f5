import QwinkleModel
import TerminalTesting
import Testing

@Suite(.bounded) struct HandleTests {
  @Test(
    arguments: [
      ("https://example.org/@alice", "alice@example.org"), ("https://example.org/@alice/", "alice@example.org"),
      ("https://example.org/@alice?tab=1", "alice@example.org"),
      ("https://example.org/users/alice", "alice@example.org"),
      ("https://example.org/@bob@other.example", "bob@other.example"),
      ("http://localhost:8080/@al", "al@localhost:8080"),
      ("https://example.org/@alice/123", nil), ("https://example.org/about", nil), ("https://example.org", nil),
      ("https://example.org/@", nil),
    ] as [(String, String?)])
  func `a handle is read from the address of a profile`(address: String, handle: String?) throws {
    #expect(Handle.reading(profile: try #require(WebAddress(address))) == handle)
  }

  @Test(arguments: ["https://example.org/@alice", "@alice@example.org"])
  func `the draft of a message begins with the recipient`(name: String) {
    let given = GivenEntry(target: .message(name), text: "Words")
    #expect(given.draft(idempotencyKey: "k").text == "@alice@example.org Words")
  }

  @Test(
    arguments: [
      ("@alice", "alice"), ("Alice@Example.ORG.", "Alice@example.org"),
      ("@alice@bücher.example", "alice@xn--bcher-kva.example"), ("@al@[0::1]:8080", "al@[::1]:8080"),
      ("@alice@example.org/x", nil), ("@alice@", nil), ("@alice@☃.net", nil), ("@a@b@c", nil),
    ] as [(String, String?)])
  func `a typed handle is normalized to the server's spelling of the host`(text: String, handle: String?) {
    #expect(Handle.reading(text) == handle)
  }

  @Test func `all spellings of a handle match the same user`() {
    var qwinker = Qwinker(id: "1", userName: "Alice", handle: "Alice@bücher.example")
    let spellings = ["alice@xn--bcher-kva.example", "ALICE@BÜCHER.example", "alice@bücher.example:8080"]
    for name in spellings { #expect(qwinker.isCalled(name), "\(name)") }
    qwinker.handle = "Alice"
    qwinker.url = "https://bücher.example/@Alice"
    for name in spellings + ["alice"] { #expect(qwinker.isCalled(name), "\(name)") }
    #expect(!qwinker.isCalled("alice@bucher.example"))
    let given = GivenEntry(target: .message("@alice@bücher.example"), text: "@Alice@BÜCHER.example Words")
    #expect(given.draft(idempotencyKey: "k").text == "@Alice@BÜCHER.example Words")
  }
}
