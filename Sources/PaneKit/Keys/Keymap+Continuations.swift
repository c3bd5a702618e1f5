public import Terminal

extension Keymap {
  /// Returns the bindings with a longer sequence that begins with `keys`, in keymap order. Each is returned with the
  /// keys that complete its sequence.
  public func continuations(of keys: [Key], in context: KeyContext) -> [(keys: [Key], binding: Binding)] {
    bindings.filter { $0.context == context }.flatMap { binding in
      binding.sequences.filter { $0.count > keys.count && $0.starts(with: keys) }
        .map { (Array($0.dropFirst(keys.count)), binding) }
    }
  }

  /// Searches several contexts for bindings with a longer sequence that begins with `keys`. Omits bindings that a
  /// binding of an earlier context overrides. The result starts with the last context's bindings, because keys that
  /// work everywhere matter more than keys for navigating a list.
  public func continuations(of keys: [Key], in contexts: [KeyContext]) -> [(keys: [Key], binding: Binding)] {
    contexts.reversed().flatMap { continuations(of: keys, in: $0) }
      .filter { action(for: keys + $0.keys, in: contexts) == $0.binding.action }
  }
}
