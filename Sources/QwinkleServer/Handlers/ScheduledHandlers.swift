import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleWire

/// Scheduled qwinks.
enum ScheduledHandlers {
  static let routes = [
    Route(.get, "/api/v1/scheduled_statuses", .required) { request, transaction in
      let page = try transaction.scheduled(PageRequest(request))
      let items = try page.items.map { try bytes($0, transaction) }
      let list = [UInt8(ascii: "[")] + items.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
      return ServiceResponse(.json(list), link: page.link.header(for: request))
    },
    Route(.get, "/api/v1/scheduled_statuses/:id", .required) { request, transaction in
      try answer(transaction.scheduled(request.id), transaction)
    },
    Route(.put, "/api/v1/scheduled_statuses/:id", .required) { request, transaction in
      _ = try transaction.scheduled(request.id)
      let sent = try request.parameters()
      try sent.refuseOthers(than: ["scheduled_at"])
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

  /// Shortest and longest delay of a scheduled post, in seconds: five minutes, as on Mastodon, and a hundred years.
  private static let fewestSeconds: TimeInterval = 300
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
    ServiceResponse(.json(try bytes(scheduled, transaction)))
  }

  private static func bytes(_ scheduled: ScheduledQwink, _ transaction: Transaction) throws -> [UInt8] {
    let media = try transaction.attachments(ofScheduled: scheduled.id)
    return SmallJSON.adding(
      "media_attachments", json: WireEncoder.attachments(media), to: SmallJSON.bytes(ScheduledEntity(scheduled)))
  }
}

/// <https://docs.joinmastodon.org/entities/ScheduledStatus/>
private struct ScheduledEntity: Encodable {
  struct Parameters: Encodable {
    var text: String
    var visibility: String
    var warning: String
    var isSensitive: Bool
    @OrNull var language: String?
    @OrNull var parent: String?
    @OrNull var poll: PollParameters?
    var media: [String]

    enum CodingKeys: String, CodingKey {
      case text, visibility, language, poll
      case warning = "spoiler_text"
      case isSensitive = "sensitive"
      case media = "media_ids"
      case parent = "in_reply_to_id"
    }

    init(_ entry: ScheduledEntry) {
      (text, visibility, warning) = (entry.text, entry.visibility, entry.warning)
      isSensitive = entry.isSensitive
      language = entry.language
      media = (entry.media ?? []).map(String.init)
      parent = entry.parent.map { String($0) }
      poll = entry.poll.map {
        PollParameters(
          options: $0.options, seconds: String($0.seconds), allowsSeveral: $0.allowsSeveral,
          hidesTotals: $0.hidesTotals)
      }
    }
  }

  struct PollParameters: Encodable {
    var options: [String]
    var seconds: String
    var allowsSeveral: Bool
    var hidesTotals: Bool

    enum CodingKeys: String, CodingKey {
      case options
      case seconds = "expires_in"
      case allowsSeveral = "multiple"
      case hidesTotals = "hide_totals"
    }
  }

  var id: String
  var publishAt: String
  var parameters: Parameters

  enum CodingKeys: String, CodingKey {
    case id
    case publishAt = "scheduled_at"
    case parameters = "params"
  }

  init(_ scheduled: ScheduledQwink) {
    id = String(scheduled.id)
    publishAt = WireDate.text(scheduled.publishAt)
    parameters = Parameters(scheduled.entry)
  }
}
