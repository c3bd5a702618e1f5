import HTTPTypes
import QwinkleModel
import QwinkleWire

/// Qwinks: posting, reading, editing and deleting them, and their threads and history. The thread and history of a
/// boost are its original's.
enum StatusHandlers {
  static let routes = [
    Route(.post, "/api/v1/statuses", .required, create),
    Route(.get, "/api/v1/statuses", .optional) { request, session in
      ServiceResponse(.qwinks(try session.qwinks(request.listedIDs())))
    },
    Route(.post, "/api/v1/statuses/:id/pin", .required) { request, session in
      try session.setPin(of: request.id, to: true)
      return ServiceResponse(.qwink(try session.qwink(request.id)))
    },
    Route(.post, "/api/v1/statuses/:id/unpin", .required) { request, session in
      try session.setPin(of: request.id, to: false)
      return ServiceResponse(.qwink(try session.qwink(request.id)))
    },
    Route(.get, "/api/v1/statuses/:id", .optional) { request, session in
      ServiceResponse(.qwink(try session.qwink(request.id)))
    },
    Route(.put, "/api/v1/statuses/:id", .required, edit),
    Route(.delete, "/api/v1/statuses/:id", .required) { request, session in
      let deleted = try session.deleteStatus(request.id, deletesMedia: request.flag("delete_media"))
      return ServiceResponse(.deleted(deleted.qwink, source: deleted.source))
    },
    Route(.get, "/api/v1/statuses/:id/context", .optional) { request, session in
      ServiceResponse(.thread(try session.thread(around: session.target(request.id))))
    },
    Route(.get, "/api/v1/statuses/:id/history", .optional) { request, session in
      let history = try session.versions(of: session.target(request.id))
      return ServiceResponse(.versions(history.versions, by: history.author))
    },
    Route(.get, "/api/v1/statuses/:id/source", .required) { request, session in
      ServiceResponse(.source(try session.source(of: request.id)))
    },
  ]

  private static let mostKeyBytes = 255
  private static let known: Set<String> = [
    "status", "spoiler_text", "sensitive", "language", "visibility", "in_reply_to_id", "poll", "media_ids",
  ]
  /// What is so on this service anyway.
  private static let neutral: [String: Set<String>] = [
    "content_type": ["text/plain"], "quote_approval_policy": ["nobody"],
  ]

  private static func create(_ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    let me = try session.me()
    let key = HTTPField.Name("Idempotency-Key").flatMap { request.headers[$0] } ?? ""
    guard key.utf8.count <= mostKeyBytes else { throw Refusal.invalid("The Idempotency-Key is too long.") }
    if !key.isEmpty, let made = try session.statusMade(underKey: key, by: me) {
      return ServiceResponse(.qwink(try session.qwink(made)))
    }
    let sent = try request.parametersInBodyOnly()
    try sent.refuseOthers(than: known.union(["scheduled_at"]), unless: neutral)
    let settings = try session.postingSettings(of: me)
    var entry = try sent.entry(usually: settings.visibility)
    if !sent.has("sensitive") { entry.isSensitive = settings.isSensitive }
    entry.language = entry.language ?? settings.language
    var new = try status(from: entry, by: me, session)
    new.poll = try PollHandlers.poll(in: sent)
    new.media = try MediaHandlers.ids(in: sent)
    if new.poll != nil, !new.media.isEmpty {
      throw Refusal.invalid("A post has a poll or pictures, not both: leave out poll or media_ids.")
    }
    if let date = try ScheduledHandlers.date(in: sent, now: session.now) {
      try session.checkRecipients(of: new)
      let id = try session.schedule(ScheduledEntry(new), at: date, key: key)
      return try ScheduledHandlers.answer(session.scheduled(id), session)
    }
    let id = try session.addStatus(new)
    if !key.isEmpty { try session.remember(id, underKey: key, of: me) }
    return ServiceResponse(.qwink(try session.qwink(id)))
  }

  private static func edit(_ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    let sent = try request.parametersInBodyOnly()
    try sent.refuseOthers(than: known.union(["media_attributes"]), unless: neutral)
    let text = try CheckedText(sent.entry())
    let qwink = try session.qwink(session.editStatus(request.id, to: text, media: MediaHandlers.choices(in: sent)))
    if let visibility: Visibility = try sent.choice("visibility"), visibility != qwink.visibility {
      throw Refusal.invalid("An edit can't change the visibility. Delete the post and write it again.")
    }
    if let parent = try sent.identifier("in_reply_to_id"), parent != qwink.inReplyTo?.rawValue {
      throw Refusal.invalid("An edit can't change what the post replies to.")
    }
    try PollHandlers.checkUnchanged(qwink.poll, in: sent)
    return ServiceResponse(.qwink(qwink))
  }

  private static func status(from entry: Entry, by me: Int64, _ session: Session) throws -> NewStatus {
    let text = try CheckedText(entry)
    var new = NewStatus(
      account: me, source: text.source, visibility: entry.visibility, warning: text.warning, language: text.language,
      isSensitive: text.isSensitive)
    if let parent = entry.inReplyTo {
      guard let target = try session.visibleTarget(Int64(parent)) else {
        throw Refusal.invalid("The post that this replies to was not found.")
      }
      new.parent = (target.id, target.account)
    }
    return new
  }
}
