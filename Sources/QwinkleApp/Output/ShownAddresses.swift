/// The URLs that a text shows, indexed for many lookups.
struct ShownAddresses {
  /// Longest URL that can match, in bytes.
  private static let mostBytes = 2083

  private let bytes: [UInt8]
  /// Offsets where URLs may begin. They are sorted by the bytes that follow each offset, for binary search.
  private let starts: [Int]

  init(in text: String) {
    let bytes = Array(text.utf8)
    self.bytes = bytes
    var starts: [Int] = []
    for index in bytes.indices.dropLast(2)
    where bytes[index] == 0x3A && bytes[index + 1] == 0x2F && bytes[index + 2] == 0x2F {
      // A scheme has 4 to 6 letters, and other characters may directly precede it, as in `xhttp`. A URL may therefore
      // begin at any of these offsets.
      for length in [4, 5, 6] where length <= index && bytes[(index - length)..<index].allSatisfy({ $0 > 0x20 }) {
        starts.append(index - length)
      }
    }
    self.starts = starts.sorted { Self.order(bytes[$0...], bytes[$1...]) < 0 }
  }

  func contains(_ address: String) -> Bool {
    let wanted = Array(address.utf8)
    guard wanted.count <= Self.mostBytes else { return false }
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if Self.order(bytes[starts[middle]...], wanted[...]) < 0 { low = middle + 1 } else { high = middle }
    }
    return low < starts.count && bytes[starts[low]...].starts(with: wanted)
  }

  /// Negative if `first` sorts before `second`.
  private static func order(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Int {
    for (one, other) in zip(first.prefix(mostBytes), second.prefix(mostBytes)) where one != other {
      return Int(one) - Int(other)
    }
    return min(first.count, mostBytes) - min(second.count, mostBytes)
  }
}
