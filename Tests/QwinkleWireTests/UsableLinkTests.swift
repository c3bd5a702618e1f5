import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing

/// Entities with two addresses. The decoder uses the first one that a browser can open.
@Suite(.bounded) struct UsableLinkTests {
  /// Two members of an entity and a function that reads the address from them.
  struct Pair: Sendable, CustomTestStringConvertible {
    var first: String
    var second: String
    var testDescription: String { "\(first), \(second)" }
    var read: @Sendable (String) throws -> String?

    init(_ first: String, _ second: String, _ read: @escaping @Sendable (String) throws -> String?) {
      self.first = first
      self.second = second
      self.read = read
    }
  }

  private static func status(_ members: String) throws -> Qwink {
    try WireDecoder.qwink(from: Array(#"{"id":"1","account":{"id":"2","acct":"al"},\#(members)}"#.utf8))
  }

  private static func attachment(_ members: String) throws -> QwinkleModel.Attachment {
    try WireDecoder.attachment(from: Array(#"{"id":"1","type":"image",\#(members)}"#.utf8))
  }

  private static func account(_ members: String) throws -> Qwinker {
    try WireDecoder.qwinker(from: Array(#"{"id":"2","acct":"al",\#(members)}"#.utf8))
  }

  static let pairs = [
    Pair("url", "remote_url") { try attachment($0).url },
    Pair("preview_url", "preview_remote_url") { try attachment($0).previewURL },
    Pair("url", "uri") { try status($0).url }, Pair("url", "uri") { try account($0).url },
    Pair("avatar", "avatar_static") { try account($0).avatarURL },
    Pair("url", "uri") { members in
      let quoted = #""quote":{"id":"9","account":{"id":"3","acct":"bo"},\#(members)}"#
      return try status(quoted).quote?.url
    },
  ]

  @Test(arguments: pairs) func `the first usable address is read`(pair: Pair) throws {
    func read(_ first: String, _ second: String) throws -> String? {
      try pair.read(#""\#(pair.first)":\#(first),"\#(pair.second)":\#(second)"#)
    }
    let good = #""https://files.example/1""#
    for first in [
      "null", "7", "\"\"", #""/media/1""#, #""media/1""#, #""//files.example/1""#, #""https://""#, #""https:///1""#,
      #""javascript:alert(1)""#, #""tag:files.example,2026:1""#, #""https://files example/1""#,
      #""gemini://a.example/""#,
    ] {
      #expect(try read(first, good) == "https://files.example/1", "\(first)")
    }
    #expect(try read(good, #""https://other.example/1""#) == "https://files.example/1")
    #expect(try read(#""https://bücher.example/1""#, good) == "https://bücher.example/1")
    #expect(try read(#""gemini://a.example/""#, "null") == "gemini://a.example/")
    #expect(try read(#""/media/1""#, #""media/1""#) == nil)
  }
}
