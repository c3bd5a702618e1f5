public import Terminal

/// A section of a keymap for one kind of screen or view, such as `global`, `list` or `entry`.
public struct KeyContext: StringName {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Key bindings for actions.
public struct Keymap: Sendable {
  /// The keys for an action in a context.
  public struct Binding: Hashable, Sendable {
    public let context: KeyContext
    public let action: Action
    /// Alternative sequences, each of one or more keys.
    public let sequences: [[Key]]
    /// A short label for hints, such as "new".
    public let word: String
    /// A line of help, such as "write a qwink".
    public let summary: String
  }

  /// The result of matching a key sequence against the bindings.
  public enum Match: Hashable, Sendable {
    case none
    /// An incomplete sequence.
    case prefix
    case action(Action)
  }

  /// The keymap that a window is using to handle events, lay out and draw. Nil outside of windows.
  @TaskLocal static var current: Keymap?

  /// The bindings, in the order in which the help lists them.
  public let bindings: [Binding]
  /// Results of matching, by context name. With a few dozen entries per context, searching an array is as fast as a
  /// dictionary, and avoids a runtime lookup of the key's `Hashable` conformance at launch.
  private var table: [String: [(keys: [Key], match: Match)]] = [:]
  /// The hash values of the bindings' actions. Numbers are quickly searched, and made faster than a dictionary.
  private let hashes: [Int]

  public init(_ bindings: [Binding]) {
    self.bindings = bindings
    hashes = bindings.map(\.action.rawValue.hashValue)
    for binding in bindings {
      for sequence in binding.sequences where !sequence.isEmpty {
        for length in 1..<sequence.count {
          let beginning = Array(sequence.prefix(length))
          if match(beginning, in: binding.context) == .none { set(.prefix, for: beginning, in: binding.context) }
        }
        set(.action(binding.action), for: sequence, in: binding.context)
      }
    }
  }

  private mutating func set(_ match: Match, for keys: [Key], in context: KeyContext) {
    var entries = table[context.rawValue] ?? []
    table[context.rawValue] = nil
    if let index = entries.firstIndex(where: { $0.keys == keys }) {
      entries[index].match = match
    } else {
      entries.append((keys, match))
    }
    table[context.rawValue] = entries
  }

  /// Returns the action bound to `keys` in `context`, ``Match/prefix`` if `keys` begin a longer sequence, or
  /// ``Match/none``.
  public func match(_ keys: [Key], in context: KeyContext) -> Match {
    table[context.rawValue]?.first { $0.keys == keys }?.match ?? .none
  }

  /// The bindings of an action.
  func bindings(of action: Action) -> some Sequence<Binding> {
    let hash = action.rawValue.hashValue
    return hashes.indices.lazy.filter { hashes[$0] == hash && bindings[$0].action == action }.map { bindings[$0] }
  }

  /// Returns the first binding of an action, optionally only in `contexts`.
  public func binding(of action: Action, in contexts: [KeyContext]? = nil) -> Binding? {
    bindings(of: action).first { contexts?.contains($0.context) ?? true }
  }

  /// Returns a key and a label to show for `action`, or nil if the action has no usable key. `contexts` are searched in
  /// order, as in the responder chain. `isTaken` returns whether some other responder, such as a text editor, handles a
  /// key before the given context is searched.
  public func hint(
    for action: Action, in contexts: [KeyContext],
    unless isTaken: (Key, _ before: KeyContext) -> Bool = { _, _ in false }
  ) -> (key: String, word: String)? {
    for binding in bindings(of: action) where contexts.contains(binding.context) {
      let sequence = binding.sequences.first { sequence in
        guard let first = sequence.first, !isTaken(first, binding.context) else { return false }
        return self.action(for: sequence, in: contexts) == action
      }
      if let sequence { return (Self.name(of: sequence), binding.word) }
    }
    return nil
  }

  /// Returns the action for `keys`, or nil if they are unbound or incomplete.
  func action(for keys: [Key], in contexts: [KeyContext]) -> Action? {
    for context in contexts {
      switch match(keys, in: context) {
      case .action(let action): return action
      case .prefix: return nil
      case .none: continue
      }
    }
    return nil
  }
}

extension Keymap.Binding {
  /// The name of the first sequence, for hints that show only one.
  public var keyName: String { sequences.first.map(Keymap.name(of:)) ?? "" }
}

extension Keymap {
  /// Returns the name of a sequence, such as `gg` or `^W h`.
  public static func name(of sequence: [Key]) -> String {
    let names = sequence.map(\.description)
    return names.joined(separator: names.contains { $0.count > 1 } ? " " : "")
  }
}
