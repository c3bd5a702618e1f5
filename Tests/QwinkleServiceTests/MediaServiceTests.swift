import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

/// Fetching pictures from addresses that other users choose.
@Suite(.bounded) struct MediaServiceTests {
  private static let file = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

  /// A resolver with fixed addresses.
  private struct Names: HostResolver {
    var known: [String: [String]] = [:]

    @concurrent func addresses(of host: String) async -> [String] { known[host] ?? ["93.184.216.34"] }
  }

  private func service(
    server: String = "https://tilde.example", names: [String: [String]] = [:], _ transport: ScriptedTransport
  ) -> MediaService {
    MediaService(
      rules: MediaRules(serverURL: server, sources: .all), own: { transport }, others: { transport },
      resolver: Names(known: names))
  }

  private static func answer(_ status: Int = 200, _ body: [UInt8] = file, _ fields: HTTPFields = [:])
    -> TransportResponse
  {
    var head = HTTPResponse(status: .init(code: status))
    head.headerFields = fields
    if head.headerFields[.contentType] == nil { head.headerFields[.contentType] = "image/png" }
    return TransportResponse(head: head, body: body)
  }

  @Test func `a request has no token, cookie or Referer`() async throws {
    let transport = ScriptedTransport { _ in Self.answer() }
    let outcome = await service(transport).fetch(
      "https://tilde.example/1.png", after: nil, isByKey: false, mostBytes: 1 << 20)
    #expect(outcome == .whole(Self.file))
    let request = try #require(transport.requests.first)
    #expect(Set(request.head.headerFields.map(\.name.canonicalName)) == ["user-agent", "accept", "accept-encoding"])
  }

  @Test func `an address that the rules refuse is not requested`() async {
    let transport = ScriptedTransport { _ in Self.answer() }
    let outcome = await service(transport).fetch(
      "https://10.0.0.1/1.png", after: nil, isByKey: true, mostBytes: 1 << 20)
    #expect(outcome == .broken(.refused(.privateAddress), part: nil))
    #expect(transport.requests.isEmpty)
  }

