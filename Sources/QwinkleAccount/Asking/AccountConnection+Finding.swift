public import QwinkleModel
public import QwinkleService

/// A failure to find a qwink or a user by name.
public enum FindingError: Error, Hashable, Sendable {
  case failed(DownloadError)
  /// The name looks like an address and is none.
  case noAddress(String)
  case noQwink(String)
  case noQwinker(String)

  /// The message for the user: the failure and what to do.
  public var sentence: String {
    switch self {
    case .failed(let error): error.sentence
    case .noAddress(let name): "“\(name)” is not the address of a qwink."
    case .noQwink(let name): "Not found: “\(name)” is deleted, not visible to you, or unknown to this server."
    case .noQwinker(let name): "User not found: “\(name)”."
    }
  }
}

/// Finding what a command names.
extension AccountConnection {
  /// The qwink with this id or address.
  public func qwink(named name: String) async throws(FindingError) -> Qwink {
    guard name.contains("://") else { return try await find(.qwink(Qwink.ID(name))) }
    guard let address = WebAddress(name) else { throw .noAddress(name) }
    let id = Self.qwinkID(in: address, on: serverURL)
    do throws(DownloadError) {
      // Servers resolve URLs of other servers too, but some only for signed-in users.
      let results = try await answer(to: .search(address.url, limit: 1))
      if let found = results.qwinks.first { return found }
    } catch {
      if id == nil, error.mayPass { throw .failed(error) }
    }
    guard let id else { throw .noQwink(name) }
    return try await find(.qwink(id))
  }

  /// The user with this handle or profile address.
  public func qwinker(named name: String) async throws(FindingError) -> Qwinker {
    if let handle = name.contains("://") ? nil : Handle.reading(name) {
      do throws(DownloadError) {
        return try await answer(to: .lookup(handle: handle))
      } catch {
        // The lookup call finds only accounts that the server knows. The search finds others too.
        guard case .notFound = error, handle.contains("@"), isSignedIn else { throw .failed(error) }
      }
    }
    let found = try await find(.search(name, limit: 5)).qwinkers
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

  /// The id at the end of one of the server's own URLs, as most servers write them: `https://tilde.example/@anna/123`.
  static func qwinkID(in address: WebAddress, on serverURL: String) -> Qwink.ID? {
    guard let server = WebAddress(serverURL), server.isOnSameHost(as: address) else { return nil }
    let path = address.target.split { $0 == "?" || $0 == "#" }.first ?? ""
    guard let last = path.split(separator: "/").dropFirst(2).last,
      last.utf8.allSatisfy({ byte in byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || isAlphanumeric(byte) })
    else { return nil }
    return Qwink.ID(String(last))
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
  }
}
