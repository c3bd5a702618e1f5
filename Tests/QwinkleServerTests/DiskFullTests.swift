import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// A served database on a disk that is full now and then.
@Suite(.bounded) struct DiskFullTests {
  @Test func `a full disk rejects writes and serves reads without losing posts`() async throws {
    try await withDirectory { directory in
      let clock = VirtualClock()
      let log = RecordedLog()
      let service = try Service(
        directory: directory, welcome: "", owner: "", clock: clock, passwordCost: .quick, use: .served,
        log: log.logger)
      let harness = Harness(
        service: service, transport: service.transport(), authority: "localhost", directory: directory, clock: clock)
      let token = try service.addQwinker(named: "anna")
      var acknowledged: Set<String> = []
      var refused = 0
      for round in 0..<(Soak.isOn ? 50 : 5) {
        for number in 0..<3 {
          let text = "\(round).\(number) with room"
          try await harness.post(text, token: token)
          acknowledged.insert(text)
        }
        // The fault hits a later write of the transaction in each round.
        await DiskFaults.full(after: round, in: directory) {
          for number in 0..<4 {
            let text = "\(round).\(number) without room " + String(repeating: "word ", count: 60)
            guard let answer = try? await harness.send(Entry(text: text, idempotencyKey: ""), token: token) else {
              Issue.record("no answer")
              continue
            }
            if answer.head.status == .ok {
              acknowledged.insert(text.trimmingCharacters(in: .whitespaces))
            } else {
              refused += 1
              #expect(answer.head.status.code == 507, "\(answer.text)")
              #expect(answer.errorMessage?.contains("Disk full") == true && !answer.text.contains(directory))
            }
            let read = try? await harness.get("/api/v1/timelines/home", token: token)
            #expect(read?.head.status == .ok, "\(read?.text ?? "")")
          }
        }
      }
      #expect(refused >= 10)
      #expect(log.lines.contains { $0.contains("POST /api/v1/statuses 507") && $0.contains("Disk full") })
      service.close()
      let again = try Service(directory: directory, welcome: "", owner: "", clock: clock, use: .served)
      let reader = Harness(
        service: again, transport: again.transport(), authority: "localhost", directory: directory, clock: clock)
      var found: Set<String> = []
      var next: String? = "/api/v1/timelines/home?limit=40"
      while let target = next {
        let answer = try await reader.get(target, token: token)
        found.formUnion(try WireDecoder.qwinks(from: answer.body, link: answer.link).items.map(\.text.plainText))
        next = answer.link?.firstMatch(of: #/<([^>]*)>; rel="next"/#).map { String($0.output.1) }
      }
      let known = found.intersection(acknowledged).count
      print("disk full: \(acknowledged.count) acknowledged, \(known) found, \(refused) refused")
      #expect(found == acknowledged)
      again.close()
      _ = try ServedData.check("\(directory)/service.sqlite")
    }
  }
}
