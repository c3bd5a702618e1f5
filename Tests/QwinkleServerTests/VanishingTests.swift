import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleServer

/// Suspended and blocked accounts are hidden on every route.
@Suite(.bounded) struct VanishingTests {
  /// Alice and Dave follow, boost, favourite and message each other. Bob follows both, and both reply to his post.
  private struct World: Sendable {
    let harness: Harness
    let alice, bob, dave: String
    /// Strings that reveal an account, by its name.
    var signs: [String: PrivateWords] = [:]
    var probes: [PrivateWorld.Probe] = []

    init(_ harness: Harness) async throws {
      self.harness = harness
      alice = try harness.service.addQwinker(named: "alice")
      bob = try harness.service.addQwinker(named: "bob")
      dave = try harness.service.addQwinker(named: "dave")
      for (target, follower) in [
        ("alice", "dave"), ("dave", "alice"), ("alice", "bob"), ("dave", "bob"), ("bob", "alice"), ("bob", "dave"),
      ] {
        try harness.follow(target, by: follower)
      }
      var ids: [String: [String]] = [:]
      for (name, token, other, otherToken) in [("dave", dave, "alice", alice), ("alice", alice, "dave", dave)] {
        let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        _ = try await harness.send(
          .patch, "/api/v1/accounts/update_credentials", token: token, headers: form,
          body: Array("display_name=canary\(name)name&note=canary\(name)note".utf8))
        let open = try await harness.post("canary\(name)open #canarytag", token: token)
        let quiet = try await harness.post("canary\(name)quiet", token: token, visibility: .private)
        let message = try await harness.post("@\(other) canary\(name)message", token: token, visibility: .direct)
        for id in [open.id, quiet.id] {
          try await harness.react("favourite", id, token: otherToken)
          try await harness.react("bookmark", id, token: otherToken)
        }
        let boost = try await harness.react("reblog", open.id, token: otherToken)
        try await harness.react("favourite", open.id, token: bob)
        ids[name] = [open.id, quiet.id, message.id, boost.id].map(\.rawValue)
      }
      let root = try await harness.post("root", token: bob)
      for (name, token) in [("dave", dave), ("alice", alice)] {
        let reply = try await harness.post("canary\(name)reply", token: token, answering: root.id)
        try await harness.react("favourite", root.id, token: token)
        try await harness.react("reblog", root.id, token: token)
        ids[name, default: []].append(reply.id.rawValue)
        signs[name] = PrivateWords(
          words: ["open", "quiet", "message", "reply", "name", "note"].map { "canary\(name)\($0)" } + (ids[name] ?? []))
      }
      let people = try ["alice", "bob", "dave"].map { String(try harness.id(of: $0)) }
      probes = PrivateWorld.probes(secret: [], open: ids.values.joined() + [root.id.rawValue] + people)
        .filter { $0.route.method == .get }
    }

    /// Returns the routes that reveal an account.
    func routes(showing name: String, to token: String?) async throws -> Set<String> {
      let words = try #require(signs[name])
      var routes: Set<String> = []
      for probe in probes {
        let answer = try await harness.send(probe.route.method, probe.target, token: token)
        #expect(answer.head.status.code < 500, "\(probe.target): \(answer.text)")
        if words.isShown(by: answer, to: probe) { routes.insert(probe.route.name) }
      }
      return routes
    }
  }

  /// Public pages, which are the same for every viewer.
  private static let pages: Set<String> = ["GET /", "GET /tags/:name", "GET /@:name", "GET /@:name/:id"]
  /// Profiles of blocked accounts remain visible so that the user can unblock them.
  private static let profiles: Set<String> = [
    "GET /api/v1/accounts", "GET /api/v1/accounts/:id", "GET /api/v1/accounts/lookup",
    "GET /api/v1/accounts/verify_credentials",
  ]

  @Test func `a blocking and a blocked account are hidden from each other`() async throws {
    try await withService { harness in
      let world = try await World(harness)
      let usual = try await world.routes(showing: "dave", to: world.alice)
      #expect(usual.count > 15, "\(usual)")
      let relationship = try await harness.relate("block", "dave", token: world.alice)
      #expect(relationship.isBlocking && !relationship.isFollowing && !relationship.isFollowedBy)
      let left = Self.pages.union(Self.profiles).union(["GET /api/v1/blocks"])
      #expect(try await world.routes(showing: "dave", to: world.alice).subtracting(left).sorted() == [])
      #expect(try await world.routes(showing: "alice", to: world.dave).subtracting(left).sorted() == [])
      let dave = try await harness.get("/api/v1/accounts/lookup?acct=dave", token: world.bob)
      #expect(try WireDecoder.qwinker(from: dave.body).followersCount == 1)
      for (name, token) in [("alice", world.dave), ("dave", world.alice)] {
        let answer = try await harness.submit("/api/v1/accounts/\(harness.id(of: name))/follow", [], token: token)
        #expect(answer.head.status == .forbidden)
      }
      try await harness.post("@alice again", token: world.dave)
      #expect(try await world.routes(showing: "dave", to: world.alice).subtracting(left).sorted() == [])
      #expect(try await world.routes(showing: "dave", to: world.bob).count > 15)

      #expect(try await harness.relate("unblock", "dave", token: world.alice).isBlocking == false)
      try await harness.relate("follow", "dave", token: world.alice)
      #expect(try await world.routes(showing: "dave", to: world.alice).count > 15)
    }
  }

  @Test func `a suspended user is hidden and signed out until the suspension ends`() async throws {
    try await withService { harness in
      let world = try await World(harness)
      var usual: [Set<String>] = []
      for token in [world.alice, world.bob, nil] { usual.append(try await world.routes(showing: "dave", to: token)) }
      try harness.service.setSuspension(of: "dave", to: true)
      #expect(try harness.service.users().filter(\.isSuspended).map(\.name) == ["dave"])
      for token in [world.alice, world.bob, nil] {
        #expect(try await world.routes(showing: "dave", to: token).sorted() == [])
      }
      let refused = try await harness.get("/api/v1/timelines/home", token: world.dave)
      #expect(refused.head.status == .forbidden && refused.errorMessage?.contains("suspended") == true)
      #expect(try await harness.get("/@dave").head.status == .notFound)
      try harness.service.setSuspension(of: "dave", to: false)
      for (token, before) in zip([world.alice, world.bob, nil], usual) {
        #expect(try await world.routes(showing: "dave", to: token) == before)
      }
      #expect(throws: ServiceError.noSuchName("carl")) {
        try harness.service.setSuspension(of: "carl", to: true)
      }
    }
  }
}
