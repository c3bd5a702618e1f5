public import QwinkleModel

/// Names and hashtags of loaded qwinks, for completion.
extension Timelines {
  /// Maximum number of rows searched per timeline.
  private static let maximumRows = 500

  /// Returns the authors, boosters and mentioned people of loaded qwinks, except the user.
  public func knownQwinkers() -> [KnownName] {
    recentQwinks().flatMap(\.knownNames).filter { $0.handle.lowercased() != identity.me?.handle.lowercased() }
  }

  /// Returns the hashtags of loaded qwinks without `#`, most used first.
  public func knownTags() -> [String] {
    var uses: [String: (count: Int, order: Int, tag: String)] = [:]
    for tag in recentQwinks().flatMap(\.tags) {
      let use = uses[tag.lowercased()] ?? (0, uses.count, tag)
      uses[tag.lowercased()] = (use.count + 1, use.order, use.tag)
    }
    return uses.values.sorted { ($1.count, $0.order) < ($0.count, $1.order) }.map(\.tag)
  }

  /// The qwinks of all timelines in memory.
  public var knownQwinks: [Qwink] {
    entries.values.flatMap { $0.timeline.rows.compactMap(\.qwink) }
  }

  private func recentQwinks() -> [Qwink] {
    entries.sorted { $0.key.key < $1.key.key }.flatMap { $0.value.timeline.rows.prefix(Self.maximumRows) }
      .compactMap(\.qwink)
  }
}

/// A name to complete in a mention.
public struct KnownName: Hashable, Sendable {
  public var handle: String
  public var displayName: String

  public init(handle: String, displayName: String = "") {
    self.handle = handle
    self.displayName = displayName
  }

  public init(_ qwinker: Qwinker) {
    self.init(handle: qwinker.handle, displayName: qwinker.displayName)
  }

  /// Whether the handle or a word of the display name begins with `start`, which must be lowercase.
  public func begins(with start: String) -> Bool {
    if handle.lowercased().hasPrefix(start) { return true }
    guard start.count > 1 else { return false }
    return displayName.lowercased().split { !$0.isLetter && !$0.isNumber }.contains { $0.hasPrefix(start) }
  }
}

extension Qwink {
  /// The author, booster and mentioned people.
  public var knownNames: [KnownName] {
    [KnownName(author)] + [booster].compactMap { $0.map { KnownName($0) } }
      + mentions.map { KnownName(handle: $0.handle) }
  }
}
