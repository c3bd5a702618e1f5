/// Handles as people write them.
public enum Handle {
  /// The handle in `text`, with or without a leading `@`, as the API takes it: `alice` or `alice@example.org`. Nil if
  /// `text` is no handle.
  public static func reading(_ text: String) -> String? {
    let name = text.hasPrefix("@") ? text.dropFirst() : text[...]
    let parts = name.split(separator: "@", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }), !name.contains(where: \.isWhitespace)
    else { return nil }
    return String(name)
  }
}
