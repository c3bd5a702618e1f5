public import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import Synchronization

/// An in-memory server for one user, Mara, that records all writes. Qwink 3 is by Bob, qwink 5 by Mara. Tests choose
/// how requests fail.
public final class WritingServer: Sendable {
  /// How requests fail.
  public enum Failure: String, Sendable {
    case down, refused, unauthorized, limited, broken
    /// The connection is reset before the server has stored a write.
    case resetBefore
    /// The connection is reset after the server has stored a write.
    case resetAfter
  }

  /// A recorded write.
  public struct Written: Hashable, Sendable {
    public enum Kind: Sendable { case post, edit, scheduled }

    public var kind: Kind
    public var text: String
    public var visibility: String?
    public var inReplyTo: String?
    public var attachments: [String]

    /// Creates a write, by default of a public post.
    public init(
      _ text: String, kind: Kind = .post, visibility: String? = "public", inReplyTo: String? = nil,
      attachments: [String] = []
    ) {
      self.kind = kind
      self.text = text
      self.visibility = visibility
      self.inReplyTo = inReplyTo
      self.attachments = attachments
    }
  }

  private struct State {
    var failure: Failure?
    var onlyWrites = false
    var remaining = 0
    var requests = 0
    var keys: [String] = []
    var written: [(key: String, what: Written, at: Date)] = []
  }

  public static let url = "https://writing.example"
  private static let host = "writing.example"
  private static let mara = Qwinker.sample("mara")

  private let state = Mutex(State())
  private let now: @Sendable () -> Date

  /// Creates a server with the clock `now`.
  public init(now: @escaping @Sendable () -> Date) { self.now = now }

  /// Fails the next `times` requests, or only writes, with `failure`. Nil ends all failures.
  public func fail(_ failure: Failure?, onlyWrites: Bool = false, times: Int = .max) {
    state.withLock { state in
      state.failure = failure
      state.onlyWrites = onlyWrites
      state.remaining = times
    }
  }

  /// All writes, in order. Requests with the same key count once, as do equal edits.
  public var written: [Written] { state.withLock { $0.written.map(\.what) } }

  /// The idempotency keys of all attempts, including failed ones.
  public var keys: [String] { state.withLock { $0.keys } }

  /// Number of requests so far.
  public var requestCount: Int { state.withLock { $0.requests } }

  /// A transport to the server.
  public var transport: ScriptedTransport { ScriptedTransport { [self] in try answer($0) } }

  private func answer(_ request: TransportRequest) throws -> TransportResponse {
    let isWrite = request.head.method != .get
    let failure: Failure? = state.withLock { state in
      state.requests += 1
      if isWrite, let key = request.field("Idempotency-Key") { state.keys.append(key) }
      guard let failure = state.failure, state.remaining > 0, isWrite || !state.onlyWrites else { return nil }
      state.remaining -= 1
      return failure
    }
    switch failure {
    case nil: return respond(to: request)
    case .down: throw TransportError.unknownHost(Self.host)
    case .refused: throw TransportError.refused(host: Self.host)
    case .unauthorized: return .json(WireEncoder.error("The access token is invalid"), status: 401)
    case .limited: return .json(WireEncoder.error("Slow down"), status: 429, fields: [.retryAfter: "5"])
    case .broken: return .json(WireEncoder.error("Oops"), status: 500)
    case .resetBefore: throw TransportError.interrupted(host: Self.host)
    case .resetAfter:
      _ = respond(to: request)
      throw TransportError.interrupted(host: Self.host)
    }
  }

  private func respond(to request: TransportRequest) -> TransportResponse {
    let path = request.head.path.map { String($0.prefix { $0 != "?" }) } ?? ""
    switch (request.head.method, path) {
    case (.get, "/api/v2/instance"):
      return .json(WireEncoder.serverInfoV2(ServerInfo(title: "W", domain: Self.host, version: "4.3.0")))
    case (.get, "/api/v1/accounts/verify_credentials"): return .json(WireEncoder.qwinker(Self.mara, ownNote: ""))
    case (.get, "/api/v1/accounts/lookup"): return .json(WireEncoder.qwinker(.sample("bob")))
    case (.get, "/api/v2/search"): return .json(WireEncoder.searchResults(SearchResults(qwinkers: [.sample("bob")])))
    case (.get, "/api/v1/conversations"), (.get, "/api/v1/scheduled_statuses"): return .json(Array("[]".utf8))
    case (.get, "/api/v1/statuses/3"),
      (.post, _) where path.hasPrefix("/api/v1/statuses/3"):
      return .json(WireEncoder.qwink(.sample(id: "3", text: "Hello", author: .sample("bob"))))
    case (.get, "/api/v1/statuses/5"): return .json(WireEncoder.qwink(.sample(id: "5", text: "Old", author: Self.mara)))
    case (.get, "/api/v1/statuses/5/source"):
      return .json(Array(#"{"id":"5","text":"Old","spoiler_text":""}"#.utf8))
    case (.get, _) where path.hasPrefix("/api/v1/statuses/"):
      guard let qwink = posted.first(where: { path.hasSuffix("/\($0.id.rawValue)") }) else { return Self.missing }
      return .json(WireEncoder.qwink(qwink))
    case (.get, _) where path.hasSuffix("/statuses") || path.hasPrefix("/api/v1/timelines/"):
      return .json(WireEncoder.qwinks(posted.reversed()))
    case (.post, "/api/v1/statuses"), (.put, "/api/v1/statuses/5"): return write(request)
    case (.delete, "/api/v1/statuses/5"): return .json(Array("{}".utf8))
    default: return Self.missing
    }
  }

  private static let missing = TransportResponse.json(WireEncoder.error("Record not found"), status: 404)

  private func write(_ request: TransportRequest) -> TransportResponse {
    guard let fields = try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any],
      let text = fields["status"] as? String
    else { return .json(WireEncoder.error("Validation failed"), status: 422) }
    let isEdit = request.head.method == .put
    let time = fields["scheduled_at"] as? String
    let isScheduled = time != nil
    let written = Written(
      text, kind: isEdit ? .edit : isScheduled ? .scheduled : .post, visibility: fields["visibility"] as? String,
      inReplyTo: fields["in_reply_to_id"] as? String, attachments: fields["media_ids"] as? [String] ?? [])
    let key = isEdit ? "edit \(text)" : request.field("Idempotency-Key") ?? UUID().uuidString
    let date = now()
    state.withLock { state in
      guard !state.written.contains(where: { $0.key == key }) else { return }
      state.written.append((key, written, date))
    }
    guard let time else { return .json(WireEncoder.qwink(Self.qwink(written, id: key, at: date))) }
    let visibility = written.visibility ?? "public"
    return .json(
      Array(
        #"{"id":"7","scheduled_at":"\#(time)","params":{"text":"\#(text)","visibility":"\#(visibility)"}}"#.utf8))
  }

  /// The posts as Mara's qwinks.
  private var posted: [Qwink] {
    state.withLock { state in
      state.written.filter { $0.what.kind == .post }.map { Self.qwink($0.what, id: $0.key, at: $0.at) }
    }
  }

  private static func qwink(_ written: Written, id: String, at date: Date) -> Qwink {
    var qwink = Qwink.sample(
      id: Qwink.ID(written.kind == .edit ? "5" : id), text: written.text, author: mara, at: date)
    qwink.visibility = Visibility(rawValue: written.visibility ?? "public") ?? .public
    qwink.inReplyTo = written.inReplyTo.map { Qwink.ID($0) }
    qwink.url = "\(url)/\(qwink.id.rawValue)"
    return qwink
  }
}
