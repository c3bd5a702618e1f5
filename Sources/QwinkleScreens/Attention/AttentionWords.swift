import QwinkleModel

/// What a notification of the desktop says: who, and never what.
enum AttentionWords {
  /// `account` is named if it is not the one that is shown.
  static func news(_ news: [AccountNotification], account: String?) -> String {
    let words =
      switch news.count {
      case 1: single(news[0])
      default: "\(news.count) new messages and mentions"
      }
    return words + (account.map { " (\($0))" } ?? "")
  }

  private static func single(_ notification: AccountNotification) -> String {
    let name = "@\(notification.qwinker.handle)"
    let isMessage = notification.qwink?.visibility == .direct
    return "\(name) \(isMessage ? NotificationWords.sentMessage : NotificationWords.verb(of: .mention))"
  }
}
