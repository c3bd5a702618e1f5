import QwinkleModel

/// This server's ids of qwinkers, by their full handles. Other servers know the same qwinkers by other ids.
struct HandleIndex {
  /// The host of the account's server.
  private let server: String?
  /// A handle may have several ids: addresses of profiles are their servers' own words.
  private var ids: [String: Set<Qwinker.ID>] = [:]
  private var handles: [Qwinker.ID: Set<String>] = [:]

  /// An empty index for the server with this address.
  init(serverURL: String) { server = WebAddress(serverURL)?.hostName.ascii }

  mutating func insert(_ qwinker: Qwinker) {
    guard !qwinker.isElsewhere else { return }
    let found = qwinker.fullHandles(on: server)
    handles[qwinker.id, default: []].formUnion(found)
    for handle in found { ids[handle, default: []].insert(qwinker.id) }
  }

  /// Returns the ids here of a qwinker in another server's answer.
  func ids(of qwinker: Qwinker) -> Set<Qwinker.ID> {
    qwinker.fullHandles(on: nil).reduce(into: []) { $0.formUnion(ids[$1] ?? []) }
  }

  /// Returns the hosts of a qwinker; none if their handle is unknown.
  func hosts(of id: Qwinker.ID) -> Set<String> { Self.hosts(in: handles[id] ?? []) }

  func hosts(of qwinker: Qwinker) -> Set<String> { Self.hosts(in: qwinker.fullHandles(on: server)) }

  private static func hosts(in handles: Set<String>) -> Set<String> {
    Set(handles.compactMap { $0.split(separator: "@").last.map(String.init) })
  }
}
