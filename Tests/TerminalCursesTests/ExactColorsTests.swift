import Testing

@testable import TerminalCurses

/// Codes of colour pairs in the output of ncurses.
@Suite struct ExactColorsTests {
  /// Returns the output for a pair of red text on the default background, and one of red text on green.
  private func expanded(_ text: String) -> String {
    var colors = ExactColors()
    let first = colors.add(ExactColors.Pair(front: 0xFF0001, back: -1))
    let second = colors.add(ExactColors.Pair(front: 0xFF0001, back: 2))
    let third = colors.add(ExactColors.Pair(front: 9, back: 0x1D303E))
    #expect(
      [first, second, third].map(\.front) == [16, 16, 16] && [first, second, third].map(\.back) == [17, 18, 19])
    let bytes = colors.expanding(Array(text.replacing("^", with: "\u{1B}[").utf8))
    return String(decoding: bytes, as: UTF8.self).replacing("\u{1B}[", with: "^")
  }

  @Test(arguments: [
    ("a code becomes its colours", "^38;5;16m^48;5;17mx", "^38;2;255;0;1;49mx"),
    ("the palette stays", "^38;5;16m^48;5;18mx^38;5;16m^48;5;19my", "^38;2;255;0;1;42mx^91;48;2;29;48;62my"),
    ("attributes stay", "^0;1m^38;5;16m^48;5;17mx^m", "^0;1m^38;2;255;0;1;49mx^m"),
    ("an unknown code is unchanged", "^38;5;16m^48;5;99mx", "^38;5;16m^48;5;99mx"),
    ("half a code is unchanged", "^38;5;16mx", "^38;5;16mx"),
    ("a torn code is unchanged", "^38;5;16m^48;5;17", "^38;5;16m^48;5;17"),
    ("text and other sequences are unchanged", "38;5;16m^5Cö^?25h^K^", "38;5;16m^5Cö^?25h^K^"),
  ])
  func `codes are replaced by colours`(rule: String, output: String, expected: String) {
    #expect(expanded(output) == expected, "\(rule)")
  }

  @Test func `each pair has its own code`() {
    var colors = ExactColors()
    var codes: Set<ExactColors.Pair> = []
    for number in 1..<Int32(ExactColors.limit) {
      let pair = ExactColors.Pair(front: number + 16, back: -1)
      let code = colors.add(pair)
      #expect((16..<256).contains(code.front) && (16..<256).contains(code.back))
      guard number % 997 == 0 || number > 57_500 else { continue }
      #expect(codes.insert(code).inserted && colors.pair(withCode: code) == pair)
    }
  }
}
