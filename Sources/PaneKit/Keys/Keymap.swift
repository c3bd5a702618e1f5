public import Terminal

/// A part of a keymap, for one kind of place: `global`, `list`, `entry`.
public struct KeyContext: Hashable, Sendable, RawRepresentable, ExpressibleByStringLiteral {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public init(stringLiteral value: String) {
    self.rawValue = value
  }
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
    /// What it does, for the help: "write a qwink".
    public let summary: String
  }

  /// What a sequence of keys means so far.
  public enum Match: Hashable, Sendable {
    case none
    /// The beginning of something.
    case prefix
    case action(Action)
  }

  /// In the order in which they should be explained.
  public private(set) var bindings: [Binding]
  private var table: [KeyContext: [[Key]: Match]] = [:]

  public init(_ bindings: [Binding]) {
    self.bindings = bindings
    for binding in bindings {
      for sequence in binding.sequences where !sequence.isEmpty {
        for length in 1..<sequence.count where table[binding.context]?[Array(sequence.prefix(length))] == nil {
          table[binding.context, default: [:]][Array(sequence.prefix(length))] = .prefix
        }
        table[binding.context, default: [:]][sequence] = .action(binding.action)
      }
    }
  }

  /// What `keys` mean in `context`.
  public func match(_ keys: [Key], in context: KeyContext) -> Match {
    table[context]?[keys] ?? .none
  }

  /// The keys of an action, wherever it is first explained.
  public func binding(of action: Action, in contexts: [KeyContext]? = nil) -> Binding? {
    bindings.first { $0.action == action && (contexts?.contains($0.context) ?? true) }
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
