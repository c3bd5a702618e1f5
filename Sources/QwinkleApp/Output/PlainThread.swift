import Foundation
import QwinkleModel
import Timekeeping

/// A thread as plain text: ancestors above the qwink, replies below it, each indented under its parent.
enum PlainThread {
  /// Maximum levels of indentation.
  private static let mostSteps = 8

  static func text(of qwink: Qwink, in thread: QwinkThread, now: Date, zone: ClockZone) -> String {
    var steps = [qwink.originalID: 0]
    var parts = thread.ancestors.map { PlainQwink.text($0, now: now, zone: zone) }
    // The sign marks the requested qwink.
    parts.append("▶ " + PlainQwink.text(qwink, now: now, zone: zone))
    for answer in thread.descendants {
      // The parent may be missing: deleted, or not visible to the reader.
      let step = (answer.inReplyTo.flatMap { steps[$0] } ?? 0) + 1
      steps[answer.originalID] = step
      parts.append(PlainQwink.text(answer, now: now, zone: zone).indented(by: 2 * min(step, mostSteps)))
    }
    let text = parts.joined(separator: "\n")
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}
