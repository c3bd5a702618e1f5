import QwinkleWire

/// The parts of an absolute URL, not decoded. The fragment is dropped.
struct RequestAddress {
  /// Includes the `://`. Empty if the URL has no scheme.
  var scheme = ""
  var authority = ""
  var path = ""
  /// Excludes the `?`. Nil if the URL has no query.
  var query: String?

  init(_ url: String) {
    var rest = Substring(url).prefix { $0 != "#" }
    if let mark = rest.firstRange(of: "://") {
      scheme = String(rest[..<mark.upperBound])
      rest = rest[mark.upperBound...]
      authority = String(rest.prefix { $0 != "/" && $0 != "?" })
      rest = rest.dropFirst(authority.count)
    }
    path = String(rest.prefix { $0 != "?" })
    rest = rest.dropFirst(path.count)
    if !rest.isEmpty { query = String(rest.dropFirst()) }
  }

  var url: String { scheme + authority + path + (query.map { "?\($0)" } ?? "") }

  /// The query, decoded.
  var queryFields: [Cassette.Field] {
    RequestParameters.pairs(of: (query ?? "").utf8, most: .max).map { Cassette.Field(name: $0.name, value: $0.value) }
  }
}
