import Synchronization

/// Characters that take the place of an action's key in texts. When a text is drawn, each placeholder is replaced with
/// the key in the current keymap. Placeholders are one column wide, like the names of most keys. They are private-use
/// characters, which ``SafeText`` removes from external text.
enum KeyPlaceholder {
  struct Meaning: Hashable {
    let action: Action
    /// The context whose key for the action is shown. If nil, the first context that binds the action is used.
    let context: KeyContext?
  }

  private static let first: UInt32 = 0x10F000
  /// The first UTF-8 byte of all placeholders.
  private static let firstByte: UInt8 = 0xF4
  private static let meanings = Mutex<[Meaning]>([])

  static func text(for action: Action, in context: KeyContext?) -> String {
    let meaning = Meaning(action: action, context: context)
    let index = meanings.withLock { meanings in
      if let index = meanings.firstIndex(of: meaning) { return index }
      meanings.append(meaning)
      return meanings.count - 1
    }
    return Unicode.Scalar(first + UInt32(index)).map { String($0) } ?? ""
  }

  static func meaning(of scalar: Unicode.Scalar) -> Meaning? {
    guard scalar.value >= first else { return nil }
    let index = Int(scalar.value - first)
    return meanings.withLock { $0.indices.contains(index) ? $0[index] : nil }
  }

  /// Whether `text` may contain placeholders. If false, it certainly contains none.
  static func mayBe(in text: String) -> Bool {
    // Searching the bytes in memory is several times faster.
    text.utf8.withContiguousStorageIfAvailable { $0.contains(firstByte) } ?? text.utf8.contains(firstByte)
  }
}

extension Action {
  /// A placeholder for the action's key. Drawing replaces it with the key in the current keymap. If there is no key,
  /// the clause that contains the placeholder is omitted.
  public var key: String { KeyPlaceholder.text(for: self, in: nil) }

  /// Returns a placeholder for the action's key in `context`.
  public func key(in context: KeyContext) -> String { KeyPlaceholder.text(for: self, in: context) }
}
