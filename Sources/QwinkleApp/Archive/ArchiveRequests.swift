import QwinkleAccount
import QwinkleModel
import QwinkleService
import Timekeeping

/// Requests of long commands. They wait when the server allows no more requests for a while.
extension AccountConnection {
  /// The longest wait that a server can ask for. Servers count requests in periods of up to half an hour.
  private static var longestWait: Duration { .seconds(1800) }
  private static var usualWait: Duration { .seconds(60) }
  private static var mostWaits: Int { 50 }

  /// Returns the answer to a request. If the server limits requests, waits as long as it says and asks again.
  func patientAnswer<Answer>(to request: Request<Answer>) async throws(DownloadError) -> Answer {
    for _ in 0..<Self.mostWaits {
      do throws(DownloadError) {
        return try await answer(to: request)
      } catch .rateLimited(_, let time) {
        await rest(time)
      } catch {
        throw error
      }
    }
    return try await answer(to: request)
  }

  /// Like ``qwinker(named:)``, but waits like ``patientAnswer(to:)``.
  func patientQwinker(named name: String) async throws(FindingError) -> Qwinker {
    try await patiently { () async throws(FindingError) in try await qwinker(named: name) }
  }

  /// Like ``qwink(named:)``, but waits like ``patientAnswer(to:)``.
  func patientQwink(named name: String) async throws(FindingError) -> Qwink {
    try await patiently { () async throws(FindingError) in try await qwink(named: name) }
  }

  private func patiently<Found>(
    _ find: () async throws(FindingError) -> Found
  ) async throws(FindingError) -> Found {
    for _ in 0..<Self.mostWaits {
      do throws(FindingError) {
        return try await find()
      } catch .failed(.rateLimited(_, let time)) {
        await rest(time)
      } catch {
        throw error
      }
    }
    return try await find()
  }

  private func rest(_ time: Duration?) async {
    let wait = min(time ?? Self.usualWait, Self.longestWait)
    StandardOutput.remark("The server allows more requests in \(wait.components.seconds + 1) s. Waiting.")
    _ = await ClockWait(on: clock).wait(for: wait)
  }
}

extension AccountConnection {
  /// The domain of the server's users: the part of their handles after the second `@`.
  func archiveDomain(_ info: ServerInfo) -> String {
    domain(of: info) ?? ServerAddress.name(in: serverURL) ?? info.domain
  }
}

extension DownloadError {
  /// Whether the reason may be that the server doesn't implement the call.
  var isOfUnknownCall: Bool {
    switch self {
    case .notFound, .unreadable, .unexpectedStatus, .unsupported, .unsupportedHere, .rejected(_, ""),
      .serverFailed(_, 501):
      true
    default: false
    }
  }
}
