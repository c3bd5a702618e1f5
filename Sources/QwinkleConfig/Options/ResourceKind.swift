import QwinkleModel

/// A kind of cached files, for the option `preserve`.
public enum ResourceKind: String, CaseIterable, Sendable {
  case ownAvatar = "own-avatar"
  case avatars, emoji
  /// Pictures of a post, as shown in lists.
  case posts
  /// Pictures at full size.
  case pictures
  case home, bookmarks
  /// Timelines other than home and the bookmarks.
  case timelines
  case threads
  /// Themes and keymaps from the web.
  case themes

  /// Priority from 0, removed first, to 10, removed last. Avatars and emoji are small and shown repeatedly. Pictures at
  /// full size are large and shown once. Bookmarks were chosen by the user.
  public var standardPriority: Int {
    switch self {
    case .ownAvatar: 9
    case .avatars, .emoji: 8
    case .bookmarks: 7
    case .posts, .home, .timelines, .threads: 5
    case .pictures: 3
    case .themes: 10
    }
  }
}

/// The value of the option `preserve`: priorities of some kinds of cached files.
public struct Preservation: Hashable, Sendable {
  /// The valid priorities.
  public static let range = 0...10

  private var priorities: [ResourceKind: Int] = [:]

  /// Parses items such as `avatars=9`. Ignores invalid items.
  public init(_ items: [String]) {
    for (kind, priority) in items.compactMap(Self.parse) { priorities[kind] = priority }
  }

  /// The priority of a kind, in ``range``.
  public subscript(kind: ResourceKind) -> Int { priorities[kind] ?? kind.standardPriority }

  /// Whether each item is valid, and no kind occurs twice.
  static func allows(_ items: [String]) -> Bool {
    let kinds = items.compactMap { parse($0)?.kind }
    return kinds.count == items.count && Set(kinds).count == items.count
  }

  private static func parse(_ item: String) -> (kind: ResourceKind, priority: Int)? {
    let parts = item.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, let kind = ResourceKind(rawValue: String(parts[0])),
      (1...2).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      let priority = Int(parts[1]), range.contains(priority)
    else { return nil }
    return (kind, priority)
  }

  /// Returns a valid item that resembles an invalid one, if any.
  static func nearest(to item: String) -> String? {
    guard parse(item) == nil else { return nil }
    let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let known = ResourceKind.allCases.map(\.rawValue)
    let name = parts.first.map(String.init) ?? ""
    guard let kind = known.contains(name) ? name : NearestWord.find(name, among: known) else { return nil }
    let number = parts.count > 1 ? Int(parts[1]) : nil
    let priority = number.map { min(max($0, range.lowerBound), range.upperBound) }
    return "\(kind)=\(priority ?? ResourceKind(rawValue: kind)?.standardPriority ?? 5)"
  }
}
