import Terminal

/// Something that a user can ask for, by name: `list.next`, `compose`. Keymaps turn keys into actions; responders
/// perform them.
public struct Action: StringName, CustomStringConvertible {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public var description: String { rawValue }

  static let macroStart = "press "

  /// The keys that a macro presses; nil if it is none.
  var macroKeys: [Key]? {
    guard rawValue.hasPrefix(Self.macroStart) else { return nil }
    return rawValue.dropFirst(Self.macroStart.count).split(separator: " ").flatMap { Keymap.sequence($0) ?? [] }
  }

  /// The command that it types at the prompt, without its colon; nil if it is none.
  var commandLine: String? { rawValue.hasPrefix(":") ? String(rawValue.dropFirst()) : nil }
}

/// A name that stands in sources as a string literal.
public protocol StringName: Hashable, Sendable, RawRepresentable<String>, ExpressibleByStringLiteral {
  init(rawValue: String)
}

extension StringName {
  public init(stringLiteral value: String) { self.init(rawValue: value) }
}
