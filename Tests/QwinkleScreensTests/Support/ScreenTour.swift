import FoundationEssentials
import QwinkleConfig
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Terminal
import Testing

@testable import PaneKit
@testable import QwinkleScreens

/// Steps that open every screen, with content for each.
@MainActor
struct ScreenTour {
  /// The names of all screens' controllers.
  static let controllers: Set<String> = [
    "AnnouncementsViewController", "CatchUpViewController", "ChatViewController", "CollectionsViewController",
    "CommandPrompt",
    "ConfirmViewController",
    "ConversationsViewController",
    "DraftsViewController", "EntryViewController", "FilterMatchesViewController", "FilterSheet",
    "FilteredNotificationsViewController",
    "NotificationRequestsViewController", "FiltersViewController", "FollowedTagsViewController",
    "HelpViewController", "LinkSheet", "ListsViewController", "NotificationsViewController", "OutboxViewController",
    "PictureViewController", "ProfileViewController",
    "QwinkerListViewController", "QwinkerViewController", "RecipientViewController", "RemoteTimelineViewController",
    "ResourcesViewController",
    "SavedSearchViewController", "ScheduledViewController", "SearchViewController", "ServerViewController",
    "ThreadViewController",
    "TimelineViewController", "TrendsViewController",
    "VersionsViewController",
  ]

  /// Opens a screen. Its requests may still be pending afterwards.
  struct Stop {
    let name: String
    let go: @MainActor (Screen) -> Void

    /// Opens the screen above the public timeline and waits for its requests.
    @MainActor
    func visit(_ screen: Screen) async {
      while let sheet = screen.application.window.topSheet { sheet.dismiss() }
      // The second call returns to the section's root.
      screen.main.router.go(to: .public)
      screen.main.router.go(to: .public)
      go(screen)
      await screen.settle()
    }
  }

  static let stops: [Stop] =
    Section.allCases.filter { $0 != .views }.map { stop($0) } + places.map { stop($0) } + sheets

  private static let bob = Qwinker.sample("bob")
  nonisolated private static let qwink = ScriptedTimeline.qwink(5)

  private static var linked: Qwink {
    var qwink = Qwink.sample(id: "links", author: bob)
    qwink.text = RichText([
      .init((1...3).map { .init("link\($0)", kind: .link(url: "https://example.org/\($0)")) })
    ])
    return qwink
  }

  private static var pictured: Qwink {
    var qwink = ScriptedTimeline.qwink(6)
    qwink.attachments = ["a", "b"].map {
      Attachment(id: .init($0), kind: .image, url: "https://tilde.example/\($0).png", altText: "Leek \($0)")
    }
    return qwink
  }

  private static let places: [Place] =
    [
      .thread(qwink), .qwinker(qwink.author), .timeline(.tag("garden")), .qwinkers(.followers(qwink.author.id)),
      .versions(qwink), .pictures(pictured), .resources, .collections(of: qwink.author),
      .qwinkers(.collection("9", title: "Gardeners")),
      .conversation(Conversation(id: "bob", participants: [bob])),
      .filteredNotifications(from: bob), .search("chard"), .catchUp, .drafts, .outbox,
      .qwinkers(.members("5")),
      .filterMatches(ContentFilter(id: "3", title: "Leeks", keywords: [.init(text: "qwink")])),
    ] + ManagedListKind.allCases.map { .records($0) }
    + [try? OwnView(name: "leeks", text: "public 'qwink'")].compactMap(\.self).map { .view($0) }
    + [RemoteTimeline(word: "social.example/public")].compactMap(\.self).map { .remote($0) }

  private static let sheets: [Stop] = [
    Stop(name: "reply") { $0.main.write(.reply(to: qwink)) },
    Stop(name: "entry with a warning") {
      $0.main.write(.new)
      $0.perform(.entryWarning)
    },
    Stop(name: "profile") { $0.main.perform(.editProfile) },
    Stop(name: "links") {
      $0.main.show(.thread(linked))
      $0.perform(.openLink)
    },
    Stop(name: "filter") {
      $0.main.show(.records(.filters))
      $0.perform(.recordAdd)
    },
    Stop(name: "recipient") {
      // The second call closes the chat of an earlier stop.
      $0.main.router.go(to: .messages)
      $0.main.router.go(to: .messages)
      $0.perform(.message)
      $0.type("bo")
    },
    Stop(name: "help") { $0.perform(.help) },
    Stop(name: "prompt") { $0.perform(.command) },
    Stop(name: "prompt with a note") {
      $0.perform(.command)
      $0.perform(.promptComplete)
    },
    Stop(name: "question") { $0.main.quitting.askToQuit() },
    Stop(name: "notice") { $0.main.say("Something was said that takes more than one row to say.", .warning) },
  ]

