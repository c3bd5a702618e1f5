import Terminal

/// Turns keys into actions and hands them to the responder chain.
@MainActor
final class KeyRouter {
  /// What became of a key.
  enum Outcome {
    case handled
    /// It begins a sequence or a count.
    case pending
    /// It asks to press these keys.
    case macro([Key])
    /// It asks for a command of the prompt.
    case command(String)
    /// Nothing handled it, with those before it. `asking` are actions that can't be performed now.
    case ignored([Key], asking: [Action])
  }

  var keymap: Keymap
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
  /// The digit of a count.
  fileprivate var countDigit: Int? {
    guard modifiers == .meta, case .character(let character) = code, let digit = character.wholeNumberValue,
      character.isASCII
    else { return nil }
    return digit
  }
}
