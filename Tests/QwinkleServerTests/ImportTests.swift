import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

extension Harness {
  @concurrent
  fileprivate func importing(_ members: String, token: String) async throws -> TransportResponse {
    try await send(
      .post, "/api/qwinkle/v1/import/statuses", token: token, headers: [.contentType: "application/json"],
      body: Array("{\(members)}".utf8))
  }

  @concurrent @discardableResult
  fileprivate func imported(_ members: String, token: String) async throws -> Qwink {
    let answer = try await importing(members, token: token)
    try #require(answer.head.status == .ok, "\(answer.text)")
    return try WireDecoder.qwink(from: answer.body)
  }

  @concurrent
  fileprivate func known(_ uris: [String], token: String) async throws -> [String: Qwink.ID] {
    let answer = try await send(
      .post, "/api/qwinkle/v1/import/known", token: token, headers: [.contentType: "application/json"],
      body: WireEncoder.importQuestion(uris))
    return try WireDecoder.importAnswer(from: answer.body)
  }
}

/// Import of a user's own posts from an archive.
@Suite(.bounded) struct ImportTests {
  private static let post = #""status":"Hello @ben #tea","visibility":"public""#

  private static func post(_ uri: String, at time: String, _ more: String = post) -> String {
    #""uri":"\#(uri)","created_at":"\#(time)",\#(more)"#
  }

  @Test func `an imported post has its time and its place, and notifies no user`() async throws {
    try await withService { harness in
      let anna = try harness.service.addQwinker(named: "anna")
      let ben = try harness.service.addQwinker(named: "ben")
      try harness.follow("anna", by: "ben")
      let new = try await harness.post("new", token: anna)
      let old = try await harness.imported(Self.post("x:1", at: "2020-02-01T10:00:00.5Z"), token: anna)
      let later = try await harness.imported(Self.post("x:2", at: "2020-02-01T10:00:00.5Z"), token: anna)
      #expect(old.createdAt == Date(timeIntervalSince1970: 1_580_551_200.5) && old.tags == ["tea"])
      #expect(old.mentions.isEmpty)
      let home = try await harness.page("/api/v1/timelines/home", token: ben)
      #expect(home.items.map(\.id) == [new.id, later.id, old.id])
      #expect(try await harness.get("/api/v1/notifications", token: ben).text == "[]")
      #expect(try await harness.page("/api/v1/timelines/tag/tea").items.count == 2)
      let author = try await harness.qwink("/api/v1/statuses/\(old.id)").author
      #expect(author.qwinksCount == 3)
    }
  }

