import QwinkleService
import QwinkleWire
import Testing

@Suite struct SentenceTests {
  @Test(arguments: [
    (DownloadError.transport(.timedOut(host: "tilde.example")), "tilde.example does not answer. Try again."),
    (
      .transport(.unknownHost("tilde.exmaple")),
      "No server is called tilde.exmaple. Check the name, and that this machine is online."
    ),
    (
      .transport(.refused(host: "127.0.0.1:9")),
      "127.0.0.1:9 cannot be reached. Check the address, or try again once it is up."
    ),
    (
      .transport(.interrupted(host: "tilde.example")),
      "The connection to tilde.example broke before the answer was whole. Try again."
    ),
    (
      .transport(.untrusted(host: "tilde.example", reason: "its certificate expired on 2024-05-01")),
      "tilde.example cannot prove who it is: its certificate expired on 2024-05-01. Nothing was sent. "
        + "Check the name and this machine's clock, or ask who runs that server."
    ),
    (.transport(.local(reason: "The disk is full.")), "The disk is full. Try again."),
    (.transport(.local(reason: "The disk is full. Make room.")), "The disk is full. Make room."),
    (.tooLargeToSend(host: "tilde.example"), "What was sent is too large for tilde.example. Shorten it and try again."),
    (.noRoom(host: "tilde.example", message: ""), "tilde.example has no room left. Try again once there is room."),
    (.noRoom(host: "local", message: "Make room"), "local has no room left (“Make room”)."),
    (
      .needsAuthentication(host: "tilde.example", message: ""),
      "tilde.example asks who you are. Sign in: qwinkle login URL"
    ),
    (
      .forbidden(host: "tilde.example", message: "You are blocked"),
      "tilde.example does not allow you to do that (“You are blocked”). Sign in as somebody who may, or leave it."
    ),
    (
      .rateLimited(host: "tilde.example", retryAfter: .seconds(240)),
      "tilde.example was asked too often. Wait 4 minutes, then try again."
    ),
    (
      .serverFailed(host: "tilde.example", status: 503),
      "tilde.example has a fault of its own (status 503). Wait a little, then try again."
    ),
    (
      .unreadable(host: "tilde.example", reason: "it is a web page"),
      "The answer of tilde.example cannot be read: it is a web page. Try again; if it stays so, "
        + "check that the address is that of a Mastodon-like server."
    ),
  ])
  func `a failure says what, why and what to do`(error: DownloadError, sentence: String) {
    #expect(error.sentence == sentence)
  }

  @Test func `what was certainly not posted is not said to be perhaps`() {
    for error in [
      DownloadError.noRoom(host: "x", message: ""), .tooLargeToSend(host: "x"), .rejected(host: "x", message: ""),
    ] {
      #expect(!error.mayHaveArrived && error.sentenceForPost.hasPrefix("Not posted. "))
      #expect(error.sentenceForEdit.hasPrefix("Not changed. "))
    }
    #expect(DownloadError.serverFailed(host: "x", status: 500).mayHaveArrived)
  }

  @Test func `only what may pass by itself is tried again by itself`() {
    #expect(DownloadError.transport(.timedOut(host: "x")).isTransient)
    #expect(DownloadError.transport(.refused(host: "x")).isTransient)
    #expect(DownloadError.rateLimited(host: "x", retryAfter: nil).isTransient)
    #expect(DownloadError.serverFailed(host: "x", status: 502).isTransient)
    #expect(!DownloadError.needsAuthentication(host: "x", message: "").isTransient)
    #expect(!DownloadError.transport(.untrusted(host: "x", reason: "")).isTransient)
    #expect(!DownloadError.rejected(host: "x", message: "").isTransient)
  }
}
