import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Synchronization

/// Uploads to a ``ScriptedTimeline``. Each waits until the test delivers it. A file's first line is its id.
final class SlowUploads: Sendable {
  enum Outcome: CaseIterable, Sendable {
    case isTaken
    /// Ready on the second request.
    case isProcessed
    case isRefused
    case connectionBreaks
    case serverFails
  }

  private struct State {
    var outcomes: [String: Outcome] = [:]
    var waiting: [Gate] = []
    var waits = true
    var failsDescription = false
    var descriptions: [String: String] = [:]
  }

  private let state = Mutex(State())

  /// Handles uploads to `server`. Call before its first request.
  init(on server: ScriptedTimeline) {
    server.getFiles()
    server.handle(.post, "/api/v2/media") { [self] request in
      await wait()
      if Task.isCancelled { throw TransportError.cancelled }
      let id = try UploadFolder.mark(in: request.loaded().body)
      switch state.withLock({ $0.outcomes[id] ?? .isTaken }) {
      case .isTaken: return Self.answer(id, isReady: true)
      case .isProcessed: return Self.answer(id, isReady: false)
      case .isRefused: return .json(WireEncoder.error("Not this one"), status: 422)
      case .connectionBreaks: throw TransportError.interrupted(host: ScriptedTimeline.host)
      case .serverFails: return .json(WireEncoder.error("Not now"), status: 500)
      }
    }
    server.answerFirst { [self] request in
      let path = request.head.path ?? ""
      guard path.hasPrefix("/api/v1/media/") else { return nil }
      let id = String(path.dropFirst("/api/v1/media/".count))
      guard request.head.method == .put else { return Self.answer(id, isReady: true) }
      return state.withLock { state -> TransportResponse? in
        defer { state.failsDescription = false }
        if state.failsDescription { return .json(WireEncoder.error("Not now"), status: 503) }
        state.descriptions[id] = String(decoding: request.body, as: UTF8.self)
        return Self.answer(id, isReady: true)
      }
    }
  }

  private static func answer(_ id: String, isReady: Bool) -> TransportResponse {
    let url = isReady ? "https://\(ScriptedTimeline.host)/media/\(id).png" : nil
    return .json(
      WireEncoder.attachment(Attachment(id: Identifier(id), kind: .image, url: url)), status: isReady ? 200 : 202)
  }

  private func wait() async {
    let gate = Gate()
    let waits = state.withLock { state in
      if state.waits { state.waiting.append(gate) }
      return state.waits
    }
    guard waits else { return }
    await withTaskCancellationHandler {
      await gate.whenOpen()
    } onCancel: {
      gate.open()
    }
  }

  // MARK: Scripting

  /// Sets the outcome for the file with this id.
  func set(_ outcome: Outcome, for id: String) { state.withLock { $0.outcomes[id] = outcome } }

  /// Fails the next request that sets a description.
  func failDescription() { state.withLock { $0.failsDescription = true } }

  /// Delivers the upload that has waited longest.
  func letOneArrive() {
    let gate = state.withLock { state -> Gate? in state.waiting.isEmpty ? nil : state.waiting.removeFirst() }
    gate?.open()
  }

  /// Delivers all waiting uploads, and later ones at once.
  func letAllArrive() {
    let waiting = state.withLock { state in
      state.waits = false
      defer { state.waiting = [] }
      return state.waiting
    }
    waiting.forEach { $0.open() }
  }

  /// Number of waiting uploads.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// The latest description request for each file, by file id.
  var descriptions: [String: String] { state.withLock { $0.descriptions } }
}
