import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// Users and tokens managed by the operator.
@Suite(.bounded) struct ServedUserTests {
  @Test func `removing a user deletes their data and corrects other counts`() async throws {
    try await withService { harness in
      let anna = try harness.service.addQwinker(named: "anna")
      let ben = try harness.service.addQwinker(named: "ben", password: "a good password")
      try harness.follow("anna", by: "ben")
      try harness.follow("ben", by: "anna")
      let kept = try await harness.post("kept", token: anna)
      try await harness.post("a reply", token: ben, answering: kept.id)
      try await harness.post("for @anna", token: ben, visibility: .direct)
      try await harness.react("favourite", kept.id, token: ben)
      try await harness.react("reblog", kept.id, token: ben)
      let users = try harness.service.users()
      #expect(users.map(\.name) == ["anna", "ben"] && users.map(\.posts) == [1, 2])
      #expect(users.map(\.tokens) == [1, 1] && users.map(\.hasPassword) == [false, true])
      #expect(throws: ServiceError.noSuchName("carl")) { try harness.service.removeUser(named: "carl") }

      try harness.service.removeUser(named: "Ben")
      #expect(try harness.service.users().map(\.name) == ["anna"])
      let after = try await harness.qwink("/api/v1/statuses/\(kept.id)", token: anna)
      #expect(after.repliesCount == 0 && after.boostsCount == 0 && after.favouritesCount == 0)
      #expect(after.author.followersCount == 0 && after.author.followingCount == 0)
      #expect(try await harness.page("/api/v1/timelines/home", token: anna).items.map(\.id) == [kept.id])
      #expect(try await harness.get("/api/v1/notifications", token: anna).text == "[]")
      #expect(try await harness.get("/api/v1/conversations", token: anna).text == "[]")
      #expect(try await harness.get("/api/v1/timelines/home", token: ben).head.status == .unauthorized)
      #expect(try await harness.get("/@ben").head.status == .notFound)
      let stats = try harness.service.stats()
      #expect(stats.users == 1 && stats.posts == 1 && stats.recent == 1 && stats.active == 1 && stats.tokens == 1)
      #expect(stats.bytes > 4096)
    }
  }

  @Test func `tokens are identified by the start of their hash and can be revoked`() async throws {
    try await withService { harness in
      let first = try harness.service.addQwinker(named: "anna")
      let second = try harness.service.write { session in
        let id = try #require(try session.accountID(named: "anna"))
        let app = try session.addApp(name: "Client", website: nil, redirectURIs: "x:/y", scopes: "read").app
        return try session.addToken(account: id, app: app.id, scopes: Scopes("read"))
      }
      let tokens = try harness.service.tokens(of: "anna")
      let theirs = try #require(tokens.first { $0.app == "Client" })
      #expect(tokens.count == 2 && theirs.scopes == "read")
      #expect(Secrets.hash(second).hasPrefix(theirs.id) && tokens.contains { $0.app == nil })
      for id in ["", "x", String(theirs.id.prefix(3))] {
        #expect(throws: ServiceError.noSuchToken(id)) { try harness.service.revokeTokens(of: "anna", id: id) }
      }
      #expect(try harness.service.revokeTokens(of: "anna", id: String(theirs.id.prefix(8))) == 1)
      #expect(try await harness.get("/api/v1/timelines/home", token: second).head.status == .unauthorized)
      #expect(try await harness.get("/api/v1/timelines/home", token: first).head.status == .ok)
      #expect(try harness.service.revokeTokens(of: "anna") == 1)
      #expect(try await harness.get("/api/v1/timelines/home", token: first).head.status == .unauthorized)
    }
  }
}
