import Terminal

/// Turns keys into actions and hands them to the responder chain.
@MainActor
final class KeyRouter {
  let keymap: Keymap
  private(set) var pending: [Key] = []

  init(keymap: Keymap) {
    self.keymap = keymap
  }

  /// Forgets the beginning of a sequence.
  func forgetPending() {
    pending = []
  }

  /// Asks each responder in the chain: first its part of the keymap, then its `keyDown(_:)`.
  func route(_ key: Key, to first: Responder) {
    let keys = pending + [key]
    pending = []
    for responder in first.chain {
      if let context = responder.keyContext {
        switch keymap.match(keys, in: context) {
        case .action(let action):
          if first.perform(action) { return }
        case .prefix:
          pending = keys
          return
        case .none:
          break
        }
      }
      if keys.count == 1, responder.keyDown(key) { return }
    }
  }
}
