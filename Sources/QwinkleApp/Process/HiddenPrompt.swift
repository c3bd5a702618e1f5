import Foundation

/// Prints a question on the terminal and reads the answer without echo, even if standard output is redirected.
struct HiddenPrompt: ~Copyable {
  /// Limit of the answer's length. Longer input is truncated.
  private static let maximumBytes = 4096

  private let terminal: Int32
  private let former: termios

  /// Returns nil if standard input isn't a terminal, or if the terminal can't be opened.
  init?() {
    guard isatty(0) == 1 else { return nil }
    let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else {
      close(descriptor)
      return nil
    }
    terminal = descriptor
    former = settings
    // Read ^C as a key. As a signal, it would end the process before the settings are restored.
    settings.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
    settings.c_iflag |= tcflag_t(ICRNL)
    tcsetattr(descriptor, TCSAFLUSH, &settings)
  }

  deinit {
    var former = former
    tcsetattr(terminal, TCSAFLUSH, &former)
    close(terminal)
  }

  /// Shows `question` and returns the user's input up to Enter.
  ///
  /// - Throws: ``AppError`` if the user cancels with `^C` or `^D`, the terminal closes, or the input isn't UTF-8.
  func answer(to question: String) throws(AppError) -> String {
    write(question + " ")
    defer { write("\n") }
    var typed: [UInt8] = []
    while true {
      var byte: UInt8 = 0
      let count = read(terminal, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { throw .failed("Terminal closed. Nothing was changed.") }
      switch byte {
      case 0x0A, 0x0D:
        guard let text = String(validating: typed, as: UTF8.self) else {
          throw .failed("The input is not UTF-8. Set the terminal to UTF-8 and try again.")
        }
        return text
      case 0x03: throw .failed("Cancelled. Nothing was changed.")
      case 0x04 where typed.isEmpty: throw .failed("Cancelled. Nothing was changed.")
      case 0x08, 0x7F: Self.dropCharacter(&typed)
      case 0x15: typed = []
      default:
        if byte >= 0x20, typed.count < Self.maximumBytes { typed.append(byte) }
      }
    }
  }

  private func write(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { Foundation.write(terminal, $0.baseAddress, $0.count) }
  }

  private static func dropCharacter(_ bytes: inout [UInt8]) {
    while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
  }
}
