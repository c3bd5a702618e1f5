import Foundation
import QwinkleModel
import QwinkleScreens
import Timekeeping

/// A qwink as plain text, for a terminal or a pipe. Its first line ends with its id.
enum PlainQwink {
  static func text(_ qwink: Qwink, now: Date, zone: ClockZone) -> String {
    var lines: [String] = []
    if let booster = qwink.booster { lines.append("↻ \(booster.displayName) boosted") }
    let time = RelativeTime.short(qwink.boostedAt ?? qwink.createdAt, at: now, in: zone)
    let audience = audience(of: qwink.visibility).map { "  \($0)" } ?? ""
    lines.append("\(qwink.author.displayName)  @\(qwink.author.handle)  \(time)\(audience)  \(qwink.id)")
    lines += body(of: qwink)
    return lines.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
  }

  /// What it says, without who said it when.
  static func body(of qwink: Qwink) -> [String] {
    var lines: [String] = []
    if !qwink.contentWarning.isEmpty { lines.append("⚠ \(qwink.contentWarning)") }
    lines.append(qwink.text.plainTextWithLinkNotes)
    lines += hiddenLinks(of: qwink).map { url in
      "→ \(url)" + (LinkNote(text: url, url: url).map { " \($0.words)" } ?? "")
    }
    if let poll = qwink.poll {
      lines += poll.options.map { option in
        "○ \(option.title)" + (option.votesCount.map { "  \($0)" } ?? "")
      }
    }
    if !qwink.attachments.isEmpty { lines.append("▣ \(AttachmentWords.summary(of: qwink.attachments))") }
    return lines
  }

  /// The links whose text does not say where they go.
  private static func hiddenLinks(of qwink: Qwink) -> [String] {
    let text = qwink.text.plainText
    return qwink.text.links.filter { !text.contains($0) }
  }

  private static func audience(of visibility: Visibility) -> String? {
    switch visibility {
    case .public, .unlisted: nil
    case .private: "followers"
    case .direct: "private"
    }
  }
}

extension StringProtocol {
  /// The text with each of its lines further in.
  func indented(by columns: Int) -> String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : String(repeating: " ", count: columns) + $0 }.joined(separator: "\n")
  }
}
