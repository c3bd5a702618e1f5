import PaneKit
import QwinkleModel
import Terminal

extension RichText {
  /// The text as paragraphs of styled runs, ready to wrap. An empty paragraph separates paragraphs, except list items.
  /// Long addresses are shortened.
  var runs: [[TextRun<StyleRole>]] { runs(shortensAddresses: true) }

  func runs(shortensAddresses: Bool) -> [[TextRun<StyleRole>]] {
    var result: [[TextRun<StyleRole>]] = []
    var previous: Paragraph.Style?
    for paragraph in paragraphs {
      if let previous, !(previous.isItem && paragraph.style.isItem) { result.append([]) }
      previous = paragraph.style
      result.append(paragraph.prefixRuns + (shortensAddresses ? paragraph.withShortAddresses : paragraph).spanRuns)
    }
    return result
  }
}

extension TextLayout {
  /// Wraps a paragraph of ``RichText/runs``. The second and later lines of a list item are indented. Each line of a
  /// quotation starts with the symbol for quotations.
  static func wrapParagraph(_ paragraph: [TextRun<StyleRole>], columns: Int) -> [[TextRun<StyleRole>]] {
    guard let sign = paragraph.first, let further = sign.furtherSign else { return wrap(paragraph, columns: columns) }
    let room = columns - DisplayWidth.columns(of: sign.text)
    guard room >= columns / 2 else { return wrap(paragraph, columns: columns) }
    return wrap(Array(paragraph.dropFirst()), columns: room).enumerated().map { index, line in
      [index == 0 ? sign : further] + line
    }
  }
}

extension TextRun<StyleRole> {
  /// The prefix of each line of a quotation.
  static var quoteSign: TextRun<StyleRole> { TextRun("› ", .dim) }

  /// If this run is the prefix of a list item or a quotation, the prefix of the lines after the first. Otherwise nil.
  fileprivate var furtherSign: TextRun<StyleRole>? {
    guard attribute == .dim, text.last == " " else { return nil }
    if self == .quoteSign { return self }
    let sign = text.dropLast().drop { $0 == " " }
    let isItem = sign == "•" || (sign.last == "." && sign.dropLast().allSatisfy(\.isNumber))
    return isItem ? TextRun(String(repeating: " ", count: DisplayWidth.columns(of: text)), .dim) : nil
  }
}

extension LinkNote {
  /// The note after a link.
  var run: TextRun<StyleRole> { TextRun(" \(words)", isWarning ? .warning : .dim) }
}

extension RichText.Paragraph {
  /// The spans, with notes after links.
  fileprivate var spanRuns: [TextRun<StyleRole>] {
    guard spans.contains(where: { $0.kind.isTarget }) else { return spans.map { $0.run() } }
    let notes = linkNotes
    var links: [Int: TextLink] = [:]
    for range in linkRanges {
      guard case .link(let url) = spans[range.lowerBound].kind else { continue }
      let text = spans[range].map(\.text).joined()
      let link = TextLink(to: url, shownAs: text, note: notes[range.upperBound - 1])
      for index in range { links[index] = link }
    }
    return spans.enumerated().flatMap { index, span in
      [span.run(links[index])] + (notes[index].map { [$0.run] } ?? [])
    }
  }

  fileprivate var prefixRuns: [TextRun<StyleRole>] {
    switch style {
    case .body, .code: []
    case .quote: [.quoteSign]
    case .item(let sign, let depth): [TextRun(String(repeating: "  ", count: depth) + sign + " ", .dim)]
    }
  }
}

extension RichText.Paragraph.Style {
  fileprivate var isItem: Bool {
    if case .item = self { true } else { false }
  }
}

extension RichText.Kind {
  /// Whether a click on the text opens something.
  fileprivate var isTarget: Bool {
    switch self {
    case .link, .mention, .tag: true
    case .text, .code: false
    }
  }
}

extension RichText.Span {
  fileprivate func run(_ link: TextLink? = nil) -> TextRun<StyleRole> {
    let role: StyleRole =
      switch kind {
      case .link: .link
      case .mention: .mention
      case .tag: .tag
      case .code: .code
      case .text where emphasis.contains(.strong): .strong
      case .text where emphasis.contains(.emphasized): .emphasis
      case .text: .text
      }
    return TextRun(text, role, link: link ?? LinkTarget(kind)?.textLink)
  }
}
