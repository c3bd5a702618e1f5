import HTTPTypes
import QwinkleModel
import QwinkleServer
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@Suite(.bounded) struct IdempotencyTests {
  @Test(arguments: Front.allCases)
  func `a repeated key returns the same qwink even with other text`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      func post(_ text: String, _ token: String) async throws -> Qwink {
        let answer = try await harness.send(Entry(text: text, idempotencyKey: "key"), token: token)
        return try WireDecoder.qwink(from: answer.body)
      }
      let first = try await post("once", alice)
      #expect(try await post("once", alice).id == first.id)
      #expect(try await post("twice", alice).text.plainText == "once")
      #expect(try await post("mine", bob).text.plainText == "mine")
      #expect(try await harness.page("/api/v1/timelines/public").items.count == 2)
    }
  }

  @Test func `concurrent posts with the same key create one qwink`() async throws {
    try await withService { harness in
      let token = try harness.service.addQwinker(named: "alice")
      let ids = try await withThrowingTaskGroup(of: Qwink.ID.self) { group in
        for _ in 0..<20 {
          group.addTask {
            let answer = try await harness.send(Entry(text: "hello", idempotencyKey: "key"), token: token)
            return try WireDecoder.qwink(from: answer.body).id
          }
        }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(ids.count == 1)
      #expect(try await harness.page("/api/v1/timelines/public").items.count == 1)
    }
  }

  @Test @MainActor func `a key expires after an hour or when its qwink is deleted`() async throws {
    try await withService { harness in
      let token = try harness.service.addQwinker(named: "alice")
      func post() async throws -> Qwink.ID {
        let answer = try await harness.send(Entry(text: "hello", idempotencyKey: "key"), token: token)
        return try WireDecoder.qwink(from: answer.body).id
      }
      let first = try await post()
      await harness.clock.advance(by: .seconds(3599))
      #expect(try await post() == first)
      await harness.clock.advance(by: .seconds(1))
      let second = try await post()
      #expect(second != first)
      _ = try await harness.send(.delete, "/api/v1/statuses/\(second)", token: token)
      #expect(try await post() != second)
    }
  }
}
