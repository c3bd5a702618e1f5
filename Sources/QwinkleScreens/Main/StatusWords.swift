import FoundationEssentials
import PaneKit
import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// What the status bar says.
enum StatusWords {
  /// What a beginner can press here, most useful first.
  static func hints(keymap: Keymap, actions: [Action]) -> [BarView.Item] {
    actions.enumerated().compactMap { index, action in
      guard let binding = keymap.binding(of: action) else { return nil }
      let priority = action == .help ? 90 : 20 - index
      return BarView.Item(
        [TextRun(binding.keyName, .key), TextRun(" \(binding.word)", .dim)], priority: priority, action: action)
    }
  }

  /// How a screen is doing: what failed, what is new.
  static func state(of status: ScreenStatus, zone: ClockZone) -> BarView.Item? {
    if let error = status.state.error {
      let next = status.nextAttempt.map { "Next try at \(RelativeTime.clock($0, in: zone)), R now." }
      // An empty screen says itself what failed.
      if status.isEmpty { return next.map { BarView.Item($0, .dim, priority: 100) } }
      guard let next else { return BarView.Item(error.sentence, .error, priority: 100) }
      return BarView.Item([TextRun(error.summary + " ", .error), TextRun(next, .dim)], priority: 100)
    }
    guard status.newCount > 0 else { return nil }
    return BarView.Item("\(status.newCount) new above", .new, priority: 100)
  }

  /// Whether the server answers, for the header's right end.
  static func connection(of state: FeedState, zone: ClockZone) -> BarView.Item {
    if let since = state.offlineSince {
      return BarView.Item("○ offline since \(RelativeTime.clock(since, in: zone))", .warning, priority: 95)
    }
    if let at = state.refreshedAt, state.error == nil {
      return BarView.Item(
        [TextRun("●", .accent), TextRun(" \(RelativeTime.clock(at, in: zone))", .dim)], priority: 5)
    }
    return BarView.Item("○", .dim, priority: 5)
  }
}
