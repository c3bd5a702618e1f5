import FoundationEssentials
import QwinkleModel

/// The words by which a cached qwink is found.
struct IndexedWords: Hashable {
  /// Maximum number of characters that are indexed.
  private static let mostScalars = 20_000
  /// Ids for the qwinks of one second.
  static let idsPerSecond = 1 << 10

  let qwink: String
  let author: String
  /// Display name, handle and server of the author.
  let name: String
  /// Hashtags, one a line.
  let tags: String
  /// What the qwink says: content warning, text, poll options, descriptions of media, the title of a link.
  let text: String
  /// The lowest id for a qwink of its second.
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