  @Test(arguments: [["10.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["fe80::1%eth0"]])
  func `a name with a private address is refused`(addresses: [String]) async {
    let transport = ScriptedTransport { _ in Self.answer() }
    let outcome = await service(names: ["evil.example": addresses], transport).fetch(
      "https://evil.example/1.png", after: nil, isByKey: true, mostBytes: 1 << 20)
    #expect(outcome == .broken(.refused(.privateAddress), part: nil))
    #expect(transport.requests.isEmpty)
  }

  @Test func `the server's own name may have a private address`() async {
    let transport = ScriptedTransport { _ in Self.answer() }
    let outcome = await service(names: ["tilde.example": ["10.0.0.1"]], transport).fetch(
      "https://tilde.example/1.png", after: nil, isByKey: true, mostBytes: 1 << 20)
    #expect(outcome == .whole(Self.file))
  }

  @Test(arguments: [
    ("http://tilde.example/2.png", MediaRules.Refusal.notSecure), ("https://127.0.0.1/", .privateAddress),
    ("https://evil.example/", .privateAddress), ("file:///etc/passwd", .malformed),
  ])
  func `each redirect is checked against the rules`(target: String, refusal: MediaRules.Refusal) async {
    let transport = ScriptedTransport { _ in Self.answer(302, [], [.location: target]) }
    let outcome = await service(names: ["evil.example": ["192.168.0.1"]], transport).fetch(
      "https://tilde.example/1.png", after: nil, isByKey: true, mostBytes: 1 << 20)
    #expect(outcome == .broken(.refused(refusal), part: nil))
    #expect(transport.requests.count == 1)
  }

  @Test func `a fetch stops after three redirects`() async {
    let transport = ScriptedTransport { _ in Self.answer(302, [], [.location: "/again"]) }
    let outcome = await service(transport).fetch(
      "https://tilde.example/1.png", after: nil, isByKey: true, mostBytes: 1 << 20)
    #expect(outcome == .broken(.tooManyRedirects, part: nil))
    #expect(transport.requests.count == 4)
  }

  @Test(arguments: ["text/html", "application/json", "video/mp4", "text/html; charset=image/png"])
  func `a response that is not a picture is refused by its type`(type: String) async {
    let transport = ScriptedTransport { _ in Self.answer(200, Self.file, [.contentType: type]) }
    let outcome = await service(transport).fetch(
      "https://tilde.example/1.png", after: nil, isByKey: true, mostBytes: 1 << 20)
    #expect(outcome == .broken(.type(type), part: nil))
  }

  @Test(arguments: [404, 410, 500]) func `an error status is reported`(status: Int) async {
    let transport = ScriptedTransport { _ in Self.answer(status, []) }
    let outcome = await service(transport).fetch(
      "https://tilde.example/1.png", after: nil, isByKey: true, mostBytes: 1 << 20)
    #expect(outcome == .broken(.status(status), part: nil))
  }

  @Test func `a picture over the size limit is refused`() async {
    let transport = ScriptedTransport { _ in Self.answer() }
    let outcome = await service(transport).fetch(
      "https://tilde.example/1.png", after: nil, isByKey: true, mostBytes: 49_999)
    #expect(outcome == .broken(.tooLarge, part: nil))
  }

  // MARK: Over the network

  /// Serves the file with range support.
  private static func ranged(_ request: ScriptedServer.Request, tag: String = "\"v1\"", file: [UInt8] = file) -> Script
  {
    let fields = [("ETag", tag), ("Content-Type", "image/png"), ("Accept-Ranges", "bytes")]
    guard let range = request.field("Range"), request.field("If-Range") == tag,
      let start = Int(range.dropFirst("bytes=".count).dropLast())
    else { return .answer(200, file, fields: fields) }
    let place = ("Content-Range", "bytes \(start)-\(file.count - 1)/\(file.count)")
    return .answer(206, Array(file[start...]), fields: fields + [place])
  }

  private func withMedia(
    _ script: @escaping @Sendable (ScriptedServer.Request) -> Script,
    _ body: (ScriptedServer, MediaService) async throws -> Void
  ) async throws {
    let server = try await ScriptedServer.start(script: script)
    let service = MediaService(
      rules: MediaRules(serverURL: server.url), own: { HTTPTransport() },
      others: { HTTPTransport(refusesPrivateAddresses: true) })
    do {
      try await body(server, service)
      await service.shutDown()
      await server.stop()
    } catch {
      await service.shutDown()
      await server.stop()
      throw error
    }
  }

  @Test func `an interrupted transfer resumes and yields an identical file`() async throws {
    let fields = [("ETag", "\"v1\""), ("Content-Type", "image/png")]
    try await withMedia({ request in
      request.field("Range") == nil
        ? Script([
          .send(Script.head(200, fields + [("Content-Length", "\(Self.file.count)")]) + Self.file.prefix(20_000)),
          .close,
        ]) : Self.ranged(request)
    }) { server, service in
      let first = await service.fetch(server.url + "/1.png", after: nil, isByKey: true, mostBytes: 1 << 20)
      guard case .broken(.transport(.interrupted), let part?) = first else {
        Issue.record("\(first)")
        return
      }
      #expect(part.bytes == Array(Self.file.prefix(20_000)))
      #expect(part.validator == "\"v1\"" && part.total == Self.file.count)
      let counts = Mutex<[Int]>([])
      let second = await service.fetch(
        server.url + "/1.png", after: part, isByKey: true, mostBytes: 1 << 20,
        didReceive: { count, _ in counts.withLock { $0.append(count) } })
      #expect(second == .whole(Self.file))
      #expect(server.requests.last?.field("Range") == "bytes=20000-")
      #expect(counts.withLock { $0.allSatisfy { $0 >= 20_000 } && !$0.isEmpty })
    }
  }

  @Test func `a changed file is not joined to its old part`() async throws {
    let other = Self.file.map { $0 ^ 0xFF }
    try await withMedia({ Self.ranged($0, tag: "\"v2\"", file: other) }) { server, service in
      let part = PartialResource(bytes: Array(Self.file.prefix(20_000)), validator: "\"v1\"", total: Self.file.count)
      let outcome = await service.fetch(server.url + "/1.png", after: part, isByKey: true, mostBytes: 1 << 20)
      #expect(outcome == .whole(other))
    }
  }

  @Test func `a range of a different file restarts the transfer`() async throws {
    let other = Self.file.map { $0 ^ 0xFF }
    try await withMedia({ request in
      guard request.field("Range") != nil else { return Self.ranged(request, tag: "\"v2\"", file: other) }
      return .answer(
        206, Array(other[20_000...]),
        fields: [("ETag", "\"v2\""), ("Content-Type", "image/png"), ("Content-Range", "bytes 20000-49999/50000")])
    }) { server, service in
      let part = PartialResource(bytes: Array(Self.file.prefix(20_000)), validator: "\"v1\"", total: Self.file.count)
      let outcome = await service.fetch(server.url + "/1.png", after: part, isByKey: true, mostBytes: 1 << 20)
      #expect(outcome == .whole(other))
      #expect(server.requests.count == 2)
    }
  }

  @Test func `a range beyond the end restarts the transfer`() async throws {
    try await withMedia({ request in
      request.field("Range") == nil ? Self.ranged(request) : .answer(416)
    }) { server, service in
      let part = PartialResource(bytes: Self.file + [1], validator: "\"v1\"")
      let outcome = await service.fetch(server.url + "/1.png", after: part, isByKey: true, mostBytes: 1 << 20)
      #expect(outcome == .whole(Self.file))
    }
  }

  @Test func `a part that is the whole file is not fetched again`() async throws {
    let length = Self.file.count
    for total in [nil, length] {
      try await withMedia({ request in
        let fields = total == nil ? [("Content-Range", "bytes */\(length)")] : []
        return request.field("Range") == nil ? Self.ranged(request) : .answer(416, fields: fields)
      }) { server, service in
        let part = PartialResource(bytes: Self.file, validator: "\"v1\"", total: total)
        let outcome = await service.fetch(server.url + "/1.png", after: part, isByKey: true, mostBytes: 1 << 20)
        #expect(outcome == .whole(Self.file))
        #expect(server.requests.count == 1)
      }
    }
  }

  @Test(arguments: [true, false])
  func `a resumed picture whose last byte had arrived is not fetched again`(hasLength: Bool) async {
    let length = "\(Self.file.count)"
    let transport = ScriptedTransport { request in
      guard request.field("Range") == nil else { return Self.answer(416, [], [.contentRange: "bytes */\(length)"]) }
      var fields: HTTPFields = [.eTag: "\"v1\""]
      if hasLength { fields[.contentLength] = length }
      request.didReceivePart?(Self.answer(200, [], fields).head, Self.file)
      throw TransportError.interrupted(host: "tilde.example")
    }
    let service = service(transport)
    let address = "https://tilde.example/1.png"
    var outcome = await service.fetch(address, after: nil, isByKey: true, mostBytes: 1 << 20)
    if case .broken(.transport(.interrupted), let part?) = outcome {
      outcome = await service.fetch(address, after: part, isByKey: true, mostBytes: 1 << 20)
    }
    #expect(outcome == .whole(Self.file))
    let ranges: [String?] = hasLength ? [nil] : [nil, "bytes=\(length)-"]
    #expect(transport.requests.map { $0.field("Range") } == ranges)
  }

  @Test func `an interrupted transfer without range support leaves no part`() async throws {
    try await withMedia({ _ in
      Script([
        .send(
          Script.head(200, [("Content-Type", "image/png"), ("Content-Length", "\(Self.file.count)")])
            + Self.file.prefix(20_000)), .close,
      ])
    }) { server, service in
      let outcome = await service.fetch(server.url + "/1.png", after: nil, isByKey: true, mostBytes: 1 << 20)
      guard case .broken(.transport(.interrupted), part: nil) = outcome else {
        Issue.record("\(outcome)")
        return
      }
    }
  }

  @Test func `cancelling returns the received part`() async throws {
    let gate = Gate()
    try await withMedia({ _ in
      Script([
        .send(
          Script.head(
            200, [("Content-Type", "image/png"), ("ETag", "\"v1\""), ("Content-Length", "\(Self.file.count)")])
            + Self.file.prefix(1000)), .wait(gate), .close,
      ])
    }) { server, service in
      let arrived = Gate()
      let task = Task {
        await service.fetch(
          server.url + "/1.png", after: nil, isByKey: true, mostBytes: 1 << 20,
          didReceive: { count, _ in if count == 1000 { arrived.open() } })
      }
      await arrived.whenOpen()
      task.cancel()
      guard case .broken(.transport(.cancelled), let part?) = await task.value else {
        Issue.record("no part")
        return
      }
      #expect(part.bytes == Array(Self.file.prefix(1000)))
      gate.open()
    }
  }

  @Test func `a connection to a private address fails before anything is sent`() async throws {
    let server = try await ScriptedServer.start { _ in .answer(200) }
    let transport = HTTPTransport(refusesPrivateAddresses: true)
    var head = HTTPRequest(method: .get, scheme: "http", authority: server.host, path: "/")
    head.headerFields[.accept] = "image/png"
    await #expect(throws: TransportError.self) { _ = try await transport.send(TransportRequest(head: head)) }
    #expect(server.requests.isEmpty)
    await transport.shutDown()
    await server.stop()
  }

  // MARK: Over bad links

  /// Returns the file or the requested range of it.
  private static func part(_ request: TransportRequest) -> TransportResponse {
    var fields: HTTPFields = [.eTag: "\"v1\"", .acceptRanges: "bytes", .contentLength: "\(file.count)"]
    guard let range = request.head.headerFields[.range], request.head.headerFields[.ifRange] == "\"v1\"",
      let start = Int(range.dropFirst("bytes=".count).dropLast())
    else { return answer(200, file, fields) }
    fields[.contentRange] = "bytes \(start)-\(file.count - 1)/\(file.count)"
    fields[.contentLength] = "\(file.count - start)"
    return answer(206, Array(file[start...]), fields)
  }

  /// Fetches over a simulated link. The clock advances only while the link delays something.
  @MainActor
  private func fetch(
    _ service: MediaService, after part: PartialResource?, over link: LinkConditioner, _ clock: VirtualClock
  ) async throws -> MediaOutcome {
    let isDone = Mutex(false)
    let fetch = Task {
      defer { isDone.withLock { $0 = true } }
      return await service.fetch("https://tilde.example/1.png", after: part, isByKey: true, mostBytes: 1 << 20)
    }
    try await wait(
      for: "the end of the fetch", every: .milliseconds(1), showing: { "\(link.waitingCount) waits of the link" },
      until: {
        if link.waitingCount > 0 { clock.advance(by: .seconds(10)) }
        return isDone.withLock { $0 }
      })
    return await fetch.value
  }

  @Test(arguments: LinkCondition.allCases)
  func `each link delivers a picture whole or in parts that resume on a better link`(
    condition: LinkCondition
  ) async throws {
    let clock = VirtualClock()
    let link = LinkConditioner(clock: clock, condition: condition)
    let scripted = ScriptedTransport { Self.part($0) }
    let transport = scripted.conditioned(by: link)
    let service = MediaService(
      rules: MediaRules(serverURL: "https://tilde.example", sources: .all), own: { transport }, others: { transport },
      resolver: Names())
    var parts: [Int] = []
    var part: PartialResource?
    var isWhole = false
    while !isWhole {
      // Three attempts over the bad link, then one over a good link.
      if parts.count == 3 { link.condition = .off }
      try #require(parts.count < 4)
      switch try await fetch(service, after: part, over: link, clock) {
      case .whole(let bytes):
        #expect(bytes == Self.file)
        isWhole = true
      case .broken(_, let rest):
        #expect(rest.map { Self.file.starts(with: $0.bytes) } ?? true)
        part = rest
        parts.append(rest?.bytes.count ?? 0)
      }
    }
    switch condition {
    case .off, .slow, .latency, .close: #expect(parts.isEmpty)
    case .loss, .dns, .reset, .tooManyRequests: #expect(parts == [0, 0, 0])
    case .flapping: #expect(parts == [0, 0, 0] && clock.uptime == .zero)
    case .truncated:
      #expect(parts == [25_000, 37_500, 43_750])
      #expect(
        scripted.requests.map { $0.field("Range") } == [nil, "bytes=25000-", "bytes=37500-", "bytes=43750-"])
    }
  }
}
