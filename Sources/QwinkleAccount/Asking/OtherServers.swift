public import QwinkleModel
public import QwinkleService
public import Timekeeping

/// Fetches public data from servers other than the account's: without signing in, over TLS, and only when the user
/// presses a key for it.
@MainActor
public final class OtherServers {
  private let clock: any ProgramClock
  private let service: @MainActor (String) -> DownloadService
  /// The connection used last.
  private var last: AccountConnection?
  /// All connections in use.
  private var connections: [Use] = []

  private struct Use {
    weak var connection: AccountConnection?
  }

  /// - Parameter service: Creates the service for a server, `https://host[:port]`. Its transport must refuse private
  ///   addresses, because the addresses are taken from strangers' posts.
  public init(clock: any ProgramClock, service: @escaping @MainActor (String) -> DownloadService) {
    self.clock = clock
    self.service = service
  }

  /// Sends `request` to the server of `address`. The caller must retain the returned fetch. Returns nil if requests to
  /// that server aren't allowed: it has no TLS, or is on this machine or in a local network.
  public func fetch<Answer>(
    _ request: Request<Answer>, from address: WebAddress,
    completion: @escaping @MainActor (Result<Answer, DownloadError>) -> Void
  ) -> Fetch? {
    connection(for: request, to: address)?.fetch(request, completion: completion)
  }

  /// Sends `request` to the server of `address` and returns its answer; nil if requests to that server aren't allowed.
  func answer<Answer>(
    to request: Request<Answer>, from address: WebAddress
  ) async throws(DownloadError) -> Answer? {
    guard let connection = connection(for: request, to: address) else { return nil }
    return try await connection.answer(to: request)
  }

  /// Cancels all downloads from other servers.
  func cancelReads() {
    for use in connections { use.connection?.cancelReads() }
  }

  private func connection<Answer>(for request: Request<Answer>, to address: WebAddress) -> AccountConnection? {
    request.isWrite ? nil : connection(to: address)
  }

  /// Returns a connection to the server of `address`, which is signed out; nil if requests to that server aren't
  /// allowed. Use it only for reading.
  func connection(to address: WebAddress) -> AccountConnection? {
    let rules = MediaRules(serverURL: "")
    guard rules.refusal(of: address.target, isByKey: true) == nil,
      let server = MediaRules.server(of: address.target)
    else { return nil }
    if last?.serverURL != server {
      let connection = AccountConnection(service: service(server), clock: clock, isSignedIn: false)
      last = connection
      connections.removeAll { $0.connection == nil }
      connections.append(Use(connection: connection))
    }
    return last
  }
}
