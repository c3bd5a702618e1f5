/// Listeners by account and stream, so that an event costs nothing for listeners of other streams.
struct StreamIndex: Sendable {
  /// A stream as one account's listeners have it, or signed-out listeners.
  struct Place: Hashable, Sendable {
    /// nil: signed out.
    var viewer: Int64?
    var stream: StreamName
  }

  private var listeners: [Place: Set<EventHub.ID>] = [:]
  /// Accounts that listen to a public stream.
  private var viewers: [StreamName: Set<Int64>] = [:]
  /// Streams of an account's own that it listens to.
  private var own: [Int64: Set<StreamName>] = [:]

  /// Accounts that listen to streams of their own.
  var accounts: [Int64] { Array(own.keys) }

  /// The listeners at a place.
  func listeners(at place: Place) -> Set<EventHub.ID> { listeners[place] ?? [] }

  /// Adds a listener. Returns the stream as the index stores it: listeners of one tag share the memory of its name.
  mutating func insert(_ id: EventHub.ID, at place: Place) -> StreamName {
    if let known = listeners.index(forKey: place) {
      listeners.values[known].insert(id)
      return listeners.keys[known].stream
    }
    listeners[place] = [id]
    if let viewer = place.viewer {
      if place.stream.needsViewer {
        own[viewer, default: []].insert(place.stream)
      } else {
        viewers[place.stream, default: []].insert(viewer)
      }
    }
    return place.stream
  }

  mutating func remove(_ id: EventHub.ID, from place: Place) {
    listeners[place]?.remove(id)
    guard listeners[place]?.isEmpty == true else { return }
    listeners[place] = nil
    guard let viewer = place.viewer else { return }
    if place.stream.needsViewer {
      own[viewer]?.remove(place.stream)
      if own[viewer]?.isEmpty == true { own[viewer] = nil }
    } else {
      viewers[place.stream]?.remove(viewer)
      if viewers[place.stream]?.isEmpty == true { viewers[place.stream] = nil }
    }
  }

  /// The places with listeners that may receive an event.
  func places(for item: StreamItem) -> [Place] {
    switch item.event {
    case .posted, .edited, .deleted:
      (item.facts?.publicStreams ?? []).flatMap(places(of:)) + item.readers.flatMap { places(of: $0, \.isTimeline) }
    case .notified(_, let account): places(of: account) { $0 == .user || $0 == .notifications }
    case .conversation(_, let accounts): accounts.flatMap { places(of: $0) { $0 == .direct } }
    case .filtersChanged(let account): places(of: account) { $0 == .user }
    }
  }

  /// The places of a public stream.
  private func places(of stream: StreamName) -> [Place] {
    let signedOut = Place(viewer: nil, stream: stream)
    let places = (viewers[stream] ?? []).map { Place(viewer: $0, stream: stream) }
    return listeners[signedOut] == nil ? places : places + [signedOut]
  }

  /// The places of an account's own streams.
  private func places(of account: Int64, _ isMeant: (StreamName) -> Bool) -> [Place] {
    (own[account] ?? []).filter(isMeant).map { Place(viewer: account, stream: $0) }
  }
}
