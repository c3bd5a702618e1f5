import FoundationEssentials
import QwinkleModel

/// Removes quoted statuses from a server's JSON if the reader isn't allowed to see them. Like ``QuoteEntity``,
/// withholds the status of each quote whose state isn't `accepted`. Not recursive, so deeply nested input is safe.
public struct WithheldQuotes {
  /// An array or object that isn't closed yet.
  private struct Container {
    let isObject: Bool
    /// Key of the member being read.
    var key: String?
    /// Offset of the member's value.
    var valueStart: Int?
    var isWithheld = false
    /// Ranges of the quoted statuses among the members.
    var quoted: [Range<Int>] = []
  }

  private let json: [UInt8]
  private var open: [Container] = []
  private var withheld: [Range<Int>] = []

  private init(in json: [UInt8]) {
    self.json = json
  }

  /// Returns the JSON with null in place of each withheld status.
  public static func removed(from json: [UInt8]) -> [UInt8] {
    var reader = WithheldQuotes(in: json)
    reader.read()
    return reader.result
  }

  private mutating func read() {
    var position = 0
    while position < json.count {
      let start = position
      position += 1
      switch json[start] {
      case UInt8(ascii: "\""):
        position = JSONCutter.endOfString(in: json, at: start) ?? json.count
        readString(in: start..<position)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        startValue(at: start)
        open.append(Container(isObject: json[start] == UInt8(ascii: "{")))
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        finishMember(at: start)
        if let container = open.popLast(), container.isWithheld { withheld += container.quoted }
      case UInt8(ascii: ","): finishMember(at: start)
      case UInt8(ascii: ":"): break
      case let byte: if !JSONCutter.isSpace(byte) { startValue(at: start) }
      }
    }
    // Quoted statuses of unclosed objects are withheld, too: the missing rest may have contained a state that withholds
    // them.
    while !open.isEmpty {
      finishMember(at: json.count)
      withheld += open.removeLast().quoted
    }
  }

  private mutating func readString(in range: Range<Int>) {
    if let last = open.indices.last, open[last].isObject, open[last].key == nil {
      open[last].key = string(in: range) ?? ""
    } else {
      startValue(at: range.lowerBound)
    }
  }

  private mutating func startValue(at position: Int) {
    guard let last = open.indices.last, open[last].key != nil, open[last].valueStart == nil else { return }
    open[last].valueStart = position
  }

  private mutating func finishMember(at end: Int) {
    guard let last = open.indices.last else { return }
    let (key, start) = (open[last].key, open[last].valueStart)
    open[last].key = nil
    open[last].valueStart = nil
    guard let key, let start else { return }
    switch key {
    case "state":
      if QuoteEntity.state(named: string(in: start..<end) ?? "") != .accepted { open[last].isWithheld = true }
    case "quoted_status": open[last].quoted.append(start..<end)
    default: break
    }
  }

  /// Returns the string in `range`, or nil if the value isn't a string.
  private func string(in range: Range<Int>) -> String? {
    let source = Array(json[range])
    let quote = UInt8(ascii: "\"")
    if source.count > 1, source.first == quote, source.last == quote, !source.contains(UInt8(ascii: "\\")) {
      return String(decoding: source.dropFirst().dropLast(), as: UTF8.self)
    }
    let list = Array("[".utf8) + source + Array("]".utf8)
    return (try? JSONDecoder().decode([String].self, from: Data(list)))?.first
  }

  private var result: [UInt8] {
    var result: [UInt8] = []
    var copied = 0
    // A range inside a removed range is already gone.
    for range in withheld.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.lowerBound >= copied {
      result += json[copied..<range.lowerBound]
      result += Array("null".utf8)
      copied = range.upperBound
    }
    return result + json[copied...]
  }
}
