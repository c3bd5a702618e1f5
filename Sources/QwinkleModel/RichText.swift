/// Structured text without styling: paragraphs of spans. All of it is sanitized by SafeText.
public struct RichText: Hashable, Sendable {
  /// A run of characters of one kind. Line breaks inside a paragraph are `\n`.
  public struct Span: Hashable, Sendable {
    public var text: String
    public var kind: Kind
    public var emphasis: Emphasis

    public init(_ text: String, kind: Kind = .text, emphasis: Emphasis = []) {
      self.text = text
      self.kind = kind
      self.emphasis = emphasis
    }
  }

  /// The kind of a span.
  public enum Kind: Hashable, Sendable {
    case text
    /// A link; `url` is its target, even if the visible text names another address.
    case link(url: String)
    /// A mention; `url` is the account's page.
    case mention(url: String)
    /// A hashtag; `name` has no `#`.
    case tag(name: String)
    /// Code, with significant spaces.
    case code
  }

  public struct Emphasis: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let strong = Emphasis(rawValue: 1)
    public static let emphasized = Emphasis(rawValue: 2)
    public static let struck = Emphasis(rawValue: 4)
  }

  public struct Paragraph: Hashable, Sendable {
    public var style: Style
    public var spans: [Span]

    public init(_ spans: [Span] = [], style: Style = .body) {
      self.spans = spans
      self.style = style
    }

    public enum Style: Hashable, Sendable {
      case body
      case quote
      case code
      /// A list item with its marker (`•` or `1.`, empty if it continues the previous item) and its depth, from 0.
      case item(sign: String, depth: Int)
    }

    public var plainText: String { spans.map(\.text).joined() }
  }

  public var paragraphs: [Paragraph]

  public init(_ paragraphs: [Paragraph] = []) {
    self.paragraphs = paragraphs
  }

  /// Creates plain text. Empty lines separate paragraphs.
  public init(plain text: String) {
    self.init(
      text.split(separator: "\n\n", omittingEmptySubsequences: true).map { Paragraph([Span(String($0))]) })
  }

  public var isEmpty: Bool { paragraphs.allSatisfy { $0.spans.allSatisfy(\.text.isEmpty) } }

  /// The text without structure, with an empty line between paragraphs.
  public var plainText: String { paragraphs.map(\.plainText).joined(separator: "\n\n") }

  /// The link targets in order, without duplicates.
  public var links: [String] {
    var seen: Set<String> = []
    return paragraphs.flatMap(\.spans).compactMap { span in
      if case .link(let url) = span.kind, seen.insert(url).inserted { url } else { nil }
    }
  }
}
