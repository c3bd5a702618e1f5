import FoundationEssentials
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// The keys that work somewhere: the parts of the keymap that are asked there, one after another, and the text that is
/// written there, which takes what can be typed.
@MainActor
struct KeysInForce {
  var keymap: Keymap
  var contexts: [KeyContext]
  var editor: TextEditor?
  /// Whether an action is performed there now; nil: all are.
  var performs: (@MainActor (Action) -> Bool)?

  /// A key that asks for an action there, and the word for what it does; nil: none does.
  func hint(for action: Action) -> (key: String, word: String)? {
    // A text is asked after its own context, and before the others.
    keymap.hint(for: action, in: contexts) { key, context in
      editor.map { $0.keyContext != context && $0.takes(key) } ?? false
    }
  }
}

/// What the status bar says.
@MainActor
enum StatusWords {
  nonisolated static let newAbove = "new above"
  nonisolated static let retrying = "Retrying"
  nonisolated static let withinAMinute = "within a minute"
  nonisolated static let offlineSince = "offline since"
  nonisolated static let since = "since"
  nonisolated static let signInAgain = "sign in again"

  static func newCount(_ count: Int, hasMore: Bool = false) -> String { "\(count)\(hasMore ? "+" : "") \(newAbove)" }

  nonisolated static func signsIn(_ key: String) -> String { "\(key) \(PlaceholderWords.signsIn.1)." }
  nonisolated static func retries(_ key: String) -> String { "\(key) \(PlaceholderWords.retries.1)." }
  static func retriesNow(_ key: String) -> String { "\(key) \(PlaceholderWords.retries.1) now" }

  /// What a beginner can press here, most useful first.
  /// `words` are said instead of the keymap's.
  static func hints(_ keys: KeysInForce, actions: [Action], words: [Action: String] = [:]) -> [BarView.Item] {
    actions.enumerated().compactMap { index, action in
      guard let hint = keys.hint(for: action) else { return nil }
      let priority = action == .help ? 90 : 20 - index
      return BarView.Item(
        [TextRun(hint.key, .key), TextRun(" \(words[action] ?? hint.word)", .dim)], priority: priority, action: action)
    }
  }

  /// The key that begins all that concerns panes, where it is not taken by text.
  static func panesHint(_ keys: KeysInForce) -> [BarView.Item] {
    guard keys.hint(for: .nextPane) != nil, let binding = keys.keymap.binding(of: .nextPane),
      let first = binding.sequences.first?.first
    else { return [] }
    return [BarView.Item([TextRun(first.description, .key), TextRun(" \(MainWords.panes)", .dim)], priority: 1)]
  }

  /// The keys that have been pressed, and what can follow them, each action once.
  static func following(_ pressed: [Key], _ keys: KeysInForce) -> [BarView.Item] {
    var items = [BarView.Item([TextRun(Keymap.name(of: pressed) + " …", .key)], priority: 100)]
    var named: [Action] = []
    for (rest, binding) in keys.keymap.continuations(of: pressed, in: keys.contexts) {
      guard !named.contains(binding.action), keys.performs?(binding.action) ?? true else { continue }
      named.append(binding.action)
      items.append(
        BarView.Item(
          [TextRun(Keymap.name(of: rest), .key), TextRun(" \(binding.word)", .dim)], priority: 50 - items.count,
          action: binding.action))
    }
    return items
  }

  /// How a screen is doing: what failed, what is new.
  static func state(
    of status: ScreenStatus, keys: KeysInForce, now: Date, zone: ClockZone
  ) -> BarView.Item? {
    if let error = status.state.error {
      // Before the time that a server has named, it is not asked.
      let refresh = error.retryAfter == nil ? keys.hint(for: .refresh)?.key : nil
      let key = refresh.map { "; \(retriesNow($0))" } ?? ""
      let next = status.nextAttempt.map { "\(retrying) \(Self.time(of: $0, now: now, zone: zone))\(key)." }
      // An empty screen says itself what failed.
      if status.isEmpty { return next.map { BarView.Item($0, .dim, priority: 100) } }
      if error.needsSignIn, let key = keys.hint(for: .signIn)?.key {
        return BarView.Item(
          [TextRun(error.summary + " ", .error), TextRun(signsIn(key), .dim)], priority: 100)
      }
      // If a retry may succeed, the retry key replaces the error's own advice.
      let again = error.isTransient || error.isCancelled ? refresh.map { retries($0) } : nil
      guard let advice = next ?? again else { return BarView.Item(error.sentence, .error, priority: 100) }
      return BarView.Item([TextRun(error.summary + " ", .error), TextRun(advice, .dim)], priority: 100)
    }
    guard status.newCount > 0 else { return status.progress.map { BarView.Item("↓ \($0)", .dim, priority: 100) } }
    return BarView.Item(newCount(status.newCount, hasMore: status.hasMoreNew), .new, priority: 100)
  }

  /// `1.2 of 4.0 MB`, or `1.2 MB` if nobody knows how much it will be.
  private static func words(for progress: AccountConnection.Progress) -> String {
    let megabytes = { (bytes: Int) in "\(bytes / 1_000_000).\(bytes / 100_000 % 10)" }
    let expected = progress.expected.map { " of \(megabytes(max($0, progress.received)))" } ?? ""
    return "\(megabytes(progress.received))\(expected) MB"
  }

  /// When something will be, in words that stay true until then: to count seconds down the program would wake up for
  /// nothing else.
  private static func time(of date: Date, now: Date, zone: ClockZone) -> String {
    if date.timeIntervalSince(now) <= 60 { return withinAMinute }
    let (then, today) = (zone.localTime(of: date), zone.localTime(of: now))
    let isToday = (then.year, then.month, then.day) == (today.year, today.month, today.day)
    return "\(isToday ? "" : "tomorrow ")at \(RelativeTime.clock(date, in: zone))"
  }

  /// How much waits to be sent, behind the connection in the header; nothing if nothing does.
  static func waiting(_ count: Int) -> [BarView.Item] {
    count > 0 ? [BarView.Item([TextRun(OutboxWords.waiting(count), .warning)], priority: 94, action: .showOutbox)] : []
  }

  /// Whether the server answers and still takes the sign-in, or how far a long download is, for the header's right end.
  /// Its sign stands first. `isShort` leaves room for more in a narrow window.
  static func connection(
    of state: FeedState, _ connection: AccountConnection, zone: ClockZone, isShort: Bool = false, isLive: Bool = false
  ) -> [BarView.Item] {
    if connection.needsSignIn {
      return [BarView.Item([TextRun("○ \(signInAgain)", .warning)], priority: 96, action: .signIn)]
    }
    if let progress = connection.progress { return [BarView.Item("↓ \(words(for: progress))", .dim, priority: 95)] }
    if let since = state.offlineSince {
      let words = "○ \(isShort ? Self.since : offlineSince)"
      return [BarView.Item("\(words) \(RelativeTime.clock(since, in: zone))", .warning, priority: 95)]
    }
    guard let at = state.refreshedAt, state.error == nil else { return [BarView.Item("○", .dim, priority: 5)] }
    if isLive { return [BarView.Item("●", .accent, priority: 5), BarView.Item("live", .dim, priority: 4)] }
    return [
      BarView.Item("●", .accent, priority: 5), BarView.Item(RelativeTime.clock(at, in: zone), .dim, priority: 4),
    ]
  }
}