  private static func stop(_ section: Section) -> Stop {
    Stop(name: section.rawValue) { screen in
      // Open sheets are dismissed first.
      while let sheet = screen.application.window.topSheet { sheet.dismiss() }
      screen.main.router.go(to: section)
    }
  }

  private static func stop(_ place: Place) -> Stop {
    Stop(name: "\(place)".prefix(20).description) { $0.main.show(place) }
  }

  /// Returns a screen and its server, which has content for each stop. `keys` is the text of the user's `keys.txt`.
  static func start(
    rows: Int = 24, columns: Int = 80, keys: String? = nil
  ) async throws -> (Screen, ScriptedTimeline) {
    let server = ScriptedTimeline(Array((1...90).reversed()), home: [203, 202, 201])
    server.add([linked])
    server.messages.add(
      "bob", with: [bob], isUnread: true,
      (1...20).map { .sample(id: Qwink.ID("m\($0)"), text: "Message \($0)", author: bob) })
    addRecords(to: server.api)
    let folder = TemporaryFolder()
    if let keys { try folder.write(keys: keys) }
    try Screen.keep(Array((1...70).reversed()), in: folder)
    SavedDrafts(store: nil, folder: folder).save(
      Entry(text: "A draft of a qwink, to be finished later", idempotencyKey: "draft"), for: .new)
    return (try await Screen.settled(server, rows: rows, columns: columns, in: folder), server)
  }
}

extension ScreenTour {
  /// Adds a managed item of each kind to the server.
  private static func addRecords(to api: ScriptedAPI) {
    let base = "https://\(ScriptedAPI.host)"
    api.answer("GET /api/v1/lists") { _ in .json(WireEncoder.lists([PersonalList(id: "5", title: "Kiosks")])) }
    api.answer("GET /api/v1/lists/5/accounts") { _ in .json(WireEncoder.qwinkers([.sample("bob"), .sample("carol")])) }
    api.answer("GET /api/v1/accounts/\(qwink.author.id)/collections") { _ in
      .json(Array(#"{"collections":[{"id":"9","name":"Gardeners","item_count":2}]}"#.utf8))
    }
    api.answer("GET /api/v1/collections/9") { _ in
      .json(Array(#"{"collection":{"id":"9","items":[]},"accounts":[]}"#.utf8))
    }
    api.answer("GET /api/v1/notifications/requests") { _ in
      let start = ScriptedTimeline.start
      return .json(
        WireEncoder.notificationRequests([
          NotificationRequest(
            id: "4", qwinker: .sample("dana"), notificationsCount: 2, lastQwink: qwink, createdAt: start,
            updatedAt: start)
        ]))
    }
    api.answer("GET /api/v2/notifications/policy") { _ in
      .json(WireEncoder.notificationPolicy(NotificationPolicy(treatments: [.bots: .filter], requestsCount: 1)))
    }
    api.answer("GET /api/v2/filters") { _ in
      .json(
        WireEncoder.filters([ContentFilter(id: "3", title: "Spoilers", keywords: [.init(id: "31", text: "butler")])]))
    }
    api.answer("GET /api/v1/scheduled_statuses") { _ in
      .json(
        WireEncoder.scheduledPosts([
          ScheduledPost(id: "9", publishAt: ScriptedTimeline.start.addingTimeInterval(7200), text: "Later, leek.")
        ]))
    }
    api.answer("GET /api/v1/followed_tags") { _ in .json(WireEncoder.tags([Tag(name: "garden")], base: base)) }
    api.answer("GET /api/v1/announcements") { _ in
      .json(Array(#"[{"id":"7","content":"<p>We move on Sunday.</p>"}]"#.utf8))
    }
    api.answer("GET /api/v1/trends/tags") { _ in .json(WireEncoder.tags([Tag(name: "leek")], base: base)) }
    api.answer("GET /api/v1/trends/links") { _ in
      .json(WireEncoder.cards([Qwink.Card(url: "https://example.org/leeks", title: "All about leeks")]))
    }
  }
}

extension Screen {
  /// Performs `action` on the first responder.
  func perform(_ action: Action) {
    application.window.effectiveFirstResponder.perform(action)
  }

  /// The controllers in the first responder's chain.
  var controllersWithKeys: [String] {
    application.window.effectiveFirstResponder.chain.compactMap { $0 as? ViewController }
      .map { String(describing: Swift.type(of: $0)) }
  }
}
