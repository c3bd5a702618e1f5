import QwinkleModel
import SafeText

/// Builds a ``RichText`` from text and tags, in order.
struct RichTextBuilder {
  /// Maximum nesting depth. Deeper elements contribute only their text.
  private static let greatestDepth = 64
  /// Maximum depth of a list item, starting at 0.
  private static let deepestList = 8

  private let isPlain: Bool
  private let omitsQuotes: Bool
  private var paragraphs: [RichText.Paragraph] = []
  private var spans: [RichText.Span] = []
  private var run = TextRun()
  private var elements: [Element] = []
  private var state = State()
  private var link: Link?

  /// Creates a builder. `isPlain` preserves line breaks in the text. `omitsQuotes` omits links to quoted statuses.
  init(isPlain: Bool, omitsQuotes: Bool = false) {
    self.isPlain = isPlain
    self.omitsQuotes = omitsQuotes
  }

  /// Completes the last link and paragraph, and returns the text.
  mutating func finish() -> RichText {
    endLink()
    endParagraph()
    return RichText(paragraphs.flatMap(ParagraphTidying.tidied))
  }

  /// Appends text whose entities are resolved.
  mutating func append(_ bytes: ArraySlice<UInt8>) {
    guard state.omitted == 0 else { return }
    guard state.invisible == 0 else {
      if !bytes.isEmpty { link?.hasHiddenText = true }
      return
    }
    run.append(bytes, keepsBreaks: isPlain || state.preformatted > 0)
  }

  mutating func open(_ tag: HTMLTag) {
    switch tag.name {
    case "br": appendBreak()
    case "p", "hr", "div", "section", "article", "header", "footer", "main", "aside", "figure", "figcaption", "table",
      "details", "summary", "dl", "dt", "dd", "address", "form", "fieldset":
      endParagraph()
      // As in browsers, another block closes an open `p`.
      pop(to: "p")
      if isOmitted(tag) { push(tag.name, .omitted) }
    case "tr": appendBreak()
    case "td", "th": append([0x20])
    case "img": append(Array((tag["alt"] ?? "").utf8)[...])
    case "h1", "h2", "h3", "h4", "h5", "h6":
      endParagraph()
      push(tag.name, .strong)
    case "strong", "b": push(tag.name, .strong)
    case "em", "i": push(tag.name, .emphasized)
    case "del", "s", "strike": push(tag.name, .struck)
    case "code", "tt", "kbd", "samp": push(tag.name, .code)
    case "pre":
      endParagraph()
      push(tag.name, .preformatted)
    case "blockquote":
      endParagraph()
      push(tag.name, .quote)
    case "ul", "ol":
      endParagraph()
      let start = tag["start"].flatMap { Int($0.prefix(9)) }
      push(tag.name, .list(next: tag.name == "ol" ? start ?? 1 : nil))
    case "li": openItem(tag)
    case "span":
      if isOmitted(tag) {
        push(tag.name, .omitted)
      } else if tag.has("invisible", in: "class") {
        push(tag.name, .invisible)
      } else {
        push(tag.name, tag.has("ellipsis", in: "class") ? .ellipsis : .plain)
      }
    case "a": openLink(tag)
    default: break
    }
  }

  mutating func close(_ tag: HTMLTag) {
    switch tag.name {
    case "br", "p", "div", "section", "article", "header", "footer", "main", "aside", "figure", "figcaption", "table",
      "details", "summary", "dl", "dt", "dd", "address", "form", "fieldset":
      if tag.name == "br" { return appendBreak() }
      endParagraph()
      pop(to: tag.name)
    case "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "ul", "ol", "li":
      endParagraph()
      pop(to: tag.name)
    case "strong", "b", "em", "i", "del", "s", "strike", "code", "tt", "kbd", "samp", "span": pop(to: tag.name)
    case "a": endLink()
    default: break
    }
  }
}

extension RichTextBuilder {
  private struct Element {
    var name: String
    var effect: Effect
  }

  private enum Effect {
    case strong, emphasized, struck, code, preformatted, quote, invisible, omitted, ellipsis, item, plain
    /// `next` is the next item's number, or nil in an unordered list.
    case list(next: Int?)
  }

  /// Number of open elements by effect.
  private struct State {
    var strong = 0
    var emphasized = 0
    var struck = 0
    var code = 0
    var preformatted = 0
    var quotes = 0
    var invisible = 0
    var omitted = 0
    var lists = 0
    /// Bullet or number of the current item. Empty after the item's first paragraph.
    var sign = ""
  }

  private struct Link {
    var url: String?
    var isMention: Bool
    var isTag: Bool
    /// Index of the link's first span.
    var start: Int
    var hasText = false
    var hasHiddenText = false
  }

  /// Whether to omit the element because it is a link to the quoted status, which Mastodon and other servers add for
  /// clients that don't show quotes.
  private func isOmitted(_ tag: HTMLTag) -> Bool { omitsQuotes && tag.has("quote-inline", in: "class") }

  private mutating func push(_ name: String, _ effect: Effect) {
    guard elements.count < Self.greatestDepth else { return }
    endRun()
    elements.append(Element(name: name, effect: effect))
    count(effect, by: 1)
  }

