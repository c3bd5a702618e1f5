import FoundationEssentials
import HTTPTypes
import PaneKit
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

/// Profiles on a server that ignores `exclude_direct`.
@MainActor
@Suite(.bounded) struct ProfileDirectTests {
  private nonisolated static let author = Qwinker.sample("bob", displayName: "Bob")
  private nonisolated static let screens: [Place] =
    [.qwinker(author)] + QwinkerPart.allCases.map { Place.timeline(.part($0, of: author.id, by: author.handle)) }

  private nonisolated static func qwink(_ id: Qwink.ID, _ text: String, _ visibility: Visibility) -> Qwink {
    var qwink = Qwink.sample(id: id, text: text, author: author)
    qwink.visibility = visibility
    qwink.attachments = [Attachment(id: "1", kind: .image, altText: "a kiosk")]
    return qwink
  }

  @Test(arguments: screens.indices)
  func `no part of a profile shows direct messages`(index: Int) async throws {
    let server = ScriptedTimeline([1])
    server.api.answer("GET /api/v1/accounts/bob-id") { _ in .json(WireEncoder.qwinker(Self.author)) }
    server.api.answer("GET /api/v1/accounts/relationships") { _ in
      .json(WireEncoder.relationships([Relationship(id: "bob-id")]))
    }
    server.api.answer("GET /api/v1/accounts/bob-id/statuses") { request in
      let isPinned = request.head.path?.contains("pinned=true") == true
      var qwinks = [Self.qwink("9", "A secret", .direct), Self.qwink("8", "For all", .public)]
      for index in qwinks.indices { qwinks[index].isPinned = isPinned }
      return .json(WireEncoder.qwinks(qwinks))
    }
    let screen = try await Screen.settled(server, rows: 40)
    screen.main.show(Self.screens[index])
    await screen.settle()
    #expect(screen.text.contains("For all") && !screen.text.contains("A secret"), "\(screen.text)")
    let requests = server.paths.filter { $0.hasPrefix("/api/v1/accounts/bob-id/statuses?") }
    #expect(!requests.isEmpty && requests.allSatisfy { $0.contains("exclude_direct=true") }, "\(requests)")
  }

  @Test func `the user's own new message stays out of their profile`() {
    let message = Self.qwink("9", "A secret", .direct)
    let post = Self.qwink("8", "For all", .public)
    let profile =
      [TimelineName.qwinker(Self.author.id)] + QwinkerPart.allCases.map { TimelineName.part($0, of: Self.author.id) }
    for name in profile {
      #expect(!name.includes(message), "\(name.key)")
      #expect(TimelineName.isProfile(key: name.key) && name.isProfile, "\(name.key)")
    }
    #expect(TimelineName.qwinker(Self.author.id).includes(post))
    for name in [TimelineName.home, .tag("media/pinned"), .list("qwinker", title: "media"), .bookmarks] {
      #expect(!TimelineName.isProfile(key: name.key) && !name.isProfile, "\(name.key)")
    }
  }
}
