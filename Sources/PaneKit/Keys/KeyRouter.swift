import Terminal

/// Turns keys into actions and hands them to the responder chain.
@MainActor
final class KeyRouter {
  let keymap: Keymap
  /// The beginning of a sequence.
  private var sequence: [Key] = []
  /// The digits of a count, typed with Alt.
  private var countKeys: [Key] = []
  private static let maximumCount = 999

  /// The keys typed so far of a count and a sequence.
  var pending: [Key] { countKeys + sequence }

  init(keymap: Keymap) {
    self.keymap = keymap
  }

  /// Forgets the beginning of a sequence, and its count.
  func forgetPending() {
    sequence = []
    countKeys = []
  }

  /// Asks each responder in the chain: first its part of the keymap, then its `keyDown(_:)`. Alt and digits before a
  /// key repeat it if it moves in a list.
  func route(_ key: Key, to first: Responder) {
    if sequence.isEmpty, key.countDigit != nil, !(first is TextEditor) {
      countKeys.append(key)
      return
    }
    let keys = sequence + [key]
    let count = count
    sequence = []
    for responder in first.chain {
      if let context = responder.keyContext {
        switch keymap.match(keys, in: context) {
        case .action(let action):
          if first.perform(action) {
            countKeys = []
            guard Action.ofLists.contains(action) else { return }
            for _ in 1..<max(2, count) where count > 1 {
              if (first as? ListView)?.isStopped == true { return }
              first.perform(action)
            }
            return
          }
        case .prefix:
          sequence = keys
          return
        case .none:
          break
        }
      }
      if keys.count == 1, responder.keyDown(key) { break }
    }
    countKeys = []
  }

  private var count: Int {
    countKeys.compactMap(\.countDigit).reduce(0) { min(Self.maximumCount, $0 * 10 + $1) }
  }
}

extension Key {
  /// The digit of a count.
  fileprivate var countDigit: Int? {
    guard modifiers == .meta, case .character(let character) = code, let digit = character.wholeNumberValue,
      character.isASCII
    else { return nil }
    return digit
  }
}
