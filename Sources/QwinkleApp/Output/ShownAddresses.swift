/// The addresses that can be read in a text, for asking of many whether they are among them.
struct ShownAddresses {
  /// Longer ones are not looked for: nobody reads them.
  private static let mostBytes = 2083

  private let bytes: [UInt8]
  /// Where they begin, in the order of what stands there.
  private let starts: [Int]

  init(in text: String) {
    let bytes = Array(text.utf8)
    self.bytes = bytes
    var starts: [Int] = []
    for index in bytes.indices.dropLast(2)
    where bytes[index] == 0x3A && bytes[index + 1] == 0x2F && bytes[index + 2] == 0x2F {
      // With what stands before it a scheme may be another, such as `http` within `xhttp`.
      for length in [4, 5, 6] where length <= index && bytes[(index - length)..<index].allSatisfy({ $0 > 0x20 }) {
        starts.append(index - length)
      }
    }
    self.starts = starts.sorted { Self.order(bytes[$0...], bytes[$1...]) < 0 }
  }

  /// Whether `address` can be read in the text.
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

  /// Below 0 where `first` comes before `second`.
  private static func order(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Int {
    for (one, other) in zip(first.prefix(mostBytes), second.prefix(mostBytes)) where one != other {
      return Int(one) - Int(other)
    }
    return min(first.count, mostBytes) - min(second.count, mostBytes)
  }
}
