public import FoundationEssentials
public import QwinkleModel
import SafeText

/// An item of an archive's `outbox.json`.
public enum ArchivedActivity: Sendable {
  case post(ArchivedPost)
  /// A boost of the status with this id on the web.
  case boost(String)
  /// Of a kind that this program doesn't know.
  case other
}

/// One of the user's posts in an archive.
public struct ArchivedPost: Sendable {
  /// A file in the archive.
  public struct File: Hashable, Sendable {
    /// The relative path as in the archive. The caller checks it.
    public var path: String
    public var type: String?
    public var altText: String
    public var focus: FocalPoint?
  }

  /// Maximum length of ``uri`` in bytes. With one longer id, the server would refuse the question about a whole batch.
  public static let mostURIBytes = 2048

  /// The id on the web.
  public var uri: String
  /// The id of the author on the web.
  public var author: String
  /// Plain text.
  public var text: String
  public var warning: String
  public var isSensitive: Bool
  public var visibility: Visibility
  public var language: String?
  public var publishedAt: Date
  public var editedAt: Date?
  /// The id on the web of the status that this one replies to.
  public var parent: String?
  public var files: [File]
  public var poll: Poll?
}

extension WireDecoder {
  /// Decodes an item of an archive's `outbox.json`.
  ///
  /// - Parameter hasFullNames: Whether names of mentioned users get their domains: `@bob@tilde.example`. Otherwise they
  ///   are as in the text.
  public static func archivedActivity(
    from body: [UInt8], hasFullNames: Bool
  ) throws(WireError) -> ArchivedActivity {
    switch try ArchivedActivityEntity.single(body) {
    case .create(let note, let names): .post(note.typed(hasFullNames ? names : [:]))
    case .announce(let uri): .boost(uri)
    case .other: .other
    }
  }

  /// Returns the time of an item of an archive's `outbox.json`.
  public static func archivedTime(from body: [UInt8]) -> Date? { try? ArchivedTimeEntity.single(body) }
}

/// A post before its text is made.
private struct ArchivedNote {
  var post: ArchivedPost
  var richText: RichText

  /// Returns the post with its text as the author could have typed it: with whole addresses, and with the names that
  /// `names` contains for the addresses of mentioned users.
  func typed(_ names: [String: String]) -> ArchivedPost {
    var typed = post
    typed.text = richText.paragraphs.map { Self.text(of: $0.spans, names) }.joined(separator: "\n\n")
    return typed
  }

  private static func text(of spans: [RichText.Span], _ names: [String: String]) -> String {
    var text = ""
    var rest = spans[...]
    while let span = rest.first {
      // Emphasis splits a link into several spans.
      let run = rest.prefix { $0.kind == span.kind }
      rest = rest.dropFirst(run.count)
      let words = run.map(\.text).joined()
      switch span.kind {
      case .link(let url): text += link(words, to: url)
      case .mention(let url): text += names[url] ?? words
      case .text, .tag, .code: text += words
      }
    }
    return text
  }

  /// Mastodon hides the start and the end of long addresses. A link with other words gets its address in parentheses.
  private static func link(_ words: String, to url: String) -> String {
    let shown = words.hasSuffix("…") ? String(words.dropLast()) : words
    return shown.isEmpty || url.contains(shown) ? url : "\(words) (\(url))"
  }
}

private enum ArchivedTimeEntity: WireEntity {
  static func read(_ fields: WireFields) throws -> Date {
    try fields.required(fields.date("published"), "published")
  }
}

private enum ArchivedActivityEntity: WireEntity {
  enum Item {
    case create(ArchivedNote, names: [String: String])
    case announce(String)
    case other
  }

