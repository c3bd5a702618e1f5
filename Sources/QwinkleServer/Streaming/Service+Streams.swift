import GRDB
import QwinkleModel
import QwinkleWire

/// A message for those who listen to a stream.
struct StreamPost: Sendable {
  var stream: StreamName
  var message: StreamMessage
  /// Whether it is for those alone whose token allows notifications.
  var isNotification = false
}

extension Service {
  /// What a group of listeners is told of events; nil if the database can't be read.
  func messages(
    about events: [ServiceEvent], to group: EventHub.Group, _ streams: Set<StreamName>
  ) async -> [StreamPost]? {
    try? await readForStreams(group.origin) { session in
      var session = session
      session.viewer = group.viewer
      return try events.flatMap { event in try session.messages(about: event, streams) }
    }
  }

  /// Whether a listener has the list with this id.
  func isList(_ id: Int64, of listening: Listening) async -> Bool {
    let found = try? await readForStreams(listening.origin) { session in
      var session = session
      session.viewer = listening.viewer
      return try session.ownList(id) != nil
    }
    return found ?? false
  }

  /// Ends the streams whose tokens were revoked.
  func endStreamsWithoutToken() async {
    let tokens = events.tokens
    if tokens.isEmpty { return }
    let origin = Origin(scheme: "http", authority: "localhost")
    let gone = try? await readForStreams(origin) { session in
      try tokens.filter { try !session.isToken(hash: $0) }
    }
    if let gone, !gone.isEmpty { events.end(tokens: gone) }
  }
}

extension Session {
  /// What the viewer is told of an event at these streams.
  func messages(about event: ServiceEvent, _ streams: Set<StreamName>) throws -> [StreamPost] {
    switch event {
    case .posted(let id): try messages("update", id, streams) { try holds($0, id) }
    case .edited(let id): try messages("status.update", id, streams) { try changes($0, id) }
    case .deleted(let id, let audience, _):
      streams.filter { audience.contains(.init(viewer: viewer, stream: $0)) }.map {
        StreamPost(stream: $0, message: StreamMessage("delete", Array(String(id).utf8), of: $0))
      }
    case .notified(let id, let account):
      try notifications(id, account, streams)
    case .filtersChanged(let account):
      account == viewer && streams.contains(.user)
        ? [StreamPost(stream: .user, message: StreamMessage("filters_changed", nil, of: .user))] : []
    case .conversation(let id, let accounts):
      if let viewer, accounts.contains(viewer), streams.contains(.direct), let conversation = try conversation(id) {
        [
          StreamPost(
            stream: .direct,
            message: StreamMessage("conversation", WireEncoder.conversation(conversation), of: .direct))
        ]
      } else {
        []
      }
    }
  }

  /// The listeners whose streams have a status, as long as it is there.
  func audience(of id: Int64, _ groups: [EventHub.Group: Set<StreamName>]) throws -> Set<ServiceEvent.Audience> {
    var streams: [Int64?: Set<StreamName>] = [:]
    for (group, names) in groups { streams[group.viewer, default: []].formUnion(names) }
    var audience: Set<ServiceEvent.Audience> = []
    for (viewer, names) in streams {
      var theirs = self
      theirs.viewer = viewer
      for name in names where try theirs.changes(name, id) { audience.insert(.init(viewer: viewer, stream: name)) }
    }
    return audience
  }

  private func messages(
    _ event: String, _ id: Int64, _ streams: Set<StreamName>, _ isIn: (StreamName) throws -> Bool
  ) throws -> [StreamPost] {
    let streams = try streams.filter(isIn)
    guard !streams.isEmpty, let qwink = try qwinks([id]).first else { return [] }
    let payload = WireEncoder.qwink(qwink)
    return streams.map { StreamPost(stream: $0, message: StreamMessage(event, payload, of: $0)) }
  }

  private func notifications(
    _ id: Int64, _ account: Int64, _ streams: Set<StreamName>
  ) throws -> [StreamPost] {
    let streams = streams.intersection([.user, .notifications])
    guard account == viewer, !streams.isEmpty, let found = try visibleNotification(id) else { return [] }
    let payload = WireEncoder.notification(found)
    return streams.map {
      StreamPost(stream: $0, message: StreamMessage("notification", payload, of: $0), isNotification: true)
    }
  }

  /// Whether a new status comes into a stream of the viewer's.
  private func holds(_ stream: StreamName, _ id: Int64) throws -> Bool {
    guard let feed = try feed(of: stream) else { return false }
    return try contains(feed, id)
  }

  /// The feed whose new qwinks a stream has; nil if it has none.
  private func feed(of stream: StreamName) throws -> Feed? {
    switch stream {
    case .user: .home
    case .everyone: .everyone
    case .tag(let tag, _): .tag(tag)
    case .list(let list): try ownList(list).map(Feed.list)
    case .notifications, .direct: nil
    }
  }

  /// Whether a stream tells when a status changes: if the stream has it, or a boost of it. That of the user tells of
  /// their direct qwinks too, which are in no feed.
  private func changes(_ stream: StreamName, _ id: Int64) throws -> Bool {
    if try holds(stream, id) { return true }
    switch stream {
    case .user, .list: break
    case .notifications, .everyone, .tag, .direct: return false
    }
    guard let target = try visibleTarget(id) else { return false }
    if target.visibility == .direct { return stream == .user }
    let boosts = try numbers(
      """
      SELECT s.id FROM statuses s WHERE s.boost_of_id = ?1 AND (s.account_id = ?2
      OR s.account_id IN (SELECT target_id FROM follows WHERE account_id = ?2 AND shows_boosts))
      ORDER BY s.id DESC LIMIT ?3
      """, [target.id, viewer, Self.mostBoosts])
    return try boosts.contains { try holds(stream, $0) }
  }

  /// The boosts of a changed status that are looked for in a timeline.
  private static let mostBoosts = 20
}
