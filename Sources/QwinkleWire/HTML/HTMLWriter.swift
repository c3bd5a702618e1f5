import QwinkleModel
import SafeText

/// Writes ``RichText`` as the HTML that Mastodon sends. ``HTMLReader`` reads the same text back.
enum HTMLWriter {
  /// Returns `text` as HTML. Hashtags link to the site of `base`, which can be any URL of that site.
  static func html(from text: RichText, base: String? = nil) -> String {
    var lists = ListWriter()
    var html = ""
    for paragraph in text.paragraphs {
      let content = paragraph.spans.map { span(in: paragraph, $0, base: base) }.joined()
      if case .item(let sign, let depth) = paragraph.style {
        lists.item(sign: sign, depth: depth, content: content, into: &html)
        continue
      }
      lists.closeAll(into: &html)
      switch paragraph.style {
      case .quote: html += "<blockquote><p>\(content)</p></blockquote>"
      case .code: html += "<pre><code>\(content)</code></pre>"
      case .body, .item: html += "<p>\(content)</p>"
      }
    }
    lists.closeAll(into: &html)
    return html
  }

  /// Returns the URL of a hashtag's page on the site of `base`.
  static func tagURL(_ name: String, base: String?) -> String {
    let path = PercentEncoding.encoded(name) {
      $0 < 0x80 && $0 != UInt8(ascii: "_") && !$0.isLetterOrDigit
    }
    return (base.flatMap(SafeURL.origin) ?? "") + "/tags/" + path
  }

  private static func span(in paragraph: RichText.Paragraph, _ span: RichText.Span, base: String?) -> String {
    let isCode = paragraph.style == .code
    let text = isCode ? HTMLText.escaped(span.text) : HTMLText.escaped(span.text).replacingBreaks()
    var html: String
    switch span.kind {
    case .text: html = text
    case .code: html = isCode ? text : "<code>\(text)</code>"
    case .link(let url):
      html =
        "<a href=\"\(HTMLText.escaped(url))\" target=\"_blank\" rel=\"nofollow noopener\" translate=\"no\">\(text)</a>"
    case .mention(let url):
      let link = "<a href=\"\(HTMLText.escaped(url))\" class=\"u-url mention\">\(marked(text, with: "@"))</a>"
      html = "<span class=\"h-card\" translate=\"no\">\(link)</span>"
    case .tag(let name):
      let url = HTMLText.escaped(tagURL(name, base: base))
      html = "<a href=\"\(url)\" class=\"mention hashtag\" rel=\"tag\">\(marked(text, with: "#"))</a>"
    }
    if span.emphasis.contains(.struck) { html = "<del>\(html)</del>" }
    if span.emphasis.contains(.emphasized) { html = "<em>\(html)</em>" }
    if span.emphasis.contains(.strong) { html = "<strong>\(html)</strong>" }
    return html
  }

  private static func marked(_ text: String, with sign: String) -> String {
    text.hasPrefix(sign) ? "\(sign)<span>\(text.dropFirst(sign.count))</span>" : text
  }
}

extension HTMLWriter {
  /// Opens and closes HTML lists around items. ``RichText`` has no lists, only items with a depth.
  private struct ListWriter {
    private struct List {
      /// Number of the last item, or nil in an unordered list.
      var number: Int?
      var hasOpenItem = false
    }

    private var lists: [List] = []

    mutating func item(sign: String, depth: Int, content: String, into html: inout String) {
      while lists.count > depth + 1 { close(into: &html) }
      if sign.isEmpty, lists.count == depth + 1 {
        html += "<p>\(content)</p>"
        return
      }
      let number = sign.last == "." ? Int(sign.dropLast()) : nil
      if let last = lists.last, lists.count == depth + 1, !Self.continues(last, number) { close(into: &html) }
      while lists.count < depth + 1 {
        let isInner = lists.count == depth
        if isInner, let number {
          html += number == 1 ? "<ol>" : "<ol start=\"\(number)\">"
          lists.append(List(number: number - 1))
        } else {
          html += "<ul>"
          lists.append(List())
        }
      }
      if lists[depth].hasOpenItem { html += "</li>" }
      lists[depth].hasOpenItem = true
      lists[depth].number = number
      html += "<li>\(content)"
    }

    mutating func closeAll(into html: inout String) {
      while !lists.isEmpty { close(into: &html) }
    }

    private mutating func close(into html: inout String) {
      guard let list = lists.popLast() else { return }
      if list.hasOpenItem { html += "</li>" }
      html += list.number == nil ? "</ul>" : "</ol>"
    }

    private static func continues(_ list: List, _ number: Int?) -> Bool {
      guard let last = list.number else { return number == nil }
      return number == last + 1
    }
  }
}

extension String {
  fileprivate func replacingBreaks() -> String {
    utf8.contains(0x0A) ? split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "<br>") : self
  }
}
