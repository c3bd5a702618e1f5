import Foundation
import QwinkleModel
import Timekeeping

/// A thread as plain text: what the qwink answers above it, the answers below it, each further in than what it answers.
enum PlainThread {
  /// Further in than this nobody can read.
  private static let mostSteps = 8

  static func text(of qwink: Qwink, in thread: QwinkThread, now: Date, zone: ClockZone) -> String {
    var steps = [qwink.originalID: 0]
    var parts = thread.ancestors.map { PlainQwink.text($0, now: now, zone: zone) }
    // The sign shows which of them was asked for.
    parts.append("▶ " + PlainQwink.text(qwink, now: now, zone: zone))
    for answer in thread.descendants {
      // What it answers may be missing: deleted, or not for the reader.
      let step = (answer.inReplyTo.flatMap { steps[$0] } ?? 0) + 1
      steps[answer.originalID] = step
      parts.append(PlainQwink.text(answer, now: now, zone: zone).indented(by: 2 * min(step, mostSteps)))
    }
    let text = parts.joined(separator: "\n")
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}
