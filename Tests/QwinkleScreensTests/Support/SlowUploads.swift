import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Synchronization

/// The uploads of a ``ScriptedTimeline``. Each file has an id, which is the first line of the file, and waits until a
/// test lets it arrive.
final class SlowUploads: Sendable {
  /// The outcome of an upload.
  enum Outcome: CaseIterable, Sendable {
    case isTaken
    /// It is ready at the second look.
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

  /// Handles the uploads to `server`. Call before its first request.
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

  /// Sets what happens to the file with this id.
  func set(_ outcome: Outcome, for id: String) { state.withLock { $0.outcomes[id] = outcome } }

  /// Fails the next description.
  func failDescription() { state.withLock { $0.failsDescription = true } }

  /// Delivers the upload that has waited longest.
  func letOneArrive() {
    let gate = state.withLock { state -> Gate? in state.waiting.isEmpty ? nil : state.waiting.removeFirst() }
    gate?.open()
  }

  /// Delivers all uploads, also later ones.
  func letAllArrive() {
    let waiting = state.withLock { state in
      state.waits = false
      defer { state.waiting = [] }
      return state.waiting
    }
    waiting.forEach { $0.open() }
  }

  /// Number of uploads that wait.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// The bodies of the last requests to describe files, by the files' ids.
  var descriptions: [String: String] { state.withLock { $0.descriptions } }
}
