import CZlib
import HTTPTypes

/// Compresses responses with gzip if the client accepts gzip and compression saves bytes.
enum Compression {
  /// Minimum length of a body to compress. Shorter bodies fit into one packet without compression.
  private static let fewestBytes = 1400
  private static let varied = "Accept-Encoding"

  /// Compresses a response if that makes it shorter. Does nothing if the response is already compressed.
  static func compress(_ response: inout WrittenResponse, for request: ServiceRequest) {
    // Sign-in responses aren't compressed, because they contain secrets. An attacker who controls part of a compressed
    // body could guess the secrets from its length (BREACH).
    guard response.body.count >= fewestBytes, request.segments.first != "oauth",
      response.head.headerFields[.contentEncoding] == nil,
      !response.head.headerFields[values: .vary].contains(varied)
    else { return }
    response.head.headerFields.append(HTTPField(name: .vary, value: varied))
    guard isAccepted(request.headers[values: .acceptEncoding]) else { return }
    let packed = gzip(response.body)
    guard !packed.isEmpty, packed.count < response.body.count else { return }
    response.body = packed
    response.head.headerFields[.contentEncoding] = "gzip"
    response.head.headerFields[.contentLength] = String(packed.count)
  }

  /// Whether the client accepts gzip, given the values of its `Accept-Encoding` (RFC 9110, section 12.5.3).
  static func isAccepted(_ values: [String]) -> Bool {
    if values.isEmpty { return false }
    var accepted: [Substring: Bool] = [:]
    for item in values.flatMap({ $0.lowercased().filter { $0 != " " && $0 != "\t" }.split(separator: ",") }) {
      let parts = item.split(separator: ";")
      guard let coding = parts.first else { continue }
      let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
      accepted[coding] = quality > 0
    }
    return accepted["gzip"] ?? accepted["x-gzip"] ?? accepted["*"] ?? false
  }

  /// Returns the bytes in gzip format, or an empty array on failure.
  private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    let room = qw_gzip_bound(bytes.count)
    return [UInt8](unsafeUninitializedCapacity: room) { packed, count in
      count = qw_gzip(bytes, bytes.count, packed.baseAddress, room)
    }
  }
}
