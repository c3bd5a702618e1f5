import QwinkleAccount
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import PaneKit
@testable import QwinkleScreens

/// Random events on every screen. After each event, incremental drawing equals a full redraw, the first responder is
/// visible, and layout has started no work and left the model unchanged.
@MainActor
@Suite(.bounded) struct FrameFuzzTests {
  @Test func `any event leaves a complete frame, a visible first responder and a pure layout`() async throws {
    // Visit every screen once, because random events may quit the program before they reach all of them.
    let tour = try await FrameFuzz(seed: 0)
    for stop in ScreenTour.stops { tour.visit(stop) }
    #expect(ScreenTour.controllers.subtracting(tour.visited).isEmpty, "some screens were never seen")
    let eventsPerScreen = 200
    // A soak runs 100,800 events.
    for seed in Soak.seeds(8, times: 63) {
      // Each run starts with a share of the stops, so that all runs together visit every screen.
      let share = ScreenTour.stops.enumerated().filter { $0.offset % 8 == Int(seed % 8) }.map(\.element)
      let fuzz = try await FrameFuzz(seed: seed, first: share)
      for _ in 0..<eventsPerScreen where !fuzz.hasEnded { try await fuzz.step() }
    }
  }
}

/// A screen that receives random events.
@MainActor
private final class FrameFuzz {
  private let server: ScriptedTimeline
  private let screen: Screen
  private let seed: UInt64
  private var random: SplitMix
  private var count = 0
  /// Stops of the tour that are still to be visited.
  private var stops: [ScreenTour.Stop] = []
  /// The cells of a driver that only updates changed rows.
  private var shown: CellGrid
  private var next = 1000
  /// The last events, for failure messages.
  private var recent: [String] = []
  private(set) var visited: Set<String> = []

  init(seed: UInt64, first stops: [ScreenTour.Stop] = []) async throws {
    self.seed = seed
    self.stops = stops
    random = SplitMix(seed: seed)
    (screen, server) = try await ScreenTour.start()
    // The test draws frames itself, so that it can check the state between layout and drawing.
    screen.application.showsFramesAtOnce = false
    shown = screen.driver.frames.last?.grid ?? CellGrid(size: .zero)
  }

  private var window: Window { screen.application.window }
  var hasEnded: Bool { screen.exitStatus != nil }

  /// Runs one event and checks the result.
  func step() async throws {
    count += 1
    check(after: try await happen())
  }

  /// Opens a screen and checks the result.
  func visit(_ stop: ScreenTour.Stop) {
    check(after: go(to: stop))
  }

  private func check(after event: String) {
    recent = recent.suffix(11) + [event]
    guard !hasEnded else { return }
    window.measuring { layOut() }
    checkKeys()
    checkFrame()
  }

  // MARK: Events

  private func happen() async throws -> String {
    switch Int.random(in: 0..<60, using: &random) {
    case 0...2:
      let size = Size(rows: .random(in: 1...40, using: &random), columns: .random(in: 1...230, using: &random))
      screen.resize(rows: size.rows, columns: size.columns)
      return "\(size.rows)x\(size.columns)"
    case 3...5: return mouse()
    case 6:
      screen.paste("pasted\ntext 日本")
      return "paste"
    case 7:
      next += 1
      server.add([next])
      return "add"
    case 8:
      next += 1
      let other = server.numbers().prefix(60).randomElement(using: &random)
      if let other { server.addLate(next, below: other) }
      return "late"
    case 9:
      let fails = Bool.random(using: &random)
      server.failTimelines(with: fails ? .timedOut(host: ScriptedTimeline.host) : nil)
      server.failPages(with: fails ? .timedOut(host: ScriptedTimeline.host) : nil)
      return "fails \(fails)"
    case 10:
      screen.advance(by: .seconds(.random(in: 1...90, using: &random)))
      return "time"
    case 11...15:
      await screen.settle()
      return "answers"
    case 16...20: return go()
    case 25:
      let form = [TextForm.unicode, .unicode, .wideUnicode, .ascii].randomElement(using: &random) ?? .unicode
      screen.driver.draws(form)
      return "\(form)"
    case 21...24:
      let text = ["@bo", "#gar", "hello ", ":help", "日本", "\u{1F44D}"].randomElement(using: &random) ?? ""
      screen.type(text)
      return text
    default: return key()
    }
  }

