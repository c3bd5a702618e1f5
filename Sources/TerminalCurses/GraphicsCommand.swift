import SafeText

/// The commands of kitty's graphics protocol that the ``EscapeSequenceFilter`` allows, `ESC _ G keys ; data ESC \`.
/// They send a numbered picture with a virtual placement, which means that characters in the text determine its place,
/// or they delete a picture. They request no replies, and never name files or shared memory.
enum GraphicsCommand {
  /// Queries whether a terminal supports the protocol, with a picture of one pixel that is not stored.
  static let query = "Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA"

  /// Whether `content`, the bytes between `ESC _` and `ESC \`, is an allowed command.
  static func isAllowed(_ content: ArraySlice<UInt8>) -> Bool {
    guard content.first == UInt8(ascii: "G") else { return false }
    let keys = content.dropFirst().prefix { $0 != UInt8(ascii: ";") }
    let data = content[keys.endIndex...].dropFirst()
    guard keys.count <= 80, data.count <= 4096, data.allSatisfy(\.isBase64) else { return false }
    let pairs = String(decoding: keys, as: UTF8.self).split(separator: ",").map { pair in
      pair.split(separator: "=", maxSplits: 1).map(String.init)
    }
    guard pairs.allSatisfy({ $0.count == 2 }) else { return false }
    switch pairs.map({ $0[0] }) {
    case ["a", "U", "f", "i", "c", "r", "q", "m"]:
      return pairs[0][1] == "T" && pairs[1][1] == "1" && pairs[2][1] == "100" && pairs[6][1] == "2"
        && [3, 4, 5, 7].allSatisfy { isNumber(pairs[$0][1]) }
    case ["m", "q"]: return isNumber(pairs[0][1]) && pairs[1][1] == "2"
    case ["a", "d", "i", "q"]:
      return pairs[0][1] == "d" && pairs[1][1] == "I" && isNumber(pairs[2][1]) && pairs[3][1] == "2" && data.isEmpty
    default: return false
    }
  }

  private static func isNumber(_ text: String) -> Bool { UInt32(text) != nil }
}
