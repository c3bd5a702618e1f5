import Terminal

extension BarView {
  /// The most important item, and the key hints.
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

  /// Changes of dim runs aren't announced. If all runs are dim, changes of numbers aren't, such as the time of the next
  /// attempt.
  fileprivate var gist: String {
    let loud = runs.filter { $0.attribute != .dim }.map(\.text).joined()
    return loud.allSatisfy { $0 == " " } ? words.filter { !$0.isNumber } : loud
  }
}
