import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount

/// Read positions of lists, on this client and others.
@MainActor
@Suite(.bounded) struct ReadPositionsTests {
  private static let home = ReadList.timeline(.home)

  /// A client of the account with separate files.
  @MainActor
  private final class Client {
    let ledger = ActivityLedger()
    let clock: VirtualClock
    let store: OutgoingStore
    let account: Account

    init(_ server: MarkerServer, clock: VirtualClock, in folder: String) {
      self.clock = clock
      store = OutgoingStore(directory: folder, ledger: ledger, clock: clock)
      let service = DownloadService(
        configuration: .init(serverURL: "https://tilde.example", token: "secret"), ledger: ledger,
        transport: { server.transport() })
      account = Account(service: service, cache: nil, outgoing: store, clock: clock, isSignedIn: true)
    }

    func start() async {
      account.readPositions.start()
      account.timelines.refresh(.home)
      await ledger.settle()
    }

    /// Fetches new rows, and the markers if they may have changed.
    func refresh() async {
      account.timelines.refresh(.home)
      account.readPositions.refresh()
      await ledger.settle()
    }

    /// Reads up to the row with this id.
    func read(_ id: String) {
      guard let qwink = account.timelines.timeline(.home).items.first(where: { $0.id.rawValue == id }) else { return }
      account.readPositions.read(ReadPositionsTests.home, upTo: ReadMark(qwink, readAt: clock.now))
    }

    var mark: String? { account.readPositions.mark(in: ReadPositionsTests.home)?.id }

    var rows: [String] { account.timelines.timeline(.home).items.map(\.id.rawValue) }

    func pass(_ duration: Duration) async {
      await clock.advance(by: duration) { await self.ledger.settle() }
    }

    func close() {
      account.readPositions.flush()
      store.close()
    }
  }

  private func inFolder(_ body: @MainActor (_ path: String) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "qwinkle-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(path)
  }

  private func client(_ server: MarkerServer, _ body: @MainActor (Client) async throws -> Void) async throws {
    try await inFolder { path in
      let client = Client(server, clock: VirtualClock(at: MarkerServer.start), in: path)
      await client.start()
      try await body(client)
      client.close()
    }
  }

  // MARK: Here

  @Test func `a mark moves only up and is sent to the server after a pause`() async throws {
    let server = MarkerServer(["40", "30", "20", "10"])
    try await client(server) { client in
      #expect(client.mark == nil && server.asked == ["GET"])
      for id in ["20", "30", "10"] {
        client.read(id)
        await client.pass(.seconds(2))
      }
      #expect(client.mark == "30" && server.posted.isEmpty)
      await client.pass(.seconds(2))
      #expect(server.marker() == "30" && server.posted == [#"{"home":{"last_read_id":"30"}}"#])
      client.read("40")
      await client.pass(.seconds(5))
      #expect(server.posted.last == #"{"home":{"last_read_id":"40","version":1}}"#)
      await client.pass(.seconds(600))
      #expect(server.posted.count == 2)
    }
  }

  @Test func `the marker is sent even if the reader never pauses`() async throws {
    let ids = (100..<140).reversed().map(String.init)
    let server = MarkerServer(ids)
    try await client(server) { client in
      for id in ids.reversed() {
        client.read(id)
        await client.pass(.seconds(2))
      }
      #expect((2...3).contains(server.posted.count), "\(server.posted)")
    }
  }

  @Test func `a mark survives a kill even if the server did not respond`() async throws {
    let server = MarkerServer(["30", "20", "10"])
    server.setScript { _, _ in throw TransportError.timedOut(host: "tilde.example") }
    try await inFolder { path in
      let clock = VirtualClock(at: MarkerServer.start)
      let first = Client(server, clock: clock, in: path)
      await first.start()
      first.read("20")
      await first.pass(.seconds(1))
      // Close the files as a kill would.
      first.store.abandon()
      server.setScript(nil)
      let second = Client(server, clock: clock, in: path)
      #expect(second.mark == nil)
      await second.start()
      #expect(second.mark == "20")
      // The first client could not send it.
      await second.pass(.seconds(5))
      #expect(server.marker() == "20")
      second.close()
    }
  }

  @Test func `two programs on the same files save the newer mark`() async throws {
    let server = MarkerServer(["30", "20", "10"])
    server.setScript { _, _ in .text("<html>", status: 404) }
    try await inFolder { path in
      let clock = VirtualClock(at: MarkerServer.start)
      let (one, other) = (Client(server, clock: clock, in: path), Client(server, clock: clock, in: path))
      await one.start()
      await other.start()
      one.read("30")
      other.read("20")
      await one.pass(.seconds(1))
      await other.pass(.seconds(1))
      one.close()
      other.close()
      let third = Client(server, clock: clock, in: path)
      await third.start()
      #expect(third.mark == "30")
      third.close()
    }
  }

  // MARK: The server's markers

