extension WebAddress {
  /// Longest address that is shown whole inside a text, in characters.
  static let mostCharactersInText = 40
  /// If fewer characters of the last segment fit, none are shown.
  private static let fewestCharactersOfSegment = 8

  /// Returns the text for a link to this address whose visible text is `text`. If `text` is only the address, or its
  /// beginning as servers shorten it, and the address is long, returns host, port and the ends of the path:
  /// `example.org/archive/…/map`, or the start of a
  /// long last segment: `example.org/…/how-to-mend…`. Otherwise, returns nil.
  ///
  /// The host is always whole, because it decides where the link goes. Addresses with a user name, which can imitate a
  /// host, are never shortened.
  public func shortened(for text: String) -> String? {
    guard let parts = AddressParts(url), parts.user.isEmpty, !parts.tail.utf8.contains(UInt8(ascii: "\\")),
      isAddress(text, of: parts)
    else { return nil }
    let limit = Self.mostCharactersInText
    guard text.count > limit || text.last == "…" else { return nil }
    let whole = host + (parts.tail == "/" ? "" : parts.tail)
    guard whole.count > limit else { return whole }
    return Self.shortened(parts.tail, after: host, limit: limit)
  }

  /// Returns `host` with as many segments of the path as fit, the last one first.
  private static func shortened(_ tail: Substring, after host: String, limit: Int) -> String {
    let path = tail.prefix { $0 != "?" && $0 != "#" }
    let query = tail.dropFirst(path.count)
    var segments = path.split(separator: "/")
    let last = segments.popLast() ?? ""
    let ends = [last + query, last + query.prefix(1) + "…"]
    guard !last.isEmpty, let end = ends.first(where: { host.count + $0.count + 3 <= limit }) else {
      let start = host + (segments.isEmpty ? "/" : "/…/")
      let room = limit - start.count - 1
      return room < fewestCharactersOfSegment ? "\(host)/…" : "\(start)\(last.prefix(room))…"
    }
    guard !segments.isEmpty else { return "\(host)/\(end)" }
    var start = host
    while let next = segments.first, start.count + next.count + end.count + 4 <= limit {
      start += "/\(next)"
      segments.removeFirst()
    }
    return segments.isEmpty ? "\(start)/\(end)" : "\(start)/…/\(end)"
  }

  /// Whether `text` is the address, with or without its scheme, or the beginning of the address and `…`.
  private func isAddress(_ text: String, of parts: AddressParts) -> Bool {
    let address = url.dropFirst(parts.scheme.count + 3)
    let scheme = "\(parts.scheme)://"
    let text = text.hasPrefix(scheme) ? text.dropFirst(scheme.count) : text[...]
    guard text.last == "…" else { return text == address }
    let start = text.dropLast()
    // Mastodon omits "www." too.
    let bare = address.hasPrefix("www.") ? address.dropFirst(4) : address
    return !start.isEmpty && (address.hasPrefix(start) || bare.hasPrefix(start))
  }
}

extension RichText.Paragraph {
  /// The paragraph with long addresses shortened; see ``WebAddress/shortened(for:)``.
  public var withShortAddresses: RichText.Paragraph {
    var paragraph = self
    for range in linkRanges.reversed() {
      guard case .link(let url) = spans[range.lowerBound].kind, let address = WebAddress(url),
        let short = address.shortened(for: spans[range].map(\.text).joined())
      else { continue }
      let span = RichText.Span(short, kind: .link(url: url), emphasis: spans[range.lowerBound].emphasis)
      paragraph.spans.replaceSubrange(range, with: [span])
    }
    return paragraph
  }
}
