import FoundationEssentials
import QwinkleModel
import SafeText

/// The parameters of a request: its query and its body, which is a JSON object, an urlencoded form or a multipart form.
///
/// If a name repeats or ends in `[]`, its value is a list. The name `a[b]` in a form has the same meaning as the member
/// `b` of an object `a` in JSON. Typed accessors such as ``text(_:)`` and ``flag(_:)`` reject values of another type.
/// They return nil for missing and null values. Most also return nil for empty values, because forms send empty fields.
/// ``subscript(_:)`` and ``list(_:)`` never fail. Use them for requests that only read.
public struct RequestParameters: Sendable {
  /// A name and a value in a query or form.
  public struct Pair: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Limits that no client exceeds.
  private static let mostValues = 1000
  private static let mostNameBytes = 200
  private static let greatestDepth = 6

  private var values: [String: ParameterValue] = [:]
  /// Name of the object that contains the parameters, or empty for a whole request.
  private var parent = ""

  init(_ members: [String: ParameterValue], of parent: String) {
    values = members
    self.parent = parent
  }

  /// Creates parameters from a query or an urlencoded form.
  ///
  /// - Throws: ``ParameterFault`` if there are too many parameters, a name is too long, or a name has values of
  ///   different kinds.
  public init(_ pairs: [Pair]) throws(ParameterFault) {
    try take(pairs.map { ($0.name, .text($0.value)) })
  }

  /// Parses a body. Without a Content-Type, a body that begins with `{` is JSON and any other body is a form. An empty
  /// body has no parameters.
  ///
  /// - Throws: ``ParameterFault`` if any part of the body can't be parsed, so that half a post isn't accepted as the
  ///   whole.
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

  /// Returns these parameters, and those parameters of `others` whose names are missing here.
  public func or(_ others: RequestParameters) -> RequestParameters {
    var both = self
    both.values.merge(others.values) { own, _ in own }
    return both
  }

  /// Returns the percent-decoded pairs of a query or an urlencoded form, in order. Splits off at most `most` pairs; one
  /// more pair contains the rest, unsplit.
  public static func pairs(of bytes: some Sequence<UInt8>, most: Int? = nil) -> [Pair] {
    Array(bytes).split(separator: UInt8(ascii: "&"), maxSplits: most ?? mostValues).map { piece in
      let sides = piece.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return Pair(
        name: PercentEncoding.decoded(sides[0], plusIsSpace: true),
        value: sides.count > 1 ? PercentEncoding.decoded(sides[1], plusIsSpace: true) : "")
    }
  }

  /// The names, sorted.
  public var names: [String] { values.keys.sorted() }

  /// Returns a value as sent, or nil if the parameter is missing.
  public func value(_ name: String) -> ParameterValue? { values[name] }

  /// Returns the parameter's name for error messages, with the name of the object that contains it.
  func fullName(_ name: String) -> String { parent.isEmpty ? name : "\(parent)[\(name)]" }
}

// MARK: - Reading

extension RequestParameters {
  private mutating func take(_ found: [(name: String, value: ParameterValue)]) throws(ParameterFault) {
    guard found.count <= Self.mostValues else { throw Self.tooMany }
    for (name, value) in found {
      guard name.utf8.count <= Self.mostNameBytes else { throw ParameterFault("The name of a parameter is too long.") }
      let (first, path) = Self.parts(of: name)
      guard path.count < Self.greatestDepth else { throw ParameterFault("\(first) is nested too deeply.") }
      guard let value = value.added(at: path[...], to: values[first]) else {
        throw ParameterFault("\(first) was sent twice with different types. Send it once.")
      }
      values[first] = value
    }
  }

  private static let tooMany = ParameterFault("Too many parameters: the limit is \(mostValues).")

  /// Splits `a[b][]` into `a` and `["b", ""]`. Unmatched brackets are part of the name.
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
    // Reject repeated names, because parsers disagree about which of the values applies.
    guard JSONCutter.pieces(of: body, at: start).whole.count == object.count else {
      throw ParameterFault("The body repeats a name. Send each name once.")
    }
    // As in a form, `ids[]` means `ids`.
    return try [String: ParameterValue](plain: object)
  }

  /// Returns an upper bound for the number of values in JSON.
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
  /// Removes `[]` from the ends of an object's names.
  fileprivate init(plain object: [String: ParameterValue]) throws(ParameterFault) {
    self.init()
    for (name, value) in object {
      let plain = name.hasSuffix("[]") ? String(name.dropLast(2)) : name
      guard updateValue(value, forKey: plain) == nil else {
        throw ParameterFault("\(plain) was sent twice with different types. Send it once.")
      }
    }
  }
}

extension FormParts.Part {
  /// The part's file or text. Null for an empty file, because browsers send one if the user chooses no file.
  fileprivate var value: ParameterValue {
    guard fileName != nil else { return .text(text) }
    return body.isEmpty ? .null : .file(self)
  }
}

extension StringProtocol {
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
