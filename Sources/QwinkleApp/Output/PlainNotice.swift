import Foundation
import QwinkleModel
import QwinkleScreens
import Timekeeping

/// A notice as plain text: who did what, when, and to which qwink.
enum PlainNotice {
  static func text(_ notice: Notice, now: Date, zone: ClockZone) -> String {
    let time = RelativeTime.short(notice.createdAt, at: now, in: zone)
    let name = "\(notice.qwinker.displayName)  @\(notice.qwinker.handle)"
    let id = notice.qwink.map { "  \($0.id)" } ?? ""
    var lines = ["\(name)  \(NoticeWords.verb(of: notice, me: nil))  \(time)\(id)"]
    if let qwink = notice.qwink {
      lines.append(PlainQwink.body(of: qwink).filter { !$0.isEmpty }.joined(separator: "\n").indented(by: 2))
    }
    return lines.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
  }
}
