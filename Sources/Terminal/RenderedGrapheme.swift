// For `_nfc`: composition is in the standard library, but not in its stable interface.
@_spi(_Unicode) import Swift

/// A grapheme cluster in a form that all terminals draw alike.
public struct RenderedGrapheme: Hashable, Sendable {
  /// The text sent to the terminal. The widths of its scalars add up to ``columns`` unless ``isWhole`` is set.
  public let text: String
  /// Number of columns, at least 1. Can be more than 2 if the cluster consists of several letters, such as an Indic
  /// conjunct.
  public let columns: Int
  /// Whether the cluster is sent to the terminal in one piece. If so, the widths of its scalars are irrelevant.
  public var isWhole = false
}

extension RenderedGrapheme {
  /// Maximum number of columns, more than twice what a cluster in any real word needs. Wider clusters are truncated and
  /// end in `…`, or in `~` where `…` takes two columns.
  static let maximumColumns = 16
  /// Maximum number of marks on a base, the same as in ``SafeText``.
  private static let maximumMarks = 8

  /// Returns the replacement of a character that can't be drawn. It has one column: `?` replaces U+FFFD in terminals
  /// that draw ambiguous characters, such as U+FFFD, in two columns.
  private static func replacement(in form: TextForm) -> RenderedGrapheme {
    RenderedGrapheme(text: form.characters == .unicode ? "\u{FFFD}" : "?", columns: 1)
  }

  init(reducing cluster: Character, form: TextForm) {
    let scalars = cluster.unicodeScalars
    guard let base = scalars.first else {
      self = .replacement(in: form)
      return
    }
    if form.isASCII {
      let text = ASCIIForm.text(of: cluster)
      self.init(text: text, columns: text.utf8.count)
    } else if form.characters == .wideUnicode, let ornament = ASCIIForm.ornament(base) {
      self.init(text: String(ornament), columns: 1)
    } else if scalars.index(after: scalars.startIndex) == scalars.endIndex {
      self.init(drawing: base, form: form)
    } else if form.drawsEmojiWhole, EmojiSequence.isOne(scalars) {
      self.init(text: String(cluster), columns: 2, isWhole: true)
    } else if base.isASCII ? scalars.contains("\u{20E3}") : base.properties.isEmoji && base.regionalLetter == nil {
      // A keycap, a skin tone, a joined family, a variation selector or a tagged flag. Some terminals can't draw these,
      // but all can draw the base.
      self.init(composing: Self.base(ofEmoji: scalars), form: form)
    } else {
      self.init(composing: String(cluster), form: form)
    }
  }

  private init(drawing scalar: Unicode.Scalar, form: TextForm) {
    if let letter = scalar.regionalLetter {
      self.init(text: String(letter), columns: 1)
      return
    }
    switch ScalarWidth.columns(of: scalar, in: form) {
    // Some terminals don't draw a soft hyphen.
    case 1 where scalar == "\u{AD}": self.init(text: "-", columns: 1)
    // A no-break space becomes an ordinary space. Lines are already broken, and text copied from the terminal should
    // contain ordinary spaces.
    case 1 where scalar == "\u{A0}": self.init(text: " ", columns: 1)
    case 1: self.init(text: String(scalar), columns: 1)
    case 2: self.init(text: String(scalar), columns: 2)
    case 0 where scalar.isDrawnOnBase: self.init(text: "\u{25CC}" + String(scalar), columns: 1)
    default: self = .replacement(in: form)
    }
  }

  /// Returns an emoji without the parts that some terminals can't draw, but with the marks of other scripts.
  private static func base(ofEmoji scalars: Character.UnicodeScalarView) -> String {
    var text = String.UnicodeScalarView(scalars.prefix(1))
    for scalar in scalars.dropFirst() where scalar != "\u{20E3}" && !scalar.properties.isEmojiModifier {
      // Stop at the next emoji, which is joined to the first.
      if !scalar.isASCII, scalar.properties.isEmoji { break }
      text.append(scalar)
    }
    return String(text)
  }

