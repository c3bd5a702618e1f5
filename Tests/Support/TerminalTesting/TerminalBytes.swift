/// Checks terminal output against an allowlist that is independent of the program's: printable text, and the sequences
/// with which terminal descriptions position, erase, scroll and colour.
public enum TerminalBytes {
  /// Sequences allowed in addition to text and drawing.
  public struct Allowance: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Setting the window's title (OSC 2). Saving and restoring it on the terminal's stack is always allowed.
    public static let title = Allowance(rawValue: 1)
    /// Copying text to the clipboard (OSC 52).
    public static let clipboard = Allowance(rawValue: 2)
    /// Links to http and https addresses (OSC 8).
    public static let links = Allowance(rawValue: 4)
    /// Queries for the terminal's type, cursor position, cell size and support for synchronized output.
    public static let questions = Allowance(rawValue: 8)
  }

  /// A character or sequence that is not allowed.
  public struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// Offset of the first byte.
    public let offset: Int
    public let bytes: [UInt8]

    public var description: String {
      "at \(offset): "
        + bytes.prefix(60).map { byte in
          switch byte {
          case 0x1B: "ESC "
          case 0x21..<0x7F: String(Unicode.Scalar(byte))
          default: "<\(String(byte, radix: 16))>"
          }
        }.joined()
    }
  }

  /// Returns the disallowed parts of `bytes` written to a terminal.
  public static func violations(in bytes: [UInt8], allowing allowance: Allowance = []) -> [Violation] {
    violations(in: bytes) { isAllowed($0, allowance) }
  }

  /// Returns the parts of `bytes`, written to a pipe or a file, that are neither printable text nor line ends.
  public static func violations(inPlainText bytes: [UInt8]) -> [Violation] {
    violations(in: bytes) { kind in
      switch kind {
      case .text(let scalar): isPrintable(scalar)
      case .control(let byte): byte == UInt8(ascii: "\n")
      default: false
      }
    }
  }

  private static func violations(in bytes: [UInt8], unless isAllowed: (TerminalSequence.Kind) -> Bool) -> [Violation] {
    TerminalSequence.all(in: bytes).filter { !isAllowed($0.kind) }
      .map { Violation(offset: $0.range.lowerBound, bytes: Array(bytes[$0.range])) }
  }

  /// Queries support for kitty's graphics protocol with a picture of one pixel, which is not shown.
  private static let graphicsQuestion = "Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA".utf8

  private static func isAllowed(_ kind: TerminalSequence.Kind, _ allowance: Allowance) -> Bool {
    switch kind {
    case .text(let scalar): isPrintable(scalar)
    // Backspace, newline, return, and the switches to VT100 line drawing and back.
    case .control(let byte): [0x08, 0x0A, 0x0D, 0x0E, 0x0F].contains(byte)
    case .escape(let between, let final): isAllowedEscape(between, final)
    case .csi(let parameters, let between, let final): ControlList.allows(parameters, between, final, allowance)
    case .string(let introducer, let content):
      introducer == UInt8(ascii: "]") && CommandList.allows(content, allowance)
        || introducer == UInt8(ascii: "_") && allowance.contains(.questions) && content.elementsEqual(graphicsQuestion)
    case .broken: false
    }
  }

  /// Returns false for controls, invisible characters and characters that change the direction of text.
  static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00..<0x20, 0x7F..<0xA0: false
    case 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: false
    // Tags, except the variation selectors among them.
    case 0xE0000...0xE00FF, 0xE01F0...0xE0FFF: false
    default: true
    }
  }

  private static func isAllowedEscape(_ between: [UInt8], _ final: UInt8) -> Bool {
    switch between {
    // Save, restore, keypad, index, reverse index.
    case []: "78=>DM".utf8.contains(final)
    // ASCII and VT100 line drawing.
    case [UInt8(ascii: "(")], [UInt8(ascii: ")")]: "B0".utf8.contains(final)
    default: false
    }
  }
}

