import PaneKit
import QwinkleModel

/// Strings of other servers' timelines.
enum RemoteTimelineWords {
  /// Shown while the user's server searches for its copy of a post.
  static let finding = "Your server is fetching this post…"
  static let noOthers = "Other servers can't be read here."

  static func title(of timeline: RemoteTimeline) -> String { "\(timeline.host) · \(timeline.name.key)" }

  static func fetching(_ timeline: RemoteTimeline) -> String { "Fetching \(title(of: timeline))…" }
}