  @Test func `a newer marker on the server is adopted and an older one is ignored`() async throws {
    let server = MarkerServer(["50", "40", "30", "20", "10"])
    server.setMarker("30")
    try await client(server) { client in
      #expect(client.mark == "30")
      client.read("20")
      #expect(client.mark == "30")
      server.setMarker("50")
      await client.refresh()
      #expect(client.mark == "50")
      server.setMarker("10")
      client.read("40")
      await client.pass(.seconds(60))
      #expect(client.mark == "50" && server.posted.isEmpty)
    }
  }

  @Test func `an unsent mark is sent at the next launch if its row is newer`() async throws {
    // The order of these ids has no meaning.
    let server = MarkerServer(["a", "c", "b"])
    try await inFolder { path in
      let clock = VirtualClock(at: MarkerServer.start)
      let first = Client(server, clock: clock, in: path)
      await first.start()
      first.read("a")
      server.setScript { _, _ in throw TransportError.interrupted(host: "tilde.example") }
      first.close()
      await first.ledger.settle()
      server.setScript(nil)
      server.setMarker("c")
      let second = Client(server, clock: clock, in: path)
      await second.start()
      await second.pass(.seconds(5))
      #expect(second.mark == "a" && server.marker() == "a")
      second.close()
    }
  }

  @Test func `a marker at an unknown row is adopted once the row is loaded`() async throws {
    let server = MarkerServer(["c", "b", "a"])
    try await client(server) { client in
      client.read("b")
      await client.pass(.seconds(5))
      server.add("d")
      server.setTime(MarkerServer.start.addingTimeInterval(600))
      server.setMarker("d")
      client.account.readPositions.markers.pull()
      await client.ledger.settle()
      #expect(client.mark == "b")
      // Until then, the client doesn't move the marker back.
      await client.pass(.seconds(60))
      #expect(server.marker() == "d")
      await client.refresh()
      #expect(client.mark == "d")
    }
  }

  @Test func `a marker at a deleted row is between the remaining rows`() async throws {
    let server = MarkerServer(["50", "40", "30", "20"])
    server.setMarker("35")
    try await client(server) { client in
      #expect(client.mark == "35")
      #expect(client.account.timelines.timeline(.home).firstRead(by: ReadMark(id: "35")) == 2)
      client.read("30")
      #expect(client.mark == "35")
      client.read("40")
      #expect(client.mark == "40")
    }
  }

  @Test func `a late response does not move the mark back`() async throws {
    let server = MarkerServer(["50", "40", "30"])
    server.setMarker("30")
    let gate = Gate()
    server.setScript { _, isPost in
      if !isPost { await gate.whenOpen() }
      return nil
    }
    try await inFolder { path in
      let client = Client(server, clock: VirtualClock(at: MarkerServer.start), in: path)
      client.account.readPositions.start()
      client.account.timelines.refresh(.home)
      try await wait(for: "the timeline's rows") { !client.rows.isEmpty }
      client.read("50")
      gate.open()
      await client.ledger.settle()
      #expect(client.mark == "50")
      await client.pass(.seconds(5))
      #expect(server.marker() == "50")
      client.close()
    }
  }

  // MARK: Conflicts

  @Test func `a conflict reloads the marker and sends the mark again only if it is newer`() async throws {
    let server = MarkerServer(["50", "40", "30", "20"])
    server.setMarker("20")
    try await client(server) { client in
      server.setMarker("30")
      client.read("40")
      await client.pass(.seconds(5))
      #expect(server.asked == ["GET", "POST", "GET", "POST"] && server.marker() == "40")
      server.setMarker("50")
      client.read("50")
      server.setMarker("50")
      await client.pass(.seconds(5))
      #expect(server.asked.suffix(2) == ["POST", "GET"] && server.marker() == "50" && client.mark == "50")
    }
  }

  @Test func `a server that always conflicts is tried three times per move`() async throws {
    let server = MarkerServer(["50", "40", "30"])
    server.setScript { _, isPost in isPost ? .json(WireEncoder.error("Conflict"), status: 409) : nil }
    try await client(server) { client in
      client.read("30")
      await client.pass(.seconds(50))
      #expect(server.posted.count == 3)
      client.read("40")
      await client.pass(.seconds(50))
      #expect(server.posted.count == 6 && client.mark == "40")
    }
  }

  // MARK: Servers without markers, and strange ones

  @Test(arguments: [(404, "{}"), (501, ""), (405, ""), (200, "<!doctype html><html></html>"), (403, "{}")])
  func `a server without markers is asked once per launch`(status: Int, body: String) async throws {
    let server = MarkerServer(["50", "40", "30"])
    server.setScript { _, _ in .text(body, status: status) }
    try await client(server) { client in
      #expect(client.account.readPositions.isKnown)
      client.read("40")
      await client.pass(.seconds(60))
      await client.refresh()
      await client.pass(.seconds(60))
      #expect(server.asked == ["GET"] && client.mark == "40")
    }
  }

