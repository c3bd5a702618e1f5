import HTTPTypes
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleService

@Suite(.bounded) struct RefusedPostTests {
  private func failure(_ status: Int, isRead: Bool) -> DownloadError {
    StatusMapping(host: "tilde.example", isSignedIn: true).failure(
      of: TransportResponse(head: HTTPResponse(status: .init(code: status)), body: []), isRead: isRead)
  }

  @Test func `a post that is too large is reported as not posted`() {
    #expect(failure(413, isRead: false) == .tooLargeToSend(host: "tilde.example"))
    #expect(
      failure(413, isRead: false).sentenceForPost
        == "Not posted. Too large for tilde.example. Shorten it and try again.")
    #expect(failure(413, isRead: true) == .unexpectedStatus(host: "tilde.example", status: 413))
  }

  @Test func `a post refused for lack of space is reported as not posted`() {
    #expect(failure(507, isRead: false).sentenceForPost.hasPrefix("Not posted. tilde.example is out of space."))
    #expect(failure(507, isRead: false).isTransient)
  }
}
