import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleServer

/// Checks which streams receive added, edited and deleted statuses.
@Suite(.bounded) struct StreamAudienceTests {
  private typealias Stream = QwinkleServer.StreamChannel

  /// A listener, and which of their timelines contain anna's public, unlisted and followers-only posts.
  private struct Person {
    enum Posts {
      case none, tagged, all
    }

    let name: String
    /// Whether the public timeline and tag timelines contain anna's posts.
    var seesPublic = true
    var home = Posts.none
    var hasList = false
    /// Whether the post is the person's own or mentions the person.
    var isNamed = false

    /// Streams that receive a post with this visibility.
    func streams(_ visibility: Visibility) -> Set<String> {
      var streams: Set<String> = []
      if visibility == .public, seesPublic {
        streams.formUnion(["public", "public:local", "hashtag tea", "hashtag:local tea"])
      }
      switch home {
      case .none: break
      case .tagged: if visibility == .public { streams.insert("user") }
      case .all: if visibility != .direct { streams.insert("user") }
      }
      if hasList, visibility != .direct { streams.insert("list") }
      return streams
    }

    /// Streams that report an edit or deletion of the post.
    func changeStreams(_ visibility: Visibility) -> Set<String> {
      streams(visibility).union(visibility == .direct && isNamed ? ["user"] : [])
    }

    static let all = [
      Person(name: "anna", home: .all, isNamed: true),
      Person(name: "follower", home: .all),
      Person(name: "mentioned", isNamed: true),
      Person(name: "stranger"),
      Person(name: "blocked", seesPublic: false),
      Person(name: "muting", seesPublic: false),
      Person(name: "listing", home: .all, hasList: true),
      Person(name: "excluding", hasList: true),
      Person(name: "tagging", home: .tagged),
    ]
  }

  /// A service with all accounts of ``Person/all``, each listening to all their streams, and a signed-out listener.
  private struct World {
    let harness: Harness
    let listeners: HubListeners
    var tokens: [String: String] = [:]
    var lists: [String: String] = [:]

    init(_ harness: Harness) async throws {
      self.harness = harness
      listeners = HubListeners(harness.service)
      for person in Person.all {
        tokens[person.name] = try harness.service.addQwinker(named: person.name)
      }
      for name in ["follower", "blocked", "muting", "listing", "excluding"] { try harness.follow("anna", by: name) }
      try await harness.relate("block", "blocked", token: token("anna"))
      try await harness.relate("mute", "anna", token: token("muting"))
      for name in ["listing", "excluding"] { lists[name] = try await makeList(for: name) }
      let followed = try await harness.submit("/api/v1/tags/tea/follow", [], token: token("tagging"))
      try #require(followed.head.status == .ok, "\(followed.text)")
      let open = [true, false].flatMap { [Stream.everyone(isLocal: $0), .tag("tea", isLocal: $0)] }
      for person in Person.all {
        let list = lists[person.name].flatMap { Int64($0) }.map { [Stream.list($0)] } ?? []
        listeners.add(
          person.name, viewer: try harness.id(of: person.name), at: open + [.user, .notifications, .direct] + list)
      }
      listeners.add("signed out", at: open)
    }

    func token(_ name: String) throws -> String { try #require(tokens[name]) }

    private func makeList(for name: String) async throws -> String {
      let fields = [("title", "Garden"), ("exclusive", name == "excluding" ? "true" : "false")]
      let made = try await harness.submit("/api/v1/lists", fields, token: token(name))
      let id = try #require(made.object["id"] as? String)
      let members = [("account_ids[]", "\(try harness.id(of: "anna"))")]
      let added = try await harness.submit("/api/v1/lists/\(id)/accounts", members, token: token(name))
      try #require(added.head.status == .ok, "\(added.text)")
      return id
    }

    /// The streams on which each listener received an event with this id.
    func next(_ event: String, of id: String) async throws -> [String: Set<String>] {
      var streams: [String: Set<String>] = [:]
      for delivery in try await listeners.next() where delivery.event == event {
        #expect(delivery.payload.contains(id), "\(delivery)")
        let name = delivery.stream.hasPrefix("list ") ? "list" : delivery.stream
        #expect(streams[delivery.who, default: []].insert(name).inserted, "twice: \(delivery)")
      }
      return streams
    }
  }

  private static func expected(
    _ streams: (Person) -> Set<String>, _ visibility: Visibility
  ) -> [String: Set<String>] {
    var expected = Dictionary(uniqueKeysWithValues: Person.all.map { ($0.name, streams($0)) })
    expected["signed out"] = Person(name: "").streams(visibility)
    return expected.filter { !$0.value.isEmpty }
  }

