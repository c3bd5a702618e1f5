import Foundation
import QwinkleService

/// Sign-in codes, typed or brought by the browser, whichever comes first.
@MainActor
final class CodeInput {
  private let codes: AsyncStream<String>
  private let redirected: Task<Void, Never>?

  /// Reads lines from standard input until the process ends; that cannot be interrupted.
  init(redirect: LoopbackRedirect?) {
    let (codes, found) = AsyncStream.makeStream(of: String.self)
    self.codes = codes
    Thread.detachNewThread {
      while let line = readLine() { found.yield(line) }
      // Without a browser nothing more can come.
      if redirect == nil { found.finish() }
    }
    redirected = redirect.map { redirect in
      Task { if let address = await redirect.address() { found.yield(address) } }
    }
  }

  isolated deinit { redirected?.cancel() }

  /// The next code; nil if none will come.
  func next() async -> String? {
    for await code in codes { return code }
    return nil
  }
}
