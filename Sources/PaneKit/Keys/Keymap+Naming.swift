public import Terminal

extension Keymap {
  /// Separators that split a text into parts, outermost first. A part is omitted if it mentions an action without a
  /// key.
  private static let separators = [" · ", ". ", "; "]

  /// Returns `text` with keys in place of the ``Action/key`` placeholders. Omits each part that mentions an action
  /// without a key.
  public func naming(_ text: String) -> String {
    guard KeyPlaceholder.mayBe(in: text) else { return text }
    let named = naming(text[...], by: Self.separators[...]) ?? ""
    return text.hasSuffix(".") && !named.isEmpty && !named.hasSuffix(".") ? named + "." : named
  }

  /// Returns the runs with keys in place of placeholders, or nil if all text of one of the runs is omitted.
  public func naming(_ runs: [TextRun<StyleRole>]) -> [TextRun<StyleRole>]? {
    var named = runs
    for index in runs.indices where !runs[index].text.isEmpty {
      named[index].text = naming(runs[index].text)
      if named[index].text.isEmpty { return nil }
    }
    return named
  }

  /// Returns the runs with keys of the current keymap in place of placeholders, or nil if all text of one of the runs
  /// is omitted. Without a current keymap, returns the runs unchanged.
  public static func namingNow(_ runs: [TextRun<StyleRole>]) -> [TextRun<StyleRole>]? {
    current.map { $0.naming(runs) } ?? runs
  }

  private func naming(_ part: Substring, by separators: ArraySlice<String>) -> String? {
    guard let separator = separators.first else { return namingKeys(in: part) }
    let named = Self.parts(of: part, between: separator).compactMap { naming($0, by: separators.dropFirst()) }
    return named.isEmpty ? nil : named.joined(separator: separator)
  }

  private static func parts(of text: Substring, between separator: String) -> [Substring] {
    // Comparing bytes is many times faster than the library's search for a text.
    let bytes = text.utf8
    var parts: [Substring] = []
    var (start, index) = (bytes.startIndex, bytes.startIndex)
    while index < bytes.endIndex {
      guard bytes[index] == separator.utf8.first, bytes[index...].starts(with: separator.utf8) else {
        bytes.formIndex(after: &index)
        continue
      }
      parts.append(text[start..<index])
      bytes.formIndex(&index, offsetBy: separator.utf8.count)
      start = index
    }
    return parts + [text[start...]]
  }

  /// Returns `sentence` with keys in place of placeholders, or nil if one of the actions has no key.
  private func namingKeys(in sentence: Substring) -> String? {
    var named = String.UnicodeScalarView()
    for scalar in sentence.unicodeScalars {
      guard let meaning = KeyPlaceholder.meaning(of: scalar) else {
        named.append(scalar)
        continue
      }
      guard let name = keyName(of: meaning.action, in: meaning.context) else { return nil }
      named.append(contentsOf: name.unicodeScalars)
    }
    return String(named)
  }

  private func keyName(of action: Action, in context: KeyContext?) -> String? {
    bindings(of: action).first { !$0.sequences.isEmpty && (context == nil || $0.context == context) }?.keyName
  }
}

extension String {
  /// The text with keys of the current keymap in place of ``Action/key`` placeholders.
  public var namingKeys: String {
    guard KeyPlaceholder.mayBe(in: self), let keymap = Keymap.current else { return self }
    return keymap.naming(self)
  }
}
