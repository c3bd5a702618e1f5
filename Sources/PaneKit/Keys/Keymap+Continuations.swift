public import Terminal

extension Keymap {
  /// What can follow `keys` in a context: the keys still to be pressed, and what they ask for, in the keymap's order.
  public func continuations(of keys: [Key], in context: KeyContext) -> [(keys: [Key], binding: Binding)] {
    bindings.filter { $0.context == context }.flatMap { binding in
      binding.sequences.filter { $0.count > keys.count && $0.starts(with: keys) }
        .map { (Array($0.dropFirst(keys.count)), binding) }
    }
  }

  /// The same where the parts of the keymap in `contexts` are asked one after another: what one takes no other gets.
  /// Those of the last come first, as what a place is about is worth more than how one moves in it.
  public func continuations(of keys: [Key], in contexts: [KeyContext]) -> [(keys: [Key], binding: Binding)] {
    contexts.reversed().flatMap { continuations(of: keys, in: $0) }
      .filter { action(for: keys + $0.keys, in: contexts) == $0.binding.action }
  }
}
