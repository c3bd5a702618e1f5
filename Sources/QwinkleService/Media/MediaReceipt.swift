import HTTPTypes
import QwinkleModel
import QwinkleWire
import Synchronization

/// Collects the response to a request for a file, and determines the outcome or the next step.
final class MediaReceipt: Sendable {
  enum Step {
    case done(MediaOutcome)
    case redirect(String)
    /// Repeat the request without the stored part, because the server can't resume after it.
    case again
  }

  private struct State {
    var bytes: [UInt8] = []
    var head: HTTPResponse?
    var hasBegun = false
    var isTooLarge = false
  }

  private let part: PartialResource?
  private let mostBytes: Int
  private let kind: MediaKind
  private let didReceive: @Sendable (Int, Int?) -> Void
  private let state = Mutex(State())

  init(part: PartialResource?, mostBytes: Int, kind: MediaKind, didReceive: @escaping @Sendable (Int, Int?) -> Void) {
    self.kind = kind
    self.part = part
    self.mostBytes = mostBytes
    self.didReceive = didReceive
  }

  func receive(_ bytes: [UInt8], of head: HTTPResponse) {
    let count = state.withLock { state -> Int? in
      guard isUseful(head) else { return nil }
      state.head = head
      if !state.hasBegun {
        state.hasBegun = true
        state.bytes = continues(head) ? part?.bytes ?? [] : []
      }
      guard state.bytes.count + bytes.count <= mostBytes else {
        state.isTooLarge = true
        return nil
      }
      state.bytes += bytes
      return state.bytes.count
    }
    if let count { didReceive(count, total(in: head)) }
  }

  @concurrent func outcome(of request: TransportRequest, through transport: any Transport) async -> Step {
    do throws(TransportError) {
      let response = try await transport.send(request)
      // An in-process transport returns the whole body at once.
      if !state.withLock({ $0.hasBegun }) { receive(response.body, of: response.head) }
      return step(after: response.head)
    } catch {
      if case .tooLarge = error { return .done(.broken(.tooLarge, part: nil)) }
      let part = remainder
      // If the connection broke after the file's last byte, the file is complete.
      if let part, part.bytes.count == part.total { return .done(.whole(part.bytes)) }
      return .done(.broken(.transport(error), part: part))
    }
  }

  private func step(after head: HTTPResponse) -> Step {
    switch head.status.code {
    case 200, 206:
      if head.status.code == 206, !continues(head) {
        return part == nil ? .done(.broken(.status(206), part: nil)) : .again
      }
      guard isWanted(head) else {
        return .done(.broken(.type(String((head.headerFields[.contentType] ?? "").prefix(80))), part: nil))
      }
      let (bytes, isTooLarge) = state.withLock { ($0.bytes, $0.isTooLarge) }
      guard !isTooLarge, total(in: head).map({ $0 <= mostBytes }) ?? true else {
        return .done(.broken(.tooLarge, part: nil))
      }
      // A server may end a response early without an error.
      if let total = total(in: head), bytes.count < total {
        return .done(.broken(.transport(.interrupted(host: "")), part: remainder))
      }
      return .done(.whole(bytes))
    case 301, 302, 303, 307, 308:
      guard let location = head.headerFields[.location] else {
        return .done(.broken(.status(head.status.code), part: nil))
      }
      return .redirect(location)
    case 416 where part != nil:
      guard let part, part.bytes.count == lengthOfUnsatisfied(head) ?? part.total else { return .again }
      return .done(.whole(part.bytes))
    default: return .done(.broken(.status(head.status.code), part: nil))
    }
  }

  private func isUseful(_ head: HTTPResponse) -> Bool {
    guard isWanted(head) else { return false }
    return head.status.code == 200 || (head.status.code == 206 && continues(head))
  }

  /// Whether a response continues the stored part, and belongs to the same version of the file.
  private func continues(_ head: HTTPResponse) -> Bool {
    guard head.status.code == 206, let part, let range = contentRange(head), range.start == part.bytes.count else {
      return false
    }
    if let total = part.total, let other = range.total, total != other { return false }
    return validator(in: head).map { $0 == part.validator } ?? true
  }

  /// The bytes received so far, if the server can resume after them.
  private var remainder: PartialResource? {
    let (bytes, head) = state.withLock { ($0.bytes, $0.head) }
    // Nothing was received this time, so the earlier part is still valid.
    guard let head else { return part }
    guard let validator = validator(in: head) ?? (continues(head) ? part?.validator : nil), !bytes.isEmpty,
      head.headerFields[.acceptRanges]?.lowercased() != "none"
    else { return nil }
    return PartialResource(bytes: bytes, validator: validator, total: total(in: head))
  }

  /// A strong ETag, or else the file's modification date (RFC 9110, 13.1.5).
  private func validator(in head: HTTPResponse) -> String? {
    if let tag = head.headerFields[.eTag], tag.hasPrefix("\"") { return tag }
    return head.headerFields[.lastModified]
  }

  private func total(in head: HTTPResponse) -> Int? {
    head.status.code == 206 ? contentRange(head)?.total : head.headerFields[.contentLength].flatMap { Int($0) }
  }

  /// Parses `bytes 100-199/1000`.
  private func contentRange(_ head: HTTPResponse) -> (start: Int, total: Int?)? {
    guard let text = head.headerFields[.contentRange], text.hasPrefix("bytes ") else { return nil }
    let parts = text.dropFirst(6).split { $0 == "-" || $0 == "/" }
    guard parts.count == 3, let start = Int(parts[0]) else { return nil }
    return (start, Int(parts[2]))
  }

  /// The length of the file in `bytes */1000`, the reply to a range that begins after the end.
  private func lengthOfUnsatisfied(_ head: HTTPResponse) -> Int? {
    guard let text = head.headerFields[.contentRange], text.hasPrefix("bytes */") else { return nil }
    return Int(text.dropFirst("bytes */".count))
  }

  private func isWanted(_ head: HTTPResponse) -> Bool { kind.allows(head.headerFields[.contentType]) }
}
