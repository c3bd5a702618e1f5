import QwinkleModel
import QwinkleService
import QwinkleWire
import TerminalTesting
import Testing

@Suite(.bounded) struct SentenceTests {
  @Test(arguments: [
    (DownloadError.transport(.timedOut(host: "tilde.example")), "tilde.example does not respond. Try again."),
    (
      .transport(.unknownHost("tilde.exmaple")),
      "Unknown host: tilde.exmaple. Check the name and your network connection."
    ),
    (
      .transport(.refused(host: "127.0.0.1:9")),
      "127.0.0.1:9 cannot be reached. Check the address, or try again later."
    ),
    (
      .transport(.interrupted(host: "tilde.example")),
      "Connection to tilde.example lost. Try again."
    ),
    (
      .transport(.untrusted(host: "tilde.example", reason: "its certificate expired on 2024-05-01")),
      "TLS error at tilde.example: its certificate expired on 2024-05-01. Nothing was sent. "
        + "Check the address and this machine's clock, or tell the server's admin."
    ),
    (.transport(.local(reason: "The disk is full.")), "The disk is full. Try again."),
    (.transport(.local(reason: "The disk is full. Make room.")), "The disk is full. Make room."),
    (.tooLargeToSend(host: "tilde.example"), "Too large for tilde.example. Shorten it and try again."),
    (.unsupported(host: "tilde.example", .lists), "tilde.example does not support lists."),
    (
      .unsupportedHere(host: "tilde.example", .threadMutes),
      "tilde.example does not support muting threads, or not for this one."
    ),
    (.noRoom(host: "tilde.example", message: ""), "tilde.example is out of space. Try again later."),
    (.noRoom(host: "local", message: "Make room"), "local is out of space (“Make room”)."),
    (
      .needsAuthentication(host: "tilde.example", message: ""),
      "tilde.example requires you to sign in. Sign in: qwinkle login URL"
    ),
    (
      .forbidden(host: "tilde.example", message: "You are blocked"),
      "tilde.example does not allow this (“You are blocked”). Try another account."
    ),
    (
      .rateLimited(host: "tilde.example", retryAfter: .seconds(240)),
      "Too many requests to tilde.example. Wait 4 minutes, then try again."
    ),
    (
      .serverFailed(host: "tilde.example", status: 503),
      "Server error at tilde.example (HTTP 503). Try again in a moment."
    ),
    (
      .unreadable(host: "tilde.example", reason: "it is a web page"),
      "Unreadable response from tilde.example: it is a web page. Try again. If this persists, "
        + "check that the address is a Mastodon-compatible server."
    ),
  ])
  func `an error message states the failure, its reason and a remedy`(error: DownloadError, sentence: String) {
    #expect(error.sentence == sentence)
  }

  @Test(arguments: [
    (DownloadError.notFound(host: "x", message: ""), "Record not found"),
    (.notFound(host: "x", message: ""), "Not Found"), (.notFound(host: "x", message: ""), "Gone"),
    (.notFound(host: "x", message: ""), "Not found, or not visible to you."),
    (.notFound(host: "x", message: ""), "404: The page does not exist."),
    (.forbidden(host: "x", message: ""), "This action is not allowed"),
    (.forbidden(host: "x", message: ""), "Forbidden"),
    (.needsAuthentication(host: "x", message: ""), "Unauthorized"),
    (.rejected(host: "x", message: ""), "Unprocessable Entity"), (.rejected(host: "x", message: ""), "Bad Request"),
    (.noRoom(host: "x", message: ""), "Insufficient Storage"),
  ])
  func `a message that only repeats the error is not quoted`(error: DownloadError, message: String) {
    func with(_ message: String) -> String {
      switch error {
      case .notFound(let host, _): DownloadError.notFound(host: host, message: message).summary
      case .forbidden(let host, _): DownloadError.forbidden(host: host, message: message).summary
      case .needsAuthentication(let host, _):
        DownloadError.needsAuthentication(host: host, message: message).summary
      case .rejected(let host, _): DownloadError.rejected(host: host, message: message).summary
      default: DownloadError.noRoom(host: "x", message: message).summary
      }
    }
    #expect(with(message) == error.summary)
    #expect(with("\(message): Alice moved").contains("“\(message): Alice moved”"))
  }

  @Test func `a certain failure is reported as not posted`() {
    for error in [
      DownloadError.noRoom(host: "x", message: ""), .tooLargeToSend(host: "x"), .rejected(host: "x", message: ""),
    ] {
      #expect(!error.mayHaveArrived && error.sentenceForPost.hasPrefix("Not posted. "))
      #expect(error.sentenceForEdit.hasPrefix("Not saved. "))
    }
    #expect(DownloadError.serverFailed(host: "x", status: 500).mayHaveArrived)
  }

  @Test func `only temporary errors are transient`() {
    #expect(DownloadError.transport(.timedOut(host: "x")).isTransient)
    #expect(DownloadError.transport(.refused(host: "x")).isTransient)
    #expect(DownloadError.rateLimited(host: "x", retryAfter: nil).isTransient)
    #expect(DownloadError.serverFailed(host: "x", status: 502).isTransient)
    #expect(!DownloadError.needsAuthentication(host: "x", message: "").isTransient)
    #expect(!DownloadError.transport(.untrusted(host: "x", reason: "")).isTransient)
    #expect(!DownloadError.rejected(host: "x", message: "").isTransient)
  }
}
