import Foundation
import QwinkleModel
import QwinkleScreens

/// A qwinker as plain text: name, handle and profile note.
enum PlainQwinker {
  /// - Parameter relationship: how the user is related to them; nil if the list doesn't say.
  static func text(_ qwinker: Qwinker, _ style: PlainStyle, relationship: Relationship? = nil) -> String {
    let note = qwinker.note.structuredText
    let end = muteEnd(of: qwinker, relationship, style).map { "  " + QwinkerWords.muted(until: $0) } ?? ""
    return head(qwinker, style) + end + "\n" + (note.isEmpty ? "" : note.indented(by: 2) + "\n")
  }

  /// The whole profile, and how the user is related to them, if known.
  static func profile(_ qwinker: Qwinker, _ relationship: Relationship?, _ style: PlainStyle) -> String {
    let note = qwinker.note.structuredText
    var lines = [head(qwinker, style, saysMoved: false)]
    if let handle = qwinker.movedTo { lines.append("  " + QwinkerWords.moved(to: handle)) }
    lines.append(note.isEmpty ? "" : note.indented(by: 2) + "\n")
    lines += qwinker.fields.map { "  \($0.name): \($0.value.plainText)\($0.verifiedAt == nil ? "" : "  ✓")" }
    if !qwinker.fields.isEmpty { lines.append("") }
    lines.append(
      "  \(Counted.words(qwinker.qwinksCount, "qwink")) · \(Counted.grouped(qwinker.followingCount)) following · "
        + "\(Counted.words(qwinker.followersCount, "follower"))")
    if let words = relationship.map({ words(for: $0, muteEnd: muteEnd(of: qwinker, $0, style)) }), !words.isEmpty {
      lines.append("  \(words.joined(separator: " · "))")
    }
    if let note = relationship?.note, !note.isEmpty {
      lines.append("Your note (only you see it): \(note)".indented(by: 2))
    }
    if let url = qwinker.url { lines.append("  \(url)") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Name and handle, and what matters before a follow.
  private static func head(_ qwinker: Qwinker, _ style: PlainStyle, saysMoved: Bool = true) -> String {
    let signs = QwinkerWords.signs(of: qwinker, saysMoved: saysMoved)
    return NameAndHandle.text(of: qwinker, columns: style.columns) + (signs.isEmpty ? "" : "  \(signs)")
  }

  /// The end of the user's mute in words; nil if it has none.
  private static func muteEnd(of qwinker: Qwinker, _ relationship: Relationship?, _ style: PlainStyle) -> String? {
    (relationship?.muteEndsAt ?? qwinker.muteEndsAt).flatMap { $0 > style.now ? style.fullTime($0) : nil }
  }

  private static func words(for relationship: Relationship, muteEnd: String?) -> [String] {
    [
      relationship.isFollowing ? "you follow them" : nil,
      relationship.isRequested ? "you asked to follow them" : nil,
      relationship.isFollowedBy ? "they follow you" : nil,
      relationship.isAskingToFollow ? "they ask to follow you" : nil,
      relationship.isMuting ? muteEnd.map { QwinkerWords.muted(until: $0) } ?? "muted" : nil,
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
