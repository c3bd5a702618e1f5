import Foundation
import SafeText
import TerminalTesting
import Testing

/// Printed JSON is safe for a terminal and has the same value.
@Suite(.bounded) struct JSONEscapingTests {
  private static func escaped(_ json: String) -> String {
    String(decoding: SafeText.json(Array(json.utf8)), as: UTF8.self)
  }

  private static func value(_ json: String) throws -> NSObject {
    let options: JSONSerialization.ReadingOptions = .fragmentsAllowed
    return try #require(try JSONSerialization.jsonObject(with: Data(json.utf8), options: options) as? NSObject)
  }

  /// Strings with each kind of unsafe character, and their JSON.
  private static let examples: [(String, String)] = [
    ("\u{1B}[2J", #""\u001b[2J""#), ("\0\u{07}\u{7F}", #""\u0000\u0007\u007f""#),
    ("a\tb\r\nc", #""a\u0009b\u000d\u000ac""#),
    ("\u{9B}31m", #""\u009b31m""#), ("\u{85}\u{2028}\u{2029}", #""\u0085\u2028\u2029""#),
    ("\u{202E}evil\u{2069}", #""\u202eevil\u2069""#), ("\u{61C}\u{200E}\u{FEFF}", #""\u061c\u200e\ufeff""#),
    ("\u{E0041}\u{F0000}", #""\udb40\udc41\udb80\udc00""#), ("a\u{200D}b\u{200C}", #""a\u200db\u200c""#),
    ("👨‍👩‍👧", #""👨‍👩‍👧""#), ("می‌خواهم", #""می‌خواهم""#), ("\u{301}a\u{301}", ##""\u0301a\##u{301}""##),
    ("👨\u{200D}\u{200D}👩", #""👨\u200d\u200d👩""#), ("grün €", #""grün €""#),
  ]

  @Test(arguments: examples) func `unsafe characters in strings are escaped`(text: String, json: String) throws {
    #expect(Self.escaped("\"\(text)\"").unicodeScalars.elementsEqual(json.unicodeScalars))
    #expect(try Self.value(json) == text as NSString)
  }

  @Test func `escapes, numbers and names stay unchanged on one line`() {
    let json = "{ \"a\\n\\\"\\\\\" : [1.50, -0,\n\ttrue ],\r\n\"\\u001b\": null }"
    #expect(Self.escaped(json) == #"{"a\n\"\\":[1.50,-0,true],"\u001b":null}"#)
  }

  @Test(arguments: [
    ("[1,]", "[1]"), ("{\"a\":1 ,\n}", #"{"a":1}"#), (#"[[1,],{"b":[2, ],}, ]"#, #"[[1],{"b":[2]}]"#),
    (#"["1,]",{"a,}":"x,]",},]"#, #"["1,]",{"a,}":"x,]"}]"#), (#"["\\",]"#, #"["\\"]"#),
  ])
  func `a comma before a closing bracket is removed`(json: String, valid: String) {
    #expect(Self.escaped(json) == valid)
    #expect(StrictJSON.isValid(valid) && !StrictJSON.isValid(json))
  }

  @Test(arguments: [
    "01", "-01", "00", "1.", "-1.", ".5", "--5", "+1", "-", "1e", "1e+", "1.e2", "1.2.3", "1-2", "1e5.0", "1E--2",
  ])
  func `an invalid number becomes null`(number: String) {
    #expect(!StrictJSON.isValid(number) && Self.escaped(number) == "null")
    #expect(Self.escaped("[\(number),true,\(number) , {\"1.\":\(number)}]") == #"[null,true,null,{"1.":null}]"#)
  }

  @Test(arguments: ["0", "-0", "10", "1.50", "-0.0", "1e9", "1E+09", "12.5e-3", "123456789012345678901234567890"])
  func `a valid number stays unchanged`(number: String) {
    let json = "[\(number),{\"a\":\(number)},false,\(number)]"
    #expect(StrictJSON.isValid(json) && Self.escaped(json) == json && Self.escaped(number) == number)
  }

  @Test func `combining marks beyond eight are escaped`() throws {
    let text = "a" + String(repeating: "\u{301}", count: 20) + "b"
    let json = Self.escaped("\"\(text)\"")
    #expect(json.unicodeScalars.count { $0 == "\u{301}" } == 8)
    #expect(try Self.value(json) == text as NSString)
  }

  @Test(arguments: Soak.seeds(20)) func `any JSON is printed safely and has the same value`(seed: UInt64) throws {
    var maker = JSONMaker(seed: seed)
    for _ in 0..<20 {
      let (json, value) = maker.container(depth: 0)
      let printed = Self.escaped(json)
      let violations = TerminalBytes.violations(inPlainText: Array(printed.utf8))
      #expect(violations.isEmpty && !printed.contains("\n"), "\(violations)")
      #expect(SafeText.line(printed).unicodeScalars.elementsEqual(printed.unicodeScalars), "\(printed)")
      #expect(try Self.value(printed) == value, "\(printed)")
      #expect(StrictJSON.isValid(printed), "\(printed)")
    }
  }
}

/// Generates JSON with raw unsafe characters, and its value.
private struct JSONMaker {
  private static let unsafe = [
    "\0", "\u{07}", "\u{1B}[2J", "\u{1B}]0;x\u{07}", "\t", "\n", "\r", "\u{7F}", "\u{85}", "\u{9B}", "\u{9D}", "\u{AD}",
    "\u{61C}", "\u{200B}", "\u{200C}", "\u{200D}", "\u{200F}", "\u{2028}", "\u{2029}", "\u{202A}", "\u{202E}",
    "\u{2060}", "\u{2066}", "\u{2069}", "\u{FEFF}", "\u{FFF9}", "\u{E0001}", "\u{E0100}", "\u{F0000}", "\u{10FFFF}",
    "\u{301}", "\u{20DD}", "\u{FE0F}", "👩", "م", "क", "a", "\"", "\\", "/", " ",
  ]

  private var random: SplitMix

  init(seed: UInt64) {
    random = SplitMix(seed: seed)
  }

  mutating func container(depth: Int) -> (json: String, value: NSObject) {
    let count = Int.random(in: 0...4, using: &random)
    if Bool.random(using: &random) {
      let items = (0..<count).map { _ in value(depth: depth + 1) }
      return ("[\(space())" + items.map(\.json).joined(separator: ",\(space())") + "]", items.map(\.value) as NSArray)
    }
    var members: [String] = []
    let values = NSMutableDictionary()
    for index in 0..<count {
      let name = text()
      let member = value(depth: depth + 1)
      members.append("\(Self.quoted("\(index)\(name)"))\(space()):\(member.json)")
      values["\(index)\(name)" as NSString] = member.value
    }
    return ("{" + members.joined(separator: ",") + "\(space())}", values)
  }

  private mutating func value(depth: Int) -> (json: String, value: NSObject) {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return ("null", NSNull())
    case 1: return ("true", true as NSNumber)
    case 2:
      let number = Int.random(in: -99...99, using: &random)
      return ("\(number)", number as NSNumber)
    case 3 where depth < 4: return container(depth: depth)
    default:
      let text = text()
      return (Self.quoted(text), text as NSString)
    }
  }

  private mutating func text() -> String {
    (0..<Int.random(in: 0...12, using: &random)).map { _ in Self.unsafe.randomElement(using: &random) ?? "" }.joined()
  }

  private mutating func space() -> String { ["", " ", "\n", "\r\n\t"].randomElement(using: &random) ?? "" }

  /// Escapes only quotes and backslashes.
  private static func quoted(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { scalars.append("\\") }
      scalars.append(scalar)
    }
    return "\"\(String(scalars))\""
  }
}
