import HTTPTypes
public import QwinkleModel
import QwinkleWire

extension Request where Answer == Page<AccountNotification> {
  /// The newest notifications of some types, or of all types if `types` is empty. A server may ignore `types`. If
  /// `wantsWords` is true, asks the server to describe notifications of unknown kinds.
  public static func notifications(
    limit: Int, of types: Set<NotificationType> = [], wantsWords: Bool = false
  ) -> Request {
    let path = describing("/api/v1/notifications?limit=\(limit)", wantsWords)
    return page(at: .path(path), of: types, .path(choosing(types, at: path)))
  }

  /// The page of notifications at `cursor`, which an earlier page returned. If the cursor lacks `types`, they are added
  /// to it. For `wantsWords` see ``notifications(limit:of:wantsWords:)``.
  public static func notificationsPage(
    _ cursor: PageCursor, of types: Set<NotificationType> = [], wantsWords: Bool = false
  ) -> Request {
    let cursor = PageCursor(url: describing(cursor.url, wantsWords))
    return page(at: .cursor(cursor), of: types, .cursor(PageCursor(url: choosing(types, at: cursor.url))))
  }

  private static func describing(_ url: String, _ wantsWords: Bool) -> String {
    guard wantsWords else { return url }
    let known = WireEncoder.describedNotifications.map { ("supported_types%5B%5D", RequestPath.piece($0)) }
    return RequestPath.setting(known, removing: ["supported_types[]"], in: url)
  }

  /// The newest notifications caused by a qwinker, including filtered ones.
  public static func notifications(of id: Qwinker.ID, limit: Int) -> Request {
    page(
      at: .path(
        "/api/v1/notifications?account_id=\(RequestPath.piece(id.rawValue))&include_filtered=true&limit=\(limit)"))
  }

  /// A request for `choice`, the address with the types. If `types` is empty, or if the server rejects a type, the
  /// request is for `place` instead: the same address without types, for all notifications.
  private static func page(
    at place: RequestPlace, of types: Set<NotificationType>, _ choice: RequestPlace
  ) -> Request {
    guard !types.isEmpty else { return page(at: place) }
    var request = page(at: choice)
    request.fallback = { error in
      if case .rejected = error { page(at: place) } else { nil }
    }
    return request
  }

  private static func page(at place: RequestPlace) -> Request {
    page("download of notifications", at: place, decode: WireDecoder.notifications) { $0.id.rawValue }
  }

  private static func choosing(_ types: Set<NotificationType>, at url: String) -> String {
    let words = NotificationType.allCases.filter(types.contains).flatMap { WireEncoder.words(of: $0) }
    return RequestPath.setting(words.map { ("types%5B%5D", RequestPath.piece($0)) }, removing: ["types[]"], in: url)
  }
}

extension Request where Answer == AccountNotification {
  /// One notification.
  public static func notification(_ id: AccountNotification.ID) -> Request {
    Request("download of a notification", .get, RequestPath.notification(id), decode: WireDecoder.notification)
  }
}

extension Request where Answer == Void {
  /// Removes a notification.
  public static func dismissNotification(_ id: AccountNotification.ID) -> Request {
    Request("dismissing a notification", .post, "\(RequestPath.notification(id))/dismiss")
  }

  /// Removes all notifications of a group, by ``AccountNotification/groupKey``.
  public static func dismissNotifications(inGroup key: String) -> Request {
    Request("dismissing a group of notifications", .post, "/api/v2/notifications/\(RequestPath.piece(key))/dismiss")
  }

  /// Removes all notifications.
  public static var clearNotifications: Request {
    Request("clearing notifications", .post, "/api/v1/notifications/clear").needing(.clearing)
  }
}

extension RequestPath {
  fileprivate static func notification(_ id: AccountNotification.ID) -> String {
    "/api/v1/notifications/\(piece(id.rawValue))"
  }
}

extension Request where Answer == [ReadPosition] {
  /// The user's read positions, which all their clients share.
  public static var readPositions: Request {
    Request(
      "download of read positions", .get, "/api/v1/markers?timeline%5B%5D=home&timeline%5B%5D=notifications",
      decode: WireDecoder.readPositions)
  }

  /// Stores read positions: the ids of the newest items read, and the versions that they replace, if known. The server
  /// responds with 409 if another client has changed the positions since those versions.
  public static func setReadPositions(_ positions: [ReadPosition]) -> Request {
    Request(
      "saving read positions", .post, "/api/v1/markers", json: WireEncoder.newReadPositions(positions),
      decode: WireDecoder.readPositions)
  }
}
