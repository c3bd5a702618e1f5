public import QwinkleModel

extension PageCursor {
  /// Returns the cursor of the qwinks older than `id`, in a timeline ordered by id. Returns nil for other timelines,
  /// which can only be paged by their Link headers.
  public static func older(than id: Qwink.ID, in name: TimelineName, limit: Int) -> PageCursor? {
    path(of: name, limit: limit).map { olderThan(id.rawValue, at: $0) }
  }

  /// Returns the cursor of the qwinks directly newer than `id`. Returns nil for the same timelines as
  /// ``older(than:in:limit:)``.
  public static func above(_ id: Qwink.ID, in name: TimelineName, limit: Int) -> PageCursor? {
    path(of: name, limit: limit).map { PageCursor(url: replacing($0, by: "min_id", id.rawValue)) }
  }

  /// Whether this cursor leads to the items directly newer than a given item (`min_id`), rather than to the newest
  /// items of the timeline.
  public var leadsRightAbove: Bool {
    url.split(separator: "?").dropFirst().joined().split(separator: "&").contains { $0.hasPrefix("min_id=") }
  }

  /// Returns the cursor of the items older than `id` in the list at `path`, a path or URL with its query.
  static func olderThan(_ id: String, at path: String) -> PageCursor {
    PageCursor(url: replacing(path, by: "max_id", id))
  }

  private static func path(of name: TimelineName, limit: Int) -> String? {
    RequestPath.isOrderedByID(name) ? RequestPath.timeline(name, limit: limit) : nil
  }

  /// Returns `path` with the cursor parameter `name` in place of its existing cursor parameters.
  private static func replacing(_ path: String, by name: String, _ id: String) -> String {
    RequestPath.setting([(name, RequestPath.piece(id))], removing: ["max_id", "since_id", "min_id"], in: path)
  }
}
