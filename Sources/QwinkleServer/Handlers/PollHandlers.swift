import HTTPTypes
import QwinkleModel
import QwinkleWire
import SafeText

/// Polls: reading them and voting.
enum PollHandlers {
  static let routes = [
    Route(.get, "/api/v1/polls/:id", .optional) { request, transaction in
      ServiceResponse(WireEncoder.poll, try transaction.poll(request.id).poll)
    },
    Route(.post, "/api/v1/polls/:id/votes", .required, vote),
  ]

  static let mostOptions = 4
  static let mostOptionCharacters = 50
  /// Allowed duration of a poll, in seconds.
  static let seconds = 300...2_629_746

  private static func vote(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    _ = try transaction.poll(request.id)
    let sent = try request.parameters().refuseOthers(than: ["choices"])
    let choices = try sent.ids("choices").map { Int($0) }
    try transaction.vote(in: request.id, for: choices)
    return ServiceResponse(WireEncoder.poll, try transaction.poll(request.id).poll)
  }

  /// Parses the poll of a new post, if any.
  static func poll(in sent: RequestParameters) throws -> NewPoll? {
    guard let poll = try sent.object("poll") else { return nil }
    try poll.refuseOthers(than: ["options", "expires_in", "multiple", "hide_totals"])
    let options = try options(in: poll)
    guard let open = try poll.integer("expires_in", in: seconds) else {
      throw Refusal.invalid("poll[expires_in] is missing: how many seconds the poll is open.")
    }
    return NewPoll(
      options: options, seconds: open, allowsSeveral: try poll.flag("multiple") ?? false,
      hidesTotals: try poll.flag("hide_totals") ?? false)
  }

  /// Returns the options of a poll, within the limits.
  static func options(in poll: RequestParameters) throws -> [String] {
    let options = (try poll.texts("options") ?? []).map { SafeText.line($0.filter { $0 != "\0" }) }
    guard (2...mostOptions).contains(options.count), options.allSatisfy({ !isBlank($0) }) else {
      throw Refusal.invalid("A poll has 2 to \(mostOptions) options.")
    }
    guard Set(options).count == options.count else { throw Refusal.invalid("A poll's options must differ.") }
    guard options.allSatisfy({ $0.count <= mostOptionCharacters && $0.utf8.count <= 20 * mostOptionCharacters }) else {
      throw Refusal.invalid("An option of a poll has at most \(mostOptionCharacters) characters.")
    }
    return options
  }

  /// Throws if an edit would change the poll, because accounts may already have voted. An unchanged poll is accepted,
  /// because clients resend it when they edit other parts of the post.
  static func checkUnchanged(_ poll: Poll?, in sent: RequestParameters) throws {
    guard let edited = try sent.object("poll") else { return }
    guard let poll, try edited.texts("options") == poll.options.map(\.title),
      try edited.flag("multiple") ?? poll.allowsSeveral == poll.allowsSeveral
    else { throw Refusal.invalid("An edit can't change a poll. Delete the post and write it again.") }
  }
}
