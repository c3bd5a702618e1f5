import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleService

/// Origins that receive the user's secrets when a response names another origin or redirects to one.
@MainActor
@Suite(.bounded) struct TokenReceiverTests {
  /// Scripted responses, and a record of all requests.
  @MainActor
  final class Net {
    let transport: ScriptedTransport
    let streams = ScriptedStreams { _ in }
    let ledger = ActivityLedger()
    let ear = Ear()
    /// Addresses opened in the browser.
    var pages: [String] = []

    /// Addresses not in `answers` respond with 404.
    init(_ answers: [String: TransportResponse]) {
      transport = ScriptedTransport { request in
        let address = String(request.url.prefix { $0 != "?" })
        return answers[address] ?? TransportResponse.json(Array("{}".utf8), status: 404)
      }
    }

    private var sent: [Sent] {
      transport.requests.map { Sent($0.head, $0.body) } + streams.connections.map { Sent($0.request.head) }
    }

    /// Origins that were sent a request, and origins of pages.
    var contacted: Set<String> { Set(sent.map(\.origin) + pages.compactMap { Origin($0)?.url }) }

    /// Origins that were sent a secret.
    var receivers: Set<String> { Set(sent.filter(\.hasSecret).map(\.origin)) }
  }

  private struct Sent {
    let origin: String
    let hasSecret: Bool

    init(_ head: HTTPRequest, _ body: [UInt8] = []) {
      origin = "\(head.scheme ?? "")://\(head.authority ?? "")"
      let texts = [head.path ?? "", String(decoding: body, as: UTF8.self)] + head.headerFields.map(\.value)
      hasSecret = texts.contains { $0.contains(TokenReceiverTests.canary) }
    }
  }

  struct Trial: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let answers: [String: TransportResponse]
    let contacted: Set<String>
    let receivers: Set<String>
    let run: @MainActor @Sendable (Net) async throws -> Void

