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
  /// What a group of listeners is told of events. Nothing if the database can't be read: what is missing is there when
  /// the client reads its timeline next.
  func messages(
    about events: [ServiceEvent], to group: EventHub.Group, _ streams: Set<StreamName>
  ) async -> [StreamPost] {
    let posts = try? await readForStreams(group.origin) { session in
      var session = session
      session.viewer = group.viewer
      return try events.flatMap { event in try session.messages(about: event, streams) }
    }
    return posts ?? []
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
    case .deleted(let id, let audience):
      streams.filter { audience.contains(.init(viewer: viewer, stream: $0)) }.map {
        StreamPost(stream: $0, message: StreamMessage("delete", Array(String(id).utf8), of: $0))
      }
    case .notified(let id, let account):
      try notifications(id, account, streams)
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
    guard let feed = stream.feed else { return false }
    return try contains(feed, id)
  }

  /// Whether a stream tells when a status changes. That of the user tells of their direct qwinks too, which are in no
  /// feed.
  private func changes(_ stream: StreamName, _ id: Int64) throws -> Bool {
    if try holds(stream, id) { return true }
    guard stream == .user, let target = try visibleTarget(id) else { return false }
    return target.visibility == .direct
  }
}
