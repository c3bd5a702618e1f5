import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire

/// Collects the JSON of the server's responses while a command posts, edits or schedules a qwink.
@MainActor
final class SentAnswers: AccountObserver {
  private var answers: [String: [UInt8]] = [:]

  func account(didReceive answer: [UInt8], of id: String) { answers[id] = JSONParts.readable(answer) }

  /// The response to scheduling a post. Empty if no response was received.
  func source(of post: ScheduledPost) -> [UInt8] { answers[post.id.rawValue] ?? [] }

  /// The response to sending a qwink. If the response was lost, fetches the qwink. Empty if that fails.
  func source(of qwink: Qwink, from server: AccountConnection) async -> [UInt8] {
    if let answer = answers[qwink.id.rawValue] { return answer }
    let found = try? await server.answer(to: Request<Qwink>.qwink(qwink.id).sourced)
    return found.map { JSONParts.readable($0.json) } ?? []
  }
}
