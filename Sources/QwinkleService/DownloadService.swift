public import QwinkleModel
public import QwinkleWire
public import Timekeeping

/// Fetches from one service, as one account or signed out, and decodes what comes. The only part
/// that knows about the network and JSON. On the main actor; the work is done elsewhere.
@MainActor
public final class DownloadService {
  /// Who is asked, and as whom.
  public struct Configuration: Sendable {
    /// `https://host[:port]`, without a path.
    public var serverURL: String
    /// The bearer token; nil: signed out.
    public var token: String?

    public init(serverURL: String, token: String? = nil) {
      self.serverURL = serverURL
      self.token = token
    }
  }

  /// A service that asks `configuration.serverURL` through `transport`. The transport is made when first used, so that
  /// making a service costs nothing at start.
  public init(
    configuration: Configuration, ledger: ActivityLedger, transport: @escaping @Sendable () -> any Transport
  ) {
    fatalError("to be written")
  }

  /// Asks the server who it is and what it can do, `.serverInfo`, and, where there is a token, who I am, `.qwinker`.
  @discardableResult
  public func connect(delegate: any DownloadServiceDelegate) -> DownloadIdentifier {
    fatalError("to be written")
  }

  /// Starts `request`, or joins it where it is already under way.
  @discardableResult
  public func start(_ request: DownloadRequest, delegate: any DownloadServiceDelegate) -> DownloadIdentifier {
    fatalError("to be written")
  }

  /// Ends a download. Its delegates hear `didFinish` and nothing else.
  public func cancel(_ identifier: DownloadIdentifier) {
    fatalError("to be written")
  }
}
