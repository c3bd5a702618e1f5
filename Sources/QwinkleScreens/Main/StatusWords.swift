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
        [TextRun(binding.keyName, .key), TextRun(" \(binding.word)", .dim)], priority: priority)
    }
  }

  /// How a timeline is doing: what failed, what is new, what is being fetched.
  static func state(of state: FeedState, isEmpty: Bool, newCount: Int, nextAttempt: Date?, zone: ClockZone) -> BarView
    .Item?
  {
    if let error = state.error {
      let next = nextAttempt.map { "Next try at \(RelativeTime.clock($0, in: zone)), R now." }
      // An empty timeline says itself what failed.
      if isEmpty { return next.map { BarView.Item($0, .dim, priority: 100) } }
      guard let next else { return BarView.Item(error.sentence, .error, priority: 100) }
      return BarView.Item([TextRun(error.summary + " ", .error), TextRun(next, .dim)], priority: 100)
    }
    if newCount > 0 {
      return BarView.Item("\(newCount) new above", .new, priority: 100)
    }
    return nil
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
