import QwinkleModel

/// The text of a desktop notification: the sender of a single message or mention, or the number of several. It never
/// shows their content.
enum AttentionWords {
  /// `account` is the name of the account that received `news`. Nil if that account is the visible one.
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