  static func read(_ fields: WireFields) throws -> Item {
    switch fields.text("type") {
    case "Announce":
      let object = fields.string("object") ?? fields.object("object")?.string("id")
      return .announce(try fields.required(object, "object"))
    case "Create":
      let object = try fields.required(fields.object("object"), "object")
      guard ["Note", "Question", "Article", "Page"].contains(object.text("type")) else { return .other }
      let mentions = object.models("tag", of: MentionTag.self)
      let names = Dictionary(mentions.map { ($0.url, $0.name) }) { first, _ in first }
      return .create(try note(object, in: fields), names: names)
    default: return .other
    }
  }

  private static func note(_ object: WireFields, in activity: WireFields) throws -> ArchivedNote {
    let text = HTMLReader.richText(from: object.text("content"))
    let language = object.object("contentMap")?.allKeys.first?.stringValue
    let author = try object.required(activity.string("actor") ?? object.string("attributedTo"), "attributedTo")
    let uri = try object.requiredString("id")
    guard uri.utf8.count <= ArchivedPost.mostURIBytes else { throw MissingField(name: "id") }
    let post = ArchivedPost(
      uri: uri, author: author, text: "",
      warning: object.line("summary"), isSensitive: object.flag("sensitive"),
      visibility: visibility(of: author, to: object.addresses("to"), cc: object.addresses("cc")),
      language: language.flatMap { LanguageCode.isCode($0) ? $0 : nil },
      publishedAt: try object.required(object.date("published") ?? activity.date("published"), "published"),
      editedAt: object.date("updated"), parent: object.string("inReplyTo"),
      files: object.models("attachment", of: FileEntity.self), poll: poll(object))
    return ArchivedNote(post: post, richText: text)
  }

  /// The visibility that recipients define. Without a known recipient, the author alone may see the post.
  private static func visibility(of author: String, to: [String], cc: [String]) -> Visibility {
    if to.contains(where: ArchiveWords.everyone.contains) { return .public }
    if cc.contains(where: ArchiveWords.everyone.contains) { return .unlisted }
    // The collection of the author's own followers: a recipient may be a user whose name is "followers".
    let followers = ArchiveOwner(id: author, handle: "").followers
    return (to + cc).contains(followers) ? .private : .direct
  }

  private static func poll(_ object: WireFields) -> Poll? {
    guard object.text("type") == "Question" else { return nil }
    let (one, any) = (object.models("oneOf", of: OptionEntity.self), object.models("anyOf", of: OptionEntity.self))
    let options = one.isEmpty ? any : one
    guard !options.isEmpty else { return nil }
    var poll = Poll(
      id: "", options: options, expiresAt: object.date("closed") ?? object.date("endTime"), allowsSeveral: one.isEmpty)
    poll.votersCount = object.count("votersCount")
    return poll
  }

  private enum OptionEntity: WireEntity {
    static func read(_ fields: WireFields) throws -> Poll.Option {
      let title = try fields.required(fields.line("name").isEmpty ? nil : fields.line("name"), "name")
      return Poll.Option(title: title, votesCount: fields.object("replies")?.count("totalItems") ?? 0)
    }
  }

  private enum MentionTag: WireEntity {
    static func read(_ fields: WireFields) throws -> (url: String, name: String) {
      let name = fields.line("name")
      guard fields.text("type") == "Mention", name.hasPrefix("@") else { throw MissingField(name: "name") }
      return (try fields.required(fields.link("href"), "href"), name)
    }
  }

  private enum FileEntity: WireEntity {
    static func read(_ fields: WireFields) throws -> ArchivedPost.File {
      let type = fields.line("mediaType")
      let focus = fields.list("focalPoint", of: Double.self)
      return ArchivedPost.File(
        path: try fields.requiredString("url"), type: type.isEmpty ? nil : type,
        altText: SafeText.paragraphs(fields.text("name")).trimmed(),
        focus: focus.count == 2 ? FocalPoint(x: focus[0], y: focus[1]) : nil)
    }
  }
}

extension WireFields {
  /// Returns the addresses of a field that contains one or a list of them.
  fileprivate func addresses(_ key: WireKey) -> [String] {
    string(key).map { [$0] } ?? list(key, of: String.self)
  }
}
