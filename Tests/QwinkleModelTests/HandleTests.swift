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
  func `the handle of a profile is in its address`(address: String, handle: String?) throws {
    #expect(Handle.reading(profile: try #require(WebAddress(address))) == handle)
  }

  @Test(arguments: ["https://example.org/@alice", "@alice@example.org"])
  func `the draft of a message begins with the recipient`(name: String) {
    let given = GivenEntry(target: .message(name), text: "Words")
    #expect(given.draft(idempotencyKey: "k").text == "@alice@example.org Words")
  }
}
