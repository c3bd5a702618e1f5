public import QwinkleModel
public import QwinkleService

/// A failure to find a qwink or a user by name.
public enum FindingError: Error, Hashable, Sendable {
  case failed(DownloadError)
  /// The name looks like an address but isn't valid.
  case noAddress(String)
  case noQwink(String)
  case noQwinker(String)

  /// The message for the user: the reason and, where possible, advice.
  public var sentence: String {
    switch self {
    case .failed(let error): error.sentence
    case .noAddress(let name): "“\(name)” is not the address of a post."
    case .noQwink(let name): "Not found: “\(name)” was deleted, is not visible to you, or is not on this server."
    case .noQwinker(let name): "User not found: “\(name)”."
    }
  }
}

/// Finds the qwinks and qwinkers named in commands.
extension AccountConnection {
  /// Returns the qwink with this id or address.
  public func qwink(named name: String) async throws(FindingError) -> Qwink {
    try await sourcedQwink(named: name).answer
  }

  /// Returns the qwink with this id or address, and its JSON.
  public func sourcedQwink(named name: String) async throws(FindingError) -> Sourced<Qwink> {
    guard name.contains("://") else { return try await find(Qwink.ID(name), named: name) }
    guard let address = WebAddress(name) else { throw .noAddress(name) }
    let id = qwinkID(in: address, domain: nil)
    do throws(DownloadError) {
      // Servers resolve URLs of other servers too, but some do so only for signed-in users.
      let results = try await answer(to: Request<SearchResults>.search(address.url, limit: 1).sourced)
      if let found = results.firstQwink { return found }
    } catch {
      if id == nil, error.mayPass { throw .failed(error) }
    }
    guard let id else { throw .noQwink(name) }
    return try await find(id, named: name)
  }

  private func find(_ id: Qwink.ID, named name: String) async throws(FindingError) -> Sourced<Qwink> {
    do throws(FindingError) {
      return try await find(Request<Qwink>.qwink(id).sourced)
    } catch {
      // Without a message, the server may not have this API.
      if case .failed(.notFound(_, let message)) = error, !message.isEmpty { throw .noQwink(name) }
      throw error
    }
  }

  /// Returns the user with this handle or profile address.
  public func qwinker(named name: String) async throws(FindingError) -> Qwinker {
    let handle = name.contains("://") ? nil : Handle.reading(name)
    if let handle {
      do throws(DownloadError) {
        return try await answer(to: .lookup(handle: handle))
      } catch {
        // The lookup finds only accounts that the server already knows. If it finds none, continue with a search, which
        // also finds accounts on other servers.
        guard case .notFound(_, let message) = error else { throw .failed(error) }
        guard handle.contains("@"), isSignedIn else {
          throw message.isEmpty ? .failed(error) : .noQwinker(name)
        }
      }
    }
    let query = handle.map { name.hasPrefix("@") ? "@\($0)" : $0 } ?? name
    let found = try await find(.search(query, limit: 5)).qwinkers
    let wanted = found.first { $0.url == name || name.contains("@") && $0.isCalled(String(name.trimmingPrefix("@"))) }
    if let wanted = wanted ?? (name.contains("://") ? found.first : nil) { return wanted }
    throw .noQwinker(name)
  }

  private func find<Answer>(_ request: Request<Answer>) async throws(FindingError) -> Answer {
    do throws(DownloadError) {
      return try await answer(to: request)
    } catch {
      throw .failed(error)
    }
  }

  /// Returns the id at the end of a URL of this server, in the usual format: `https://tilde.example/@anna/123`.
  /// `domain` is the server's own name for itself, if known.
  public func qwinkID(in address: WebAddress, domain: String?) -> Qwink.ID? {
    guard isOwn(address, domain: domain) else { return nil }
    let path = address.target.split { $0 == "?" || $0 == "#" }.first ?? ""
    guard let last = path.split(separator: "/").dropFirst(2).last,
      last.utf8.allSatisfy(Self.mayBeInID)
    else { return nil }
    return Qwink.ID(String(last))
  }

  nonisolated private static func mayBeInID(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte)
      || (0x41...0x5A).contains(byte & 0xDF)
  }
}
