public import QwinkleModel
public import QwinkleService
public import Timekeeping

/// Asks other servers than the account's for what they show to everybody: signed out, over TLS, and only where a key
/// asks for it.
@MainActor
public final class OtherServers {
  private let clock: any ProgramClock
  private let service: @MainActor (String) -> DownloadService
  /// The server asked last.
  private var last: AccountConnection?

  /// - Parameter service: makes the service for a server, `https://host[:port]`. Its transport must refuse private
  ///   addresses: strangers choose them.
  public init(clock: any ProgramClock, service: @escaping @MainActor (String) -> DownloadService) {
    self.clock = clock
    self.service = service
  }

  /// Sends `request` to the server of `address`, for an owner who holds the result. Returns nil if that server isn't
  /// asked: it has no TLS, or is on this machine or a network nearby.
  public func fetch<Answer>(
    _ request: Request<Answer>, from address: WebAddress,
    completion: @escaping @MainActor (Result<Answer, DownloadError>) -> Void
  ) -> Fetch? {
    connection(for: request, to: address)?.fetch(request, completion: completion)
  }

  /// Sends `request` to the server of `address` and returns its answer; nil if that server isn't asked.
  func answer<Answer>(
    to request: Request<Answer>, from address: WebAddress
  ) async throws(DownloadError) -> Answer? {
    guard let connection = connection(for: request, to: address) else { return nil }
    return try await connection.answer(to: request)
  }

  private func connection<Answer>(for request: Request<Answer>, to address: WebAddress) -> AccountConnection? {
    let rules = MediaRules(serverURL: "")
    guard !request.isWrite, rules.refusal(of: address.target, isByKey: true) == nil,
      let server = MediaRules.server(of: address.target)
    else { return nil }
    if last?.serverURL != server {
      last = AccountConnection(service: service(server), clock: clock, isSignedIn: false)
    }
    return last
  }
}
