import HTTPTypes
public import QwinkleModel
import QwinkleWire

extension Request where Answer == Page<AccountNotification> {
  /// The newest notifications: up to `limit`.
  public static func notifications(limit: Int) -> Request { page(at: .path("/api/v1/notifications?limit=\(limit)")) }

  /// Older notifications, by a cursor of an earlier page.
  public static func notificationsPage(_ cursor: PageCursor) -> Request { page(at: .cursor(cursor)) }

  private static func page(at place: RequestPlace) -> Request {
    page("download of notifications", at: place, decode: WireDecoder.notifications) { $0.id.rawValue }
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
    Request("dismissing a notification", .post, "\(RequestPath.notification(id))/dismiss") { (_) throws(WireError) in }
  }

  /// Removes all notifications.
  public static var clearNotifications: Request {
    Request("clearing notifications", .post, "/api/v1/notifications/clear") { (_) throws(WireError) in }
      .needing(.clearing)
  }
}

extension RequestPath {
  fileprivate static func notification(_ id: AccountNotification.ID) -> String {
    "/api/v1/notifications/\(piece(id.rawValue))"
  }
}

extension Request where Answer == [ReadPosition] {
  /// How far lists have been read on any client.
  public static var readPositions: Request {
    Request(
      "download of read positions", .get, "/api/v1/markers?timeline%5B%5D=home&timeline%5B%5D=notifications",
      decode: WireDecoder.readPositions)
  }

  /// Stores how far lists have been read: the ids of their newest items read, and the versions to replace where they
  /// are known. If another client was faster, the server answers 409.
  public static func setReadPositions(_ positions: [ReadPosition]) -> Request {
    Request(
      "saving read positions", .post, "/api/v1/markers", json: WireEncoder.newReadPositions(positions),
      decode: WireDecoder.readPositions)
  }
}