  @Test func `a post is imported once, and replies find their parents`() async throws {
    try await withService { harness in
      let anna = try harness.service.addQwinker(named: "anna")
      let ben = try harness.service.addQwinker(named: "ben")
      let time = "2020-02-01T10:00:00Z"
      let parent = try await harness.imported(Self.post("x:1", at: time), token: anna)
      let reply = try await harness.imported(
        Self.post("x:2", at: time) + #","in_reply_to_uri":"x:1""#, token: anna)
      #expect(reply.inReplyTo == parent.id)
      #expect(try await harness.imported(Self.post("x:1", at: time), token: anna).id == parent.id)
      let known = try await harness.known(["x:1", "x:2", "x:3"], token: anna)
      #expect(known == ["x:1": parent.id, "x:2": reply.id])
      // Another user's import doesn't refer to Anna's posts.
      #expect(try await harness.known(["x:1"], token: ben).isEmpty)
      let theirs = try await harness.imported(
        Self.post("x:2", at: time) + #","in_reply_to_uri":"x:1""#, token: ben)
      #expect(theirs.inReplyTo == nil && theirs.id != reply.id)
      // The address of a post on this server counts as imported.
      let own = try await harness.post("written here", token: anna)
      let address = try #require(own.url)
      #expect(try await harness.known([address], token: anna) == [address: own.id])
      #expect(try await harness.known([address], token: ben).isEmpty)
    }
  }

  @Test func `a direct post is visible to its author alone`() async throws {
    try await withService { harness in
      let anna = try harness.service.addQwinker(named: "anna")
      let ben = try harness.service.addQwinker(named: "ben")
      let post = try await harness.imported(
        Self.post("x:1", at: "2020-02-01T10:00:00Z", #""status":"For @ben","visibility":"direct""#), token: anna)
      #expect(post.visibility == .direct)
      #expect(try await harness.get("/api/v1/statuses/\(post.id)", token: ben).head.status == .notFound)
      #expect(try await harness.get("/api/v1/conversations", token: ben).text == "[]")
      #expect(try await harness.get("/api/v1/notifications", token: ben).text == "[]")
      let conversations = try await harness.get("/api/v1/conversations", token: anna)
      #expect(conversations.text.contains("For @ben"), "\(conversations.text)")
    }
  }

  @Test func `a poll is closed and has its votes, and an edited post has its time`() async throws {
    try await withService { harness in
      let anna = try harness.service.addQwinker(named: "anna")
      let poll = #""poll":{"options":["Tea","Coffee"],"votes":["2","1"],"voters_count":3,"multiple":false}"#
      let post = try await harness.imported(
        Self.post("x:1", at: "2020-02-01T10:00:00Z")
          + #","edited_at":"2020-02-02T10:00:00Z","spoiler_text":"food","language":"de",\#(poll)"#, token: anna)
      #expect(post.poll?.isExpired == true && post.poll?.options.map(\.votesCount) == [2, 1])
      #expect(post.poll?.votersCount == 3 && post.contentWarning == "food" && post.language == "de")
      #expect(post.editedAt == Date(timeIntervalSince1970: 1_580_637_600))
      let id = try #require(post.poll?.id)
      let vote = try await harness.submit("/api/v1/polls/\(id)/votes", [("choices[]", "0")], token: anna)
      #expect(vote.head.status == .unprocessableContent)
    }
  }

  @Test(arguments: [
    #""created_at":"2020-02-01T10:00:00Z","status":"no id""#, #""uri":"x:1","status":"no time""#,
    #""uri":"x:1","created_at":"2199-01-01T00:00:00Z","status":"later""#,
    #""uri":"x:1","created_at":"1969-01-01T00:00:00Z","status":"too early""#,
    #""uri":"x:1","created_at":"2020-02-01T10:00:00Z","edited_at":"2199-01-01T00:00:00Z","status":"edited later""#,
    #""uri":"x:1","created_at":"2020-02-01T10:00:00Z","status":"""#,
    #""uri":"x:1","created_at":"2020-02-01T10:00:00Z","status":"x","scheduled_at":"2030-01-01T00:00:00Z""#,
    #""uri":"x:1","created_at":"2020-02-01T10:00:00Z","status":"x","media_ids":["99"]"#,
    #""uri":"x:1","created_at":"2020-02-01T10:00:00Z","status":"x","poll":{"options":["a","b"],"votes":["1"]}"#,
    #""uri":"x:1","created_at":"2020-02-01T10:00:00Z","status":"x","poll":{"options":["a","b"],"votes":["1","-1"]}"#,
  ])
  func `an invalid import is refused and stores nothing`(members: String) async throws {
    try await withService { harness in
      let anna = try harness.service.addQwinker(named: "anna")
      let answer = try await harness.importing(members, token: anna)
      #expect((400..<500).contains(answer.head.status.code), "\(answer.text)")
      #expect(try await harness.known(["x:1"], token: anna).isEmpty)
      #expect(try await harness.page("/api/v1/timelines/public").items.isEmpty)
      #expect(try await harness.importing(members, token: "no token").head.status == .unauthorized)
    }
  }

  @Test func `pictures are imported, and imports don't count as posts`() async throws {
    try await withService { harness in
      let anna = try harness.service.addQwinker(named: "anna")
      let bytes = SamplePictures.png()
      let answer = try await harness.sendForm(
        .post, "/api/qwinkle/v1/import/media", [("description", "A kiosk")], files: [("file", bytes)], token: anna)
      let picture = try WireDecoder.attachment(from: answer.body)
      let post = try await harness.imported(
        Self.post("x:1", at: "2020-02-01T10:00:00Z") + #","media_ids":["\#(picture.id)"]"#, token: anna)
      #expect(post.attachments.map(\.altText) == ["A kiosk"])
      #expect(Resource.limits(of: "POST", at: ["api", "qwinkle", "v1", "import", "statuses"]) == [.imports])
    }
  }

  /// Age of imported posts in seconds, and whether they count towards the limits of posts.
  @Test(arguments: [(0, true), (3600, true), (86_000, true), (87_000, false), (400 * 86_400, false)])
  func `an imported post of the last day counts as a new post`(_ age: Int, _ counts: Bool) async throws {
    var quotas = ServiceQuotas()
    quotas.postsAMinute = 2
    try await withServedFront(quotas: quotas) { harness, _ in
      let anna = try harness.service.addQwinker(named: "anna")
      let ben = try harness.service.addQwinker(named: "ben")
      let time = harness.clock.now.addingTimeInterval(-Double(age)).formatted(.iso8601)
      func statuses(_ uris: String..., token: String) async throws -> [Int] {
        var statuses: [Int] = []
        for uri in uris {
          statuses.append(Int(try await harness.importing(Self.post(uri, at: time), token: token).head.status.code))
        }
        return statuses
      }
      // The second import of a post doesn't count.
      #expect(try await statuses("x:1", "x:1", "x:2", "x:3", token: anna) == [200, 200, 200, counts ? 429 : 200])
      #expect(try await statuses("x:1", token: anna) == [200])
      let post = try await harness.submit("/api/v1/statuses", [("status", "new")], token: anna)
      #expect(post.head.status == (counts ? .tooManyRequests : .ok), "\(post.text)")
      #expect(try await statuses("x:1", token: ben) == [200])
      await harness.clock.advance(by: .seconds(60))
      #expect(try await statuses("x:4", token: anna) == [200])
    }
  }

  @Test func `imports at the limit of an address are refused`() async throws {
    var quotas = ServiceQuotas()
    quotas.postsAMinute = 1
    try await withServedFront(quotas: quotas) { harness, _ in
      let time = harness.clock.now.formatted(.iso8601)
      var codes: [Int] = []
      for number in 0..<11 {
        let token = try harness.service.addQwinker(named: "user\(number)")
        codes.append(Int(try await harness.importing(Self.post("x:1", at: time), token: token).head.status.code))
      }
      #expect(codes == Array(repeating: 200, count: 10) + [429])
    }
  }
}
