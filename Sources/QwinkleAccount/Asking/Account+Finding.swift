public import QwinkleModel
public import QwinkleService

/// The reason why a qwink of another server can't be acted on.
public enum OwnCopyError: Error, Hashable, Sendable {
  /// The user's server didn't find the qwink.
  case notFound
  /// The user's server doesn't communicate with other servers.
  case noOthers
  case failed(DownloadError)

  public var isCancelled: Bool { self == .failed(.cancelled) }

  /// The message for the user.
  public var sentence: String {
    switch self {
    case .notFound: "Your server can't find this post."
    case .noOthers: "The built-in service can't reach other servers."
    case .failed(let error): error.sentence
    }
  }
}

extension Account {
  /// Finds the user's server's copy of a qwink that was loaded from another server, by its URL. Actions need the copy,
  /// because the ids of the other server mean other qwinks here. The caller must retain the returned fetch.
  ///
  /// Signed out, most servers find only qwinks that they already know.
  public func findOwnCopy(
    of foreign: Qwink, completion: @escaping @MainActor (Result<Qwink, OwnCopyError>) -> Void
  ) -> Fetch? {
    guard !connection.isEmbedded else {
      completion(.failure(.noOthers))
      return nil
    }
    guard let address = foreign.url.flatMap({ WebAddress($0) }) else {
      completion(.failure(.notFound))
      return nil
    }
    return fetch(.search(address.url, limit: 1)) { result in
      switch result {
      case .success(let results):
        // A search by text can also return other qwinks.
        guard let found = results.qwinks.first(where: { $0.isCopy(of: foreign) }) else {
          return completion(.failure(.notFound))
        }
        completion(.success(found.original))
      case .failure(let error) where error.isCancelled || error.mayPass: completion(.failure(.failed(error)))
      case .failure: completion(.failure(.notFound))
      }
    }
  }
}

extension Qwink {
  /// Whether this is the user's server's version of a qwink that was loaded from another server: it has the same URL
  /// and an author of the same name. The name is checked because the other server chooses the URL.
  fileprivate func isCopy(of foreign: Qwink) -> Bool {
    original.url == foreign.url && author.userName.lowercased() == foreign.author.userName.lowercased()
  }
}

extension AccountConnection {
  /// The address of the embedded service. It has no address in a network.
  nonisolated public static let embeddedURL = "http://local"

  /// Whether the account is on the embedded service.
  public var isEmbedded: Bool { serverURL == Self.embeddedURL }
}
