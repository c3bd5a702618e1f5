import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

/// A download service with its ledger and a recording delegate.
@MainActor
struct Bench {
  let ledger = ActivityLedger()
  let delegate = DelegateRecorder()
  let service: DownloadService

  init(_ transport: any Transport, at url: String = "https://tilde.example", token: String? = nil) {
    service = DownloadService(
      configuration: .init(serverURL: url, token: token), ledger: ledger, transport: { transport })
  }

  /// Starts `request` and returns once it has finished and no work is pending.
  @discardableResult
  func run<Answer>(_ request: Request<Answer>) async -> DownloadIdentifier {
    let identifier = service.start(request, delegate: delegate)
    await delegate.finished(identifier)
    await ledger.settle()
    return identifier
  }
}

/// The JSON body of a page with these ids.
func pageBody(_ ids: String...) -> [UInt8] {
  WireEncoder.qwinks(Page.sample(ids: ids).items)
}

extension Request where Answer == Page<Qwink> {
  static var publicTimeline: Request { .timeline(.public, limit: 40) }
}

/// A type-erased request, for test arguments.
struct AnyRequest: Sendable {
  let isWrite: Bool
  let run: @MainActor @Sendable (Bench) async -> Void

  init<Answer>(_ request: Request<Answer>) {
    isWrite = request.isWrite
    run = { bench in await bench.run(request) }
  }
}

extension Entry {
  static func sample(_ text: String = "Hello", key: String = "key-1") -> Entry {
    Entry(text: text, visibility: .unlisted, idempotencyKey: key)
  }
}
