import QwinkleModel
import QwinkleWire

/// Removes all remaining occurrences of secrets that were found elsewhere. Such occurrences can be in error messages,
/// paths and even the bytes of pictures.
struct SecretSweep {
  /// Minimum length of a secret to search for. Shorter texts are likely to match something harmless.
  private static let fewestBytes = 6

  /// The secrets verbatim and as encoded in forms, JSON and HTML. Longest first, because one may contain another.
  private let needles: [[UInt8]]

  init(_ secrets: Set<String>) {
    var needles: Set<[UInt8]> = []
    for secret in secrets where secret.utf8.count >= Self.fewestBytes && secret != SecretNames.replacement {
      let form = Array(PercentEncoding.component(secret).utf8)
      needles.formUnion([
        Array(secret.utf8), form, form.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 },
        Array(String(decoding: form, as: UTF8.self).replacing("%20", with: "+").utf8), JSONText.encoded(secret),
        JSONText.encoded(secret).flatMap { $0 == UInt8(ascii: "/") ? Array("\\/".utf8) : [$0] },
        Array(HTMLText.escaped(secret).utf8),
      ])
    }
    self.needles = needles.sorted {
      $0.count == $1.count ? $0.lexicographicallyPrecedes($1) : $0.count > $1.count
    }
  }

  func swept(_ bytes: [UInt8]) -> [UInt8] {
    needles.reduce(bytes) { Self.replacing($1, in: $0) }
  }

  func swept(_ text: String) -> String {
    needles.isEmpty ? text : String(decoding: swept(Array(text.utf8)), as: UTF8.self)
  }

  private static func replacing(_ needle: [UInt8], in bytes: [UInt8]) -> [UInt8] {
    guard let first = needle.first, bytes.count >= needle.count else { return bytes }
    var result: [UInt8] = []
    var copiedEnd = 0
    var position = 0
    while position <= bytes.count - needle.count {
      guard bytes[position] == first, bytes[position..<(position + needle.count)].elementsEqual(needle) else {
        position += 1
        continue
      }
      result += bytes[copiedEnd..<position]
      result += SecretNames.replacement.utf8
      position += needle.count
      copiedEnd = position
    }
    return copiedEnd == 0 ? bytes : result + bytes[copiedEnd...]
  }
}

extension SecretSweep {
  func swept(_ entry: Cassette.Entry) -> Cassette.Entry {
    guard !needles.isEmpty else { return entry }
    var entry = entry
    entry.request.url = swept(entry.request.url)
    entry.request.headers = entry.request.headers.map(swept)
    entry.request.body = entry.request.body.map(swept)
    entry.response.statusText = swept(entry.response.statusText)
    entry.response.headers = entry.response.headers.map(swept)
    entry.response.body = swept(entry.response.body)
    entry.response.redirectURL = swept(entry.response.redirectURL)
    entry.events = entry.events.map {
      Cassette.Event(time: $0.time, name: swept($0.name), data: swept($0.data))
    }
    entry.failure = entry.failure.map {
      Cassette.Failure(kind: $0.kind, host: swept($0.host), reason: swept($0.reason))
    }
    return entry
  }

  private func swept(_ field: Cassette.Field) -> Cassette.Field {
    Cassette.Field(name: swept(field.name), value: swept(field.value))
  }

  private func swept(_ body: Cassette.Body) -> Cassette.Body {
    Cassette.Body(mimeType: swept(body.mimeType), bytes: swept(body.bytes))
  }
}
