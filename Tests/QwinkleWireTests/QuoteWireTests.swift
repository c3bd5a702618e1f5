import Foundation
import QwinkleModel
import SafeText
import Testing

@testable import QwinkleWire

/// Fields of the API about quotes, written from its documentation: <https://docs.joinmastodon.org/client/quotes/>.
struct QuoteWireTests {
  private static func status(_ fields: String) throws -> Qwink {
    let json = #"{"id":"1","account":{"id":"2","acct":"ben"},"content":"<p>Tea</p>",\#(fields)}"#
    return try WireDecoder.qwink(from: Array(json.utf8))
  }

  private static func qwink(_ id: Qwink.ID = "1", _ text: String = "Hello") -> Qwink {
    Qwink(
      id: id, author: Qwinker(id: "alice-id", userName: "alice"), createdAt: Date(timeIntervalSince1970: 1_767_225_600),
      text: RichText(plain: text))
  }

  private static func object(_ body: [UInt8]) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
  }

  @Test(arguments: [
    (#"{"automatic":["public"],"manual":[],"current_user":"automatic"}"#, QuoteApproval(.public, effect: .automatic)),
    (#"{"automatic":["followers"],"manual":[],"current_user":"denied"}"#, QuoteApproval(.followers, effect: .denied)),
    (#"{"automatic":[],"manual":[],"current_user":"denied"}"#, QuoteApproval(.nobody, effect: .denied)),
    (
      #"{"automatic":["following"],"manual":["public"],"current_user":"manual"}"#,
      QuoteApproval(automatic: .following, manual: .public, effect: .manual)
    ),
    (
      #"{"automatic":["unsupported_policy"],"manual":[],"current_user":"unknown"}"#,
      QuoteApproval(automatic: .other, effect: .unknown)
    ),
    // Unknown and malformed values lose only themselves.
    (#"{"automatic":["friends",3],"current_user":"perhaps"}"#, QuoteApproval(automatic: .other, effect: .unknown)),
    (#"{"automatic":"public","manual":null,"current_user":1}"#, QuoteApproval(effect: .unknown)),
  ])
  func `the rules of a status are decoded`(json: String, expected: QuoteApproval) throws {
    let qwink = try Self.status(#""quotes_count":3,"quote_approval":\#(json)"#)
    #expect(qwink.quoteApproval == expected && qwink.quotesCount == 3)
  }

  @Test func `a status without rules, or with malformed ones, has none`() throws {
    for json in ["null", "[]", "\"public\"", "7"] {
      let qwink = try Self.status(#""quotes_count":"many","quote_approval":\#(json)"#)
      #expect(qwink.quoteApproval == nil && qwink.quotesCount == 0, "\(json)")
    }
  }

  @Test func `rules survive encoding`() throws {
    for effect in QuoteApproval.Effect.allCases {
      for groups in 0..<16 {
        var qwink = Self.qwink()
        qwink.quoteApproval = QuoteApproval(
          automatic: .init(rawValue: UInt8(groups)), manual: .init(rawValue: UInt8(15 - groups)), effect: effect)
        qwink.quotesCount = groups
        let back = try WireDecoder.qwink(from: WireEncoder.qwink(qwink))
        #expect(back.quoteApproval == qwink.quoteApproval && back.quotesCount == groups)
      }
    }
  }

  @Test func `an entry sends its quote and policy, and omits what isn't set`() throws {
    var entry = Entry(text: "Tea", idempotencyKey: "k")
    let plain = try Self.object(WireEncoder.entry(entry))
    #expect(plain["quoted_status_id"] == nil && plain["quote_approval_policy"] == nil)
    entry.quotedID = "9"
    entry.quotePolicy = .followers
    let sent = try Self.object(WireEncoder.entry(entry))
    #expect(sent["quoted_status_id"] as? String == "9" && sent["quote_approval_policy"] as? String == "followers")
    // An edit can change the policy, but not the quote.
    let edit = try Self.object(WireEncoder.edit(entry))
    #expect(edit["quoted_status_id"] == nil && edit["quote_approval_policy"] as? String == "followers")
    let parameters = try RequestParameters(body: WireEncoder.entry(entry), contentType: "application/json")
    let received = try parameters.entry()
    #expect(received.quotedID == "9" && received.quotePolicy == .followers)
    let policy = try Self.object(WireEncoder.quotePolicy(.nobody))
    #expect(policy.count == 1 && policy["quote_approval_policy"] as? String == "nobody")
  }

  @Test func `an unknown policy in a request is refused`() throws {
    let body = Array(#"{"status":"Tea","quote_approval_policy":"friends"}"#.utf8)
    let parameters = try RequestParameters(body: body, contentType: "application/json")
    #expect(throws: ParameterFault.self) { try parameters.entry() }
  }

  @Test func `a scheduled post has its quote and policy`() throws {
    let json = #"""
      {"id":"3","scheduled_at":"2031-01-01T00:00:00.000Z","media_attachments":[],
       "params":{"text":"Tea","quoted_status_id":9,"quote_approval_policy":"nobody"}}
      """#
    let post = try WireDecoder.scheduledPost(from: Array(json.utf8))
    #expect(post.quotedID == "9" && post.quotePolicy == .nobody)
    let back = try WireDecoder.scheduledPost(from: WireEncoder.scheduledPost(post))
    #expect(back == post)
    let other = try WireDecoder.scheduledPost(
      from: Array(json.replacing("nobody", with: "friends").replacing("9,", with: "null,").utf8))
    #expect(other.quotedID == nil && other.quotePolicy == nil && other.text == "Tea")
  }

  @Test func `the account's default policy is in its source`() throws {
    func policy(_ source: String) throws -> QuotePolicy? {
      try WireDecoder.ownProfile(from: Array(#"{"id":"1","acct":"mara","source":\#(source)}"#.utf8)).usualQuotePolicy
    }
    #expect(try policy(#"{"quote_policy":"followers","privacy":"public"}"#) == .followers)
    for source in [#"{"quote_policy":"friends"}"#, #"{"quote_policy":null}"#, "{}", "null"] {
      #expect(try policy(source) == nil, "\(source)")
    }
  }

  @Test(arguments: [
    (#""api_versions":{"mastodon":7}"#, true), (#""api_versions":{"mastodon":8,"glitch":1}"#, true),
    (#""api_versions":{"mastodon":6}"#, false), (#""api_versions":{"mastodon":"new"}"#, nil),
    (#""api_versions":{}"#, nil), (#""api_versions":null"#, nil), (#""title":"Tilde""#, nil as Bool?),
  ])
  func `the version of the API shows whether a server has quotes`(fields: String, expected: Bool?) throws {
    let info = try WireDecoder.serverInfo(from: Array(#"{"domain":"tilde.example",\#(fields)}"#.utf8))
    #expect(info.supportsQuotes == expected)
    let back = try WireDecoder.serverInfo(from: WireEncoder.serverInfoV2(info))
    #expect(back.supportsQuotes == expected)
  }

  @Test func `a whole quoted qwink is sent as a status with a shallow quote`() throws {
    var inner = Self.qwink("8", "Inner")
    inner.quote = Qwink.Quote(id: "7")
    var qwink = Self.qwink("9", "Outer")
    qwink.quote = Qwink.Quote(id: "8")
    qwink.quote?.whole = QuotedQwink(inner)
    let object = try Self.object(WireEncoder.qwink(qwink))
    let quote = try #require(object["quote"] as? [String: Any])
    let status = try #require(quote["quoted_status"] as? [String: Any])
    #expect(status["visibility"] as? String == "public" && status["created_at"] as? String != nil)
    let nested = try #require(status["quote"] as? [String: Any])
    #expect(nested["quoted_status_id"] as? String == "7" && nested["quoted_status"] is NSNull)
    let back = try WireDecoder.qwink(from: WireEncoder.qwink(qwink))
    #expect(back.quote?.author == inner.author && back.quote?.text == inner.text)
  }
}
