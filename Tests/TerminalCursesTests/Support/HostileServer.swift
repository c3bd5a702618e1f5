import FoundationEssentials
import HTTPTypes
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting

/// A server that tries to control its readers' terminals, with hostile text in all fields, errors and headers.
final class HostileServer: Sendable {
  /// Generates texts and entities with them.
  private final class Maker {
    var text: HostileText
    private(set) lazy var answers = FilledAnswers { [unowned self] in text.json() }
    var requests = 0

    init(seed: UInt64) {
      text = HostileText(seed: seed)
    }

    /// Returns the response to a request for `path`; every ninth is an error.
    func body(_ path: String) -> (body: [UInt8], status: Int) {
      requests += 1
      if requests % 9 == 0 { return (answers.error(), [401, 403, 404, 422, 429, 500, 503][requests / 9 % 7]) }
      if let body = answers.answer(to: path) { return (body, 200) }
      return (answers.error(), 404)
    }
  }

  private let maker: Mutex<Maker>

  init(seed: UInt64) {
    maker = Mutex(Maker(seed: seed))
  }

  /// Number of texts sent.
  var count: Int { maker.withLock { $0.text.count } }

  func transport() -> ScriptedTransport {
    ScriptedTransport { [self] request in answer(request) }
  }

  private func answer(_ request: TransportRequest) -> TransportResponse {
    let path = String((request.head.path ?? "").prefix { $0 != "?" })
    return maker.withLock { maker in
      let (body, status) = maker.body(path)
      var fields = HTTPFields()
      if let link = HTTPField.Name("Link") {
        fields[link] =
          "<https://tilde.example\(path)?max_id=\(maker.text.plain())>; rel=\"next\", <\(maker.text.plain())>"
      }
      if status == 429 || status == 503 { fields[.retryAfter] = maker.requests % 2 == 0 ? "30" : maker.text.plain() }
      return .json(body, status: status, fields: fields)
    }
  }
}
