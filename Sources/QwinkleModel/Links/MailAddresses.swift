/// The recipients of a `mailto:` link (RFC 6068).
struct MailAddresses {
  /// In lower case. Empty for other schemes, or without a readable recipient.
  private let addresses: [String]

  init(_ url: String) {
    let scheme = "mailto:"
    guard url.lowercased().hasPrefix(scheme) else {
      addresses = []
      return
    }
    let names = url.dropFirst(scheme.count).prefix { $0 != "?" && $0 != "#" }
    addresses = names.split(separator: ",").compactMap { PercentEncoding.valid($0)?.lowercased() }
  }

  /// Whether `text`, the link's visible text, names only the link's recipients and their hosts.
  func isNamed(by text: String) -> Bool {
    let hosts = addresses.compactMap { HostName($0.split(separator: "@").last ?? "") }
    let named = NamedHost.all(in: text)
    guard !addresses.isEmpty, named.allSatisfy({ name in hosts.contains { name.name?.ascii == $0.ascii } }) else {
      return false
    }
    return text.lowercased().split(whereSeparator: { $0.isWhitespace || "<>(),;\"".contains($0) })
      .filter { $0.contains("@") }
      .allSatisfy { word in
        let word = word.hasPrefix("mailto:") ? word.dropFirst("mailto:".count) : word
        return addresses.contains { $0 == word || "\($0)." == word }
      }
  }
}
