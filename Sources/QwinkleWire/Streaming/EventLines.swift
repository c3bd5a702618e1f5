/// Parses server-sent events from chunks of bytes, which may be split anywhere:
/// <https://html.spec.whatwg.org/multipage/server-sent-events.html>.
public struct EventLines: Sendable {
  /// One event.
  public struct Message: Hashable, Sendable {
    /// Empty if the server sent no name.
    public var name: String
    public var data: [UInt8]
  }

  /// Maximum size of an event in bytes. Larger events are skipped.
  public static let mostBytes = 1 << 20
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private var line: [UInt8] = []
  private var name: [UInt8] = []
  private var data: [UInt8] = []
  private var hasData = false
  private var isTooLong = false
  private var wasReturn = false
  private var isFirstLine = true

  public init() {}

  /// Appends received bytes and returns the events that they complete.
  public mutating func take(_ bytes: some Sequence<UInt8>) -> [Message] {
    var messages: [Message] = []
    for byte in bytes {
      let isSecondOfPair = wasReturn && byte == 10
      wasReturn = byte == 13
      if isSecondOfPair { continue }
      if byte == 10 || byte == 13 {
        if let message = endLine() { messages.append(message) }
      } else if line.count + data.count < Self.mostBytes {
        line.append(byte)
      } else {
        isTooLong = true
      }
    }
    return messages
  }

  private mutating func endLine() -> Message? {
    var content = line[...]
    line.removeAll(keepingCapacity: line.count < 1 << 16)
    if isFirstLine {
      isFirstLine = false
      if content.starts(with: Self.byteOrderMark) { content = content.dropFirst(3) }
    }
    if content.isEmpty { return endMessage() }
    let colon = content.firstIndex(of: UInt8(ascii: ":"))
    let field = content[..<(colon ?? content.endIndex)]
    var value = colon.map { content[($0 + 1)...] } ?? []
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    if field.elementsEqual("event".utf8) {
      name = Array(value)
    } else if field.elementsEqual("data".utf8) {
      if hasData { data.append(10) }
      hasData = true
      data += value
    }
    return nil
  }

  private mutating func endMessage() -> Message? {
    defer {
      (name, data) = ([], [])
      (hasData, isTooLong) = (false, false)
    }
    guard !isTooLong, hasData || !name.isEmpty else { return nil }
    return Message(name: String(decoding: name, as: UTF8.self), data: data)
  }
}
