public import FoundationEssentials
import HTTPTypes
public import QwinkleModel
import QwinkleWire

extension Request where Answer == Page<ScheduledPost> {
  /// The user's scheduled posts, the next one first.
  public static func scheduledPosts(limit: Int) -> Request {
    page(at: .path("\(RequestPath.scheduled)?limit=\(limit)")).needing(.scheduledPosts)
  }

  /// The page of scheduled posts at `cursor`, which an earlier page returned.
  public static func scheduledPostsPage(_ cursor: PageCursor) -> Request { page(at: .cursor(cursor)) }

  private static func page(at place: RequestPlace) -> Request {
    page("download of scheduled posts", at: place, decode: WireDecoder.scheduledPosts)
  }
}

/// The server's result of scheduling a post.
public enum Scheduling: Hashable, Sendable {
  case scheduled(ScheduledPost)
  /// The server doesn't support scheduling and has published the post at once.
  case published(Qwink)
  /// The server will publish the post on time, but doesn't list it, so it can't be changed.
  case unlisted(Qwink)
  /// The server accepted the post, but didn't report whether it is published.
  case unclear(Qwink)
}

extension Request where Answer == Scheduling {
  /// Schedules `entry` for `date`. Most servers require at least five minutes from now.
  public static func schedule(_ entry: Entry, at date: Date) -> Request {
    Request("scheduling", .post, "/api/v1/statuses", json: WireEncoder.entry(entry, at: date), decode: scheduling)
      .keyed(by: entry.idempotencyKey)
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
  /// Changes the time of a scheduled post.
  public static func reschedule(_ id: ScheduledPost.ID, to date: Date) -> Request {
    Request(
      "rescheduling", .put, RequestPath.scheduled(id), json: WireEncoder.schedule(at: date),
      decode: WireDecoder.scheduledPost)
  }
}

extension Request where Answer == Void {
  /// Cancels a scheduled post.
  public static func unschedule(_ id: ScheduledPost.ID) -> Request {
    Request("cancelling a scheduled post", .delete, RequestPath.scheduled(id))
  }
}

extension RequestPath {
  fileprivate static let scheduled = "/api/v1/scheduled_statuses"

  fileprivate static func scheduled(_ id: ScheduledPost.ID) -> String { "\(scheduled)/\(piece(id.rawValue))" }
}
