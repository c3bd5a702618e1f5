public import Terminal

/// A part of a keymap, for one kind of place: `global`, `list`, `entry`.
public struct KeyContext: StringName {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Which keys ask for which action.
public struct Keymap: Sendable {
  /// The keys of one action in one context.
  public struct Binding: Hashable, Sendable {
    public let context: KeyContext
    public let action: Action
    /// Each a way to ask for it, of one key or more.
    public let sequences: [[Key]]
    /// A word for it, for hints: "new".
    public let word: String
    /// One line for the help: "write a qwink".
    public let summary: String
  }

  /// What a sequence of keys means so far.
  public enum Match: Hashable, Sendable {
    case none
    /// The beginning of something.
    case prefix
    case action(Action)
  }

  /// The keymap for which a window handles events, lays out and draws; nil outside of windows.
  @TaskLocal static var current: Keymap?

  /// In the order in which they should be explained.
  public private(set) var bindings: [Binding]
  /// What sequences mean, by the context's name. A few dozen each, so a list is searched as fast as a table, and at
  /// start the runtime has no way of hashing keys to look for.
  private var table: [String: [(keys: [Key], match: Match)]] = [:]

  public init(_ bindings: [Binding]) {
    self.bindings = bindings
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

  /// What `keys` mean in `context`.
  public func match(_ keys: [Key], in context: KeyContext) -> Match {
    table[context.rawValue]?.first { $0.keys == keys }?.match ?? .none
  }

  /// The keys of an action, wherever it is first explained.
  public func binding(of action: Action, in contexts: [KeyContext]? = nil) -> Binding? {
    bindings.first { $0.action == action && (contexts?.contains($0.context) ?? true) }
  }

  /// A key to name for an action, and the word for what it does, where the parts of the keymap in `contexts` are asked
  /// one after another, unless its first key `isTaken` before its context is asked, such as by a text that is written.
  /// nil: there is none.
  public func hint(
    for action: Action, in contexts: [KeyContext],
    unless isTaken: (Key, _ before: KeyContext) -> Bool = { _, _ in false }
  ) -> (key: String, word: String)? {
    for binding in bindings where binding.action == action && contexts.contains(binding.context) {
      let sequence = binding.sequences.first { sequence in
        guard let first = sequence.first, !isTaken(first, binding.context) else { return false }
        return self.action(for: sequence, in: contexts) == action
      }
      if let sequence { return (Self.name(of: sequence), binding.word) }
    }
    return nil
  }

  /// What is asked for by `keys`; nil: nothing yet, or nothing at all.
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
  /// The sequence to name where there is room for one.
  public var keyName: String { sequences.first.map(Keymap.name(of:)) ?? "" }
}

extension Keymap {
  /// A sequence in words: `gg`, `^W h`.
  public static func name(of sequence: [Key]) -> String {
    let names = sequence.map(\.description)
    return names.joined(separator: names.contains { $0.count > 1 } ? " " : "")
  }
}
