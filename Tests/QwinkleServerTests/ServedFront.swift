import Dispatch
import Foundation
import QwinkleTesting
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// Collects lines from any thread.
final class Lines: Sendable {
  private let kept = Mutex<[String]>([])
  var all: [String] { kept.withLock { $0 } }
  func add(_ line: String) { kept.withLock { $0.append(line) } }
}

/// Runs `body` with a served service and its HTTP front.
@concurrent
func withServedFront(
  origin: String? = nil, limits: FrontLimits = FrontLimits(), readLimit: ReadLimit = ReadLimit(),
  budget: [Resource: Resource.Limit] = [:],
  trustedProxies: [String] = [], terms: ServiceTerms = ServiceTerms(), quotas: ServiceQuotas? = nil,
  log: RecordedLog = RecordedLog(), lines: Lines = Lines(), metrics: Metrics? = nil,
  _ body: @escaping @Sendable (Harness, HTTPFront) async throws -> Void
) async throws {
  try await withDirectory { directory in
    let clock = VirtualClock()
    let service = try Service(
      directory: directory, welcome: "", owner: "", clock: clock, passwordCost: .quick, readLimit: readLimit,
      use: .served, limits: budget, terms: terms, quotas: quotas, log: log.logger)
    let front = HTTPFront(
      service: service, host: "127.0.0.1", port: 0, origin: origin, trustedProxies: trustedProxies, log: log.logger,
      accessLog: { lines.add($0) }, metrics: metrics, limits: limits)
    try await withPort(of: front) { port in
      try await body(
        Harness(
          service: service, transport: URLSessionTransport(), authority: "127.0.0.1:\(port)", directory: directory,
          clock: clock), front)
    }
  }
}

extension Harness {
  var port: Int { authority.split(separator: ":").last.flatMap { Int($0) } ?? 0 }
}

extension DispatchSemaphore {
  /// Waits on a separate thread. `what` names the signal in the error.
  func signalled(_ what: String) async throws {
    let isSignalled = await RawClient.onThread {
      self.wait(timeout: .now() + .seconds(Deadline.seconds)) == .success
    }
    guard isSignalled else { throw HarnessError.timedOut(what, screen: "") }
  }
}
