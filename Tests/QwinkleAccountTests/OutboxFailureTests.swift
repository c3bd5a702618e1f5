import QwinkleModel
import QwinkleService
import QwinkleWire
import Testing

@testable import QwinkleAccount

/// Effects of failed requests on items of the outbox.
@Suite struct OutboxFailureTests {
  private func effect(_ error: DownloadError, isRepeatable: Bool) -> String {
    switch error.outboxFailure(isRepeatable: isRepeatable) {
    case .later: "later"
    case .doubtful: "doubtful"
    case .refused: "refused"
    }
  }

  @Test(arguments: [
    (DownloadError.transport(.refused(host: "h")), "later"), (.transport(.unknownHost("h")), "later"),
    (.transport(.timedOut(host: "h")), "doubtful"), (.transport(.interrupted(host: "h")), "doubtful"),
    (.cancelled, "doubtful"), (.transport(.socket(path: "/q", .missing)), "later"),
    (.transport(.socket(path: "/q", .notListening)), "later"),
    (.serverFailed(host: "h", status: 500), "doubtful"), (.serverFailed(host: "h", status: 503), "later"),
    (.serverFailed(host: "h", status: 501), "refused"), (.rejected(host: "h", message: ""), "refused"),
  ])
  func `a post whose request may have been sent is not sent again unchecked`(error: DownloadError, effect: String) {
    #expect(self.effect(error, isRepeatable: false) == effect)
    #expect(self.effect(error, isRepeatable: true) == (effect == "doubtful" ? "later" : effect))
  }
}
