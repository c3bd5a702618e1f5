/// Shortens the sequences that select styles (SGR, ECMA-48) in the output of ncurses. ncurses resets all attributes
/// before most changes, although the reset follows other style sequences directly, and selects the ASCII character set
/// with each reset, although it never selects another one for Unicode text.
enum StyleSequences {
  private static let escape: UInt8 = 0x1B
  private static let separator = UInt8(ascii: ";")
  /// VT terminals ignore further parameters of a sequence.
  private static let maximumParameters = 16

  /// Returns `bytes` with adjacent style sequences joined, without the parameters that a reset undoes and without
  /// colours that the terminal already has. Returns output that erases the screen unchanged: a repaint also repairs the
  /// terminal's character set.
  static func shortened(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    // The parameters not yet in `output`, if any.
    var style: [UInt8] = []
    var hasStyle = false
    var index = 0
    var colors = StyleColors()
    func flush() {
      guard hasStyle else { return }
      hasStyle = false
      guard let parameters = colors.needed(style) else { return }
      output.append(escape)
      output.append(UInt8(ascii: "["))
      output += parameters
      output.append(UInt8(ascii: "m"))
    }
    while index < bytes.count {
      guard bytes[index] == escape, index + 2 < bytes.count else {
        flush()
        output.append(bytes[index])
        index += 1
        continue
      }
      if bytes[index + 1] == UInt8(ascii: "(") {
        guard bytes[index + 2] == UInt8(ascii: "B") else { return bytes }
        index += 3
        continue
      }
      let end = bytes[index + 1] == UInt8(ascii: "[") ? self.end(ofParametersAt: index + 2, in: bytes) : index
      guard end > index, end < bytes.count else {
        flush()
        output.append(escape)
        index += 1
        continue
      }
      if bytes[end] == UInt8(ascii: "J") { return bytes }
      // A private marker before the parameters (0x3C to 0x3F) makes it another function: xterm's "ESC [ > 4 ; 2 m" sets
      // how keys are encoded.
      guard bytes[end] == UInt8(ascii: "m"), !(0x3C...0x3F).contains(bytes[index + 2]) else {
        flush()
        output += bytes[index...end]
        index = end + 1
        continue
      }
      let parameters = bytes[(index + 2)..<end]
      index = end + 1
      if let rest = afterReset(parameters) {
        // An empty parameter is a reset too.
        style.removeAll(keepingCapacity: true)
        if !rest.isEmpty { style.append(separator) }
        style += rest
      } else if hasStyle, mayJoin(style, parameters) {
        style.append(separator)
        style += parameters
      } else {
        flush()
        style.removeAll(keepingCapacity: true)
        style += parameters
      }
      hasStyle = true
    }
    flush()
    return output
  }

  /// Whether terminals and the filter accept both in one sequence.
  private static func mayJoin(_ style: [UInt8], _ parameters: ArraySlice<UInt8>) -> Bool {
    func count(_ bytes: some Sequence<UInt8>) -> Int { bytes.count { $0 == separator } + 1 }
    return count(style) + count(parameters) <= maximumParameters
      && style.count + 1 + parameters.count <= EscapeSequenceFilter.maximumParameterBytes
  }

  /// Returns the index of the first byte that isn't a parameter.
  private static func end(ofParametersAt start: Int, in bytes: [UInt8]) -> Int {
    var end = start
    while end < bytes.count, (0x30...0x3F).contains(bytes[end]) { end += 1 }
    return end
  }

  /// Returns the parameters after a reset, or nil if the parameters don't begin with a reset.
  private static func afterReset(_ parameters: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let first = parameters.first else { return parameters }
    guard first == UInt8(ascii: "0") else { return nil }
    let rest = parameters.dropFirst()
    guard let next = rest.first else { return rest }
    return next == separator ? rest.dropFirst() : nil
  }
}
