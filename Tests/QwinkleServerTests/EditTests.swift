import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleServer
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@Suite(.bounded) struct EditTests {
  @Test(arguments: Front.allCases) @MainActor
  func `an edit changes text and tags and mentions and keeps earlier versions`(
    _ front: Front
  ) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let qwink = try await harness.post("helo @bob #old", token: alice)
      await harness.clock.advance(by: .seconds(60))
      let edited = try await harness.edit(qwink.id, "hello #new", warning: "greeting", token: alice)
      #expect(edited.id == qwink.id)
      #expect(edited.text.plainText == "hello #new")
      #expect(edited.contentWarning == "greeting")
      #expect(edited.createdAt == qwink.createdAt)
      #expect(edited.editedAt == qwink.createdAt.addingTimeInterval(60))
      #expect(edited.mentions.isEmpty)
      #expect(edited.tags == ["new"])
      #expect(try await harness.page("/api/v1/timelines/tag/new").items.map(\.id) == [qwink.id])
      #expect(try await harness.page("/api/v1/timelines/tag/old").items.isEmpty)

      await harness.clock.advance(by: .seconds(60))
      _ = try await harness.edit(qwink.id, "hello again", token: alice)
      // Saving the same text is not an edit.
      let same = try await harness.edit(qwink.id, "hello again", token: alice)
      #expect(same.editedAt == qwink.createdAt.addingTimeInterval(120))
      let path = "/api/v1/statuses/\(qwink.id)"
      let versions = try WireDecoder.versions(from: try await harness.get("\(path)/history").body)
      #expect(versions.map(\.text.plainText) == ["helo @bob #old", "hello #new", "hello again"])
      #expect(versions.map(\.contentWarning) == ["", "greeting", ""])
      #expect(versions.map(\.createdAt) == [0, 60, 120].map { qwink.createdAt.addingTimeInterval($0) })

      let source = try WireDecoder.source(from: try await harness.get("\(path)/source", token: alice).body)
      #expect(source == QwinkSource(id: qwink.id, text: "hello again", contentWarning: ""))
      #expect(try await harness.get("\(path)/source", token: bob).head.status == .notFound)
      #expect(try await harness.get("\(path)/source").head.status == .unauthorized)
    }
  }

  @Test func `an unedited post has a history of one version`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let qwink = try await harness.post("hello", token: alice)
      let answer = try await harness.get("/api/v1/statuses/\(qwink.id)/history")
      #expect(
        try WireDecoder.versions(from: answer.body) == [QwinkVersion(createdAt: qwink.createdAt, text: qwink.text)])
    }
  }

  @Test(arguments: Front.allCases)
  func `only the author can edit a qwink and boosts can't be edited`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let qwink = try await harness.post("hello", token: alice)
      let boost = try await harness.react("reblog", qwink.id, token: bob)
      func put(_ id: Qwink.ID, _ text: String, _ token: String?) async throws -> HTTPResponse.Status {
        try await harness.put(id, text, token: token).head.status
      }
      #expect(try await put(qwink.id, "mine", nil) == .unauthorized)
      #expect(try await put(qwink.id, "mine", bob) == .notFound)
      #expect(try await put(boost.id, "mine", bob) == .notFound)
      #expect(try await put("42", "mine", bob) == .notFound)
      #expect(try await put(qwink.id, " ", alice) == .unprocessableContent)
      #expect(try await put(qwink.id, String(repeating: "a", count: 501), alice) == .unprocessableContent)
      #expect(try await harness.qwink("/api/v1/statuses/\(qwink.id)").editedAt == nil)
    }
  }

  @Test(arguments: [Visibility.private, .direct])
  func `an edit of a non-public post neither adds nor removes readers`(
    _ visibility: Visibility
  ) async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let carol = try harness.service.addQwinker(named: "carol")
      let qwink = try await harness.post("@bob about carol", token: alice, visibility: visibility)
      let refused = try await harness.put(qwink.id, "@bob @carol hello", token: alice)
      #expect(refused.head.status == .unprocessableContent)
      #expect(refused.errorMessage?.contains("Write a new post") == true)
      let path = "/api/v1/statuses/\(qwink.id)"
      #expect(try await harness.get(path, token: carol).head.status == .notFound)
      #expect(try await harness.get("\(path)/history", token: carol).head.status == .notFound)

      _ = try await harness.edit(qwink.id, "never mind", token: alice)
      #expect(try await harness.qwink(path, token: bob).text.plainText == "never mind")
      #expect(try await harness.get("\(path)/history", token: bob).head.status == .ok)
    }
  }

  @Test func `an edit of a followers-only post can mention a follower`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      try harness.follow("alice", by: "bob")
      let qwink = try await harness.post("for all of you", token: alice, visibility: .private)
      #expect(
        try await harness.edit(qwink.id, "for all of you, and @bob", token: alice).mentions.map(\.userName) == ["bob"])
      #expect(try await harness.get("/api/v1/notifications/unread_count", token: bob).object["count"] as? Int == 1)
    }
  }
}
