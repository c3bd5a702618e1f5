import FoundationEssentials
import GRDB
public import QwinkleModel
import Timekeeping

/// Threads as they were last fetched, for times without a network. Each is a list under a key that no timeline has, so
/// pruning treats it like the page of a hashtag.
extension TimelineCache {
  /// Of a longer thread the rest isn't saved.
  private static let maximumRows = 1000

  private static func key(ofThread id: Qwink.ID) -> String { "thread/\(id.rawValue)" }

  /// Saves the thread around `qwink` in the background.
  public func save(_ thread: QwinkThread, of qwink: Qwink) {
    let qwinks = (thread.ancestors + [qwink.original] + thread.descendants).prefix(Self.maximumRows)
    let (key, now) = (Self.key(ofThread: qwink.originalID), clock.now.timeIntervalSince1970)
    write("save a thread", about: .content) { database in
      let rows = try qwinks.map { qwink in
        var element = KeptElement(qwink, source: nil)
        // Timelines keep what the server sent, and know newer states.
        if try KeptContent(database).has(element.key) { element.source = nil }
        return KeptTimeline.Row.item(element)
      }
      try KeptTimeline(name: key, database: database, now: now).replace(rows, older: nil)
    }
  }

  /// Fetches the thread around `qwink`, in the background; nil if none was saved.
  public func fetchThread(of qwink: Qwink, then: @escaping @MainActor @Sendable (QwinkThread?) -> Void) {
    let id = qwink.originalID
    fetch("load a thread", after: [.content]) { database in
      try KeptTimeline(name: Self.key(ofThread: id), database: database, now: 0)
        .rows(after: [], limit: Self.maximumRows).rows.compactMap(\.qwink)
    } then: { qwinks in
      guard let qwinks, let focus = qwinks.firstIndex(where: { $0.id == id }) else { return then(nil) }
      then(QwinkThread(ancestors: Array(qwinks[..<focus]), descendants: Array(qwinks[(focus + 1)...])))
    }
  }
}
