import FoundationEssentials

extension Cassette {
  /// Reads a HAR, made by whatever program. Of a recording of this one that was broken off, the last exchange may be
  /// missing.
  ///
  /// - Throws: ``CassetteError``; where an entry is to blame it names the first that is.
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

  /// The HAR: indented, with its keys sorted, so that two of them can be compared line by line.
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
