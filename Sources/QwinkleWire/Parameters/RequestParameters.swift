import FoundationEssentials
import QwinkleModel
import SafeText

/// The parameters of a request: of its query, and of its body, a JSON object or a form, urlencoded or multipart.
///
/// A name that is repeated or ends in `[]` has a list of values; `a[b]` in a form is the member `b` of the object `a`
/// in JSON. What is read by its type (``text(_:)``, ``flag(_:)`` and so on) is refused if it has another one, and is
/// nil if it is missing, null or empty, as in a form whose field was left empty. ``subscript(_:)`` and ``list(_:)``
/// take what they find, for requests that only read.
public struct RequestParameters: Sendable {
  /// A name and a value of a query or a form.
  public struct Pair: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// More than any client sends.
  private static let mostValues = 1000
  private static let mostNameBytes = 200
  private static let greatestDepth = 6

  private var values: [String: ParameterValue] = [:]
  /// The name of the object that these are the members of; empty for a whole request.
  private var parent = ""

  /// No parameters.
  public init() {}

  init(_ members: [String: ParameterValue], of parent: String) {
    values = members
    self.parent = parent
  }

  /// The parameters of a query or an urlencoded form.
  ///
  /// - Throws: ``ParameterFault`` if there are too many, or a name is used in two ways.
  public init(_ pairs: [Pair]) throws(ParameterFault) {
    try take(pairs.map { ($0.name, .text($0.value)) })
  }

  /// The parameters of a body; none if it is empty. Without a Content-Type, a body that begins with `{` is JSON and
  /// any other a form.
  ///
  /// - Throws: ``ParameterFault`` if the body can't be read or is not understood whole: half of a post must not be
  ///   taken for the whole.
  public init(body: [UInt8], contentType: String?) throws(ParameterFault) {
    guard !body.isEmpty else { return }
    let type = (contentType ?? "").prefix { $0 != ";" }.lowercased().trimmed()
    if type == "application/json" || type.hasSuffix("+json") || (type.isEmpty && body.first == UInt8(ascii: "{")) {
      values = try Self.object(in: body)
    } else if type == "multipart/form-data" {
      let form: FormParts
      do throws(WireError) {
        form = try FormParts(body, contentType: contentType)
      } catch {
        throw ParameterFault("The body is not a complete multipart form.", kind: .unreadable)
      }
      try take(form.parts.map { ($0.name, $0.value) })
    } else if type == "application/x-www-form-urlencoded" || type.isEmpty {
      try take(Self.pairs(of: body).map { ($0.name, .text($0.value)) })
    } else {
      throw ParameterFault("Send JSON or a form.", kind: .unknownType)
    }
  }

  /// These parameters, and those of `others` whose names are not among them.
  public func or(_ others: RequestParameters) -> RequestParameters {
    var both = self
    both.values.merge(others.values) { own, _ in own }
    return both
  }

  /// The pairs of a query or an urlencoded form, percent-decoded, in order.
  public static func pairs(of bytes: some Sequence<UInt8>) -> [Pair] {
    Array(bytes).split(separator: UInt8(ascii: "&"), maxSplits: mostValues).map { piece in
      let sides = piece.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return Pair(
        name: PercentEncoding.decoded(sides[0], plusIsSpace: true),
        value: sides.count > 1 ? PercentEncoding.decoded(sides[1], plusIsSpace: true) : "")
    }
  }

  /// The names, sorted.
  public var names: [String] { values.keys.sorted() }

  /// A value as it was sent; nil if it is missing.
  public func value(_ name: String) -> ParameterValue? { values[name] }

  /// What faults call a parameter.
  func fullName(_ name: String) -> String { parent.isEmpty ? name : "\(parent)[\(name)]" }
}

// MARK: - Reading

extension RequestParameters {
  private mutating func take(_ found: [(name: String, value: ParameterValue)]) throws(ParameterFault) {
    guard found.count <= Self.mostValues else { throw Self.tooMany }
    for (name, value) in found {
      guard name.utf8.count <= Self.mostNameBytes else { throw ParameterFault("The name of a parameter is too long.") }
      let (first, path) = Self.parts(of: name)
      guard path.count < Self.greatestDepth, let value = value.added(at: path[...], to: values[first]) else {
        throw ParameterFault("\(first) was sent in two ways. Send it once.")
      }
      values[first] = value
    }
  }

  private static let tooMany = ParameterFault("Too many parameters: the limit is \(mostValues).")

  /// `a[b][]` as `a` and `["b", ""]`. Brackets that don't match belong to the name.
  private static func parts(of name: String) -> (first: String, path: [String]) {
    guard name.hasSuffix("]"), let start = name.firstIndex(of: "["), start != name.startIndex else { return (name, []) }
    let path = name[name.index(after: start)...].dropLast().components(between: "][")
    return path.contains { $0.contains("[") || $0.contains("]") } ? (name, []) : (String(name[..<start]), path)
  }

  private static func object(in body: [UInt8]) throws(ParameterFault) -> [String: ParameterValue] {
    let start = JSONCutter.skipSpace(in: body, from: body.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    guard start < body.count, body[start] == UInt8(ascii: "{"), let piece = JSONCutter.container(in: body, at: start),
      JSONCutter.skipSpace(in: body, from: piece.range.upperBound) == body.count
    else { throw ParameterFault("The body is not a JSON object.", kind: .unreadable) }
    guard piece.depth <= greatestDepth else { throw ParameterFault("The body is nested too deeply.") }
    guard valuesCount(in: body) <= mostValues else { throw tooMany }
    let source = JSONRepair.repaired(body, in: piece.range)
    guard let object = try? JSONDecoder().decode([String: ParameterValue].self, from: Data(source)) else {
      throw ParameterFault("The body is not a JSON object.", kind: .unreadable)
    }
    // Parsers disagree about which of two equal names counts.
    guard JSONCutter.pieces(of: body, at: start).whole.count == object.count else {
      throw ParameterFault("The body has a name twice. Send each once.")
    }
    // `ids[]` is `ids`, as in a form.
    return try [String: ParameterValue](plain: object)
  }

  /// An upper bound for the number of values in JSON.
  private static func valuesCount(in body: [UInt8]) -> Int {
    var count = 1
    var isInString = false
    var isEscaped = false
    for byte in body {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = isInString
      } else if byte == UInt8(ascii: "\"") {
        isInString.toggle()
      } else if !isInString, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        count += 1
      }
    }
    return count
  }
}

extension [String: ParameterValue] {
  /// The members of an object without `[]` at the end of their names.
  fileprivate init(plain object: [String: ParameterValue]) throws(ParameterFault) {
    self.init()
    for (name, value) in object {
      let plain = name.hasSuffix("[]") ? String(name.dropLast(2)) : name
      guard updateValue(value, forKey: plain) == nil else {
        throw ParameterFault("\(plain) was sent in two ways. Send it once.")
      }
    }
  }
}

extension FormParts.Part {
  /// A file, or a text. Browsers send an empty file for a field that was left empty.
  fileprivate var value: ParameterValue {
    guard fileName != nil else { return .text(text) }
    return body.isEmpty ? .null : .file(self)
  }
}

extension StringProtocol {
  /// The parts between each `separator`.
  fileprivate func components(between separator: String) -> [String] {
    var parts: [String] = []
    var rest = self[...]
    while let range = rest.firstRange(of: separator) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
  }
}
