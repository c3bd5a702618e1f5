import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleServer

/// Visibility of qwinks to each kind of viewer on every path.
@Suite(.bounded) struct VisibilityTests {
  /// A viewer's relation to the author.
  enum Viewer: String, CaseIterable {
    case nobody, author, follower, mentioned, stranger

    func sees(_ visibility: Visibility) -> Bool {
      switch visibility {
      case .public, .unlisted: true
      case .private: [.author, .follower, .mentioned].contains(self)
      case .direct: [.author, .mentioned].contains(self)
      }
    }
  }

  /// A path that may show the author's qwink.
  enum Path: String, CaseIterable {
    case status, context, ancestors, descendants, account, accountTagged, publicTimeline, tag, home

    func shows(_ visibility: Visibility, to viewer: Viewer) -> Bool {
      switch self {
      case .publicTimeline, .tag: visibility == .public
      case .home: [.author, .follower].contains(viewer) && visibility != .direct
      default: viewer.sees(visibility)
      }
    }
  }

  @Test(arguments: Front.allCases, Visibility.allCases)
  func `a post is shown exactly to its audience`(_ front: Front, _ visibility: Visibility) async throws {
    try await withService(front) { harness in
      var tokens: [Viewer: String] = [:]
      for viewer in Viewer.allCases where viewer != .nobody {
        tokens[viewer] = try harness.service.addQwinker(named: viewer.rawValue)
      }
      try harness.service.write { session in
        let ids = try session.accountIDs(named: ["author", "follower"])
        try session.follow(try #require(ids["author"]), by: try #require(ids["follower"]))
      }
      let alice = try #require(tokens[.author])
      let root = try await harness.post("root", token: alice)
      let qwink = try await harness.post(
        "for @mentioned #secret", token: alice, visibility: visibility, answering: root.id)
      let below = try await harness.post("below", token: alice, answering: qwink.id)

      for viewer in Viewer.allCases {
        let token = tokens[viewer]
        for path in Path.allCases {
          if path == .home && viewer == .nobody { continue }
          let isShown = try await shows(path, qwink, root: root, below: below, harness, token)
          #expect(isShown == path.shows(visibility, to: viewer), "\(visibility) at \(path) for \(viewer)")
        }
        if let token, !viewer.sees(visibility) {
          let answer = try await harness.send(
            Entry(text: "hm", inReplyTo: qwink.id, idempotencyKey: ""), token: token)
          #expect(answer.head.status == .unprocessableContent)
          let deleting = try await harness.send(.delete, "/api/v1/statuses/\(qwink.id)", token: token)
          #expect(deleting.head.status == .notFound)
        }
      }
    }
  }

  @Test func `reply counts exclude private posts and post counts exclude direct ones`() async throws {
    try await withService { harness in
      let token = try harness.service.addQwinker(named: "alice")
      let root = try await harness.post("root", token: token)
      try await harness.post("@alice quiet", token: token, visibility: .direct, answering: root.id)
      try await harness.post("less quiet", token: token, visibility: .private, answering: root.id)
      let seen = try WireDecoder.qwink(from: try await harness.get("/api/v1/statuses/\(root.id)").body)
      #expect(seen.repliesCount == 0)
      #expect(seen.author.qwinksCount == 2)
    }
  }

  @concurrent
  private func shows(
    _ path: Path, _ qwink: Qwink, root: Qwink, below: Qwink, _ harness: Harness, _ token: String?
  ) async throws -> Bool {
    func thread(_ id: Qwink.ID) async throws -> QwinkThread {
      try WireDecoder.thread(from: try await harness.get("/api/v1/statuses/\(id)/context", token: token).body)
    }
    // A thread ends at a hidden qwink. The rest isn't connected, and no id reveals it.
    func ends(_ seen: Bool, _ beyond: Qwink.ID, _ thread: [Qwink.ID]) async throws -> Bool {
      #expect(thread.contains(beyond) == seen)
      let shown = try await harness.qwink("/api/v1/statuses/\(below.id)", token: token)
      #expect((shown.inReplyTo == qwink.id) == seen)
      #expect((shown.inReplyToAuthor != nil) == seen)
      return seen
    }
    func list(_ target: String) async throws -> Bool {
      try await harness.page(target, token: token).items.contains { $0.id == qwink.id }
    }
    switch path {
    case .status: return try await harness.get("/api/v1/statuses/\(qwink.id)", token: token).head.status == .ok
    case .context:
      return try await harness.get("/api/v1/statuses/\(qwink.id)/context", token: token).head.status == .ok
    case .ancestors:
      let ancestors = try await thread(below.id).ancestors.map(\.id)
      return try await ends(ancestors.contains(qwink.id), root.id, ancestors)
    case .descendants:
      let descendants = try await thread(root.id).descendants.map(\.id)
      return try await ends(descendants.contains(qwink.id), below.id, descendants)
    case .account: return try await list("/api/v1/accounts/\(qwink.author.id)/statuses")
    case .accountTagged: return try await list("/api/v1/accounts/\(qwink.author.id)/statuses?tagged=secret")
    case .publicTimeline: return try await list("/api/v1/timelines/public")
    case .tag: return try await list("/api/v1/timelines/tag/secret")
    case .home: return try await list("/api/v1/timelines/home")
    }
  }
}
