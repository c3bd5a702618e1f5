import Terminal

/// A user action, by name, such as `list.next` or `compose`. Keymaps map keys to actions, and responders perform them.
public struct Action: StringName, CustomStringConvertible {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public var description: String { rawValue }

  static let macroStart = "press "

  /// The keys that the action presses, if it is a macro.
  var macroKeys: [Key]? {
    guard rawValue.hasPrefix(Self.macroStart) else { return nil }
    return rawValue.dropFirst(Self.macroStart.count).split(separator: " ").flatMap { Keymap.sequence($0) ?? [] }
  }

  /// The command line without its colon, if the action is a prompt command.
  var commandLine: String? { rawValue.hasPrefix(":") ? String(rawValue.dropFirst()) : nil }
}

/// A type-safe name that can be written as a string literal.
public protocol StringName: Hashable, Sendable, RawRepresentable<String>, ExpressibleByStringLiteral {
  init(rawValue: String)
}

extension StringName {
  public init(stringLiteral value: String) { self.init(rawValue: value) }
}
