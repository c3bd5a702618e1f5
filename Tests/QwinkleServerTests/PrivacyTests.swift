import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleServer

/// Restricted content stays hidden from other accounts at every route, even if they know every id.
@Suite(.bounded) struct PrivacyTests {
  @Test func `each route has a rule and each rule a route`() {
    let routes = Routes.all.map(\.name)
    #expect(Set(routes).subtracting(PrivacyRule.table.keys).sorted() == [])
    #expect(Set(PrivacyRule.table.keys).subtracting(routes).sorted() == [])
  }

  @Test func `no route reveals restricted content outside its audience`() async throws {
    try await withService { harness in
      let world = try await PrivateWorld(harness)
      let before = try await world.seenByThoseItIsFor()
      for token in [world.carol, try await world.appToken(), nil] {
        for probe in world.probes {
          let answer = try await world.send(probe, token: token)
          world.expectNothing(of: world.secrets, in: answer, to: probe)
        }
      }
      #expect(try await world.seenByThoseItIsFor() == before)
    }
  }

  @Test func `a follower sees followers-only posts but no private messages`() async throws {
    try await withService { harness in
      let world = try await PrivateWorld(harness)
      try harness.follow("alice", by: "carol")
      for probe in world.probes where probe.route.method == .get {
        let answer = try await world.send(probe, token: world.carol)
        world.expectNothing(of: world.messages, in: answer, to: probe)
      }
      #expect(try await harness.page("/api/v1/timelines/home", token: world.carol).items.count == 4)
    }
  }

  @Test func `the rules list the routes that show restricted content to its audience`() async throws {
    try await withService { harness in
      let world = try await PrivateWorld(harness)
      var shown: Set<String> = []
      for probe in world.probes where probe.route.method == .get {
        for token in [world.alice, world.bob] {
          let answer = try await world.send(probe, token: token)
          switch probe.rule {
          case .hidden where probe.secretInPath != nil && answer.head.status == .ok: shown.insert(probe.route.name)
          case .filtered, .blank: if world.secrets.isShown(by: answer, to: probe) { shown.insert(probe.route.name) }
          default: break
          }
        }
      }
      let expected = PrivacyRule.table.filter { name, rule in
        switch rule {
        case .hidden, .filtered: name.hasPrefix("GET ")
        case .blank, .apart: false
        }
      }
      #expect(shown.symmetricDifference(expected.keys).sorted() == [])
    }
  }

  @Test func `counts don't include replies that are hidden from the viewer`() async throws {
    try await withService { harness in
      let world = try await PrivateWorld(harness)
      for token in [world.carol, nil] {
        let root = try await harness.qwink("/api/v1/statuses/\(world.root)", token: token)
        #expect(root.repliesCount == 0)
      }
    }
  }

  @Test func `an idempotency key of another account doesn't reveal its qwink`() async throws {
    try await withService { harness in
      let world = try await PrivateWorld(harness)
      let entry = Entry(text: "mine", idempotencyKey: PrivateWorld.key)
      let answer = try await harness.send(entry, token: world.carol)
      #expect(try WireDecoder.qwink(from: answer.body).text.plainText == "mine")
    }
  }
}

extension Route {
  /// The route's key in the table: method and path.
  var name: String { "\(method.rawValue) /\(pattern.joined(separator: "/"))" }
}
