import QwinkleModel
import Synchronization

/// Numbers from the database for ``Metrics``, and the last text made of them. They are reused for a while, so that
/// frequent scrapes don't load the server.
final class MetricsCache: Sendable {
  struct Figures: Sendable {
    var stats: ServerInfo.Stats
    /// The total size of pictures, in bytes.
    var mediaBytes: Int
    var reports: Int
  }

  /// Lifetime of the numbers from the database.
  static let figuresLast = Duration.seconds(10)
  /// Lifetime of a text.
  static let textLasts = Duration.seconds(1)

  private struct State {
    var figures: (value: Figures, at: Duration)?
    var text: (value: String, at: Duration)?
  }

  private let state = Mutex(State())

  func figures(at now: Duration) -> Figures? {
    state.withLock { state in
      state.figures.flatMap { now - $0.at < Self.figuresLast ? $0.value : nil }
    }
  }

  func keep(_ figures: Figures, at now: Duration) { state.withLock { $0.figures = (figures, now) } }

  func text(at now: Duration) -> String? {
    state.withLock { state in
      state.text.flatMap { now - $0.at < Self.textLasts ? $0.value : nil }
    }
  }

  func keep(_ text: String, at now: Duration) { state.withLock { $0.text = (text, now) } }
}
