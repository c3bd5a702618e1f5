import FoundationEssentials
import QwinkleModel

/// The searchable text of a cached qwink.
struct IndexedWords: Hashable {
  /// Maximum number of Unicode scalars indexed per field.
  private static let mostScalars = 20_000
  /// Number of index ids reserved for the qwinks written in the same second.
  static let idsPerSecond = 1 << 10

  let qwink: String
  let author: String
  /// Display name, handle and server of the author.
  let name: String
  /// Hashtags, one per line.
  let tags: String
  /// Content warning, text, poll options, media descriptions and link title.
  let text: String
  /// Lowest id for a qwink written in the same second.
  let firstID: Int

  init(_ qwink: Qwink) {
    self.qwink = qwink.originalID.rawValue
    author = qwink.author.id.rawValue
    let host = qwink.author.url?.split(separator: "/").dropFirst().first.map(String.init) ?? ""
    name = Self.words([qwink.author.displayName, qwink.author.handle, host])
    tags = Self.words(qwink.writtenTags)
    text = Self.words(qwink.findableTexts)
    let seconds = qwink.createdAt.timeIntervalSince1970
    firstID = Int(min(max(seconds, 0), 1e11)) * Self.idsPerSecond
  }

  private static func words(_ texts: [String]) -> String {
    let text = texts.filter { !$0.isEmpty }.map { SearchText.split($0, signs: .words) }.joined(separator: "\n")
    guard text.utf8.count > mostScalars else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(mostScalars)))
  }
}
