import Foundation
import QwinkleModel
import QwinkleScreens

/// A notification as plain text: account, action, time and qwink.
enum PlainNotification {
  /// - Parameter me: The user, if known. Replies to the user and the user's own polls are then worded differently.
  static func text(_ notification: AccountNotification, me: Qwinker.ID?, _ style: PlainStyle) -> String {
    let time = style.time(notification.createdAt)
    let isAboutUser = NotificationWords.isAboutUser(notification, me: me)
    let name = isAboutUser ? "" : NameAndHandle.text(of: notification.qwinker, columns: style.columns) + "  "
    let id = notification.qwink.map { "  \($0.originalID)" } ?? ""
    let audience = notification.qwink.flatMap { PlainQwink.audience(of: $0) }.map { "  \($0)" } ?? ""
    var lines = ["\(name)\(NotificationWords.verb(of: notification, me: me))  \(time)\(audience)\(id)"]
    if let text = NotificationWords.text(of: notification.detail) { lines.append(text.indented(by: 2)) }
    switch notification.kind {
    // The profile helps the user decide whether to accept or follow back.
    case .follow, .followRequest: lines.append(notification.qwinker.note.structuredText.indented(by: 2))
    default: break
    }
    if let qwink = notification.qwink {
      lines.append(
        PlainQwink.body(of: qwink, in: .notifications, style).filter { !$0.isEmpty }.joined(separator: "\n")
          .indented(by: 2))
    }
    return lines.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
  }
}
