import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// Blocks and mutes of accounts and threads. `VanishingTests` checks which content a block hides.
@Suite(.bounded) struct BlockTests {
  private static func kinds(_ harness: Harness, _ token: String) async throws -> [String] {
    let answer = try await harness.get("/api/v1/notifications", token: token)
    return try WireDecoder.notifications(from: answer.body, link: nil).items.map {
      "\($0.qwinker.userName) \($0.kind)"
    }
  }

  @Test(arguments: Front.allCases)
  func `blocks are listed and paged, newest first`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      for number in 0..<3 {
        _ = try harness.service.addQwinker(named: "name\(number)")
        #expect(try await harness.relate("block", "name\(number)", token: alice).isBlocking)
      }
      let page = try await harness.qwinkers("/api/v1/blocks?limit=2", token: alice)
      #expect(page.items.map(\.userName) == ["name2", "name1"])
      let rest = try await harness.qwinkers(try #require(page.older?.url), token: alice)
      #expect(rest.items.map(\.userName) == ["name0"])
      // A blocked account must be findable to be unblocked.
      for (query, names) in [("name1", ["name1"]), ("name", [])] {
        let found = try await harness.qwinkers("/api/v1/accounts/search?q=\(query)", token: alice)
        #expect(found.items.map(\.userName) == names)
      }
      let own = try await harness.submit("/api/v1/accounts/\(harness.id(of: "alice"))/block", [], token: alice)
      #expect(own.head.status == .forbidden)
    }
  }

  @Test(arguments: Front.allCases)
  func `a muted account is hidden from timelines and sends no notifications`(
    _ front: Front
  ) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let carol = try harness.service.addQwinker(named: "carol")
      try harness.follow("bob", by: "alice")
      try harness.follow("carol", by: "alice")
      let own = try await harness.post("own", token: alice)
      let loud = try await harness.post("loud #tag", token: bob)
      let fine = try await harness.post("fine", token: carol)
      try await harness.react("reblog", loud.id, token: carol)
      try await harness.react("reblog", fine.id, token: bob)
      #expect(try await harness.page("/api/v1/timelines/home", token: alice).items.count == 5)

      let relationship = try await harness.relate("mute", "bob", token: alice)
      #expect(relationship.isMuting && relationship.mutesNotifications && relationship.isFollowing)
      #expect(try await harness.page("/api/v1/timelines/home", token: alice).items.map(\.id) == [fine.id, own.id])
      #expect(try await harness.page("/api/v1/timelines/public", token: alice).items.map(\.id) == [fine.id, own.id])
      #expect(try await harness.page("/api/v1/timelines/tag/tag", token: alice).items.isEmpty)
      #expect(try await harness.page("/api/v1/timelines/tag/tag?any[]=other", token: alice).items.isEmpty)
      #expect(try await harness.page("/api/v1/timelines/tag/tag").items.map(\.id) == [loud.id])
      #expect(try await harness.qwink("/api/v1/statuses/\(loud.id)", token: alice).id == loud.id)
      try await harness.react("favourite", own.id, token: bob)
      #expect(try await Self.kinds(harness, alice) == [])
      #expect(try await harness.qwinkers("/api/v1/mutes", token: alice).items.map(\.userName) == ["bob"])

      let loosened = try await harness.relate("mute", "bob", [("notifications", "false")], token: alice)
      #expect(loosened.isMuting && !loosened.mutesNotifications)
      try await harness.post("@alice hey", token: bob)
      #expect(try await Self.kinds(harness, alice) == ["bob mention"])
      #expect(try await harness.relate("unmute", "bob", token: alice).isMuting == false)
      #expect(try await harness.page("/api/v1/timelines/public", token: alice).items.count == 4)
    }
  }

  @Test @MainActor func `a mute can expire`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      try await harness.post("hello", token: bob)
      let muted = try await harness.relate("mute", "bob", [("duration", "60")], token: alice)
      #expect(muted.muteEndsAt == harness.clock.now.addingTimeInterval(60))
      await harness.clock.advance(by: .seconds(59))
      #expect(try await harness.page("/api/v1/timelines/public", token: alice).items.isEmpty)
      await harness.clock.advance(by: .seconds(1))
      #expect(try await harness.page("/api/v1/timelines/public", token: alice).items.count == 1)
      #expect(try await harness.qwinkers("/api/v1/mutes", token: alice).items.isEmpty)
      let now = try await harness.get(
        "/api/v1/accounts/relationships?id[]=\(try harness.id(of: "bob"))", token: alice)
      #expect(try WireDecoder.relationships(from: now.body).map(\.isMuting) == [false])
    }
  }

  @Test(arguments: Front.allCases)
  func `a muted thread stays visible but sends no notifications`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let root = try await harness.post("root", token: alice)
      let reply = try await harness.post("@alice one", token: bob, answering: root.id)
      #expect(try await harness.react("mute", reply.id, token: alice).isThreadMuted)
      #expect(try await harness.qwink("/api/v1/statuses/\(root.id)", token: alice).isThreadMuted)
      #expect(try await !harness.qwink("/api/v1/statuses/\(root.id)", token: bob).isThreadMuted)
      let deeper = try await harness.post("@alice two", token: bob, answering: reply.id)
      try await harness.react("favourite", root.id, token: bob)
      #expect(try await Self.kinds(harness, alice) == ["bob mention"])
      #expect(try await harness.page("/api/v1/timelines/public", token: alice).items.count == 3)
      try await harness.post("@alice elsewhere", token: bob)
      #expect(try await harness.react("unmute", deeper.id, token: alice).isThreadMuted == false)
      try await harness.post("@alice three", token: bob, answering: deeper.id)
      #expect(try await Self.kinds(harness, alice) == ["bob mention", "bob mention", "bob mention"])
    }
  }
}
