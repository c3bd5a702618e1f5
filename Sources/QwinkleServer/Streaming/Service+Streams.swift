import GRDB
import QwinkleWire

extension Service {
  /// Adds the facts to events, in one read for all listeners. Leaves out statuses that don't exist any longer. Returns
  /// nil if the database can't be read.
  ///
  /// - Parameter accounts: Accounts that listen to streams of their own.
  func streamItems(of events: [ServiceEvent], for accounts: [Int64]) async -> [StreamItem]? {
    guard events.contains(where: \.isAboutStatus) else { return events.map { StreamItem(event: $0) } }
    let listening = jsonArray(accounts)
    return try? await readForStreams(OriginTemplate.placeholder) { session in
      try events.compactMap { try session.streamItem(of: $0, for: listening) }
    }
  }

  /// The messages about items that a viewer's listeners receive; nil if the database can't be read.
  ///
  /// - Parameter streams: The streams that each item may be for, by its position.
  func posts(
    about items: [StreamItem], at streams: [Int: Set<StreamName>], for viewer: Int64?
  ) async -> [StreamPost]? {
    try? await readForStreams(OriginTemplate.placeholder) { session in
      var session = session
      session.viewer = viewer
      return try streams.sorted { $0.key < $1.key }.flatMap { try session.posts(about: items[$0.key], at: $0.value) }
    }
  }

  /// Whether a listener has the list with this id.
  func isList(_ id: Int64, of listening: Listening) async -> Bool {
    guard let connection = try? connection() else { return false }
    let found = try? await connection.read(for: listening.client, within: readLimit, budget) { db in
      try self.inSession(db, listening.origin) { session in
        var session = session
        session.viewer = listening.viewer
        return try session.ownList(id) != nil
      }
    }
    return found ?? false
  }

  /// Ends the streams whose tokens were revoked.
  func endStreamsWithoutToken() async {
    let tokens = events.tokens
    if tokens.isEmpty { return }
    let gone = try? await readForStreams(OriginTemplate.placeholder) { session in
      try tokens.filter { try !session.isToken(hash: $0) }
    }
    if let gone, !gone.isEmpty { events.end(tokens: gone) }
  }
}

extension Session {
  /// An event with its facts; nil if its status doesn't exist any longer.
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

  /// The messages about an item for the viewer's listeners at these streams.
  fileprivate func posts(about item: StreamItem, at streams: Set<StreamName>) throws -> [StreamPost] {
    switch item.event {
    case .posted(let id):
      guard let facts = item.facts else { return [] }
      return try posts("update", id, at: self.streams(streams, with: facts))
    case .edited(let id):
      guard let facts = item.facts else { return [] }
      return try posts("status.update", id, at: self.streams(streams, reporting: facts))
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

  private func posts(_ event: String, _ id: Int64, at streams: Set<StreamName>) throws -> [StreamPost] {
    guard !streams.isEmpty, let qwink = try qwinks([id]).first else { return [] }
    let payload = WireEncoder.qwink(qwink)
    return streams.map { StreamPost(stream: $0, event: event, payload: payload) }
  }

  /// Reports a deleted status, and the boosts deleted with it, where they were visible.
  private func deletions(of facts: StatusFacts, at streams: Set<StreamName>) throws -> [StreamPost] {
    var found = try self.streams(streams, reporting: facts).map { ($0, facts.id) }
    let timelines = streams.filter(\.isTimeline)
    for boost in try timelines.isEmpty ? [] : boosts(of: facts) {
      found += try self.streams(timelines, with: boost).map { ($0, boost.id) }
    }
    return found.map { stream, id in
      StreamPost(stream: stream, event: "delete", payload: Array(String(id).utf8))
    }
  }

  private func notifications(_ id: Int64, _ account: Int64, at streams: Set<StreamName>) throws -> [StreamPost] {
    guard account == viewer, let found = try visibleNotification(id) else { return [] }
    let payload = WireEncoder.notification(found)
    return streams.map { StreamPost(stream: $0, event: "notification", payload: payload, isNotification: true) }
  }
}
