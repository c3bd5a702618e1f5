/// Strings of the first fetch on an account.
enum FirstFetchWords {
  /// `Fetching 12 of 30 avatars · 140 KB`.
  static func avatars(_ fetched: Int, of count: Int, byteCount: Int) -> String {
    "Fetching \(fetched) of \(count) avatars" + (byteCount > 0 ? " · \(ResourceWords.size(byteCount))" : "")
  }

  static func page(_ section: Section) -> String { "Fetching \(section.title)" }

  /// A line of the log, such as `first fetch 3: /api/v1/instance, 5120 bytes`.
  static func log(_ number: Int, _ path: String, byteCount: Int) -> String {
    "first fetch \(number): \(path), \(byteCount) bytes"
  }

  /// The last line of the log.
  static func end(count: Int, byteCount: Int, _ end: FirstFetch.End) -> String {
    let state =
      switch end {
      case .done: "done"
      case .offline: "stopped: the server isn't reachable"
      case .cancelled: "stopped by the user"
      case .metered: "stopped: the connection is metered"
      }
    return "first fetch \(state), \(count) files, \(byteCount) bytes"
  }
}
