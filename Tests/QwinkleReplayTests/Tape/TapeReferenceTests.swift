import Testing

@testable import QwinkleReplay

/// The manual's tape reference lists every word that tapes support, and no other.
@Suite struct TapeReferenceTests {
  private let usages = TapeReference.parts.flatMap(\.entries).map(\.usage)

  /// Words that begin a command in any usage.
  private var words: Set<String> {
    Set(
      usages.flatMap { $0.split(separator: ", ") }.compactMap { usage in
        let word = usage.prefix { $0.isLetter }
        return word.first?.isUppercase == true ? String(word) : nil
      })
  }

  @Test func `the reference lists every command and nothing else`() {
    let keys = Set(TapeKeys.codes.keys)
    #expect(Set(TapeWords.vhs + TapeWords.beyond + TapeKeys.modifiers.keys).subtracting(words).isEmpty)
    let settings = Set(TapeSettingName.allCases.map(\.rawValue))
    #expect(words.subtracting(TapeWords.commands).subtracting(settings).subtracting(["KEY"]).isEmpty)
    let keyMeaning = TapeReference.keys.first { $0.usage.hasPrefix("KEY") }?.meaning ?? ""
    for key in keys where !key.hasPrefix("F") { #expect(keyMeaning.contains(key)) }
  }

  @Test func `the reference lists every setting and every action of Serve`() {
    for name in TapeSettingName.allCases {
      #expect(usages.contains { $0.hasPrefix("Set ") && $0.contains(name.rawValue) }, "\(name)")
    }
    for action in TapeServe.Action.words {
      #expect(usages.contains { $0.hasPrefix("Serve ") && $0.contains(action) }, "\(action)")
    }
  }
}
