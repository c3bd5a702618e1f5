import FoundationEssentials

extension Cassette {
  /// Parses a HAR written by any program. If one of Qwinkle's own recordings was cut off, at most its last exchange is
  /// lost.
  ///
  /// - Throws: ``CassetteError``, which names the first malformed entry, if any.
  public init(har bytes: [UInt8]) throws(CassetteError) {
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    do {
      self = try JSONDecoder().decode(Cassette.self, from: Data(bytes))
    } catch {
      guard bytes.starts(with: CassetteFileWriter.unfinished.utf8), let whole = HAREntries.ended(bytes),
        let cassette = try? JSONDecoder().decode(Cassette.self, from: Data(whole))
      else { throw HAREntries.blame(for: error, in: bytes) }
      self = cassette
    }
  }

  /// Returns the HAR, indented and with sorted keys so that two files can be compared line by line.
  public func har() throws(CassetteError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(self)) + [0x0A]
    } catch {
      throw .unwritable(reason: String(describing: error))
    }
  }
}