    /// - Parameter contacted: nil if only the receivers are contacted.
    init(
      _ description: String, _ answers: [String: TransportResponse], contacted: Set<String>? = nil,
      receivers: Set<String>, run: @escaping @MainActor @Sendable (Net) async throws -> Void
    ) {
      testDescription = description
      self.answers = answers
      self.contacted = contacted ?? receivers
      self.receivers = receivers
      self.run = run
    }
  }

  /// A part of every secret.
  private nonisolated static let canary = "canary"
  private nonisolated static let home = "https://tilde.example"
  private nonisolated static let other = "https://other.example"
  private nonisolated static let stream = "https://stream.example"

  @Test(arguments: streaming + pages + uploads + signIns + redirectedSignIns + switches)
  func `secrets go only to the user's server and the streaming host it names`(trial: Trial) async throws {
    let net = Net(trial.answers)
    try await trial.run(net)
    #expect(net.receivers == trial.receivers)
    #expect(net.contacted == trial.contacted)
  }

  // MARK: Answers

  private nonisolated static func redirect(to url: String, status: Int = 302) -> TransportResponse {
    .text("", status: status, fields: [.location: url])
  }

  private nonisolated static func json(_ text: String) -> TransportResponse { .json(Array(text.utf8)) }

  /// A server's description, which names ``stream``.
  private nonisolated static func info(version: Int = 2) -> TransportResponse {
    let info = ServerInfo(title: "Tilde", domain: "tilde.example", streamingURL: "wss://stream.example")
    return .json(version == 1 ? WireEncoder.serverInfoV1(info) : WireEncoder.serverInfoV2(info))
  }

  private nonisolated static func page(next: String) -> TransportResponse {
    var fields = HTTPFields()
    if let link = HTTPField.Name("Link") { fields[link] = LinkHeader(next: next).value }
    return .json(pageBody("1"), fields: fields)
  }

  // MARK: Streams

  private nonisolated static let streaming: [Trial] = [
    Trial(
      "a streaming host in the server's own description", ["\(home)/api/v2/instance": info()],
      receivers: [home, stream], run: { try await listen($0) }),
    Trial(
      "a streaming host in the first version of it", ["\(home)/api/v1/instance": info(version: 1)],
      receivers: [home, stream], run: { try await listen($0) }),
    Trial(
      "a description redirected on the same server",
      ["\(home)/api/v2/instance": redirect(to: "/moved"), "\(home)/moved": info()],
      receivers: [home, stream], run: { try await listen($0) }),
    Trial(
      "a description redirected to another host",
      ["\(home)/api/v2/instance": redirect(to: "\(other)/x"), "\(other)/x": info()],
      contacted: [home, other], receivers: [home], run: { try await listen($0) }),
    Trial(
      "a description redirected to another port",
      ["\(home)/api/v2/instance": redirect(to: "\(home):8443/x"), "\(home):8443/x": info()],
      contacted: [home, "\(home):8443"], receivers: [home], run: { try await listen($0) }),
    Trial(
      "a description redirected to another host and back",
      [
        "\(home)/api/v2/instance": redirect(to: "\(other)/x"), "\(other)/x": redirect(to: "\(home)/y"),
        "\(home)/y": info(),
      ],
      contacted: [home, other], receivers: [home], run: { try await listen($0) }),
    Trial(
      "the first version redirected to another host",
      ["\(home)/api/v1/instance": redirect(to: "\(other)/x"), "\(other)/x": info(version: 1)],
      contacted: [home, other], receivers: [home], run: { try await listen($0) }),
  ]

  /// Fetches the server's description, then opens a stream.
  private static func listen(_ net: Net) async throws {
    let bench = Bench(net.transport, token: canary)
    await bench.run(.serverInfo)
    let info = try #require(bench.delegate.answer(ServerInfo.self))
    let service = streamingService(net, at: home, token: canary)
    service.follow(.user, for: net.ear)
    service.use(namedURL: info.streamingURL)
    #expect(net.streams.connections.count == 1)
    service.suspend()
  }

  private static func streamingService(_ net: Net, at url: String, token: String) -> StreamingService {
    StreamingService(
      configuration: .init(serverURL: url, token: token), clock: VirtualClock(), ledger: net.ledger,
      transport: net.streams)
  }

  // MARK: Pages

  private nonisolated static let pages: [Trial] = [
    Trial(
      "a next page on another host",
      ["\(home)/api/v1/timelines/home": page(next: "\(other)/api/v1/timelines/home?max_id=1")],
      receivers: [home], run: { try await readTwoPages($0) }),
    Trial(
      "a next page in the clear on another port",
      ["\(home)/api/v1/timelines/home": page(next: "http://tilde.example:8080/api/v1/timelines/home?max_id=1")],
      receivers: [home], run: { try await readTwoPages($0) }),
    Trial(
      "a page redirected to another host, with its next page there",
      ["\(home)/api/v1/timelines/home": redirect(to: "\(other)/x"), "\(other)/x": page(next: "\(other)/y")],
      contacted: [home, other], receivers: [home], run: { try await readTwoPages($0) }),
  ]

  private static func readTwoPages(_ net: Net) async throws {
    let bench = Bench(net.transport, token: canary)
    let first: Request<Page<Qwink>> = .timeline(.home, limit: 40)
    await bench.run(first)
    let page = try #require(bench.delegate.answer(Page<Qwink>.self))
    let older = try #require(page.older)
    let next: Request<Page<Qwink>> = .timelinePage(.home, older)
    await bench.run(next)
  }

  // MARK: Uploads

  private nonisolated static let uploads: [Trial] = [
    Trial(
      "an upload redirected to another host", ["\(home)/api/v2/media": redirect(to: "\(other)/x", status: 307)],
      receivers: [home], run: { await upload($0) }),
    Trial(
      "an upload whose id and address are on another host",
      ["\(home)/api/v2/media": json("{\"id\":\"\(other)/x\",\"type\":\"image\",\"url\":\"\(other)/y\"}")],
      receivers: [home], run: { await upload($0) }),
  ]

  /// Uploads a file, and requests its state if the server accepts it.
  private static func upload(_ net: Net) async {
    let bench = Bench(net.transport, token: canary)
    let file = Upload(name: "a.png", type: "image/png", content: .bytes(Array(canary.utf8)))
    await bench.run(.upload(file, boundary: "b"))
    guard let state = bench.delegate.answer(UploadState.self) else { return }
    await bench.run(.uploadState(state.attachment.id))
  }

  // MARK: Signing in

  private nonisolated static let signInAnswers: [String: TransportResponse] = [
    "\(home)/api/v1/apps": json(#"{"client_id":"app","client_secret":"canary-app"}"#),
    "\(home)/oauth/token": json(#"{"access_token":"canary-token","token_type":"Bearer"}"#),
    "\(home)/oauth/revoke": json("{}"),
    "\(home)/api/v1/accounts/verify_credentials": .json(WireEncoder.qwinker(.sample("anna"))),
  ]

  private nonisolated static let endpoints = [
    "authorization_endpoint", "token_endpoint", "revocation_endpoint", "app_registration_endpoint",
  ]

  private nonisolated static let offerAddress = "\(home)/.well-known/oauth-authorization-server"

  /// Addresses on another host, over plain HTTP, on another port, and with the server's name as a user name.
  private nonisolated static let elsewhere: [String] = [
    "\(other)/x", "http://tilde.example/x", "\(home):8443/x", "\(home)@other.example/x",
  ]

  /// Each endpoint at each kind of other origin.
  private nonisolated static let signIns: [Trial] = endpoints.flatMap { endpoint -> [Trial] in
    elsewhere.map { url -> Trial in
      var answers = signInAnswers
      answers[offerAddress] = json("{\"\(endpoint)\":\"\(url)\"}")
      return Trial("\(endpoint) \(url)", answers, receivers: [home], run: { await signIn($0) })
    }
  }

  private nonisolated static let signInAddresses: [String] = [offerAddress] + signInAnswers.keys.sorted()

  /// Each request of signing in and out, redirected to a host that names its own endpoints.
  private nonisolated static let redirectedSignIns: [Trial] = signInAddresses.map { url -> Trial in
    var answers = signInAnswers
    answers[url] = redirect(to: "\(other)/x", status: 307)
    answers["\(other)/x"] = json("{" + endpoints.map { "\"\($0)\":\"\(other)/y\"" }.joined(separator: ",") + "}")
    // An app that isn't registered has no secrets.
    let receivers: Set<String> = url.hasSuffix("/apps") ? [] : [home]
    return Trial("redirected \(url)", answers, contacted: [home], receivers: receivers, run: { await signIn($0) })
  }

  /// Signs in and out. Some trials make a step fail.
  private static func signIn(_ net: Net) async {
    let transport = net.transport
    let signIn = SignIn(serverURL: home, ledger: net.ledger, transport: { transport })
    if let page = try? await signIn.begin() { net.pages.append(page) }
    guard let outcome = try? await signIn.finish(code: "canary-code"), let app = outcome.app else { return }
    try? await signIn.revoke(outcome.token, of: app)
  }

  // MARK: Switching servers

  private nonisolated static let switches: [Trial] = [
    Trial(
      "a streaming host that the former server named", [:], contacted: [stream, home], receivers: [home],
      run: { listenElsewhere($0) }),
    Trial(
      "a redirect of the former server that is in progress",
      [
        "\(other)/api/v2/instance": redirect(to: "/moved"), "\(other)/moved": info(),
        "\(home)/api/v2/instance": info(),
      ],
      contacted: [other, home], receivers: [home], run: { await switchDuringRedirect($0) }),
  ]

  /// Opens a stream at ``other``, then at ``home``, which names no streaming host. Only the token of ``home`` is the
  /// secret.
  private static func listenElsewhere(_ net: Net) {
    let service = streamingService(net, at: other, token: "former")
    service.follow(.user, for: net.ear)
    service.use(namedURL: "wss://stream.example")
    service.use(StreamingService.Configuration(serverURL: home, token: canary))
    service.use(namedURL: nil)
    #expect(net.streams.connections.count == 2)
    service.suspend()
  }

  private static func switchDuringRedirect(_ net: Net) async {
    let bench = Bench(net.transport, at: other, token: "former")
    let service = bench.service
    bench.delegate.didHear = { _, event in
      guard case .redirected = event else { return }
      service.use(DownloadService.Configuration(serverURL: home, token: canary))
    }
    await bench.run(.serverInfo)
    await bench.run(.serverInfo)
  }
}
