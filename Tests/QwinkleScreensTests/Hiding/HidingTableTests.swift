import QwinkleConfig
import QwinkleModel
import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

/// A table of places and rules: hidden content stays hidden everywhere on the screen.
@MainActor
@Suite(.bounded) struct HidingTableTests {
  /// Checks the outcome of a rule in displayed or spoken text. `isWhole` is false if the text may be cut.
  private func expect(_ rule: HidingRule, in text: String, at place: HidingPlace, isWhole: Bool, _ form: String) {
    let outcome = rule.outcome(in: place.traits)
    let cell = "\(place), \(rule), \(form): \(outcome)"
    switch outcome {
    case .missing:
      #expect(!rule.words.contains { text.contains($0) }, "\(cell)\n\(text)")
    case .covered(let words):
      #expect(!text.contains(rule.secret), "\(cell)\n\(text)")
      #expect(!isWhole || text.contains(words), "\(cell)\n\(text)")
    case .withheld(let state):
      #expect(!text.contains(rule.secret), "\(cell)\n\(text)")
      let isShown = text.contains(QuoteWords.withheld(state)) && text.contains(rule.quotingWord)
      #expect(!isWhole || isShown, "\(cell)\n\(text)")
    case .marked(let description):
      #expect(!isWhole || text.contains("\(AttachmentWords.sensitive): \(description)"), "\(cell)\n\(text)")
    case .open:
      #expect(!isWhole || text.contains(rule.secret), "\(cell)\n\(text)")
    }
  }

  /// Deletes the visible quoted qwink and expects that the quote is withheld.
  private func expectDeletion(at place: HidingPlace, on screen: Screen) async {
    let rule = HidingRule.quoteDeletedLater
    guard place.observesDeletions, place.rules.contains(rule) else { return }
    screen.account.timelines.remove(rule.quotedID)
    await screen.settle()
    let said = (screen.main.focus as? any ListedRows)?.saidText ?? screen.text
    #expect(!screen.text.contains(rule.secret) && !said.contains(rule.secret), "\(place)\n\(screen.text)")
    #expect(said.contains(QuoteWords.withheld(.deleted)), "\(place)\n\(said)")
  }

  @Test(arguments: HidingPlace.all)
  func `no place of the screen shows hidden content`(place: HidingPlace) async throws {
    let screen = try await place.screen()
    try await place.showList(on: screen)
    for rule in place.rules {
      guard let text = await place.text(of: rule, on: screen) else { break }
      expect(rule, in: text, at: place, isWhole: true, "shown")
      if rule == .quoteDeletedLater { await expectDeletion(at: place, on: screen) }
    }
    guard await place.text(of: .direct, on: screen) == nil else { return }
    let list = try #require(screen.main.focus as? any ListedRows, "\(place)")
    let text = screen.text
    screen.main.factory.settings.density = .compact
    await screen.settle()
    for rule in place.rules {
      // Ancestors may be above the first visible row.
      expect(rule, in: text, at: place, isWhole: place != .ancestor, "comfortable")
      expect(rule, in: screen.text, at: place, isWhole: false, "compact")
      expect(rule, in: list.saidText, at: place, isWhole: true, "linear")
      expect(rule, in: list.soughtText, at: place, isWhole: false, "finding")
    }
    await expectDeletion(at: place, on: screen)
  }

  @Test func `the table covers every screen and every section`() throws {
    let qwink = HidingPlace.root
    let screens: [Place] = [
      .thread(qwink), .qwinker(HidingPlace.host), .timeline(.public), .versions(qwink), .pictures(qwink),
      .conversation(Conversation(id: "c", participants: [])), .search(""),
      .remote(try #require(RemoteTimeline(word: "social.example/local"))), .catchUp, .drafts, .outbox, .resources,
      .view(try OwnView(name: "kiosks", text: "'\(HidingRule.commonWord)'")),
    ]
    let places = screens.flatMap(HidingPlace.places(of:)) + Section.allCases.flatMap(HidingPlace.places(of:))
    #expect(Set(places).subtracting(HidingPlace.all) == [])
    let cells = HidingPlace.all.reduce(0) { $0 + $1.rules.count }
    print("Hiding on the screen: \(HidingPlace.all.count) places × \(HidingRule.all.count) rules, \(cells) cells.")
  }

  /// Screens without qwinks of other users, and sheets that only the user's actions open.
  private static let otherControllers: Set<String> = [
    "AnnouncementsViewController", "CollectionsViewController", "CommandPrompt", "ConfirmViewController",
    "FilterMatchesViewController", "FilterSheet",
    "FiltersViewController", "FollowedTagsViewController", "HelpViewController", "LinkSheet", "ListsViewController",
    "ProfileViewController", "QwinkerListViewController", "RecipientViewController", "ScheduledViewController",
    "ServerViewController", "TrendsViewController",
  ]

  private static let controllers: Set<String> = [
    "CatchUpViewController", "ChatViewController", "ConversationsViewController", "DraftsViewController",
    "EntryViewController",
    "FilteredNotificationsViewController", "NotificationRequestsViewController", "NotificationsViewController",
    "OutboxViewController", "PictureViewController", "QwinkerViewController",
    "RemoteTimelineViewController", "ResourcesViewController", "SavedSearchViewController", "SearchViewController",
    "ThreadViewController",
    "TimelineViewController", "VersionsViewController",
  ]

  @Test func `every controller is in the table or shows no qwinks of other users`() {
    #expect(ScreenTour.controllers == Self.controllers.union(Self.otherControllers))
  }

  @Test func `every withheld state of a quote has a different sentence`() {
    let states = Qwink.Quote.State.allCases.filter { $0 != .accepted }
    #expect(Set(states.map(QuoteWords.withheld)).count == states.count)
  }

  @Test func `alerts leave out the same qwinks as notifications and never show text`() async throws {
    let place = HidingPlace.notifications(.mention)
    let screen = try await place.screen()
    for rule in place.rules {
      let notification = HidingAnswers.notification(.mention, of: place.qwink(rule))
      let isLeftOut = rule.outcome(in: place.traits) == .missing
      // The feed checks this before it counts a notification or reports it to the bell, the desktop and hooks.
      #expect(screen.account.notifications.leavesOut(notification) == isLeftOut, "\(rule)")
      let words = AttentionWords.news([notification], account: nil)
      #expect(!rule.words.contains { words.contains($0) }, "\(rule): \(words)")
    }
  }
}
