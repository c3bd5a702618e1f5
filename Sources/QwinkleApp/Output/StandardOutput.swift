import Foundation
import SafeText

/// What commands print. Text from outside has gone through the gate already; here it goes through once more.
enum StandardOutput {
  static func print(_ text: String) {
    let cleaned = SafeText.paragraphs(text)
    write((TerminalHyperlinks.areWanted ? TerminalHyperlinks.added(to: cleaned) : cleaned) + "\n", to: 1)
  }

  /// JSON, as it is: its encoder has escaped what a terminal could take for a command.
  static func print(json: [UInt8]) {
    write(SafeText.paragraphs(SafeText.repairing(json)) + "\n", to: 1)
  }

  /// A list: one array of entities, or each item as plain text.
  static func print<Item>(
    _ items: some Sequence<Item>, asJSON: Bool, json: ([Item]) -> [UInt8], text: (Item) -> String
  ) {
    if asJSON { return print(json: json(Array(items))) }
    for item in items { print(text(item)) }
  }

  /// Asks for something on the terminal; what is typed follows on the line.
  static func prompt(_ text: String) {
    write(SafeText.line(text), to: 2)
  }

  /// What a terminal in memory was sent, for one that can be seen: it has passed the gate there.
  static func show(_ bytes: [UInt8]) {
    write(bytes[...], to: 1)
  }

  /// Says something about the program itself, beside what it prints.
  static func remark(_ text: String) {
    write(SafeText.line(text) + "\n", to: 2)
  }

  static func complain(_ text: String) {
    write("qwinkle: " + SafeText.paragraphs(text) + "\n", to: 2)
  }

  /// What is in a file, from its beginning: another process of this program has printed it.
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

  private static func write(_ text: String, to descriptor: Int32) {
    write(ArraySlice(text.utf8), to: descriptor)
  }

  private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) {
    var bytes = bytes
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        // Nobody listens any more, or there is no room: a script must not take that for success.
        if descriptor == 1 { QwinkleProgram.end(status: 1) }
        return
      }
      bytes = bytes.dropFirst(count)
    }
  }
}
