import Terminal

extension BarView {
  /// The bar's text for a terminal that only appends text: its most important item other than a key hint, unless
  /// ``linearKind`` is nil, and its key hints.
  var words: [LinearText] {
    var texts: [LinearText] = []
    let parts = (leading + trailing).filter { !$0.isHint && !$0.words.isEmpty }
    if let linearKind, let part = parts.max(by: { $0.priority < $1.priority }) {
      texts.append(LinearText(linearKind, [part.words], gist: part.gist))
    }
    let hints = (leading + trailing).filter(\.isHint).map(\.words)
    if !hints.isEmpty { texts.append(LinearText(.hints, [hints.joined(separator: ", ")])) }
    return texts
  }
}

extension BarView.Item {
  /// Items that start with a key are hints.
  fileprivate var isHint: Bool { runs.first?.attribute == .key }

  fileprivate var words: String { LinearWords.cleaned(runs.map(\.text).joined()) }

  /// The part of the item's text whose changes are announced: the runs that aren't dim. If all runs are dim, the text
  /// without numbers, so that a countdown isn't announced.
  fileprivate var gist: String {
    let loud = runs.filter { $0.attribute != .dim }.map(\.text).joined()
    return loud.allSatisfy { $0 == " " } ? words.filter { !$0.isNumber } : loud
  }
}
