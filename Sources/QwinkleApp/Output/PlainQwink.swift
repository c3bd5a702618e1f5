import Foundation
import QwinkleModel
import QwinkleScreens
import Timekeeping

/// A qwink as plain text, for a terminal or a pipe.
enum PlainQwink {
  static func text(_ qwink: Qwink, now: Date, zone: ClockZone) -> String {
    var lines: [String] = []
    if let booster = qwink.booster { lines.append("↻ \(booster.displayName) boosted") }
    let time = RelativeTime.short(qwink.boostedAt ?? qwink.createdAt, at: now, in: zone)
    lines.append("\(qwink.author.displayName)  @\(qwink.author.handle)  \(time)  \(qwink.id)")
    if !qwink.contentWarning.isEmpty { lines.append("⚠ \(qwink.contentWarning)") }
    lines.append(qwink.text.plainText)
    if !qwink.attachments.isEmpty { lines.append("▣ \(AttachmentWords.summary(of: qwink.attachments))") }
    return lines.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
  }
}
