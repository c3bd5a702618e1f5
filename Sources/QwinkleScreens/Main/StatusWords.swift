import FoundationEssentials
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// The key bindings that currently apply: the keymap's contexts in search order, and the focused text editor, which
/// receives every key it can insert.
@MainActor
struct KeysInForce {
  var keymap: Keymap
  var contexts: [KeyContext]
  var editor: TextEditor?
  /// Returns whether an action is currently possible; nil if all actions are.
  var performs: (@MainActor (Action) -> Bool)?

  /// Returns the key for an action and its hint, or nil if no key works.
  func hint(for action: Action) -> (key: String, word: String)? {
    // The editor's own key context comes before the keys that the editor inserts. All other contexts come after.
    keymap.hint(for: action, in: contexts) { key, context in
      editor.map { $0.keyContext != context && $0.takes(key) } ?? false
    }
  }
}

/// Texts of the status bar.
@MainActor
enum StatusWords {
  nonisolated static let newAbove = "new above"
  nonisolated static let newBelow = "new below"
  nonisolated static let retrying = "Retrying"
  nonisolated static let withinAMinute = "within a minute"
  nonisolated static let offlineSince = "offline since"
  nonisolated static let since = "since"
  nonisolated static let signInAgain = "sign in again"

  static func newCount(_ count: Int, hasMore: Bool = false, isBelow: Bool = false) -> String {
    "\(count)\(hasMore ? "+" : "") \(isBelow ? newBelow : newAbove)"
  }

  nonisolated static func signsIn(_ key: String) -> String { "\(key) \(PlaceholderWords.signsIn.1)." }
  nonisolated static func retries(_ key: String) -> String { "\(key) \(PlaceholderWords.retries.1)." }
  static func retriesNow(_ key: String) -> String { "\(key) \(PlaceholderWords.retries.1) now" }

  /// Key hints for a beginner, most useful first. `words` overrides the keymap's hints.
  static func hints(_ keys: KeysInForce, actions: [Action], words: [Action: String] = [:]) -> [BarView.Item] {
    actions.enumerated().compactMap { index, action in
      guard let hint = keys.hint(for: action) else { return nil }
      let priority = action == .help ? 90 : 20 - index
      return BarView.Item(
        [TextRun(hint.key, .key), TextRun(" \(words[action] ?? hint.word)", .dim)], priority: priority, action: action)
    }
  }

  /// Hint for the first key of the pane commands, unless the text editor uses that key.
  static func panesHint(_ keys: KeysInForce) -> [BarView.Item] {
    guard keys.hint(for: .nextPane) != nil, let binding = keys.keymap.binding(of: .nextPane),
      let first = binding.sequences.first?.first
    else { return [] }
    return [BarView.Item([TextRun(first.description, .key), TextRun(" \(MainWords.panes)", .dim)], priority: 1)]
  }

  /// The pressed keys and their possible continuations, each action once.
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

  /// The screen's error, number of new rows or progress.
  static func state(
    of status: ScreenStatus, keys: KeysInForce, now: Date, zone: ClockZone
  ) -> BarView.Item? {
    if let error = status.state.error {
      // If the server named a retry time, don't offer an earlier retry.
      let refresh = error.retryAfter == nil ? keys.hint(for: .refresh)?.key : nil
      let key = refresh.map { "; \(retriesNow($0))" } ?? ""
      let next = status.nextAttempt.map { "\(retrying) \(Self.time(of: $0, now: now, zone: zone))\(key)." }
      // An empty screen shows the error itself.
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
    guard status.newCount > 0 else { return status.progress.map(progress) }
    let words = newCount(status.newCount, hasMore: status.hasMoreNew, isBelow: status.isNewBelow)
    return BarView.Item(words, .new, priority: 100)
  }

  static func progress(_ words: String) -> BarView.Item { BarView.Item("↓ \(words)", .dim, priority: 100) }

  /// `1.2 of 4.0 MB`, or `1.2 MB` if the total size is unknown.
  private static func words(for progress: AccountConnection.Progress) -> String {
    let megabytes = { (bytes: Int) in "\(bytes / 1_000_000).\(bytes / 100_000 % 10)" }
    let expected = progress.expected.map { " of \(megabytes(max($0, progress.received)))" } ?? ""
    return "\(megabytes(progress.received))\(expected) MB"
  }

  /// A future time in words that stay true until then. A countdown would wake the program every second.
  private static func time(of date: Date, now: Date, zone: ClockZone) -> String {
    if date.timeIntervalSince(now) <= 60 { return withinAMinute }
    let (then, today) = (zone.localTime(of: date), zone.localTime(of: now))
    let isToday = (then.year, then.month, then.day) == (today.year, today.month, today.day)
    return "\(isToday ? "" : "tomorrow ")at \(RelativeTime.clock(date, in: zone))"
  }

  /// Number of queued items, shown next to the connection in the header; empty if the queue is empty.
  static func waiting(_ count: Int) -> [BarView.Item] {
    count > 0 ? [BarView.Item([TextRun(OutboxWords.waiting(count), .warning)], priority: 94, action: .showOutbox)] : []
  }

  /// The connection state or the progress of a long download, for the right end of the header. The first item is a
  /// symbol. `isShort` saves room in narrow windows. With `yields`, the names of sections take precedence over the time
  /// since which the server is offline.
  static func connection(
    of state: FeedState, _ connection: AccountConnection, zone: ClockZone, isShort: Bool = false, yields: Bool = false,
    isLive: Bool = false
  ) -> [BarView.Item] {
    if connection.needsSignIn {
      return [BarView.Item([TextRun("○ \(signInAgain)", .warning)], priority: 96, action: .signIn)]
    }
    if let progress = connection.progress { return [BarView.Item("↓ \(words(for: progress))", .dim, priority: 95)] }
    if let since = state.offlineSince {
      let time = RelativeTime.clock(since, in: zone)
      let words = "○ \(isShort ? Self.since : offlineSince) \(time)"
      var item = BarView.Item(words, .warning, priority: yields ? 8 : 95)
      if yields { item.shorterForms = ["○ \(Self.since) \(time)", "○ \(time)"] }
      return [item]
    }
    guard let at = state.refreshedAt, state.error == nil else { return [BarView.Item("○", .dim, priority: 5)] }
    if isLive { return [BarView.Item("●", .new, priority: 5), BarView.Item("live", .dim, priority: 4)] }
    return [
      BarView.Item("●", .accent, priority: 5), BarView.Item(RelativeTime.clock(at, in: zone), .dim, priority: 4),
    ]
  }
}
