import Foundation
import Synchronization

/// Numbered posts of several writers, each of which sends one post at a time, and the number of acknowledgements before
/// the next kill of the server.
final class PostLog: Sendable {
  /// A post that a server has stored.
  struct Stored: Hashable {
    /// Such as `post-2-17`: the writer and the number.
    var text: String
    /// The addresses of its pictures.
    var media: [String]

    var writer: Int { Self.number(1, in: text) }
    var number: Int { Self.number(2, in: text) }

    static func number(_ index: Int, in text: String) -> Int {
      let words = text.split(separator: "-")
      return words.indices.contains(index) ? Int(words[index]) ?? -1 : -1
    }
  }

  private struct State {
    var acknowledged: Set<String> = []
    /// Unacknowledged posts, by writer.
    var pending: [Int: String] = [:]
    var count = 0
    var untilKill = 0
  }

  private let state = Mutex(State())

  var acknowledged: Set<String> { state.withLock { $0.acknowledged } }
  var pending: Set<String> { state.withLock { Set($0.pending.values) } }

  func arm(_ count: Int) { state.withLock { $0.untilKill = count } }

  /// Returns the text of a writer's next post: the unacknowledged one, if any. The numbers of a writer increase.
  func next(of writer: Int) -> String {
    state.withLock { state in
      if let text = state.pending[writer] { return text }
      state.count += 1
      let text = "post-\(writer)-\(state.count)"
      state.pending[writer] = text
      return text
    }
  }

  /// Records that a writer's post was acknowledged. Returns whether to kill the server now.
  func acknowledge(of writer: Int) -> Bool {
    state.withLock { state in
      if let text = state.pending.removeValue(forKey: writer) { state.acknowledged.insert(text) }
      state.untilKill -= 1
      return state.untilKill == 0
    }
  }

  /// Returns all posts of a timeline, page by page. `get` returns the body and the Link header of an address.
  static func pages(
    from first: String, _ get: (String) async throws -> (body: [UInt8], link: String)
  ) async throws -> [Stored] {
    struct Status: Decodable {
      struct Attachment: Decodable { var url: String }

      var content: String
      var media_attachments: [Attachment]
    }

    var found: [Stored] = []
    var next: String? = first
    while let target = next {
      let (body, link) = try await get(target)
      for status in try JSONDecoder().decode([Status].self, from: Data(body)) {
        guard let text = status.content.firstMatch(of: #/post-[0-9]+-[0-9]+/#) else { continue }
        found.append(Stored(text: String(text.output), media: status.media_attachments.map(\.url)))
      }
      next = link.firstMatch(of: #/<([^>]*)>; rel="next"/#).map { String($0.output.1) }
    }
    return found
  }
}
