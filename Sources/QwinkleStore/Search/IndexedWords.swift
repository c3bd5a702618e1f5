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
    tags = Self.words(Self.tags(of: qwink))
    text = Self.words(
      [qwink.contentWarning, qwink.text.plainText] + (qwink.poll?.options.map(\.title) ?? [])
        + qwink.attachments.compactMap(\.altText) + [qwink.card?.title ?? ""])
    let seconds = qwink.createdAt.timeIntervalSince1970
    firstID = Int(min(max(seconds, 0), 1e11)) * Self.idsPerSecond
  }

  /// A qwink's hashtags as they are written.
  static func tags(of qwink: Qwink) -> [String] {
    let written = qwink.text.paragraphs.flatMap(\.spans).compactMap { span in
      if case .tag(let name) = span.kind { name } else { nil }
    }
    return qwink.tags + written.filter { name in !qwink.tags.contains { $0.lowercased() == name.lowercased() } }
  }

  private static func words(_ texts: [String]) -> String {
    let text = texts.filter { !$0.isEmpty }.map { SearchText.split($0, signs: .words) }.joined(separator: "\n")
    guard text.utf8.count > mostScalars else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(mostScalars)))
  }
}
