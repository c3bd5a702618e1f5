import QwinkleModel
import QwinkleService
import QwinkleWire
import SafeText

extension ServerAddress {
  /// Parses a typed or saved address. An error is reported as a usage error.
  init(typed text: String) throws(AppError) {
    do throws(ServerAddressError) {
      try self.init(text)
    } catch {
      throw .usage(error.sentence)
    }
  }

  /// Parses the server of a sign-in. Many users know only their handle or profile, so this also accepts a handle, such
  /// as `@anna@tilde.example`, and the address of a profile.
  init(signingIn text: String) throws(AppError) {
    let text = text.trimmed()
    if text.hasPrefix("@"), !text.dropFirst().contains("@") {
      throw .usage("“\(text)” does not name a server. Use a whole handle, such as @anna@tilde.example.")
    }
    try self.init(typed: Self.server(ofProfile: text) ?? Self.server(ofHandle: text) ?? text)
  }

  private static func server(ofHandle text: String) -> String? {
    guard let handle = Handle.reading(text), let at = handle.lastIndex(of: "@") else { return nil }
    // A name with other characters may be a user name and a password, which `init(typed:)` rejects.
    let isName = handle[..<at].utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    return isName ? String(handle[handle.index(after: at)...]) : nil
  }

  private static func server(ofProfile text: String) -> String? {
    guard let profile = WebAddress(typed: text), !profile.namesUser, let handle = Handle.reading(profile: profile),
      let at = handle.lastIndex(of: "@")
    else { return nil }
    let host = String(handle[handle.index(after: at)...])
    // A server's page about another server's user has the other server in the handle. Its scheme is unknown.
    guard host == name(in: "https://\(profile.host)"), let end = text.firstRange(of: "://")?.upperBound else {
      return host
    }
    return "\(text[..<end])\(host)"
  }

  /// Returns a line about the server for a user who is about to sign in: `tilde.example · Tilde, 120 users`. Returns
  /// nil if the server has no title.
  func words(about info: ServerInfo) -> String? {
    guard !info.title.isEmpty else { return nil }
    let count: String? =
      switch (info.stats?.users ?? 0, info.stats?.active ?? 0) {
      case (1..., _): info.stats.map { Counted.words($0.users, "user") }
      case (_, 1...): info.stats.map { Counted.words($0.active, "active user") }
      default: nil
      }
    return "\(host) · \([info.title, count].compactMap(\.self).joined(separator: ", "))"
  }

  /// A warning for the user before a token is sent. Nil if the connection is encrypted or stays on this machine.
  var warningAboutToken: String? {
    guard scheme == "http", !LoopbackHost.contains(hostName.ascii) else { return nil }
    return "Warning: http sends your token unencrypted. Use https if the server supports it."
  }

  /// Returns an error that suggests another address, if a request failed because of the address that the user typed:
  /// plain HTTP if the user typed no scheme and the server doesn't support HTTPS, or a similar name if the host doesn't
  /// exist. Returns other errors unchanged.
  ///
  /// - Parameter usedServers: Servers where the user has signed in. A folder named after a server proves nothing: a
  ///   session without an account creates one even for a name that doesn't exist.
  func explained(
    _ error: any Error, usedServers: @autoclosure () -> [String] = KnownCompletions.accountServers(Paths())
  ) -> any Error {
    let download: DownloadError? =
      switch error {
      case SignInError.server(let error): error
      case let error as DownloadError: error
      default: nil
      }
    switch download {
    case .transport(.untrusted(_, TransportError.noHTTPS)) where assumesHTTPS:
      return AppError.failed("\(host) does not speak HTTPS. For plain HTTP, write http://\(host).")
    case .transport(.unknownHost(host)):
      return adviceAboutName(usedServers()).map { AppError.failed("Unknown host: \(host). \($0)") } ?? error
    default: return error
    }
  }

  private func adviceAboutName(_ usedServers: [String]) -> String? {
    if let nearest = nearestHost(among: usedServers) {
      return "Did you mean \(nearest)? If not, check your network connection."
    }
    guard !hostName.ascii.contains(where: { $0 == "." || $0 == ":" }) else { return nil }
    return "Write its whole name, such as \(hostName.ascii).example, and check your network connection."
  }
}
