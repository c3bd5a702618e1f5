public import QwinkleModel

/// Answers of the servers in tests about hidden content.
public enum HidingAnswers {
  /// Whether a request is for the first page, which has everything. `path` includes the query.
  public static func isFirstPage(_ path: String) -> Bool {
    !["max_id=", "min_id=", "offset="].contains(where: path.contains)
  }

  /// Returns a qwink as another server sends it, without the matches of the user's filters.
  public static func foreign(_ qwink: Qwink) -> Qwink {
    var sent = qwink
    sent.filterMatches = []
    sent.quote?.filterMatches = []
    return sent
  }

  /// Returns the user's filters that match `qwinks`.
  public static func filters(of qwinks: [Qwink]) -> [ContentFilter] {
    qwinks.flatMap { $0.filterMatches + ($0.quote?.filterMatches ?? []) }.map { match in
      ContentFilter(
        id: ContentFilter.ID(match.id), title: match.title,
        contexts: match.contexts.compactMap { FilterPlace(rawValue: $0) }, expiresAt: match.expiresAt,
        hides: match.hides, keywords: match.keywords.map { .init(text: $0) })
    }
  }

  /// Returns a notification about a qwink, caused by `qwinker`. The default is the author.
  public static func notification(
    _ kind: AccountNotification.Kind, of qwink: Qwink, by qwinker: Qwinker? = nil
  ) -> AccountNotification {
    AccountNotification(
      id: .init(qwink.id.rawValue), kind: kind, createdAt: qwink.createdAt, qwinker: qwinker ?? qwink.author,
      qwink: qwink)
  }

  /// Returns the request of a sender whose notifications were filtered. `qwink` is the sender's last one.
  public static func request(by qwinker: Qwinker, with qwink: Qwink) -> NotificationRequest {
    NotificationRequest(
      id: .init(qwink.id.rawValue), qwinker: qwinker, lastQwink: qwink, createdAt: qwink.createdAt,
      updatedAt: qwink.createdAt)
  }
}
