public import HTTPTypes
public import QwinkleWire
import Synchronization

/// A transport that answers with a test's script and records the requests.
public final class ScriptedTransport: Transport {
  /// Answers one request. An error other than a `TransportError` is thrown as `TransportError.local`.
  public typealias Script = @Sendable (TransportRequest) async throws -> TransportResponse

  public let sendsFiles: Bool
  private let script: Script
  private let asked = Mutex<[TransportRequest]>([])
  private let shutDowns = Mutex(0)

  /// Creates a transport that answers with `script`. With `sendsFiles`, the script receives files as
  /// ``TransportRequest/file``, otherwise as bytes.
  public init(sendsFiles: Bool = false, _ script: @escaping Script) {
    self.sendsFiles = sendsFiles
    self.script = script
  }

  /// The requests sent, in order.
  public var requests: [TransportRequest] { asked.withLock { $0 } }

  /// Number of shutdowns.
  public var shutDownCount: Int { shutDowns.withLock { $0 } }

  @concurrent public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    asked.withLock { $0.append(request) }
    do {
      return try await script(request)
    } catch let error as TransportError {
      throw error
    } catch {
      throw .local(reason: String(describing: error))
    }
  }

  @concurrent public func shutDown() async {
    shutDowns.withLock { $0 += 1 }
  }
}

extension TransportRequest {
  public var url: String {
    "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "")"
  }

  /// Returns the value of a header, if any.
  public func field(_ name: String) -> String? {
    HTTPField.Name(name).flatMap { head.headerFields[$0] }
  }

  /// Waits until the sending task is cancelled, like a server that never answers.
  @concurrent public func untilCancelled() async -> TransportError {
    let gate = Gate()
    await withTaskCancellationHandler {
      await gate.whenOpen()
    } onCancel: {
      gate.open()
    }
    return .cancelled
  }
}

extension TransportResponse {
  /// A JSON response.
  public static func json(_ body: [UInt8], status: Int = 200, fields: HTTPFields = [:]) -> TransportResponse {
    var fields = fields
    fields[.contentType] = "application/json; charset=utf-8"
    return TransportResponse(head: HTTPResponse(status: .init(code: status), headerFields: fields), body: body)
  }

  /// A text response.
  public static func text(_ body: String, status: Int = 200, fields: HTTPFields = [:]) -> TransportResponse {
    TransportResponse(head: HTTPResponse(status: .init(code: status), headerFields: fields), body: Array(body.utf8))
  }
}
