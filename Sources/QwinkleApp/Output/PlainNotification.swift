import Foundation
import QwinkleModel
import QwinkleScreens

/// A notification as plain text: who did what, when, and to which qwink.
enum PlainNotification {
  /// `me` tells replies to the user, and their own polls, from others; nil if that is unknown.
  static func text(_ notification: AccountNotification, me: Qwinker.ID?, _ style: PlainStyle) -> String {
    let time = style.time(notification.createdAt)
    let isOwnPoll = notification.kind == .poll && notification.qwinker.id == me
    let name = isOwnPoll ? "" : NameAndHandle.text(of: notification.qwinker, columns: style.columns) + "  "
    let id = notification.qwink.map { "  \($0.id)" } ?? ""
    var lines = ["\(name)\(NotificationWords.verb(of: notification, me: me))  \(time)\(id)"]
    if let qwink = notification.qwink {
      lines.append(
        PlainQwink.body(of: qwink, in: .notifications, style).filter { !$0.isEmpty }.joined(separator: "\n")
          .indented(by: 2))
    }
    return lines.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
  }
}
