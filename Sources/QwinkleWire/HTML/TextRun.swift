import SafeText

/// Text between two tags, with its white space normalized.
struct TextRun {
  private var bytes: [UInt8] = []
  /// Last byte of the paragraph so far, or nil at its start.
  private var last: UInt8?
  /// Whether white space with a line break was skipped. It becomes one space if text follows.
  private var pendingSpace = false

  var isEmpty: Bool { bytes.isEmpty }

  mutating func append(_ text: ArraySlice<UInt8>, keepsBreaks: Bool) {
    if keepsBreaks {
      guard let final = text.last else { return }
      flushSpace()
      bytes += text
      last = final
      return
    }
    var index = text.startIndex
    while index < text.endIndex {
      let start = index
      while index < text.endIndex, !HTMLTag.isSpace(text[index]) { index += 1 }
      if index > start {
        flushSpace()
        bytes += text[start..<index]
        last = text[index - 1]
      }
      let spaces = index
      while index < text.endIndex, HTMLTag.isSpace(text[index]) { index += 1 }
      if spaces == index { continue }
      if pendingSpace || text[spaces..<index].contains(where: { $0 != 0x20 && $0 != 0x09 }) {
        pendingSpace = true
      } else {
        bytes += repeatElement(0x20, count: index - spaces)
        last = 0x20
      }
    }
  }

  /// Appends the line break of a tag such as `br`, which is preserved.
  mutating func appendBreak() {
    pendingSpace = false
    bytes.append(0x0A)
    last = 0x0A
  }

  mutating func startParagraph() {
    pendingSpace = false
    last = nil
  }

  /// Returns the text, sanitized, or nil if there isn't any. Starts a new run in the same paragraph.
  mutating func take() -> String? {
    if bytes.isEmpty { return nil }
    let text = SafeText.paragraphs(String(decoding: bytes, as: UTF8.self))
    bytes.removeAll(keepingCapacity: true)
    return text.isEmpty ? nil : text
  }

  private mutating func flushSpace() {
    if pendingSpace, let last, last != 0x20, last != 0x0A { bytes.append(0x20) }
    pendingSpace = false
  }
}
