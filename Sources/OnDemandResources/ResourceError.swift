/// An error that prevents access to a resource.
public enum ResourceError: Error, Hashable, Sendable {
  /// The server isn't reachable, or the connection was lost.
  case noNetwork
  /// The server no longer has the file (404, 410).
  case gone
  /// The disk is still full after other resources were purged.
  case noSpace
  /// The file exceeds ``ResourceLimits/single``.
  case tooLarge
  /// With these resources, the total size in use would exceed ``ResourceLimits/inUse``. To make room, end requests for
  /// resources that aren't visible, then retry.
  case inUseLimit
  /// The file isn't of the expected kind.
  case refusedType
  /// Automatic loading isn't allowed, but the user can load the resource by pressing a key.
  case needsKey
  /// Loading isn't allowed at all.
  case notAllowed
  case cancelled
  /// Another error, with a short reason.
  case failed(String)

  /// Short description for the user.
  public var sentence: String {
    switch self {
    case .noNetwork: "server not reachable"
    case .gone: "no longer on the server"
    case .noSpace: "disk full"
    case .tooLarge: "too large"
    case .inUseLimit: "too much in use"
    case .refusedType: "wrong file type"
    case .needsKey: "not loaded"
    case .notAllowed: "address not allowed"
    case .cancelled: "cancelled"
    case .failed(let reason): reason
    }
  }
}
