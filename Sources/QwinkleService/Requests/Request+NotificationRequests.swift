import HTTPTypes
public import QwinkleModel
import QwinkleWire

extension Request where Answer == NotificationPolicy {
  private static var path: String { "/api/v2/notifications/policy" }

  /// The user's policy for notifications.
  public static var notificationPolicy: Request {
    Request("download of the notification policy", .get, path, decode: WireDecoder.notificationPolicy)
      .needing(.filteredNotifications)
  }

  /// Changes some rules of the user's policy for notifications.
  public static func changeNotificationPolicy(
    _ treatments: [NotificationPolicy.Group: NotificationPolicy.Treatment]
  ) -> Request {
    Request(
      "changing the notification policy", .patch, path, json: WireEncoder.notificationRules(treatments),
      decode: WireDecoder.notificationPolicy
    ).needing(.filteredNotifications)
  }
}

extension Request where Answer == Page<NotificationRequest> {
  /// The first page of the requests of senders whose notifications were filtered.
  public static func notificationRequests(limit: Int) -> Request {
    page(at: .path("/api/v1/notifications/requests?limit=\(limit)")).needing(.filteredNotifications)
  }

  /// The page of requests at `cursor`, which an earlier page returned.
  public static func notificationRequestsPage(_ cursor: PageCursor) -> Request { page(at: .cursor(cursor)) }

  private static func page(at place: RequestPlace) -> Request {
    page("download of notification requests", at: place, decode: WireDecoder.notificationRequests) { $0.id.rawValue }
  }
}

extension Request where Answer == NotificationRequest {
  /// One request.
  public static func notificationRequest(_ id: NotificationRequest.ID) -> Request {
    Request(
      "download of a notification request", .get, RequestPath.notificationRequest(id),
      decode: WireDecoder.notificationRequest)
  }
}

extension Request where Answer == Void {
  /// Accepts a request, which lists its notifications, or dismisses the request.
  public static func answerNotificationRequest(_ id: NotificationRequest.ID, accepts: Bool) -> Request {
    Request(
      "answering a notification request", .post,
      "\(RequestPath.notificationRequest(id))/\(accepts ? "accept" : "dismiss")")
  }

  /// Accepts or dismisses several requests.
  public static func answerNotificationRequests(_ ids: [NotificationRequest.ID], accepts: Bool) -> Request {
    Request(
      "answering notification requests", .post, "/api/v1/notifications/requests/\(accepts ? "accept" : "dismiss")",
      json: WireEncoder.notificationRequestIDs(ids))
  }
}

extension RequestPath {
  fileprivate static func notificationRequest(_ id: NotificationRequest.ID) -> String {
    "/api/v1/notifications/requests/\(piece(id.rawValue))"
  }
}
