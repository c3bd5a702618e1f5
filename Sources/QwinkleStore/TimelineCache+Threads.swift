import FoundationEssentials
import GRDB
public import QwinkleModel
import Timekeeping

/// The last fetched state of threads, for offline use. Each thread is stored like a timeline, under a key that no real
/// timeline uses. Pruning therefore treats a thread like a hashtag timeline.
extension TimelineCache {
  /// Maximum number of qwinks saved per thread.
  private static let maximumRows = 1000

  private static func key(ofThread id: Qwink.ID) -> String { "thread/\(id.rawValue)" }

  /// Saves the thread around `qwink` in the background.
  public func save(_ thread: QwinkThread, of qwink: Qwink) {
    let qwinks = (thread.ancestors + [qwink.original] + thread.descendants).prefix(Self.maximumRows)
    let (key, now) = (Self.key(ofThread: qwink.originalID), clock.now.timeIntervalSince1970)
    write("save a thread", about: .content) { database in
      let rows = try qwinks.map { qwink in
        var element = CachedElement(qwink, source: nil)
        // Keep the cached JSON: it is from the server and may be newer than `qwink`.
        if try CachedContent(database).has(element.key) { element.source = nil }
        return CachedTimeline.Row.item(element)
      }
      try CachedTimeline(name: key, database: database, now: now).replace(rows, older: nil)
    }
  }

  /// Loads the thread around `qwink` in the background. Calls `then` with nil if the thread isn't saved.
  public func fetchThread(of qwink: Qwink, then: @escaping @MainActor @Sendable (QwinkThread?) -> Void) {
    let id = qwink.originalID
    fetch("load a thread", after: [.content]) { database in
      try CachedTimeline(name: Self.key(ofThread: id), database: database, now: 0)
        .rows(after: [], limit: Self.maximumRows).rows.compactMap(\.qwink)
    } then: { qwinks in
      guard let qwinks, let focus = qwinks.firstIndex(where: { $0.id == id }) else { return then(nil) }
      then(QwinkThread(ancestors: Array(qwinks[..<focus]), descendants: Array(qwinks[(focus + 1)...])))
    }
  }
}
