import Foundation
import QwinkleModel
import QwinkleScreens

/// A qwinker (an account) as plain text: name, handle and profile note.
enum PlainQwinker {
  /// - Parameter relationship: The user's relationship to the account, if loaded.
  static func text(_ qwinker: Qwinker, _ style: PlainStyle, relationship: Relationship? = nil) -> String {
    let note = qwinker.note.structuredText
    let end =
      qwinker.muteEnd(relationship, at: style.now)
      .map { "  " + QwinkerWords.muted(until: style.fullTime($0)) } ?? ""
    return head(qwinker, style) + end + "\n" + (note.isEmpty ? "" : note.indented(by: 2) + "\n")
  }

  /// The whole profile, with the user's relationship to the account if known.
  static func profile(
    _ qwinker: Qwinker, tags: [FeaturedTag] = [], _ relationship: Relationship?, _ style: PlainStyle
  ) -> String {
    let note = qwinker.note.structuredText
    var lines = [head(qwinker, style, saysMoved: false)]
    if let handle = qwinker.movedTo { lines.append("  " + QwinkerWords.moved(to: handle)) }
    lines.append(note.isEmpty ? "" : note.indented(by: 2) + "\n")
    lines += qwinker.fields.map { field in
      let verified = field.verifiedAt.map { "  ✓ \(RelativeTime.monthAndYear($0, in: style.zone))" } ?? ""
      return "  \(field.name): \(field.value.plainText)\(verified)"
    }
    if !qwinker.fields.isEmpty { lines.append("") }
    lines.append(
      "  \(Counted.words(qwinker.qwinksCount, "post")) · \(Counted.grouped(qwinker.followingCount)) following · "
        + "\(Counted.words(qwinker.followersCount, "follower"))")
    if !tags.isEmpty {
      lines.append("  " + tags.map { "#\($0.name) \(Counted.grouped($0.qwinksCount))" }.joined(separator: "  "))
    }
    if let words = relationship.map({ words(for: $0, to: qwinker, style) }), !words.isEmpty {
      lines.append("  \(words.joined(separator: " · "))")
    }
    if let note = relationship?.note, !note.isEmpty {
      lines.append("Your note (only you see it): \(note)".indented(by: 2))
    }
    if let url = qwinker.url { lines.append("  \(url)") }
    let traits = QwinkerWords.traits(of: qwinker, isWhole: true)
    if !traits.isEmpty { lines.append("  " + traits.joined(separator: " · ")) }
    if let date = qwinker.createdAt {
      lines.append("  " + QwinkerWords.joined(RelativeTime.monthAndYear(date, in: style.zone)))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The name and handle, followed by facts that the user should know before following the account.
  private static func head(_ qwinker: Qwinker, _ style: PlainStyle, saysMoved: Bool = true) -> String {
    let signs = QwinkerWords.signs(of: qwinker, saysMoved: saysMoved)
    return NameAndHandle.text(of: qwinker, columns: style.columns) + (signs.isEmpty ? "" : "  \(signs)")
  }

  private static func words(for relationship: Relationship, to qwinker: Qwinker, _ style: PlainStyle) -> [String] {
    let options = relationship.isFollowing ? QwinkerWords.options(relationship) : []
    return [
      relationship.isFollowing ? "you follow them" : nil,
      relationship.isRequested ? "you asked to follow them" : nil,
      relationship.isFollowedBy ? "they follow you" : nil,
      relationship.isAskingToFollow ? "they ask to follow you" : nil,
      QwinkerWords.mute(relationship, of: qwinker, at: style.now, time: style.fullTime),
      relationship.isBlocking ? "blocked" : nil,
    ].compactMap(\.self) + options
  }
}

enum PlainTag {
  static func text(_ tag: Tag) -> String {
    let uses = tag.usesCount.map { "  " + Counted.words($0, "post") } ?? ""
    return "#\(tag.name)\(uses)\n"
  }
}
