/// The ways on from a page (RFC 8288).
public struct LinkHeader: Hashable, Sendable {
  /// The target with `rel="next"`, as it stands.
  public var next: String?
  /// The target with `rel="prev"`, as it stands.
  public var previous: String?

  public init(next: String? = nil, previous: String? = nil) {
    self.next = next
    self.previous = previous
  }

  /// Reads a header's value; what cannot be understood is passed over.
  public init(parsing value: String) {
    self.init()
    var rest = Substring(value)
    while let open = rest.firstIndex(of: "<") {
      guard let close = rest[open...].firstIndex(of: ">") else { return }
      let target = String(rest[rest.index(after: open)..<close])
      rest = rest[rest.index(after: close)...]
      let relations = Self.relations(of: &rest)
      if target.isEmpty { continue }
      if relations.contains("next") { next = next ?? target }
      if relations.contains("prev") || relations.contains("previous") { previous = previous ?? target }
    }
  }

  /// The header's value; nil when there is nowhere to go.
  public var value: String? {
    let links = [(next, "next"), (previous, "prev")].compactMap { target, relation in
      target.map { "<\(Self.escaped($0))>; rel=\"\(relation)\"" }
    }
    return links.isEmpty ? nil : links.joined(separator: ", ")
  }

  /// The words of the first `rel` among the parameters at the start of `rest`, which then starts at the next link.
  private static func relations(of rest: inout Substring) -> [String] {
    var relations: [String]?
    while let (name, value) = HeaderParameters.next(in: &rest, before: ",<") {
      if relations == nil, name == "rel", let value {
        relations = value.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
      }
    }
    return relations ?? []
  }

  /// `target` with what would end it or the header written as percent escapes.
  private static func escaped(_ target: String) -> String {
    guard target.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == 0x3C || $0 == 0x3E }) else { return target }
    var bytes: [UInt8] = []
    for byte in target.utf8 {
      if byte <= 0x20 || byte == 0x7F || byte == 0x3C || byte == 0x3E {
        bytes += [UInt8(ascii: "%"), HexDigit.digit(byte >> 4), HexDigit.digit(byte & 15)]
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