  /// Reduces a cluster to bases and their marks. Each base and each spacing mark has its own columns. A flag becomes
  /// two letters, because terminals draw it as one picture, two letters or two boxes.
  private init(composing cluster: String, form: TextForm) {
    var result = String.UnicodeScalarView()
    var columns = 0
    var marks = 0
    for scalar in cluster._nfc where !scalar.isLeftOut {
      let scalar = scalar.regionalLetter ?? scalar
      let width = ScalarWidth.columns(of: scalar, in: form)
      if width == 0 {
        if columns == 0 {
          guard scalar.isDrawnOnBase else { continue }
          result.append("\u{25CC}")
          columns = 1
        }
        guard marks < Self.maximumMarks else { continue }
        marks += 1
        result.append(scalar)
      } else if width > 0 {
        guard columns + width < Self.maximumColumns else {
          result.append(form.characters == .unicode ? "…" : "~")
          columns += 1
          break
        }
        columns += width
        marks = 0
        result.append(scalar)
      } else {
        // A control or an unknown character is replaced. Its marks are dropped, because they would be drawn on the
        // replacement. At the start of a cluster, it causes the whole cluster to be replaced.
        guard columns > 0 else { break }
        result.append(contentsOf: Self.replacement(in: form).text.unicodeScalars)
        columns += 1
        marks = Self.maximumMarks
      }
    }
    if columns == 0 {
      self = .replacement(in: form)
      return
    }
    // A joiner at the end would join the text of the next cell.
    while result.last == "\u{200D}" { result.removeLast() }
    let isJoined = result.contains("\u{200D}")
    let isFlag = cluster.unicodeScalars.contains { $0.regionalLetter != nil }
    self.init(text: String(result), columns: columns)
    if hasSeveralCells(in: form), isJoined || (form.drawsClustersWhole && !isFlag) {
      isWhole = true
    } else if isJoined {
      result.removeAll { $0 == "\u{200D}" }
      self.init(text: String(result), columns: columns)
    }
  }
}

extension RenderedGrapheme {
  /// Returns this cluster and the next as one if they are drawn together although Unicode separates them, otherwise
  /// nil. Letters with a joiner between them (Sinhala) are drawn together. So is a spacing vowel sign after its letter
  /// (Burmese) in a terminal that draws clusters whole, because the terminal may give the sign no column.
  func joined(
    to next: RenderedGrapheme, _ nextCluster: Character, after cluster: Character, form: TextForm
  ) -> RenderedGrapheme? {
    guard let scalar = nextCluster.unicodeScalars.first, !scalar.isASCII, !form.isASCII, text != " ",
      columns + next.columns <= Self.maximumColumns
    else { return nil }
    let kind = scalar.properties.generalCategory
    if cluster.unicodeScalars.last == "\u{200D}" {
      guard kind == .otherLetter, cluster.unicodeScalars.first?.properties.generalCategory == .otherLetter else {
        return nil
      }
      return RenderedGrapheme(text: text + "\u{200D}" + next.text, columns: columns + next.columns, isWhole: true)
    }
    guard form.drawsClustersWhole, kind == .spacingMark else { return nil }
    return RenderedGrapheme(text: text + next.text, columns: columns + next.columns, isWhole: true)
  }

  /// Whether the cluster consists of several letters, each in its own cell: a flag, or a base and a spacing mark.
  func hasSeveralCells(in form: TextForm) -> Bool {
    guard columns > 1, !isWhole, let first = text.unicodeScalars.first else { return false }
    return ScalarWidth.columns(of: first, in: form) < columns
  }

  /// Splits the cluster into its letters.
  func pieces(in form: TextForm) -> [RenderedGrapheme] {
    var pieces: [RenderedGrapheme] = []
    for scalar in text.unicodeScalars {
      let width = ScalarWidth.columns(of: scalar, in: form)
      if width > 0 {
        pieces.append(RenderedGrapheme(text: String(scalar), columns: width))
      } else if let last = pieces.popLast() {
        pieces.append(RenderedGrapheme(text: last.text + String(scalar), columns: last.columns))
      }
    }
    return pieces
  }
}

extension Unicode.Scalar {
  /// The letter that this half of a flag represents, or nil for any other scalar.
  fileprivate var regionalLetter: Unicode.Scalar? {
    guard EmojiSequence.isRegionalIndicator(self) else { return nil }
    return Unicode.Scalar(value - 0x1F1E6 + 0x41)
  }

  /// Whether the scalar is omitted: variation selectors for text and emoji, on whose width terminals disagree, and
  /// format characters without a width. The zero-width non-joiner is retained, because Persian spelling requires it.
  /// The joiner is retained here, because it joins letters in Sinhala and Bengali; `init(composing:form:)` removes it
  /// where it joins none. A cluster with a joiner is sent in one piece, because some terminals would draw the next text
  /// into its cell.
  fileprivate var isLeftOut: Bool {
    switch value {
    case 0xFE0E, 0xFE0F: true
    case 0x200C, 0x200D: false
    default: value > 0xAD && properties.generalCategory == .format && ScalarWidth.columns(of: self, in: .unicode) == 0
    }
  }

  /// Whether the scalar has a shape but no width, so that it needs a base.
  fileprivate var isDrawnOnBase: Bool {
    switch value {
    case 0xFE00...0xFE0F, 0xE0100...0xE01EF: false
    default:
      switch properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .spacingMark, .otherLetter, .modifierLetter: true
      default: false
      }
    }
  }
}
