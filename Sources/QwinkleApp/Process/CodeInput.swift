import Foundation
import QwinkleService

/// Sign-in codes typed by the user, and the address to which the browser was redirected, which contains the code.
@MainActor
final class CodeInput {
  private let codes: AsyncStream<String>
  private let redirected: Task<Void, Never>?

  /// Starts reading lines from standard input. The reading thread isn't stopped before the process ends, because
  /// reading can't be interrupted.
  init(redirect: LoopbackRedirect?) {
    let (codes, found) = AsyncStream.makeStream(of: String.self)
    self.codes = codes
    Thread.detachNewThread {
      while let line = readLine() { found.yield(line) }
      // Standard input has ended. Without a redirect, no more codes can arrive.
      if redirect == nil { found.finish() }
    }
    redirected = redirect.map { redirect in
      Task { if let address = await redirect.address() { found.yield(address) } }
    }
  }

  isolated deinit { redirected?.cancel() }

  /// The next code. Nil if standard input has ended and the browser can't be redirected to this program.
  func next() async -> String? {
    for await code in codes { return code }
    return nil
  }
}
