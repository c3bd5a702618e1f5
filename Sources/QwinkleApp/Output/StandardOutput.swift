import Foundation
import QwinkleWire
import SafeText

/// Prints output of commands. Text from outside the program has already been sanitized, but is sanitized once more
/// here.
enum StandardOutput {
  /// The output's destination. Tests replace it for one command.
  @TaskLocal static var target: OutputTarget = OutputTarget()

  /// Prints text. On a terminal, breaks long lines between words unless `wraps` is false.
  static func print(_ text: String, wraps: Bool = true) {
    let cleaned = wraps ? wrapped(SafeText.paragraphs(text), for: 1) : SafeText.paragraphs(text)
    write((TerminalHyperlinks.areWanted && !Pager.isOn ? TerminalHyperlinks.added(to: cleaned) : cleaned) + "\n", to: 1)
  }

  /// Prints text whose fields are separated by tabs.
  static func print(tabbed text: String) {
    let fields = text.split(separator: "\t", omittingEmptySubsequences: false).map { SafeText.paragraphs(String($0)) }
    write(fields.joined(separator: "\t") + "\n", to: 1)
  }

  /// Columns for text on standard output. Nil if it isn't a terminal.
  static var columns: Int? { WrappedText.columns(of: 1) }

  /// Prints JSON as one line. Removes quoted statuses that the reader isn't allowed to see, because some servers send
  /// them anyway. Escapes unsafe characters instead of removing them, so that programs still read the server's values.
  static func print(json: [UInt8]) {
    let readable = JSONParts.readable(WithheldQuotes.removed(from: json))
    show(SafeText.json(readable) + [UInt8(ascii: "\n")])
  }

  /// Prints a prompt. The user types the answer on the same line.
  static func prompt(_ text: String) {
    write(SafeText.line(text), to: 2)
  }

  /// Prints sanitized bytes, such as the output of an in-memory terminal.
  static func show(_ bytes: [UInt8]) {
    write(bytes[...], to: 1)
  }

  /// Prints a message about the program itself to standard error.
  static func remark(_ text: String) {
    write(wrapped(SafeText.line(text), for: 2) + "\n", to: 2)
  }

  /// Reports an empty list if standard output is a terminal. Scripts don't need the message.
  static func remark(onEmptyList sentence: String) {
    if isatty(STDOUT_FILENO) == 1 { remark(sentence) }
  }

  static func complain(_ text: String) {
    write(wrapped("qwinkle: " + SafeText.paragraphs(text), for: 2) + "\n", to: 2)
  }

  /// Copies all of `file`, which a child process has written, to `descriptor`.
  static func copy(_ file: Int32, to descriptor: Int32) {
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    var offset = 0
    while true {
      let count = buffer.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, off_t(offset)) }
      guard count > 0 else { return }
      write(buffer[..<count], to: descriptor)
      offset += count
    }
  }

  private static func wrapped(_ text: String, for descriptor: Int32) -> String {
    WrappedText.columns(of: descriptor).map { WrappedText.wrapped(text, columns: $0) } ?? text
  }

  private static func write(_ text: String, to descriptor: Int32) {
    write(ArraySlice(text.utf8), to: descriptor)
  }

  private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) {
    if descriptor == 1, Pager.keep(bytes) { return }
    var bytes = bytes
    while !bytes.isEmpty {
      if descriptor == 1, target.isLost { return }
      let count = target.write(bytes, to: descriptor)
      if count == -Int(EINTR) { continue }
      guard count > 0 else {
        if descriptor == 1 { didNotWrite(because: Int32(-count)) }
        return
      }
      bytes = bytes.dropFirst(count)
    }
  }

  /// Handles a failed write. If the command has changed something, reports the failure but lets the command continue.
  /// Otherwise, ends the process.
  private static func didNotWrite(because reason: Int32) {
    let sentence = "cannot write the output: \(String(cString: strerror(reason)))."
    if let done = target.done {
      target.lose()
      return complain("\(done), but \(sentence)")
    }
    // This isn't a failure: the program that reads the pipe has ended, as in `| head`.
    if reason == EPIPE { QwinkleProgram.end(status: 0) }
    // A script must not mistake a full disk for success.
    complain("C\(sentence.dropFirst())")
    QwinkleProgram.end(status: 1)
  }
}
