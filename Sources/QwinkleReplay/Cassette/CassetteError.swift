import SafeText

/// An error in reading or writing a cassette. ``sentence`` is for the user.
public enum CassetteError: Error, Hashable, Sendable {
  /// The file is not a HAR; `reason` is a short phrase.
  case notHAR(reason: String)
  /// An entry, numbered from 1, cannot be read. `line` is its first line, if known.
  case damagedEntry(number: Int, line: Int?, reason: String)
  case unwritable(reason: String)
}

extension CassetteError {
  /// The error message: one line of safe text.
  public var sentence: String {
    switch self {
    case .notHAR(let reason): "Not a cassette: \(Self.safe(reason)). A cassette is a HAR 1.2 file."
    case .damagedEntry(let number, let line, let reason):
      "Entry \(number) of the cassette\(line.map { ", from line \($0) on," } ?? "") is damaged: \(Self.safe(reason)). "
        + "Fix or remove it."
    case .unwritable(let reason): "Cannot write the cassette: \(Self.safe(reason))."
    }
  }

  private static func safe(_ reason: String) -> String {
    SafeText.line(String(reason.prefix(200)))
  }
}