  @Test(arguments: [
    "[]", "{}", "null", #"{"home":5}"#, #"{"home":null,"notifications":[]}"#, #"{"home":{"last_read_id":null}}"#,
    #"{"home":{"last_read_id":""}}"#, #"{"home":{"last_read_id":{"a":1},"version":"x","updated_at":7}}"#,
    #"{"home":{"version":3,"updated_at":"1767225600"}}"#,
  ]) func `a response without a marker does not change the mark`(body: String) async throws {
    let server = MarkerServer(["50", "40", "30"])
    server.setScript { _, isPost in isPost ? nil : .json(Array(body.utf8)) }
    try await client(server) { client in
      #expect(client.mark == nil && client.account.readPositions.isKnown)
      client.read("40")
      await client.pass(.seconds(5))
      #expect(client.mark == "40")
    }
  }

  @Test(arguments: [
    #"{"home":{"last_read_id":40,"version":"2","updated_at":"1767225600"}}"#,
    #"{"home":{"last_read_id":"40","updated_at":null},"notifications":"none"}"#,
    #"{"home":{"last_read_id":"40","version":-1,"updated_at":[]}}"#,
  ]) func `invalid fields next to a valid id are ignored`(body: String) async throws {
    let server = MarkerServer(["50", "40", "30"])
    server.setScript { _, isPost in isPost ? nil : .json(Array(body.utf8)) }
    try await client(server) { client in #expect(client.mark == "40") }
  }

  // MARK: Two clients

  @MainActor
  private final class Pair {
    var clients: [Client]

    init(_ clients: [Client]) {
      self.clients = clients
    }

    func settle() async {
      for client in clients { await client.ledger.settle() }
    }
  }

  /// Two clients with separate files read at random while the server fails at random. No mark ever moves down. Once the
  /// server answers again, both clients and the server have the newest row that was read.
  @Test(arguments: Soak.seeds(40))
  func `two clients on one account agree on the newest row read`(seed: UInt64) async throws {
    var random = SplitMix(seed: seed)
    let isNumbered = seed % 2 == 0
    func id(_ number: Int) -> String { isNumbered ? "\(100 + number)" : "\((number * 7919) % 10_007)x" }
    let server = MarkerServer((0..<6).reversed().map(id))
    if seed % 4 >= 2 { server.ignoreVersions() }
    var count = 6
    try await inFolder { path in
      let clock = VirtualClock(at: MarkerServer.start)
      let pair = Pair([0, 1].map { Client(server, clock: clock, in: "\(path)/\($0)") })
      for client in pair.clients { await client.start() }
      var furthest = [-1, -1]
      var newestRead = -1
      @MainActor func expectNoneMovedDown(_ step: Int) {
        for (index, client) in pair.clients.enumerated() {
          let place = client.mark.flatMap { mark in (0..<count).first { id($0) == mark } } ?? -1
          #expect(place >= furthest[index], "seed \(seed), step \(step), client \(index)")
          furthest[index] = max(furthest[index], place)
        }
      }
      for step in 0..<60 {
        let index = Int.random(in: 0..<2, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0...1:
          if count < 38 {
            server.add(id(count))
            count += 1
          }
        case 2...3:
          pair.clients[index].account.timelines.refresh(.home)
          pair.clients[index].account.readPositions.refresh()
        case 4...6:
          if let row = pair.clients[index].rows.randomElement(using: &random) {
            pair.clients[index].read(row)
            newestRead = max(newestRead, (0..<count).first { id($0) == row } ?? -1)
          }
        case 7:
          let kind = Int.random(in: 0..<5, using: &random)
          server.setScript { request, isPost in
            switch kind {
            case 0: return isPost ? .json(WireEncoder.error("Conflict"), status: 409) : nil
            case 1: throw TransportError.timedOut(host: "tilde.example")
            case 2:
              // The marker is saved, but the response is lost.
              if isPost { _ = try server.save(request) }
              throw TransportError.interrupted(host: "tilde.example")
            default: return nil
            }
          }
        case 8:
          pair.clients[index].close()
          await pair.settle()
          pair.clients[index] = Client(server, clock: clock, in: "\(path)/\(index)")
          await pair.clients[index].start()
        // Until the server answers, a restarted client has the saved mark.
        default: break
        }
        let wait = Duration.seconds(Int.random(in: 0...8, using: &random))
        server.setTime(clock.now.addingTimeInterval(Double(wait.components.seconds)))
        await clock.advance(by: wait, settle: { await pair.settle() })
        expectNoneMovedDown(step)
      }
      server.setScript(nil)
      for _ in 0..<6 {
        for client in pair.clients { await client.refresh() }
        await clock.advance(by: .seconds(30), settle: { await pair.settle() })
        expectNoneMovedDown(60)
      }
      let expected = newestRead < 0 ? nil : id(newestRead)
      #expect(pair.clients.map(\.mark) == [expected, expected] && server.marker() == expected, "seed \(seed)")
      for client in pair.clients { client.close() }
      await pair.settle()
    }
  }
}
