public import FoundationEssentials
import HTTPTypes
public import QwinkleModel
import QwinkleWire

extension Request where Answer == Page<ScheduledPost> {
  /// What the server will publish for the user, the next first.
  public static func scheduledPosts(limit: Int) -> Request {
    page(at: .path("\(RequestPath.scheduled)?limit=\(limit)")).needing(.scheduledPosts)
  }

  /// Another page of it, by a cursor of an earlier page.
  public static func scheduledPostsPage(_ cursor: PageCursor) -> Request { page(at: .cursor(cursor)) }

  private static func page(at place: RequestPlace) -> Request {
    page("download of scheduled qwinks", at: place, decode: WireDecoder.scheduledPosts)
  }
}

/// What a server made of a qwink that it was to publish later.
public enum Scheduling: Hashable, Sendable {
  case scheduled(ScheduledPost)
  /// The server doesn't know of times, and has published it at once.
  case published(Qwink)
  /// The server publishes it at its time, but doesn't list it, so it can't be changed.
  case unlisted(Qwink)
  /// The server accepted it and did not answer whether it is published.
  case unclear(Qwink)
}

extension Request where Answer == Scheduling {
  /// Has the server publish `entry` at `date`, at least five minutes from now on most servers.
  public static func schedule(_ entry: Entry, at date: Date) -> Request {
    var request = Request(
      "scheduling", .post, "/api/v1/statuses", json: WireEncoder.entry(entry, at: date), decode: scheduling)
    if let name = HTTPField.Name("Idempotency-Key"), !entry.idempotencyKey.isEmpty {
      request.fields[name] = entry.idempotencyKey
    }
    return request
  }

  private static func scheduling(from body: [UInt8]) throws(WireError) -> Scheduling {
    do throws(WireError) {
      return .scheduled(try WireDecoder.scheduledPost(from: body))
    } catch {
      guard let qwink = try? WireDecoder.qwink(from: body) else { throw error }
      return .published(qwink)
    }
  }
}

extension Request where Answer == ScheduledPost {
  /// Has the server publish it at another time.
  public static func reschedule(_ id: ScheduledPost.ID, to date: Date) -> Request {
    Request(
      "rescheduling", .put, RequestPath.scheduled(id), json: WireEncoder.schedule(at: date),
      decode: WireDecoder.scheduledPost)
  }
}

extension Request where Answer == Void {
  /// Has the server not publish it.
  public static func unschedule(_ id: ScheduledPost.ID) -> Request {
    Request("cancelling a scheduled qwink", .delete, RequestPath.scheduled(id)) { (_) throws(WireError) in }
  }
}

extension RequestPath {
  fileprivate static let scheduled = "/api/v1/scheduled_statuses"

  fileprivate static func scheduled(_ id: ScheduledPost.ID) -> String { "\(scheduled)/\(piece(id.rawValue))" }
}
