public import QwinkleModel

extension PageCursor {
  /// The way to what is older than the qwink with this id, or right above it, in a timeline whose places are ids; nil
  /// for lists that have other places, which only their Link headers know.
  public static func older(than id: Qwink.ID, in name: TimelineName, limit: Int) -> PageCursor? {
    path(of: name, limit: limit).map { olderThan(id.rawValue, at: $0) }
  }

  /// The way to the qwinks right above the one with this id: see ``older(than:in:limit:)``.
  public static func above(_ id: Qwink.ID, in name: TimelineName, limit: Int) -> PageCursor? {
    path(of: name, limit: limit).map { PageCursor(url: replacing($0, by: "min_id", id.rawValue)) }
  }

  /// Whether this way, to what is newer, says that the server gives what is right above an item, and not what is
  /// newest.
  public var leadsRightAbove: Bool {
    url.split(separator: "?").dropFirst().joined().split(separator: "&").contains { $0.hasPrefix("min_id=") }
  }

  /// The way to what is older than an item of the list at `path`, a path with its query, perhaps on a server.
  static func olderThan(_ id: String, at path: String) -> PageCursor {
    PageCursor(url: replacing(path, by: "max_id", id))
  }

  private static func path(of name: TimelineName, limit: Int) -> String? {
    RequestPath.isOrderedByID(name) ? RequestPath.timeline(name, limit: limit) : nil
  }

  /// `path` with one of the parameters that say a place instead of any that it has.
  private static func replacing(_ path: String, by name: String, _ id: String) -> String {
    let parts = path.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
      .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let places = ["max_id=", "since_id=", "min_id="]
    let query = parts.dropFirst().joined().split(separator: "&").filter { part in
      !places.contains { part.hasPrefix($0) }
    }
    return "\(parts.first ?? "")?"
      + (query.map(String.init) + ["\(name)=\(RequestPath.piece(id))"]).joined(separator: "&")
  }
}
