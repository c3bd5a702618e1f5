import GRDB
import QwinkleWire

extension Service {
  /// Loads the ``StatusFacts`` of events in one read for all listeners. Omits new and edited statuses that no longer
  /// exist. Returns nil if the database can't be read.
  ///
  /// - Parameter accounts: Accounts that subscribe to personal streams.
  func streamItems(of events: [ServiceEvent], for accounts: [Int64]) async -> [StreamItem]? {
    guard events.contains(where: \.isAboutStatus) else { return events.map { StreamItem(event: $0) } }
    let listening = jsonArray(accounts)
    return try? await readForStreams(BaseURLTemplate.placeholder) { transaction in
      try events.compactMap { try transaction.streamItem(of: $0, for: listening) }
    }
  }

  /// Returns the messages about items for a viewer's listeners, or nil if the database can't be read.
  ///
  /// - Parameters:
  ///   - streams: The streams that each item may belong to, by the item's position.
  ///   - shared: The messages to other viewers.
  func posts(
    about items: [StreamItem], at streams: [Int: Set<StreamChannel>], for viewer: Int64?, shared: SharedMessages
  ) async -> [StreamPost]? {
    try? await readForStreams(BaseURLTemplate.placeholder) { transaction in
      let transaction = transaction.viewed(by: viewer)
      return try streams.sorted { $0.key < $1.key }.flatMap {
        try transaction.posts(about: items[$0.key], at: $0.value, shared)
      }
    }
  }

  /// Returns whether the list with this id belongs to a listener's account, or false if the database can't be read.
  func isList(_ id: Int64, of listening: Listening) async -> Bool {
    guard let connection = try? connection() else { return false }
    let found = try? await connection.read(for: listening.client, within: readLimit, budget) { db in
      try self.inTransaction(db, listening.origin) { try $0.viewed(by: listening.viewer).ownList(id) != nil }
    }
    return found ?? false
  }

  /// Closes the streams whose tokens were revoked, or whose accounts were suspended or detached from their Unix users.
  func endInvalidStreams() async {
    let credentials = events.credentials
    if credentials.isEmpty { return }
    let gone = try? await readForStreams(BaseURLTemplate.placeholder) { transaction in
      try credentials.filter { try !transaction.isValid($0) }
    }
    if let gone, !gone.isEmpty { events.end { $0.credential.map(gone.contains) == true } }
  }
}

extension Transaction {
  /// Returns an event with the facts of its status, if it is about a status. Returns nil if a new or edited status no
  /// longer exists.
  fileprivate func streamItem(of event: ServiceEvent, for listening: String) throws -> StreamItem? {
    let facts: StatusFacts?
    switch event {
    case .posted(let id), .edited(let id): facts = try self.facts(of: id)
    case .deleted(let deleted): facts = deleted
    case .notified, .conversation, .filtersChanged: return StreamItem(event: event)
    }
    guard let facts else { return nil }
    return StreamItem(event: event, facts: facts, readers: try readers(of: facts, among: listening))
  }

  /// Returns the messages about an item for the viewer's listeners on these streams.
  fileprivate func posts(
    about item: StreamItem, at streams: Set<StreamChannel>, _ shared: SharedMessages
  ) throws -> [StreamPost] {
    switch item.event {
    case .posted(let id):
      guard let facts = item.facts else { return [] }
      return try posts("update", id, at: self.streams(streams, with: facts), shared)
    case .edited(let id):
      guard let facts = item.facts else { return [] }
      return try posts("status.update", id, at: self.streams(streams, reporting: facts), shared)
    case .deleted(let facts):
      return try deletions(of: facts, at: streams)
    case .notified(let id, let account):
      return try notifications(id, account, at: streams)
    case .filtersChanged:
      return streams.map { StreamPost(stream: $0, event: "filters_changed") }
    case .conversation(let id, _):
      guard let conversation = try conversation(id) else { return [] }
      let payload = WireEncoder.conversation(conversation)
      return streams.map { StreamPost(stream: $0, event: "conversation", payload: payload) }
    }
  }

  private func posts(
    _ event: String, _ id: Int64, at streams: Set<StreamChannel>, _ shared: SharedMessages
  ) throws -> [StreamPost] {
    guard !streams.isEmpty, let qwink = try qwinks([id]).first else { return [] }
    return streams.map { StreamPost(stream: $0, message: shared.message(event, about: qwink, of: $0)) }
  }

  /// Returns the messages that report a deletion: to the streams that reported changes to the status, and to the
  /// timelines that contained its boosts, which were deleted with the status.
  private func deletions(of facts: StatusFacts, at streams: Set<StreamChannel>) throws -> [StreamPost] {
    var found = try self.streams(streams, reporting: facts).map { ($0, facts.id) }
    let timelines = streams.filter(\.isTimeline)
    for boost in try timelines.isEmpty ? [] : boosts(of: facts) {
      found += try self.streams(timelines, with: boost).map { ($0, boost.id) }
    }
    return found.map { stream, id in
      StreamPost(stream: stream, event: "delete", payload: Array(String(id).utf8))
    }
  }

  private func notifications(_ id: Int64, _ account: Int64, at streams: Set<StreamChannel>) throws -> [StreamPost] {
    guard account == viewer, let found = try visibleNotification(id) else { return [] }
    let payload = WireEncoder.notification(found)
    return streams.map { StreamPost(stream: $0, event: "notification", payload: payload, isNotification: true) }
  }
}
