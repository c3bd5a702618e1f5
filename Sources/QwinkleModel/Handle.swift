/// Handles as people write them.
public enum Handle {
  /// The handle in `text`, with or without a leading `@`, as the API takes it: `alice` or `alice@example.org`, the host
  /// as ``ServerAddress/host``. Nil if `text` is no handle.
  public static func reading(_ text: String) -> String? {
    let name = text.hasPrefix("@") ? text.dropFirst() : text[...]
    let parts = name.split(separator: "@", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }), !name.contains(where: \.isWhitespace)
    else { return nil }
    guard parts.count == 2 else { return String(name) }
    return ServerAddress.name(in: "https://\(parts[1])").map { "\(parts[0])@\($0)" }
  }

  /// Equal for all spellings of a handle: case, the form of the host, and its port, which names in texts leave out.
  public static func key(_ handle: String) -> String {
    let name = handle.lowercased()
    guard let at = name.lastIndex(of: "@") else { return name }
    let host = Qwinker.hostForm(String(name.suffix(from: name.index(after: at))))
    return "\(name.prefix(through: at))\(host)"
  }

  /// The full handle of the user whose profile has `address`: `https://example.org/@alice`, or `/users/alice`. Nil if
  /// `address` has another form.
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
