import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing

/// Quotes that the model hides are removed from printed JSON too.
@Suite(.bounded) struct WithheldQuotesTests {
  private static func status(quoting quote: String) -> String {
    """
    {"id":"1","created_at":"2026-11-21T01:52:38.493Z","content":"<p>Outer</p>","local_only":true,\
    "account":{"id":"7","username":"alice","acct":"alice"},"quote":\(quote)}
    """
  }

  private static let quoted = status(quoting: "null").replacing("Outer", with: "Secret")

  private static func removed(_ json: String) -> String {
    String(decoding: WithheldQuotes.removed(from: Array(json.utf8)), as: UTF8.self)
  }

  /// Each state as JSON, and whether the quoted status stays.
  private static let states: [(String, Bool)] = {
    var states: [(String, Bool)] = Qwink.Quote.State.allCases.map { ("\"\($0.rawValue)\"", $0 == .accepted) }
    states += [(#""accep\u0074ed""#, true), ("\"accepted\" \n", true)]
    states += [("\"new\"", false), ("null", false), ("1", false)]
    return states
  }()

  @Test(arguments: states) func `JSON and the model show the same quotes`(state: String, stays: Bool) throws {
    for members in [
      #""state":\#(state),"quoted_status":\#(Self.quoted)"#, #""quoted_status" : \#(Self.quoted) ,"state": \#(state)"#,
      #""st\u0061te":\#(state),"quoted_st\u0061tus":\#(Self.quoted)"#,
    ] {
      let sent = Self.status(quoting: "{\(members)}")
      // By itself, as a boost's original and in a thread.
      for json in [sent, #"{"id":"2","reblog":\#(sent)}"#, #"{"ancestors":[\#(sent)],"descendants":[]}"#] {
        #expect(Self.removed(json).contains("Secret") == stays, "\(json)")
        #expect(Self.removed(json).contains("Outer"))
        if stays { #expect(Self.removed(json) == json) }
      }
      let (model, read) = try (
        WireDecoder.qwink(from: Array(sent.utf8)), WireDecoder.qwink(from: Array(Self.removed(sent).utf8))
      )
      #expect((model.quote?.author != nil) == stays)
      #expect(read.quote?.state == model.quote?.state)
      #expect(read.quote?.author == model.quote?.author)
    }
  }

  private static let changes: [(String, String)] = [
    (#"{"quoted_status":{"a":1},"state":"deleted","x":[2]}"#, #"{"quoted_status":null,"state":"deleted","x":[2]}"#),
    // Removing an outer quote removes the quotes inside it.
    (
      #"{"state":"revoked","quoted_status":{"state":"revoked","quoted_status":{}}}"#,
      #"{"state":"revoked","quoted_status":null}"#
    ),
    (
      #"{"state":"accepted","quoted_status":{"state":"revoked","quoted_status":{}}}"#,
      #"{"state":"accepted","quoted_status":{"state":"revoked","quoted_status":null}}"#
    ),
    (#"{"quoted_status":{"a":1}}"#, #"{"quoted_status":{"a":1}}"#),
    (#"["state","revoked","quoted_status",{"a":"}\"]"}]"#, #"["state","revoked","quoted_status",{"a":"}\"]"}]"#),
    // Truncated JSON.
    (#"[{"quoted_status":{"a":1"#, #"[{"quoted_status":null"#),
    (#"{"quoted_status":"a\"#, #"{"quoted_status":null"#),
    ("]}", "]}"),
    ("", ""),
  ]

  @Test(arguments: changes) func `only withheld statuses become null`(json: String, expected: String) {
    #expect(Self.removed(json) == expected)
  }

  @Test func `deeply nested JSON is returned unchanged`() {
    let deep = String(repeating: "[", count: 200_000)
    #expect(Self.removed(deep) == deep)
  }
}