  private func key() -> String {
    let sequence = screen.main.keymap.bindings.randomElement(using: &random)?.sequences.randomElement(using: &random)
    let keys = sequence ?? [.character("j")]
    screen.application.terminalDriver(screen.driver, didReceive: keys.map { .key($0) })
    return Keymap.name(of: keys)
  }

  private func mouse() -> String {
    let kinds: [MouseEvent.Kind] = [.press, .press, .press, .drag, .release, .wheelDown, .wheelUp]
    let kind = kinds.randomElement(using: &random) ?? .press
    let row = Int.random(in: 0..<window.size.rows, using: &random)
    let column = Int.random(in: 0..<window.size.columns, using: &random)
    screen.driver.mouse(kind, row: row, column: column)
    return "\(kind) \(row) \(column)"
  }

  /// Opens a screen that random keys seldom reach.
  private func go() -> String {
    // Visit each stop once before any stop is repeated.
    if stops.isEmpty { stops = ScreenTour.stops.shuffled(using: &random) }
    return go(to: stops.removeLast())
  }

  private func go(to stop: ScreenTour.Stop) -> String {
    // An open question would keep the focus.
    while let sheet = window.topSheet { sheet.dismiss() }
    stop.go(screen)
    return stop.name
  }

  // MARK: Checks

  /// The data of the account. Reading a list may load it from the store, which must happen before layout.
  private struct Model: Equatable {
    private static let names: [TimelineName] = [.public, .local, .home, .bookmarks, .favourites, .tag("garden")]

    var rows: [[Timeline.Row]]
    var states: [FeedState]
    var me: Qwinker?
    var conversations: [Conversation]
    var messages: [Qwink]
    var notifications: [AccountNotification]
    var unread: Int

    @MainActor init(_ account: Account) {
      rows = Self.names.map { account.timelines.timeline($0).rows }
      states = Self.names.map(account.timelines.state(of:)) + [account.inbox.state, account.notifications.state]
      me = account.identity.me
      conversations = account.inbox.conversations
      messages = account.inbox.messages(of: "bob")
      notifications = account.notifications.notifications
      unread = account.notifications.countedUnread
    }
  }

  /// Like ``Window/layoutIfNeeded()``, but checks for side effects of layout. The ledger counts requests and writes.
  private func layOut() {
    for _ in 0..<8 {
      let didUpdate = window.rootView.updatePropertiesIfNeeded()
      let (model, begun) = (Model(screen.account), screen.ledger.foregroundCount)
      let didLayout = window.layoutViews()
      if screen.ledger.foregroundCount != begun { fail("layout began \(screen.ledger.inProgress)") }
      if Model(screen.account) != model { fail("layout changed the model") }
      guard window.updateFirstResponder() || didUpdate || didLayout else { return }
    }
  }

  private func checkKeys() {
    let holder = window.effectiveFirstResponder
    let view = holder as? View ?? (holder as? ViewController)?.view
    let top = window.topSheet ?? window.rootViewController
    if view?.isInSight(in: top?.view) != true { fail("the keys are with \(holder), which is not seen") }
    visited.formUnion(screen.controllersWithKeys)
  }

  private func checkFrame() {
    let frame = window.render()
    shown.show(frame)
    window.rootView.setNeedsDisplay()
    let whole = window.render()
    func isWhole(_ grid: CellGrid) -> Bool {
      grid.size == whole.grid.size && (0..<grid.size.rows).allSatisfy { grid.row($0) == whole.grid.row($0) }
    }
    guard !isWhole(shown) || !isWhole(frame.grid) || frame.cursor != whole.cursor else { return }
    defer { shown = whole.grid }
    // They may differ only in style.
    let rows = (0..<whole.grid.size.rows).filter { shown.row($0) != whole.grid.row($0) }
    let lines = rows.map { "\($0): “\(shown.text(ofRow: $0))” for “\(whole.grid.text(ofRow: $0))”" }
    let cursors = "cursors \(String(describing: frame.cursor)) and \(String(describing: whole.cursor))"
    fail("a frame is not whole, \(cursors):\n" + lines.joined(separator: "\n"))
  }

  private func fail(_ words: String) {
    Issue.record("seed \(seed), event \(count), after \(recent.joined(separator: ", ")): \(words)")
  }
}
