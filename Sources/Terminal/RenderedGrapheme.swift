// For `_nfc`: composing is in the standard library, but not in its stable interface.
@_spi(_Unicode) import Swift

/// A grapheme cluster in a form that every terminal draws alike.
public struct RenderedGrapheme: Hashable, Sendable {
  /// What is sent to the terminal. Its scalars' widths add up to ``columns``, unless it is drawn whole.
  public let text: String
  /// At least 1; more than 2 where several letters make up the cluster, as in Indic conjuncts.
  public let columns: Int
  /// Whether the terminal gets it in one piece, whatever columns it gives the parts.
  public var isWhole = false
}

extension RenderedGrapheme {
  /// No word needs half of it. What goes beyond is cut and ends in `…`.
  static let maximumColumns = 16
  /// Marks on a base, as many as ``SafeText`` leaves there.
  private static let maximumMarks = 8

  /// Stands for what cannot be drawn. It has one column: where ambiguous characters have two, U+FFFD would too.
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
      // A keycap, a skin tone, a joined family, a presentation selector, a tagged flag: the base is what all know.
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
    // A soft hyphen is drawn by some terminals and by others not.
    case 1 where scalar == "\u{AD}": self.init(text: "-", columns: 1)
    // Lines have been broken: whoever copies it from the terminal wants a space.
    case 1 where scalar == "\u{A0}": self.init(text: " ", columns: 1)
    case 1: self.init(text: String(scalar), columns: 1)
    case 2: self.init(text: String(scalar), columns: 2)
    case 0 where scalar.isDrawnOnBase: self.init(text: "\u{25CC}" + String(scalar), columns: 1)
    default: self = .replacement(in: form)
    }
  }

  /// An emoji without what not all terminals know, but with the marks of other scripts.
  private static func base(ofEmoji scalars: Character.UnicodeScalarView) -> String {
    var text = String.UnicodeScalarView(scalars.prefix(1))
    for scalar in scalars.dropFirst() where scalar != "\u{20E3}" && !scalar.properties.isEmojiModifier {
      // Joined to the first.
      if !scalar.isASCII, scalar.properties.isEmoji { break }
      text.append(scalar)
    }
    return String(text)
  }

  /// Bases and their marks. Each base, and each mark with room of its own, has its own columns. A flag, of which
  /// terminals draw one picture, two letters or two boxes, has two letters.
  private init(composing cluster: String, form: TextForm) {
    var kept = String.UnicodeScalarView()
    var columns = 0
    var marks = 0
    for scalar in cluster._nfc where !scalar.isLeftOut {
      let scalar = scalar.regionalLetter ?? scalar
      let width = ScalarWidth.columns(of: scalar, in: form)
      if width == 0 {
        if columns == 0 {
          guard scalar.isDrawnOnBase else { continue }
          kept.append("\u{25CC}")
          columns = 1
        }
        guard marks < Self.maximumMarks else { continue }
        marks += 1
        kept.append(scalar)
      } else if width > 0 {
        guard columns + width < Self.maximumColumns else {
          kept.append(form.characters == .unicode ? "…" : "~")
          columns += 1
          break
        }
        columns += width
        marks = 0
        kept.append(scalar)
      } else {
        // A control or something new: what is drawn on it would be drawn on its replacement.
        guard columns > 0 else { break }
        kept.append(contentsOf: Self.replacement(in: form).text.unicodeScalars)
        columns += 1
        marks = Self.maximumMarks
      }
    }
    if columns == 0 {
      self = .replacement(in: form)
      return
    }
    // What follows in another cell must not be joined to this.
    while kept.last == "\u{200D}" { kept.removeLast() }
    let isJoined = kept.contains("\u{200D}")
    let isFlag = cluster.unicodeScalars.contains { $0.regionalLetter != nil }
    self.init(text: String(kept), columns: columns)
    if hasSeveralCells(in: form), isJoined || (form.drawsClustersWhole && !isFlag) {
      isWhole = true
    } else if isJoined {
      kept.removeAll { $0 == "\u{200D}" }
      self.init(text: String(kept), columns: columns)
    }
  }
}

extension RenderedGrapheme {
  /// This and what follows it as one, where Unicode makes two clusters of what is drawn together: letters with a joiner
  /// between them (Sinhala), and a vowel sign where the terminal may give it no room (Burmese).
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

  /// Whether this is several letters side by side (a flag, a base and a mark with room of its own), each with a cell of
  /// its own.
  func hasSeveralCells(in form: TextForm) -> Bool {
    guard columns > 1, !isWhole, let first = text.unicodeScalars.first else { return false }
    return ScalarWidth.columns(of: first, in: form) < columns
  }

  /// This, one letter a piece.
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
  /// The letter that this half of a flag stands for; nil for anything else.
  fileprivate var regionalLetter: Unicode.Scalar? {
    guard EmojiSequence.isRegionalIndicator(self) else { return nil }
    return Unicode.Scalar(value - 0x1F1E6 + 0x41)
  }

  /// The selectors of text and emoji, on whose width terminals disagree, and format characters. The zero-width
  /// non-joiner stays (Persian is spelled with it). So does the joiner between two letters (Sinhala and Bengali are),
  /// which are drawn whole then: some terminals pull whatever is written next into its cell.
  fileprivate var isLeftOut: Bool {
    switch value {
    case 0xFE0E, 0xFE0F: true
    case 0x200C, 0x200D: false
    default: value > 0xAD && properties.generalCategory == .format && ScalarWidth.columns(of: self, in: .unicode) == 0
    }
  }

  /// Whether this takes no room but has a shape, so that it needs a base.
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