  /// Closes the innermost open element with this name, and the elements inside it.
  private mutating func pop(to name: String) {
    guard let index = elements.lastIndex(where: { $0.name == name }) else { return }
    while elements.count > index { popLast() }
  }

  private mutating func popLast() {
    guard let last = elements.last else { return }
    if case .ellipsis = last.effect { append(Array("…".utf8)[...]) }
    endRun()
    elements.removeLast()
    count(last.effect, by: -1)
  }

  private mutating func count(_ effect: Effect, by change: Int) {
    switch effect {
    case .strong: state.strong += change
    case .emphasized: state.emphasized += change
    case .struck: state.struck += change
    case .code: state.code += change
    case .preformatted: state.preformatted += change
    case .quote: state.quotes += change
    case .invisible: state.invisible += change
    case .omitted: state.omitted += change
    case .list: state.lists += change
    case .item, .ellipsis, .plain: break
    }
  }

  private mutating func appendBreak() {
    guard state.invisible == 0, state.omitted == 0 else { return }
    run.appendBreak()
  }

  private mutating func openItem(_ tag: HTMLTag) {
    endParagraph()
    let list = elements.lastIndex { if case .list = $0.effect { true } else { false } }
    if let item = elements.lastIndex(where: { if case .item = $0.effect { true } else { false } }), item > list ?? -1 {
      while elements.count > item { popLast() }
    }
    state.sign = "•"
    if let list, case .list(let next?) = elements[list].effect {
      let number = tag["value"].flatMap { Int($0.prefix(9)) } ?? next
      state.sign = "\(number)."
      elements[list].effect = .list(next: number + 1)
    }
    push("li", .item)
  }

  private mutating func openLink(_ tag: HTMLTag) {
    endLink()
    guard state.omitted == 0 else { return }
    endRun()
    let isTag = tag.has("hashtag", in: "class") || tag.has("tag", in: "rel")
    let isMention = !isTag && tag.has("mention", in: "class")
    link = Link(url: SafeURL.link(tag["href"]), isMention: isMention, isTag: isTag, start: spans.count)
  }

  private mutating func endLink() {
    guard let open = link else { return }
    // If the link's text is hidden completely, show its address instead.
    if open.hasHiddenText, !open.hasText, run.isEmpty, spans.count == open.start, let url = open.url {
      run.append(Array(url.utf8)[...], keepsBreaks: false)
    }
    endRun()
    finishLinkSpans()
    link = nil
  }

  /// Sets the kind of the open link's spans. The kind depends on the link's complete text.
  private mutating func finishLinkSpans() {
    guard let open = link, open.start < spans.count else { return }
    let text = spans[open.start...].map(\.text).joined()
    guard let kind = Self.kind(of: open, text: text) else { return mergeSpan(at: open.start) }
    for index in open.start..<spans.count { spans[index].kind = kind }
  }

  /// Merges a span into the previous one if both have the same kind and emphasis.
  private mutating func mergeSpan(at index: Int) {
    guard index > 0, index < spans.count, spans[index].kind == spans[index - 1].kind,
      spans[index].emphasis == spans[index - 1].emphasis
    else { return }
    spans[index - 1].text += spans[index].text
    spans.remove(at: index)
  }

  private static func kind(of link: Link, text: String) -> RichText.Kind? {
    if link.isTag {
      let name = text.hasPrefix("#") || text.hasPrefix("＃") ? String(text.dropFirst()) : text
      if !name.isEmpty, !name.contains(where: \.isWhitespace) { return .tag(name: name) }
    }
    guard let url = link.url else { return nil }
    return link.isMention ? .mention(url: url) : .link(url: url)
  }

  private mutating func endParagraph() {
    endRun()
    finishLinkSpans()
    link?.start = 0
    if link != nil && !spans.isEmpty { link?.hasText = true }
    run.startParagraph()
    guard !spans.isEmpty else { return }
    let paragraph = RichText.Paragraph(spans, style: style)
    spans = []
    paragraphs.append(paragraph)
    if !ParagraphTidying.isBlank(paragraph) { state.sign = "" }
  }

  private var style: RichText.Paragraph.Style {
    if state.preformatted > 0 { return .code }
    if state.lists > 0 { return .item(sign: state.sign, depth: min(state.lists - 1, Self.deepestList)) }
    return state.quotes > 0 ? .quote : .body
  }

  /// Appends the text since the last tag as a span, or merges it into the last span if both have the same kind and
  /// emphasis.
  private mutating func endRun() {
    guard let text = run.take() else { return }
    let kind: RichText.Kind = state.code + state.preformatted > 0 ? .code : .text
    var emphasis: RichText.Emphasis = []
    if state.strong > 0 { emphasis.insert(.strong) }
    if state.emphasized > 0 { emphasis.insert(.emphasized) }
    if state.struck > 0 { emphasis.insert(.struck) }
    let mayMerge = spans.count > (link?.start ?? 0)
    if mayMerge, let last = spans.last, last.kind == kind, last.emphasis == emphasis {
      spans[spans.count - 1].text += text
    } else {
      spans.append(RichText.Span(text, kind: kind, emphasis: emphasis))
    }
  }
}
