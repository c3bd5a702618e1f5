import Synchronization

/// Characters that stand in sentences for the keys of actions, so that the sentences follow the keymap. Each is one
/// column wide, as most keys are. They are private characters: ``SafeText`` removes them from text from outside.
enum KeyPlaceholder {
  struct Meaning: Hashable {
    let action: Action
    /// The part of the keymap whose key is named; nil: the first that has one.
    let context: KeyContext?
  }

  private static let first: UInt32 = 0x10F000
  /// The first byte of these characters in UTF-8.
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

  /// Whether a text may have one.
  static func mayBe(in text: String) -> Bool { text.utf8.contains(firstByte) }
}

extension Action {
  /// Stands for the action's key in a sentence. Drawing replaces it by the present key, and leaves out the part of the
  /// sentence if there is none.
  public var key: String { KeyPlaceholder.text(for: self, in: nil) }

  /// The same for the key in one part of the keymap.
  public func key(in context: KeyContext) -> String { KeyPlaceholder.text(for: self, in: context) }
}
