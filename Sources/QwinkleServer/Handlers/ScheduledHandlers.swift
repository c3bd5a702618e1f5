import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleWire

/// Scheduled qwinks.
enum ScheduledHandlers {
  static let routes = [
    Route(.get, "/api/v1/scheduled_statuses", .required) { request, transaction in
      let page = try transaction.scheduled(PageRequest(request))
      let posts = try page.items.map { ($0, try transaction.attachments(ofScheduled: $0.id)) }
      return ServiceResponse(link: page.link.header(for: request)) { $0.array(posts) { $0.scheduled($1.0, $1.1) } }
    },
    Route(.get, "/api/v1/scheduled_statuses/:id", .required) { request, transaction in
      try answer(transaction.scheduled(request.id), transaction)
    },
    Route(.put, "/api/v1/scheduled_statuses/:id", .required) { request, transaction in
      _ = try transaction.scheduled(request.id)
      let sent = try request.parameters().refuseOthers(than: ["scheduled_at"])
      guard let date = try date(in: sent, now: transaction.now) else {
        throw Refusal.invalid("scheduled_at is missing.")
      }
      return try answer(transaction.reschedule(request.id, to: date), transaction)
    },
    Route(.delete, "/api/v1/scheduled_statuses/:id", .required) { request, transaction in
      try transaction.unschedule(request.id)
      return .done
    },
  ]

  /// Shortest delay of a scheduled post: five minutes, as on Mastodon.
  private static let fewestSeconds: TimeInterval = 300
  /// Longest delay of a scheduled post: a hundred years.
  private static let mostSeconds: TimeInterval = 3_155_760_000

  /// Returns the time at which to publish a post, or nil to publish it immediately.
  static func date(in sent: RequestParameters, now: Date) throws -> Date? {
    guard let date = try sent.date("scheduled_at") else { return nil }
    guard date.timeIntervalSince(now) >= fewestSeconds, date.timeIntervalSince(now) < mostSeconds else {
      throw Refusal.invalid("scheduled_at must be at least five minutes from now.")
    }
    return date
  }

  static func answer(_ scheduled: ScheduledQwink, _ transaction: Transaction) throws -> ServiceResponse {
    let media = try transaction.attachments(ofScheduled: scheduled.id)
    return ServiceResponse { $0.scheduled(scheduled, media) }
  }
}

extension JSONWriter {
  /// <https://docs.joinmastodon.org/entities/ScheduledStatus/>
  fileprivate mutating func scheduled(_ scheduled: ScheduledQwink, _ media: [Attachment]) {
    let entry = scheduled.entry
    object { writer in
      writer.field("id", String(scheduled.id))
      writer.field("params") { writer in
        writer.field("in_reply_to_id", entry.parent.map { String($0) })
        writer.field("language", entry.language)
        writer.field("media_ids", (entry.media ?? []).map { String($0) })
        if let poll = entry.poll {
          writer.field("poll") { writer in
            writer.field("expires_in", String(poll.seconds))
            writer.field("hide_totals", poll.hidesTotals)
            writer.field("multiple", poll.allowsSeveral)
            writer.field("options", poll.options)
          }
        } else {
          writer.nullField("poll")
        }
        if let policy = entry.quotePolicy { writer.field("quote_approval_policy", policy) }
        writer.field("quoted_status_id", entry.quoted.map { String($0) })
        writer.field("sensitive", entry.isSensitive)
        writer.field("spoiler_text", entry.warning)
        writer.field("text", entry.text)
        writer.field("visibility", entry.visibility)
      }
      writer.field("scheduled_at", scheduled.publishAt)
      writer.field("media_attachments", json: WireEncoder.attachments(media))
    }
  }
}
