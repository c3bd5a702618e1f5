import QwinkleModel

/// This server's ids of qwinkers, by their full handles. Other servers know the same qwinkers by other ids.
struct HandleIndex: Sendable {
  /// The host of the account's server.
  private let server: String?
  /// A handle may have several ids: addresses of profiles are their servers' own words.
  private var ids: [String: Set<Qwinker.ID>] = [:]
  private var hosts: [Qwinker.ID: String] = [:]

  /// An empty index for the server with this address.
  init(serverURL: String) { server = WebAddress(serverURL)?.hostName.ascii }

  mutating func insert(_ qwinker: Qwinker) {
    guard !qwinker.isFromOtherServer else { return }
    for handle in qwinker.fullHandles(on: server) { ids[handle, default: []].insert(qwinker.id) }
    hosts[qwinker.id] = qwinker.handleHost
  }

  /// Returns the ids here of a qwinker, who may be in another server's answer.
  func ids(of qwinker: Qwinker) -> Set<Qwinker.ID> {
    guard qwinker.isFromOtherServer else { return [qwinker.id] }
    return qwinker.fullHandles(on: nil).reduce(into: []) { $0.formUnion(ids[$1] ?? []) }
  }

  /// Returns the host in the handle of a qwinker; nil if the handle is unknown or has no host.
  func host(of id: Qwinker.ID) -> String? { hosts[id] }
}
