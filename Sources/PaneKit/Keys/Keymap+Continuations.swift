public import Terminal

extension Keymap {
  /// Returns the bindings that begin with `keys`, in keymap order, each with its remaining keys.
  public func continuations(of keys: [Key], in context: KeyContext) -> [(keys: [Key], binding: Binding)] {
    bindings.filter { $0.context == context }.flatMap { binding in
      binding.sequences.filter { $0.count > keys.count && $0.starts(with: keys) }
        .map { (Array($0.dropFirst(keys.count)), binding) }
    }
  }

  /// Returns the bindings that begin with `keys`, except bindings hidden by an earlier context. Starts with the
  /// bindings of the last context, because keys that work everywhere matter more than keys for navigating a list.
  public func continuations(of keys: [Key], in contexts: [KeyContext]) -> [(keys: [Key], binding: Binding)] {
    contexts.reversed().flatMap { continuations(of: keys, in: $0) }
      .filter { action(for: keys + $0.keys, in: contexts) == $0.binding.action }
  }
}
