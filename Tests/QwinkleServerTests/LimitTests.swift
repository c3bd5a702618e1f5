import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleServer

/// Limited accounts are hidden from users who don't follow them, on every route and stream that lists posts.
@Suite(.bounded) struct LimitTests {
  /// Ads posts, replies, favourites, boosts and quotes. Fan follows ads, and eve doesn't.
  private struct World: Sendable {
    let harness: Harness
    let ads, fan, eve: String
    let post, root, reply: Qwink.ID

    init(_ harness: Harness) async throws {
      self.harness = harness
      ads = try harness.service.addQwinker(named: "ads")
      fan = try harness.service.addQwinker(named: "fan")
      eve = try harness.service.addQwinker(named: "eve")
      try harness.follow("ads", by: "fan")
      _ = try await harness.submit("/api/v1/tags/tea/follow", [], token: eve)
      post = try await harness.post("canarypost #tea", token: ads).id
      root = try await harness.post("root", token: eve).id
      reply = try await harness.post("@eve canaryreply", token: ads, answering: root).id
      try await harness.react("favourite", root, token: ads)
      try await harness.react("reblog", root, token: ads)
      _ = try await harness.submit(
        "/api/v1/statuses", [("status", "canaryquote"), ("quoted_status_id", root.rawValue)], token: ads)
    }

