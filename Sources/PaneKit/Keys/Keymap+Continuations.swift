public import Terminal

extension Keymap {
  /// What can follow `keys` in a context: the keys still to be pressed, and what they ask for, in the keymap's order.
  public func continuations(of keys: [Key], in context: KeyContext) -> [(keys: [Key], binding: Binding)] {
    bindings.filter { $0.context == context }.flatMap { binding in
      binding.sequences.filter { $0.count > keys.count && $0.starts(with: keys) }
        .map { (Array($0.dropFirst(keys.count)), binding) }
    }
  }
}
