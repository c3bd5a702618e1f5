/// The colours that the terminal has in the course of a frame, as parameters of style sequences (SGR).
struct StyleColors {
  private static let separator = UInt8(ascii: ";")

  /// Nil if unknown.
  private var front: [UInt8]?
  /// Nil if unknown.
  private var back: [UInt8]?

  /// Returns the parameters of a style sequence without the colours that the terminal already has. Returns nil if the
  /// sequence changes nothing. The result begins with an empty parameter if the sequence resets the style.
  mutating func needed(_ parameters: [UInt8]) -> [UInt8]? {
    var attributes: [[UInt8]] = []
    var (newFront, newBack): ([UInt8]?, [UInt8]?) = (nil, nil)
    var rest = parameters.split(separator: Self.separator, omittingEmptySubsequences: false)[...]
    while let first = rest.first {
      let parts = rest.prefix(Self.length(ofColor: rest))
      rest = rest.dropFirst(parts.count)
      let parameter = Array(parts.joined(separator: [Self.separator]))
      switch Int(String(decoding: first.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)) ?? 0 {
      case 0:
        (front, back) = (Array("39".utf8), Array("49".utf8))
        (newFront, newBack, attributes) = (nil, nil, [[]])
      case 30...39, 90...97: newFront = parameter
      case 40...49, 100...107: newBack = parameter
      default: attributes.append(parameter)
      }
    }
    let colors = [newFront == front ? nil : newFront, newBack == back ? nil : newBack].compactMap(\.self)
    (front, back) = (newFront ?? front, newBack ?? back)
    let needed = attributes + colors
    return needed.isEmpty ? nil : Array(needed.joined(separator: [Self.separator]))
  }

  /// Returns the number of parameters of the colour or attribute at the start of `parameters`.
  private static func length(ofColor parameters: ArraySlice<ArraySlice<UInt8>>) -> Int {
    guard let first = parameters.first, first.elementsEqual("38".utf8) || first.elementsEqual("48".utf8),
      let kind = parameters.dropFirst().first
    else { return 1 }
    return kind.elementsEqual("5".utf8) ? 3 : kind.elementsEqual("2".utf8) ? 5 : 1
  }
}