    /// Whether an answer has something of the limited account.
    func shows(_ target: String, _ token: String?) async throws -> Bool {
      let path = target.replacing("{root}", with: root.rawValue).replacing("{post}", with: post.rawValue)
        .replacing("{ads}", with: "\(try harness.id(of: "ads"))")
      let answer = try await harness.get(path, token: token)
      try #require(answer.head.status == .ok, "\(path): \(answer.text)")
      return answer.text.contains("canary") || answer.text.contains(#""username":"ads""#)
        || answer.text.contains(#""name":"tea""#)
    }
  }

  /// Targets that hide a limited account from accounts that don't follow it.
  private static let hiding = [
    "/api/v1/timelines/public", "/api/v1/timelines/public?local=true", "/api/v1/timelines/tag/tea",
    "/api/v1/timelines/tag/tea?any[]=coffee", "/api/v1/timelines/home", "/api/v2/search?q=canarypost",
    "/api/v2/search?q=ad&type=accounts", "/api/v2/search?q=te&type=hashtags", "/api/v1/accounts/search?q=ad",
    "/api/v1/notifications", "/api/v2/notifications", "/api/v1/statuses/{root}/quotes",
  ]
  /// Of these, the targets that signed-out clients can request.
  private static let open = [
    "/api/v1/timelines/public", "/api/v1/timelines/tag/tea", "/api/v1/timelines/tag/tea?any[]=coffee",
    "/api/v2/search?q=canarypost", "/api/v2/search?q=te&type=hashtags", "/", "/tags/tea",
  ]
  /// Targets that show it to everyone who asks for it.
  private static let showing = [
    "/api/v1/statuses/{post}", "/api/v1/statuses/{root}/context", "/api/v1/accounts/{ads}",
    "/api/v1/accounts/{ads}/statuses", "/api/v1/accounts/lookup?acct=ads", "/api/v2/search?q=ads&type=accounts",
  ]

  @Test func `only followers find a limited account's posts in lists until the limit ends`() async throws {
    try await withService { harness in
      let world = try await World(harness)
      for isLimited in [false, true, false] {
        try harness.service.setLimit(of: "ads", to: isLimited, reason: "Calm down.")
        for target in Self.hiding {
          #expect(try await world.shows(target, world.eve) != isLimited, "\(target), limited: \(isLimited)")
        }
        for target in Self.open {
          #expect(try await world.shows(target, nil) != isLimited, "\(target), limited: \(isLimited)")
        }
        for target in Self.showing {
          #expect(try await world.shows(target, world.eve), "\(target), limited: \(isLimited)")
        }
        for token in [world.fan, world.ads] {
          let timelines = ["public", "tag/tea", "home"].map { "/api/v1/timelines/\($0)" }
          for target in timelines + ["/api/v2/search?q=canarypost"] {
            #expect(try await world.shows(target, token), "\(target), limited: \(isLimited)")
          }
        }
        let account = try await harness.get("/api/v1/accounts/lookup?acct=ads", token: world.eve)
        #expect(account.object["limited"] as? Bool == (isLimited ? true : nil))
        #expect(try WireDecoder.qwinker(from: account.body).isLimited == isLimited)
        #expect(try harness.service.users().filter(\.isLimited).map(\.name) == (isLimited ? ["ads"] : []))
      }
    }
  }

  @Test func `streams show a limited account's posts and notifications only to its followers`() async throws {
    try await withService { harness in
      let world = try await World(harness)
      try harness.service.setLimit(of: "ads", to: true)
      let listeners = HubListeners(harness.service)
      let open = [true, false].flatMap {
        [QwinkleServer.StreamChannel.everyone(isLocal: $0), .tag("tea", isLocal: $0)]
      }
      for name in ["fan", "eve"] {
        listeners.add(name, viewer: try harness.id(of: name), at: open + [.user, .notifications, .direct])
      }
      listeners.add("signed out", at: open)
      _ = try await listeners.next()
      let post = try await harness.post("@eve @fan more #tea", token: world.ads)
      var deliveries = try await listeners.next()
      _ = try await harness.edit(post.id, "@eve @fan less #tea", token: world.ads)
      deliveries += try await listeners.next()
      _ = try await harness.send(.delete, "/api/v1/statuses/\(post.id)", token: world.ads)
      try await harness.react("unfavourite", world.root, token: world.ads)
      try await harness.react("favourite", world.root, token: world.ads)
      deliveries += try await listeners.next()
      #expect(Set(deliveries.map(\.who)) == ["fan"], "\(deliveries)")
      for event in ["update", "status.update", "delete", "notification"] {
        #expect(deliveries.contains { $0.event == event && $0.stream == "user" }, "\(event)")
      }
      #expect(deliveries.filter { $0.event == "update" }.count == 5)
    }
  }

  @Test func `a limited account can continue conversations but start none with others`() async throws {
    try await withService { harness in
      let world = try await World(harness)
      func conversations(_ token: String) async throws -> [String] {
        let answer = try await harness.get("/api/v1/conversations", token: token)
        return try WireDecoder.conversations(from: answer.body, link: nil).items
          .compactMap { $0.lastQwink?.text.plainText }
      }
      func mentions(_ token: String) async throws -> Int {
        try await harness.notifications("?types[]=mention", token: token).count
      }
      try harness.service.setLimit(of: "ads", to: true)
      let before = try await mentions(world.eve)
      try await harness.post("@eve @fan canarynew", token: world.ads, visibility: .direct)
      #expect(try await conversations(world.eve) == [])
      #expect(try await mentions(world.eve) == before)
      #expect(try await conversations(world.fan).count == 1)
      #expect(try await conversations(world.ads).count == 1)

      try await harness.post("@ads why?", token: world.eve, visibility: .direct)
      try await harness.post("@eve because", token: world.ads, visibility: .direct)
      #expect(try await conversations(world.eve) == ["@eve because"])
      #expect(try await mentions(world.eve) == before + 1)
      try await harness.relate("follow", "ads", token: world.eve)
      #expect(try await conversations(world.eve).count == 2)
    }
  }

  @Test func `a limited user is notified once with the reason`() async throws {
    try await withService { harness in
      let world = try await World(harness)
      for _ in 0..<2 { try harness.service.setLimit(of: "ads", to: true, reason: "Calm\u{202E} down.") }
      let warnings = try await harness.notifications("?types[]=moderation_warning", token: world.ads)
      #expect(warnings.count == 1)
      guard case .warning(let id, let action, let text, let qwinks, _) = warnings.first?.detail else {
        Issue.record("\(warnings)")
        return
      }
      #expect(!id.isEmpty && action == "silence" && text == "Calm down." && qwinks.isEmpty)
      let groups = try await harness.get("/api/v2/notifications?types[]=moderation_warning", token: world.ads)
      #expect(groups.text.contains(#""moderation_warning":{"id":"\#(id)""#), "\(groups.text)")
      for other in [world.fan, world.eve] {
        #expect(try await harness.notifications("?types[]=moderation_warning", token: other).isEmpty)
      }
    }
  }
}
