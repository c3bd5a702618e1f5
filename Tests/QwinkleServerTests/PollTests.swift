import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

@Suite(.bounded) struct PollTests {
  @concurrent
  private func ask(_ harness: Harness, _ token: String, _ more: [(String, String)] = []) async throws -> Qwink {
    let fields = [
      ("status", "Which?"), ("poll[options][]", "Red"), ("poll[options][]", "Blue"), ("poll[options][]", "Green"),
      ("poll[expires_in]", "600"),
    ]
    let answer = try await harness.submit("/api/v1/statuses", fields + more, token: token)
    try #require(answer.head.status == .ok, "\(answer.text)")
    return try WireDecoder.qwink(from: answer.body)
  }

  @concurrent
  private func vote(_ choices: [Int], _ poll: Poll, _ harness: Harness, _ token: String) async throws
    -> TransportResponse
  {
    try await harness.submit("/api/v1/polls/\(poll.id)/votes", choices.map { ("choices[]", "\($0)") }, token: token)
  }

  @concurrent
  private func read(_ poll: Poll, _ harness: Harness, _ token: String? = nil) async throws -> Poll {
    // `WireDecoder` has no decoder for a poll outside a qwink.
    let object = try await harness.get("/api/v1/polls/\(poll.id)", token: token).object
    var read = poll
    read.votesCount = try #require(object["votes_count"] as? Int)
    read.votersCount = object["voters_count"] as? Int
    read.isExpired = try #require(object["expired"] as? Bool)
    read.hasVoted = try #require(object["voted"] as? Bool)
    read.ownVotes = try #require(object["own_votes"] as? [Int])
    read.options = try #require(object["options"] as? [[String: Any]]).map {
      Poll.Option(title: $0["title"] as? String ?? "", votesCount: $0["votes_count"] as? Int)
    }
    return read
  }

  @Test(arguments: Front.allCases)
  func `each account votes once in a poll and the votes are counted`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let qwink = try await ask(harness, alice)
      let poll = try #require(qwink.poll)
      #expect(poll.options.map(\.title) == ["Red", "Blue", "Green"] && poll.hasVoted && !poll.allowsSeveral)
      for (choices, token) in [([0, 1], bob), ([3], bob), ([], bob), ([0], alice)] {
        #expect(try await vote(choices, poll, harness, token).head.status == .unprocessableContent)
      }
      #expect(try await vote([1], poll, harness, bob).head.status == .ok)
      #expect(try await vote([0], poll, harness, bob).head.status == .unprocessableContent)
      let seen = try await read(poll, harness, bob)
      #expect(seen.hasVoted && seen.ownVotes == [1] && seen.votesCount == 1 && seen.votersCount == 1)
      #expect(seen.options.map(\.votesCount) == [0, 1, 0])
      let timeline = try await harness.page("/api/v1/timelines/public", token: bob)
      #expect(timeline.items.map(\.poll) == [seen])
      #expect(try await read(poll, harness).hasVoted == false)
      #expect(try await vote([0], poll, harness, "").head.status == .unauthorized)
      let boost = try await harness.react("reblog", qwink.id, token: bob)
      #expect(boost.poll?.id == poll.id)
    }
  }

  @Test(arguments: Front.allCases)
  func `several choices count as one voter and hidden totals appear at the end`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let poll = try #require(
        try await ask(harness, alice, [("poll[multiple]", "true"), ("poll[hide_totals]", "true")]).poll)
      #expect(try await vote([0, 2, 2], poll, harness, bob).head.status == .ok)
      let hidden = try await read(poll, harness, bob)
      #expect(hidden.options.map(\.votesCount) == [nil, nil, nil] && hidden.votesCount == 2)
      #expect(hidden.votersCount == 1 && hidden.ownVotes == [0, 2])
      await harness.clock.advance(by: .seconds(600))
      let ended = try await read(poll, harness, bob)
      #expect(ended.isExpired && ended.options.map(\.votesCount) == [1, 0, 1])
      #expect(try await vote([1], poll, harness, alice).head.status == .unprocessableContent)
    }
  }

  @Test @MainActor func `the author and the voters are notified once when a poll ends`() async throws {
    try await withService { harness in
      let tokens = try ["alice", "bob", "carol"].map { try harness.service.addQwinker(named: $0) }
      let poll = try #require(try await ask(harness, tokens[0]).poll)
      _ = try await vote([1], poll, harness, tokens[1])
      func heard() async throws -> [Int] {
        var counts: [Int] = []
        for token in tokens {
          let answer = try await harness.get("/api/v1/notifications?types[]=poll", token: token)
          counts.append(try WireDecoder.notifications(from: answer.body, link: nil).items.count)
        }
        return counts
      }
      #expect(try await heard() == [0, 0, 0])
      await harness.clock.advance(by: .seconds(601))
      #expect(try await heard() == [1, 1, 0])
      await harness.clock.advance(by: .seconds(601))
      #expect(try await heard() == [1, 1, 0])
    }
  }

  @Test func `an edit keeps the poll and can't change it`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let qwink = try await ask(harness, alice)
      func edit(_ fields: String) async throws -> TransportResponse {
        try await harness.send(
          .put, "/api/v1/statuses/\(qwink.id)", token: alice,
          headers: [.contentType: "application/x-www-form-urlencoded"], body: Array("status=New&\(fields)".utf8))
      }
      let same = "poll[options][]=Red&poll[options][]=Blue&poll[options][]=Green&poll[multiple]=false"
      #expect(try WireDecoder.qwink(from: try await edit(same).body).poll?.id == qwink.poll?.id)
      #expect(try await edit("poll[options][]=Red&poll[options][]=Pink").head.status == .unprocessableContent)
      #expect(try await edit(same.dropLast(5) + "true").head.status == .unprocessableContent)
    }
  }
}
