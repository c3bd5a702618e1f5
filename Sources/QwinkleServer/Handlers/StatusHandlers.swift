import HTTPTypes
import QwinkleModel
import QwinkleWire

/// Qwinks: posting, reading, editing, pinning and deleting them. Also returns their threads and edit history. For a
/// boost, these are the thread and history of its original.
enum StatusHandlers {
  static let routes = [
    Route(.post, "/api/v1/statuses", .required, create),
    Route(.get, "/api/v1/statuses", .optional) { request, transaction in
      ServiceResponse(WireEncoder.qwinks, try transaction.qwinks(request.listedIDs()))
    },
    Route(.post, "/api/v1/statuses/:id/pin", .required) { request, transaction in
      try transaction.setPin(of: request.id, to: true)
      return ServiceResponse(WireEncoder.qwink, try transaction.qwink(request.id))
    },
    Route(.post, "/api/v1/statuses/:id/unpin", .required) { request, transaction in
      try transaction.setPin(of: request.id, to: false)
      return ServiceResponse(WireEncoder.qwink, try transaction.qwink(request.id))
    },
    Route(.get, "/api/v1/statuses/:id", .optional) { request, transaction in
      ServiceResponse(WireEncoder.qwink, try transaction.qwink(request.id))
    },
    Route(.put, "/api/v1/statuses/:id", .required, edit),
    Route(.delete, "/api/v1/statuses/:id", .required) { request, transaction in
      let deleted = try transaction.deleteStatus(request.id, deletesMedia: request.flag("delete_media"))
      return ServiceResponse({ SmallJSON.adding(text: deleted.source, to: WireEncoder.qwink($0)) }, deleted.qwink)
    },
    Route(.get, "/api/v1/statuses/:id/context", .optional) { request, transaction in
      ServiceResponse(WireEncoder.thread, try transaction.thread(around: transaction.target(request.id)))
    },
    Route(.get, "/api/v1/statuses/:id/history", .optional) { request, transaction in
      let history = try transaction.versions(of: transaction.target(request.id))
      return ServiceResponse(.json { WireEncoder.versions(history.versions, by: history.author) })
    },
    Route(.get, "/api/v1/statuses/:id/source", .required) { request, transaction in
      ServiceResponse(WireEncoder.source, try transaction.source(of: request.id))
    },
  ]

  private static let mostKeyBytes = 255
  private static let known: Set<String> = [
    "status", "spoiler_text", "sensitive", "language", "visibility", "in_reply_to_id", "poll", "media_ids",
    "quote_approval_policy",
  ]
  /// Accepted values of parameters that the service doesn't support. These values describe what the service always
  /// does.
  private static let neutral: [String: Set<String>] = [
    "content_type": ["text/plain"]
  ]

  private static func create(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    let me = try transaction.me()
    let key = HTTPField.Name("Idempotency-Key").flatMap { request.headers[$0] } ?? ""
    guard key.utf8.count <= mostKeyBytes else { throw Refusal.invalid("The Idempotency-Key is too long.") }
    if !key.isEmpty, let made = try transaction.statusMade(underKey: key, by: me) {
      return ServiceResponse(WireEncoder.qwink, try transaction.qwink(made))
    }
    let sent = try request.parametersInBodyOnly().refuseOthers(
      than: known.union(["scheduled_at", "quoted_status_id"]), unless: neutral)
    let settings = try transaction.postingSettings(of: me)
    var entry = try sent.entry(usually: settings.visibility)
    if !sent.has("sensitive") { entry.isSensitive = settings.isSensitive }
    entry.language = entry.language ?? settings.language
    entry.quotePolicy = entry.quotePolicy ?? settings.quotePolicy
    var new = try status(from: entry, by: me, transaction)
    new.poll = try PollHandlers.poll(in: sent)
    new.media = try MediaHandlers.ids(in: sent)
    if new.poll != nil, !new.media.isEmpty {
      throw Refusal.invalid("A post has a poll or pictures, not both: leave out poll or media_ids.")
    }
    if let date = try ScheduledHandlers.date(in: sent, now: transaction.now) {
      try transaction.checkRecipients(of: new)
      let id = try transaction.schedule(ScheduledEntry(new), at: date, key: key)
      return try ScheduledHandlers.answer(transaction.scheduled(id), transaction)
    }
    let id = try transaction.addStatus(new)
    if !key.isEmpty { try transaction.remember(id, underKey: key, of: me) }
    return ServiceResponse(WireEncoder.qwink, try transaction.qwink(id))
  }

  private static func edit(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    let sent = try request.parametersInBodyOnly().refuseOthers(than: known.union(["media_attributes"]), unless: neutral)
    let text = try CheckedText(sent.entry())
    let qwink = try transaction.qwink(
      transaction.editStatus(
        request.id, to: text, media: MediaHandlers.choices(in: sent), quotePolicy: sent.choice("quote_approval_policy"))
    )
    if let visibility: Visibility = try sent.choice("visibility"), visibility != qwink.visibility {
      throw Refusal.invalid("An edit can't change the visibility. Delete the post and write it again.")
    }
    if let parent = try sent.identifier("in_reply_to_id"), parent != qwink.inReplyTo?.rawValue {
      throw Refusal.invalid("An edit can't change what the post replies to.")
    }
    try PollHandlers.checkUnchanged(qwink.poll, in: sent)
    return ServiceResponse(WireEncoder.qwink, qwink)
  }

  private static func status(from entry: Entry, by me: Int64, _ transaction: Transaction) throws -> NewStatus {
    let text = try CheckedText(entry)
    var new = NewStatus(
      account: me, source: text.source, visibility: entry.visibility, warning: text.warning, language: text.language,
      isSensitive: text.isSensitive)
    if let parent = entry.inReplyTo {
      guard let target = try transaction.visibleTarget(Int64(parent)) else {
        throw Refusal.invalid("The post that this replies to was not found.")
      }
      new.parent = (target.id, target.account)
    }
    new.quoted = try entry.quotedID.map { try transaction.quote($0, in: &new) }
    new.quotePolicy = entry.quotePolicy ?? .nobody
    return new
  }
}