  @Test(arguments: [Visibility.public, .unlisted, .private, .direct])
  func `an added or edited or deleted status reaches its audience's streams`(
    visibility: Visibility
  ) async throws {
    try await withService { harness in
      let world = try await World(harness)
      _ = try await world.listeners.next()
      let post = try await harness.post("@mentioned some #tea", token: world.token("anna"), visibility: visibility)
      let id = post.id.rawValue
      let added = Self.expected({ $0.streams(visibility) }, visibility)
      let changed = Self.expected({ $0.changeStreams(visibility) }, visibility)
      #expect(try await world.next("update", of: id) == added)
      #expect(try await timelines(with: post.id, in: world) == added)
      _ = try await harness.edit(post.id, "@mentioned more #tea", token: world.token("anna"))
      #expect(try await world.next("status.update", of: id) == changed)
      _ = try await harness.send(.delete, "/api/v1/statuses/\(id)", token: world.token("anna"))
      #expect(try await world.next("delete", of: id) == changed)
    }
  }

  /// Each person's timelines that contain a post, by stream name.
  private func timelines(with id: Qwink.ID, in world: World) async throws -> [String: Set<String>] {
    var found: [String: Set<String>] = [:]
    func look(_ who: String, _ path: String, _ names: Set<String>) async throws {
      let page = try await world.harness.page("/api/v1/timelines/\(path)", token: world.tokens[who])
      if page.items.contains(where: { $0.id == id }) { found[who, default: []].formUnion(names) }
    }
    for who in Person.all.map(\.name) + ["signed out"] {
      try await look(who, "public", ["public", "public:local"])
      try await look(who, "tag/tea", ["hashtag tea", "hashtag:local tea"])
      if who != "signed out" { try await look(who, "home", ["user"]) }
      if let list = world.lists[who] { try await look(who, "list/\(list)", ["list"]) }
    }
    return found
  }

  @Test(arguments: [true, false])
  func `the deletion of a boost or its original reaches the timelines that have it`(
    isOriginal: Bool
  ) async throws {
    try await withService { harness in
      let tokens = try harness.people("author", "booster", "follower", "unboosted", "stranger")
      for name in ["follower", "unboosted"] { try harness.follow("booster", by: name) }
      try await harness.relate("follow", "booster", [("reblogs", "false")], token: tokens[3])
      let post = try await harness.post("some tea", token: tokens[0], visibility: .unlisted)
      let boost = try await harness.react("reblog", post.id, token: tokens[1])
      let listeners = HubListeners(harness.service)
      for name in ["author", "booster", "follower", "unboosted", "stranger"] {
        listeners.add(name, viewer: try harness.id(of: name), at: [.user, .everyone(isLocal: false)])
      }
      if isOriginal {
        _ = try await harness.send(.delete, "/api/v1/statuses/\(post.id)", token: tokens[0])
      } else {
        try await harness.react("unreblog", post.id, token: tokens[1])
      }
      var deleted: [String: Set<String>] = [:]
      for delivery in try await listeners.next() {
        #expect(delivery.event == "delete" && delivery.stream == "user", "\(delivery)")
        deleted[delivery.who, default: []].insert(delivery.payload)
      }
      let (original, copy) = (post.id.rawValue, boost.id.rawValue)
      let whole: [String: Set<String>] = [
        "author": [original], "booster": [original, copy], "follower": [original, copy],
      ]
      #expect(deleted == (isOriginal ? whole : ["booster": [copy], "follower": [copy]]))
    }
  }

  @Test func `listeners get URLs for their host from a single read`() async throws {
    try await withService { harness in
      let token = try harness.people("anna")[0]
      let listeners = HubListeners(harness.service)
      let statements = try harness.statements()
      func post() async throws -> (deliveries: [HubListeners.Delivery], count: Int) {
        let before = statements.all.count
        try await harness.post("@anna some #tag7", token: token)
        return (try await listeners.next(), statements.all.count - before)
      }
      listeners.add("reader0", host: "host0", at: [.tag("tag7", isLocal: false)])
      _ = try await post()
      let one = try await post()
      listeners.addReaders(300, hosts: 300)
      let many = try await post()
      #expect(many.count == one.count)
      #expect(one.deliveries.count == 1 && many.deliveries.count == 301)
      for delivery in many.deliveries {
        let host = delivery.who.replacing("reader", with: "host")
        #expect(delivery.payload.contains("https://\(host)/@anna/"), "\(delivery)")
        #expect(delivery.payload.contains("href=\\\"https://\(host)/tags/tag7\\\""), "\(delivery)")
        let others = delivery.payload.replacing("https://\(host)/", with: "")
        #expect(!others.contains("http"), "\(delivery)")
      }
    }
  }
}
