public import QwinkleModel
public import QwinkleService

/// Fetches resources from a ``MediaService``.
public struct MediaFetcher: ResourceFetching {
  private let service: MediaService
  private let kind: MediaKind

  /// - Parameter kind: The expected kind of file. Files of any other kind are rejected.
  public init(_ service: MediaService, kind: MediaKind = .picture) {
    self.service = service
    self.kind = kind
  }

  @concurrent public func fetch(
    _ address: String, after part: PartialResource?, isByKey: Bool, mostBytes: Int,
    didReceive: @escaping @Sendable (ResourceAmount) -> Void
  ) async -> ResourceFetchResult {
    let outcome = await service.fetch(address, after: part, isByKey: isByKey, mostBytes: mostBytes, kind: kind) {
      didReceive(ResourceAmount(received: $0, total: $1))
    }
    switch outcome {
    case .whole(let bytes): return .whole(bytes)
    case .broken(let error, let part): return .broken(Self.meaning(of: error), part: part)
    }
  }

  private static func meaning(of error: MediaError) -> ResourceError {
    switch error {
    case .refused(.needsKey): .needsKey
    case .refused: .notAllowed
    case .status(404), .status(410): .gone
    case .status(let status): .failed("the server answered \(status)")
    case .tooLarge: .tooLarge
    case .type: .refusedType
    case .tooManyRedirects: .failed("too many redirects")
    case .transport:
      switch error.trouble {
      case .cancelled: .cancelled
      case .notReachable: .noNetwork
      case .other(let words): .failed(words)
      }
    }
  }
}
