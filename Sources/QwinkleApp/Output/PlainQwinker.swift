import QwinkleModel
import QwinkleScreens

/// A qwinker as plain text: name, handle and profile note.
enum PlainQwinker {
  /// - Parameter columns: the terminal's width; nil leaves the name whole.
  static func text(_ qwinker: Qwinker, columns: Int? = nil) -> String {
    let note = qwinker.note.structuredText
    return NameAndHandle.text(of: qwinker, columns: columns) + "\n" + (note.isEmpty ? "" : note.indented(by: 2) + "\n")
  }

  /// The whole profile, and how the user is related to them, if known.
  static func profile(_ qwinker: Qwinker, _ relationship: Relationship?, columns: Int? = nil) -> String {
    var lines = [text(qwinker, columns: columns)]
    lines += qwinker.fields.map { "  \($0.name): \($0.value.plainText)\($0.verifiedAt == nil ? "" : "  ✓")" }
    if !qwinker.fields.isEmpty { lines.append("") }
    lines.append(
      "  \(Counted.words(qwinker.qwinksCount, "qwink")) · \(Counted.grouped(qwinker.followingCount)) following · "
        + "\(Counted.words(qwinker.followersCount, "follower"))")
    if let words = relationship.map(words(for:)), !words.isEmpty { lines.append("  \(words.joined(separator: " · "))") }
    if let note = relationship?.note, !note.isEmpty {
      lines.append("Your note (only you see it): \(note)".indented(by: 2))
    }
    if let url = qwinker.url { lines.append("  \(url)") }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func words(for relationship: Relationship) -> [String] {
    [
      relationship.isFollowing ? "you follow them" : nil,
      relationship.isRequested ? "you asked to follow them" : nil,
      relationship.isFollowedBy ? "they follow you" : nil,
      relationship.isAskingToFollow ? "they ask to follow you" : nil,
      relationship.isMuting ? "muted" : nil,
      relationship.isBlocking ? "blocked" : nil,
    ].compactMap(\.self)
  }
}

/// A tag as plain text.
enum PlainTag {
  static func text(_ tag: Tag) -> String {
    let uses = tag.usesCount.map { "  " + Counted.words($0, "qwink") } ?? ""
    return "#\(tag.name)\(uses)\n"
  }
}
