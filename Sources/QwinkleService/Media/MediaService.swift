import FoundationEssentials
import HTTPTypes
public import QwinkleModel
public import QwinkleWire
import Synchronization

/// The outcome of fetching a file.
public enum MediaOutcome: Hashable, Sendable {
  case whole([UInt8])
  /// Incomplete, with the error, and the bytes so far if the server can resume after them.
  case broken(MediaError, part: PartialResource?)
}

/// The reason why a file couldn't be fetched completely.
public enum MediaError: Error, Hashable, Sendable {
  case refused(MediaRules.Refusal)
  case transport(TransportError)
  /// The server responded with this HTTP status.
  case status(Int)
  case tooLarge
  /// The server sent this content type, which isn't accepted.
  case type(String)
  case tooManyRedirects
}

extension MediaError {
  /// The network failure behind a failed download.
  public enum Trouble: Hashable, Sendable {
    case cancelled
    /// The server can't be reached, or the connection broke.
    case notReachable
    /// Another failure, with a short description. The description is empty if the network didn't fail.
    case other(String)
  }

  /// The network failure that caused this error, if any.
  public var trouble: Trouble {
    guard case .transport(let error) = self else { return .other("") }
    return switch error {
    case .cancelled: .cancelled
    case .untrusted: .other("the server's certificate is not valid")
    case .malformed: .other("the server's answer is not HTTP")
    case .local(let reason), .file(let reason): .other(reason)
    case .unknownHost, .refused, .timedOut, .interrupted, .tooLarge, .socket: .notReachable
    }
  }
}

/// Fetches pictures and plain texts. Strangers choose the URLs, so requests carry no token, cookie or Referer, and
/// ``MediaRules`` decides which URLs are fetched. Callable from anywhere.
public final class MediaService: Sendable {
  private static let mostRedirects = 3
  private static let patience = Duration.seconds(120)

  private let rules: Mutex<MediaRules>
  private let own: LazyTransport
  private let others: LazyTransport
  private let resolver: any HostResolver
  private let proxies: @Sendable () -> ProxyRules

  /// - Parameters:
  ///   - rules: Decides which URLs are fetched.
  ///   - own: Creates the transport for the server's own host.
  ///   - others: Creates the transport for all other hosts: an ``HTTPTransport`` that refuses private addresses.
  ///   - resolver: Resolves host names, so that a name of a private address can be refused.
  ///   - proxies: Decides which hosts are reached through a proxy. The proxy resolves these hosts instead of
  ///     `resolver`.
  public init(
    rules: MediaRules, own: @escaping @Sendable () -> any Transport,
    others: @escaping @Sendable () -> any Transport, resolver: any HostResolver = SystemResolver(),
    proxies: @escaping @Sendable () -> ProxyRules = { .none }
  ) {
    self.rules = Mutex(rules)
    self.own = LazyTransport(own)
    self.others = LazyTransport(others)
    self.resolver = resolver
    self.proxies = proxies
  }

  /// Changes the rules for later requests.
  public func use(_ change: @Sendable (inout MediaRules) -> Void) {
    rules.withLock { change(&$0) }
  }

  /// Fetches a file, or only the bytes after `part` if the server still has the same version of the file. If the task
  /// is cancelled, returns the bytes received so far, or no bytes if the server can't resume after them.
  ///
  /// - Parameters:
  ///   - kind: The expected kind of file.
  ///   - didReceive: Called as data arrives, with the number of bytes so far and the total if known.
  @concurrent public func fetch(
    _ address: String, after part: PartialResource?, isByKey: Bool, mostBytes: Int, kind: MediaKind = .picture,
    didReceive: @escaping @Sendable (_ bytes: Int, _ of: Int?) -> Void = { _, _ in }
  ) async -> MediaOutcome {
    var address = address
    var part = part?.validator == nil ? nil : part
    for _ in 0...Self.mostRedirects {
      let rules = rules.withLock { $0 }
      if let refusal = rules.refusal(of: address, isByKey: isByKey) { return .broken(.refused(refusal), part: nil) }
      guard let url = URL(web: address), let origin = Origin(url) else {
        return .broken(.refused(.malformed), part: nil)
      }
      let isOwn = rules.isOwnHost(origin)
      if !isOwn, await isNearby(origin) { return .broken(.refused(.privateAddress), part: nil) }
      let target = Target(resolving: address, from: Target(origin: origin, path: "/"))
      let receipt = MediaReceipt(part: part, mostBytes: mostBytes, kind: kind, didReceive: didReceive)
      let request = Self.request(
        kind, target ?? Target(origin: origin, path: "/"), part: part, receipt: receipt, mostBytes)
      switch await receipt.outcome(of: request, through: isOwn ? own : others) {
      case .done(let outcome): return outcome
      case .again: part = nil
      case .redirect(let location):
        guard let next = target.flatMap({ Target(resolving: location, from: $0) }) else {
          return .broken(.refused(.malformed), part: nil)
        }
        address = next.url
      }
    }
    return .broken(.tooManyRedirects, part: nil)
  }

  /// Closes connections and threads.
  @concurrent public func shutDown() async {
    await own.shutDown()
    await others.shutDown()
  }

  /// Whether a host resolves to a private address. Always false behind a proxy, which resolves names itself.
  private func isNearby(_ origin: Origin) async -> Bool {
    if let proxy = try? proxies().proxy(for: origin), proxy.port > 0 { return false }
    return await resolver.addresses(of: origin.host).contains { PrivateAddress.contains($0) }
  }

  private static func request(
    _ kind: MediaKind, _ target: Target, part: PartialResource?, receipt: MediaReceipt, _ mostBytes: Int
  ) -> TransportRequest {
    var head = HTTPRequest(
      method: .get, scheme: target.origin.scheme, authority: target.origin.authority, path: target.path)
    head.headerFields[.userAgent] = DownloadService.userAgent
    head.headerFields[.accept] = kind.accept
    // Request the file without compression, because lengths and ranges must refer to the file itself.
    head.headerFields[.acceptEncoding] = "identity"
    if let part, let validator = part.validator {
      head.headerFields[.range] = "bytes=\(part.bytes.count)-"
      head.headerFields[.ifRange] = validator
    }
    var request = TransportRequest(head: head, mostBytes: mostBytes, timeout: patience)
    request.didReceivePart = { receipt.receive($1, of: $0) }
    return request
  }
}
