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

  @Test func `what is too large to be sent is said to be so, and not to have arrived`() {
    #expect(failure(413, isRead: false) == .tooLargeToSend(host: "tilde.example"))
    #expect(
      failure(413, isRead: false).sentenceForPost
        == "Not posted. Too large for tilde.example. Shorten it and try again.")
    #expect(failure(413, isRead: true) == .unexpectedStatus(host: "tilde.example", status: 413))
  }

  @Test func `where there is no room nothing may have been posted`() {
    #expect(failure(507, isRead: false).sentenceForPost.hasPrefix("Not posted. tilde.example is out of space."))
    #expect(failure(507, isRead: false).isTransient)
  }
}
