/// Parsing and comparison of handles as users write them.
public enum Handle {
  /// Returns the handle in `text`, with or without a leading `@`, in the form that the API expects: `alice` or
  /// `alice@example.org`, with the host normalized like ``ServerAddress/host``. Returns nil if `text` isn't a handle.
  public static func reading(_ text: String) -> String? {
    let name = text.hasPrefix("@") ? text.dropFirst() : text[...]
    let parts = name.split(separator: "@", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }), !name.contains(where: \.isWhitespace)
    else { return nil }
    guard parts.count == 2 else { return String(name) }
    return ServerAddress.name(in: "https://\(parts[1])").map { "\(parts[0])@\($0)" }
  }

  /// Returns a key that is equal for all spellings of a handle. It ignores case, the spelling of the host, and the
  /// port, which mentions in posts omit.
  public static func key(_ handle: String) -> String {
    let name = handle.lowercased()
    guard let at = name.lastIndex(of: "@") else { return name }
    let host = Qwinker.hostForm(String(name.suffix(from: name.index(after: at))))
    return "\(name.prefix(through: at))\(host)"
  }

  /// Returns the full handle of the user with the profile at `address`: `https://example.org/@alice` or `/users/alice`.
  /// Returns nil for addresses of any other form.
  public static func reading(profile address: WebAddress) -> String? {
    let parts = address.target.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
    let name: Substring
    switch parts.count {
    case 3 where parts[2].hasPrefix("@"): name = parts[2]
    case 4 where parts[2] == "users": name = parts[3]
    default: return nil
    }
    return reading(String(name)).map { $0.contains("@") ? $0 : "\($0)@\(parts[1])" }
  }
}
