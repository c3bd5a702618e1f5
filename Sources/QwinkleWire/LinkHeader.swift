import QwinkleModel

/// The Link header of a page (RFC 8288).
public struct LinkHeader: Hashable, Sendable {
  /// The target with `rel="next"`, verbatim.
  public var next: String?
  /// The target with `rel="prev"`, verbatim.
  public var previous: String?

  public init(next: String? = nil, previous: String? = nil) {
    self.next = next
    self.previous = previous
  }

  /// Parses a header's value and ignores anything malformed.
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

  /// The header's value, or nil if it has no links.
  public var value: String? {
    let links = [(next, "next"), (previous, "prev")].compactMap { target, relation in
      target.map { "<\(Self.escaped($0))>; rel=\"\(relation)\"" }
    }
    return links.isEmpty ? nil : links.joined(separator: ", ")
  }

  /// Consumes the parameters at the start of `rest` and returns the relation types in their first `rel`.
  private static func relations(of rest: inout Substring) -> [String] {
    var relations: [String]?
    while let (name, value) = HeaderParameters.next(in: &rest, before: ",<") {
      if relations == nil, name == "rel", let value {
        relations = value.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
      }
    }
    return relations ?? []
  }

  /// Escapes characters in `target` that would end the target or the header.
  private static func escaped(_ target: String) -> String {
    PercentEncoding.encoded(target) { $0 <= 0x20 || $0 == 0x7F || $0 == 0x3C || $0 == 0x3E }
  }
}
