import QwinkleModel

/// The ids of qwinkers on the account's server, by full handle. Other servers use different ids for the same qwinkers.
struct HandleIndex: Sendable {
  /// The host of the account's server.
  private let server: String?
  /// Several ids may share a handle, because handles are also derived from profile addresses, which servers choose
  /// freely.
  private var ids: [String: Set<Qwinker.ID>] = [:]
  private var hosts: [Qwinker.ID: String] = [:]

  /// Creates an empty index for the server at this address.
  init(serverURL: String) { server = WebAddress(serverURL)?.hostName.ascii }

  mutating func insert(_ qwinker: Qwinker) {
    guard !qwinker.isFromOtherServer else { return }
    for handle in qwinker.fullHandles(on: server) { ids[handle, default: []].insert(qwinker.id) }
    hosts[qwinker.id] = qwinker.handleHost
  }

  /// Returns the qwinker's ids on the account's server. `qwinker` may be from another server's response.
  func ids(of qwinker: Qwinker) -> Set<Qwinker.ID> {
    guard qwinker.isFromOtherServer else { return [qwinker.id] }
    return qwinker.fullHandles(on: nil).reduce(into: []) { $0.formUnion(ids[$1] ?? []) }
  }

  /// Returns the host in a qwinker's handle, or nil if the handle is unknown or has no host.
  func host(of id: Qwinker.ID) -> String? { hosts[id] }
}
