import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleWire

/// Import of the user's own posts from an archive. Mastodon's API has no calls for it.
enum ImportHandlers {
  static let routes = [
    Route(.post, "/api/qwinkle/v1/import/known", .required, known),
    Route(.post, "/api/qwinkle/v1/import/media", outsideFor: .required, MediaHandlers.upload),
    Route(.post, "/api/qwinkle/v1/import/statuses", .required, create),
  ]

  static let mediaPath = "/api/qwinkle/v1/import/media"
  /// Maximum number of ids in one question.
  private static let mostQuestions = 100
  /// Age up to which an imported post counts as a new one, in milliseconds: a day. Readers have it among new posts.
  private static let longestNew: Int64 = 86_400_000
  /// The most votes or voters that a poll can have.
  private static let mostVotes = 1_000_000_000
  private static let parameters: Set<String> = [
    "uri", "created_at", "edited_at", "in_reply_to_uri", "status", "spoiler_text", "sensitive", "language",
    "visibility", "media_ids", "poll",
  ]

  /// Returns the posts that exist already, with their ids in the archive.
  private static func known(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    let sent = try request.parametersInBodyOnly().refuseOthers(than: ["uris"])
    let uris = try sent.texts("uris") ?? []
    guard uris.count <= mostQuestions else {
      throw Refusal.invalid("uris: at most \(mostQuestions) in one request.")
    }
    let found = try transaction.importedStatuses(uris).sorted { $0.key < $1.key }
    return ServiceResponse {
      $0.array(found) { writer, post in
        writer.object { writer in
          writer.field("uri", post.key)
          writer.field("id", String(post.value))
        }
      }
    }
  }

  private static func create(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    let me = try transaction.me()
    let sent = try request.parametersInBodyOnly().refuseOthers(than: parameters)
    guard let uri = try sent.text("uri")?.filter({ $0 != "\0" }), !uri.isEmpty,
      uri.utf8.count <= ArchivedPost.mostURIBytes
    else {
      throw Refusal.invalid("uri is missing or too long: the id of the post in the archive.")
    }
    guard let createdAt = try time("created_at", in: sent, transaction.now) else {
      throw Refusal.invalid("created_at is missing: the time of the post.")
    }
    if transaction.nowInMilliseconds - createdAt <= longestNew, try transaction.importedStatuses([uri]).isEmpty {
      try countAsPost(request, of: me, transaction)
    }
    let poll = try poll(in: sent, transaction.now)
    let entry = try sent.entry(usually: .private)
    let text = try CheckedText(entry)
    var new = NewStatus(
      account: me, source: text.source, visibility: entry.visibility, warning: text.warning, language: text.language,
      isSensitive: text.isSensitive)
    new.media = try MediaHandlers.ids(in: sent)
    let imported = ImportedStatus(
      uri: uri, new: new, createdAt: createdAt, editedAt: try time("edited_at", in: sent, transaction.now),
      parent: try sent.text("in_reply_to_uri"), poll: poll)
    return ServiceResponse(WireEncoder.qwink, try transaction.qwink(transaction.importStatus(imported)))
  }

  /// Counts an import towards the limits of posts. Otherwise, it would be a way around them.
  private static func countAsPost(_ request: ServiceRequest, of me: Int64, _ transaction: Transaction) throws {
    guard let budget = transaction.service?.budget,
      try budget.count(Resource.ofPosts, of: request.client) != nil, request.client != .account(me)
    else { return }
    _ = try budget.count(Resource.ofPosts, of: .account(me))
  }

  /// Returns a time since 1970 that isn't in the future, in milliseconds.
  private static func time(_ name: String, in sent: RequestParameters, _ now: Date) throws -> Int64? {
    guard let date = try sent.date(name) else { return nil }
    guard date.timeIntervalSince1970 >= 0, date <= now else {
      throw Refusal.invalid("\(name) must be a time from 1970 to now.")
    }
    return date.milliseconds
  }

  private static func poll(in sent: RequestParameters, _ now: Date) throws -> ImportedPoll? {
    guard let poll = try sent.object("poll") else { return nil }
    try poll.refuseOthers(than: ["options", "votes", "voters_count", "multiple", "expires_at"])
    let options = try PollHandlers.options(in: poll)
    let votes = try (poll.texts("votes") ?? []).map { text in
      guard let count = Int(text), (0...mostVotes).contains(count) else {
        throw poll.fault("votes", "must be numbers of votes")
      }
      return count
    }
    guard votes.isEmpty || votes.count == options.count else {
      throw Refusal.invalid("poll[votes] must have a number for each option.")
    }
    let end = try poll.date("expires_at") ?? now
    return ImportedPoll(
      options: options, votes: votes.isEmpty ? options.map { _ in 0 } : votes,
      votersCount: try poll.integer("voters_count", in: 0...mostVotes) ?? 0,
      allowsSeveral: try poll.flag("multiple") ?? false,
      endedAt: max(0, min(end, now).milliseconds))
  }
}
