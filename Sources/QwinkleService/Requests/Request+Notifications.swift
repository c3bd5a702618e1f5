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

extension Request where Answer == [ReadPosition] {
  /// How far lists have been read on any client.
  public static var readPositions: Request {
    Request(
      "download of read positions", .get, "/api/v1/markers?timeline%5B%5D=home&timeline%5B%5D=notifications",
      decode: WireDecoder.readPositions)
  }

  /// Stores how far a list has been read: the id of its newest item read. If another client wrote at the same moment,
  /// the server answers 409, and the request is sent once more.
  public static func setReadPosition(_ place: ReadPosition.Place, lastReadID: String) -> Request {
    let json = WireEncoder.newReadPosition(place, lastReadID: lastReadID)
    var request = Request(
      "saving a read position", .post, "/api/v1/markers", json: json, decode: WireDecoder.readPositions)
    let again = request
    request.fallback = { if case .unexpectedStatus(_, 409) = $0 { again } else { nil } }
    return request
  }
}