/// The allowed control sequences.
private enum ControlList {
  /// Moving, erasing, inserting and deleting, scrolling, repeating, tabs, attributes, the scrolling region.
  private static let drawing = Set("@ABCDEFGHJKLMPSTXZ`abdefmr".utf8)
  private static let modes: Set<Int> = [1, 4, 7, 12, 25, 1000, 1002, 1006, 1034, 1049, 2004, 2026]
  /// Insert mode, and the cursor's style in screen and tmux.
  private static let plainModes: Set<Int> = [4, 34]
  private static let titleStack: [[UInt8]] = ["22;0;0", "23;0;0", "22;2", "23;2"].map { Array($0.utf8) }

  static func allows(
    _ parameters: [UInt8], _ between: [UInt8], _ final: UInt8, _ allowance: TerminalBytes.Allowance
  ) -> Bool {
    let sign = parameters.first.flatMap { 0x3C...0x3F ~= $0 ? $0 : nil }
    let numbers = (sign == nil ? parameters[...] : parameters.dropFirst())
      .split(whereSeparator: { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ":") })
      .map { Int(String(decoding: $0, as: UTF8.self)) }
    guard numbers.count <= 16, numbers.allSatisfy({ $0 != nil }) else { return false }
    let values = numbers.compactMap { $0 }
    switch (sign, between, final) {
    case (nil, [], _) where drawing.contains(final): return true
    case (nil, [], UInt8(ascii: "h")), (nil, [], UInt8(ascii: "l")): return values.allSatisfy(plainModes.contains)
    case (UInt8(ascii: "?"), [], UInt8(ascii: "h")), (UInt8(ascii: "?"), [], UInt8(ascii: "l")):
      return !values.isEmpty && values.allSatisfy(modes.contains)
    // The cursor shape of the Linux console.
    case (UInt8(ascii: "?"), [], UInt8(ascii: "c")): return values.count == 1 && values[0] < 256
    case (nil, [], UInt8(ascii: "t")):
      return titleStack.contains(parameters) || allowance.contains(.questions) && [[14], [16]].contains(values)
    case (nil, [], UInt8(ascii: "c")): return allowance.contains(.questions) && (values.isEmpty || values == [0])
    // The terminal's name and version.
    case (UInt8(ascii: ">"), [], UInt8(ascii: "q")): return allowance.contains(.questions) && values.isEmpty
    case (nil, [], UInt8(ascii: "n")): return allowance.contains(.questions) && values == [6]
    case (UInt8(ascii: "?"), [UInt8(ascii: "$")], UInt8(ascii: "p")):
      return allowance.contains(.questions) && values == [2026]
    default: return false
    }
  }
}

/// The allowed operating system commands (OSC).
private enum CommandList {
  private static let base64 = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=".utf8)

  static func allows(_ content: [UInt8], _ allowance: TerminalBytes.Allowance) -> Bool {
    // Resetting colours in xterm and in the Linux console.
    if content == Array("104".utf8) || content == Array("R".utf8) { return true }
    // Query for the background colour.
    if content == Array("11;?".utf8) { return allowance.contains(.questions) }
    let text = String(decoding: content, as: UTF8.self)
    guard Array(text.utf8) == content, text.unicodeScalars.allSatisfy(TerminalBytes.isPrintable) else { return false }
    if text.hasPrefix("2;") { return allowance.contains(.title) }
    if text.hasPrefix("52;c;") { return allowance.contains(.clipboard) && isBase64(text.dropFirst(5)) }
    if text.hasPrefix("8;") { return allowance.contains(.links) && isLink(text.dropFirst(2)) }
    return false
  }

  private static func isBase64(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.count % 4 == 0
      && text.utf8.allSatisfy { base64.contains($0) }
  }

  /// Parameters, `;` and an ASCII URL. An empty URL ends a link.
  private static func isLink(_ text: Substring) -> Bool {
    guard let separator = text.firstIndex(of: ";") else { return false }
    let address = text[text.index(after: separator)...]
    return address.isEmpty
      || ((address.hasPrefix("https://") || address.hasPrefix("http://"))
        && address.utf8.allSatisfy { 0x21...0x7E ~= $0 })
  }
}
