/// An index of listeners by account and stream. Handling an event costs nothing for listeners of other streams.
struct StreamIndex: Sendable {
  /// A stream, together with the account that receives it.
  struct Place: Hashable, Sendable {
    /// The account, or nil for signed-out listeners.
    var viewer: Int64?
    var stream: StreamChannel
  }

  private var listeners: [Place: Set<EventHub.ID>] = [:]
  /// The accounts that subscribe to each public stream.
  private var viewers: [StreamChannel: Set<Int64>] = [:]
  /// The personal streams that each account subscribes to.
  private var own: [Int64: Set<StreamChannel>] = [:]

  var accounts: [Int64] { Array(own.keys) }

  func listeners(at place: Place) -> Set<EventHub.ID> { listeners[place] ?? [] }

  /// Adds a listener. Returns the stream as stored in the index, so that listeners of the same tag share the memory of
  /// its name.
  mutating func insert(_ id: EventHub.ID, at place: Place) -> StreamChannel {
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

  /// Returns the places that have listeners and may receive an event.
  func places(for item: StreamItem) -> [Place] {
    switch item.event {
    case .posted, .edited, .deleted:
      (item.facts?.publicStreams ?? []).flatMap(places(of:)) + item.readers.flatMap { places(of: $0, \.isTimeline) }
    case .notified(_, let account): places(of: account) { $0 == .user || $0 == .notifications }
    case .conversation(_, let accounts): accounts.flatMap { places(of: $0) { $0 == .direct } }
    case .filtersChanged(let account): places(of: account) { $0 == .user }
    }
  }

  private func places(of stream: StreamChannel) -> [Place] {
    let signedOut = Place(viewer: nil, stream: stream)
    let places = (viewers[stream] ?? []).map { Place(viewer: $0, stream: stream) }
    return listeners[signedOut] == nil ? places : places + [signedOut]
  }

  /// Returns the places of an account's personal streams that satisfy a condition.
  private func places(of account: Int64, _ isMeant: (StreamChannel) -> Bool) -> [Place] {
    (own[account] ?? []).filter(isMeant).map { Place(viewer: account, stream: $0) }
  }
}
