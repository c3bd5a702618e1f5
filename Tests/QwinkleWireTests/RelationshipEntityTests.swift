import QwinkleModel
import QwinkleWire
import Testing

/// <https://docs.joinmastodon.org/entities/Relationship/>
@Suite struct RelationshipEntityTests {
  private static func read(_ fields: String) throws -> Relationship {
    try WireDecoder.relationship(from: Array(#"{"id":"1"\#(fields.isEmpty ? "" : ",")\#(fields)}"#.utf8))
  }

  @Test func `each field is read`() throws {
    let whole = """
      "following":true,"showing_reblogs":false,"notifying":true,"languages":["en","pt-BR"],"followed_by":true,\
      "blocking":true,"blocked_by":true,"muting":true,"muting_notifications":true,"requested":true,\
      "requested_by":true,"domain_blocking":true,"endorsed":false,"note":"met in Graz"
      """
    let relationship = try Self.read(whole)
    #expect(relationship.isFollowing && !relationship.showsBoosts && relationship.isNotifying)
    #expect(relationship.languages == ["en", "pt-BR"])
    #expect(relationship.isFollowedBy && relationship.isBlocking && relationship.isBlockedBy)
    #expect(relationship.isMuting && relationship.mutesNotifications && relationship.isRequested)
    #expect(relationship.isAskingToFollow && relationship.isBlockingDomain && relationship.note == "met in Graz")
    #expect(try WireDecoder.relationship(from: WireEncoder.relationship(relationship)) == relationship)
  }

  @Test func `missing options are the usual ones`() throws {
    #expect(try Self.read("").followOptions == .usual)
    #expect(try Self.read(#""languages":null"#).languages.isEmpty)
  }

  @Test(arguments: [(#""en""#, []), (#"{}"#, []), ("[7,null,\"en\"]", ["en"]), (#"["e\u001bn"]"#, ["en"])])
  func `malformed languages cost only themselves`(json: String, languages: [String]) throws {
    let relationship = try Self.read(#""following":true,"languages":\#(json)"#)
    #expect(relationship.isFollowing && relationship.languages == languages)
  }

  @Test(arguments: [
    (FollowOptions(showsBoosts: false), #"{"reblogs":false}"#), (FollowOptions(notifies: true), #"{"notify":true}"#),
    (FollowOptions(languages: ["en", "de"]), #"{"languages":["en","de"]}"#),
    (FollowOptions(languages: []), #"{"languages":[]}"#),
    (.usual, #"{"reblogs":true,"notify":false,"languages":[]}"#),
  ])
  func `a follow sends only the given options`(options: FollowOptions, body: String) {
    #expect(String(decoding: WireEncoder.followOptions(options), as: UTF8.self) == body)
  }
}
