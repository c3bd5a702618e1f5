import Terminal

/// Translates keys into actions and routes them to the responder chain.
@MainActor
final class KeyRouter {
  /// The outcome of routing a key.
  enum Outcome {
    case handled
    /// The key begins or continues a sequence or a count.
    case pending
    /// The caller should press these keys.
    case macro([Key])
    /// The caller should run this prompt command.
    case command(String)
    /// No responder handled the keys. `asking` contains the actions bound to the keys, which no responder can perform
    /// at present.
    case ignored([Key], asking: [Action])
  }

  var keymap: Keymap
  /// Keys of an incomplete sequence.
  private var sequence: [Key] = []
  /// Digits of a count, typed with Alt.
  private var countKeys: [Key] = []
  private static let maximumCount = 999

  /// Pending keys of a count and a sequence.
  var pending: [Key] { countKeys + sequence }

  init(keymap: Keymap) {
    self.keymap = keymap
  }

  /// Discards an incomplete sequence and its count.
  func forgetPending() {
    sequence = []
    countKeys = []
  }

  /// Offers a key to each responder in the chain: first through the keymap, if the responder has a context, then
  /// through its `keyDown(_:)`. If a count was typed with Alt and the key's action is a list action, performs the
  /// action that many times, but no further than an item that stops navigation.
  func route(_ key: Key, to first: Responder) -> Outcome {
    if sequence.isEmpty, key.countDigit != nil, !(first is TextEditor) {
      countKeys.append(key)
      return .pending
    }
    let keys = sequence + [key]
    let count = count
    sequence = []
    var asked: [Action] = []
    for responder in first.chain {
      if let context = responder.keyContext {
        switch keymap.match(keys, in: context) {
        case .action(let action):
          if let keys = action.macroKeys {
            countKeys = []
            return .macro(keys)
          }
          if let line = action.commandLine {
            countKeys = []
            return .command(line)
          }
          if first.perform(action) {
            countKeys = []
            guard Action.ofLists.contains(action) else { return .handled }
            for _ in 1..<max(2, count) where count > 1 {
              if (first as? ListView)?.isStopped == true { return .handled }
              first.perform(action)
            }
            return .handled
          }
          asked.append(action)
        case .prefix:
          sequence = keys
          return .pending
        case .none:
          break
        }
      }
      if keys.count == 1, responder.keyDown(key) {
        countKeys = []
        return .handled
      }
    }
    countKeys = []
    return .ignored(keys, asking: asked)
  }

  private var count: Int {
    countKeys.compactMap(\.countDigit).reduce(0) { min(Self.maximumCount, $0 * 10 + $1) }
  }
}

extension Key {
  /// The digit, if the key is a digit pressed with Alt. Such keys form a count.
  fileprivate var countDigit: Int? {
    guard modifiers == .meta, case .character(let character) = code, let digit = character.wholeNumberValue,
      character.isASCII
    else { return nil }
    return digit
  }
}
