/// Why resources could not be had.
public enum ResourceError: Error, Hashable, Sendable {
  /// No server can be reached, or it broke off.
  case noNetwork
  /// The server has it no more (404, 410).
  case gone
  /// The disk is full, even after everything was purged that may be.
  case noSpace
  /// It is larger than a single resource may be.
  case tooLarge
  /// More is in use than may be: let go of what is out of sight, then ask again.
  case inUseLimit
  /// The server sends something else than was asked for.
  case refusedType
  /// The rules keep it from being fetched by itself; a key may.
  case needsKey
  /// The rules keep it from being fetched at all.
  case notAllowed
  /// Somebody cancelled it.
  case cancelled
  /// The server failed otherwise; the reason is a few words.
  case failed(String)

  /// What is wrong, in a few words.
  public var sentence: String {
    switch self {
    case .noNetwork: "server not reachable"
    case .gone: "no longer on the server"
    case .noSpace: "disk full"
    case .tooLarge: "too large"
    case .inUseLimit: "too much in use"
    case .refusedType: "not a picture"
    case .needsKey: "not loaded"
    case .notAllowed: "address not allowed"
    case .cancelled: "cancelled"
    case .failed(let reason): reason
    }
  }
}
