import Terminal

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Which ``StandIn`` stands for which cluster on the screen that ncurses has open.
///
/// What a stand-in sends blanks its cluster's columns, writes the cluster, and goes on in the next column, wherever the
/// terminal believes the cluster to end. That is sound for a cluster that takes at most its columns there: ``CellGrid``
/// has all of a cluster's columns or none, so none of them changes without the first.
struct StandInTable {
  private struct Cluster: Hashable {
    let text: String
    let columns: Int
  }

  /// How many may be known before those that are no longer on the screen are forgotten.
  private static let slack = 256

  private var standIns: [Cluster: Unicode.Scalar] = [:]
  private var clusters: [Unicode.Scalar: Cluster] = [:]
  private var free: [Unicode.Scalar] = []
  private var next = StandIn.first.lowerBound
  private var limit = slack

  /// How many clusters have one.
  var count: Int { clusters.count }

  /// The one for a cell's text; nil where none is left.
  mutating func standIn(for text: String, columns: Int) -> Unicode.Scalar? {
    let cluster = Cluster(text: text, columns: columns)
    if let known = standIns[cluster] { return known }
    guard let scalar = free.popLast() ?? unused() else { return nil }
    standIns[cluster] = scalar
    clusters[scalar] = cluster
    return scalar
  }

  /// The text that a scalar stands for, and its columns; nil where it stands for nothing.
  func cluster(of scalar: Unicode.Scalar) -> (text: String, columns: Int)? {
    clusters[scalar].map { ($0.text, $0.columns) }
  }

  /// Forgets those that are not in `shown`, once there are many. Call it between two pictures: ncurses must not find an
  /// old one in the place of a new one with another meaning.
  mutating func recycle(shown: CellGrid) {
    guard clusters.count > limit else { return }
    var kept: Set<Cluster> = []
    for row in 0..<shown.size.rows {
      for cell in shown.row(row) where cell.text.utf8.count > 2 {
        let cluster = Cluster(text: cell.text, columns: Int(cell.columns))
        if standIns[cluster] != nil { kept.insert(cluster) }
      }
    }
    for (cluster, scalar) in standIns where !kept.contains(cluster) {
      standIns[cluster] = nil
      clusters[scalar] = nil
      free.append(scalar)
    }
    limit = clusters.count + Self.slack
  }

  private mutating func unused() -> Unicode.Scalar? {
    guard next <= StandIn.first.upperBound, let scalar = Unicode.Scalar(next) else { return nil }
    next += 1
    return scalar
  }

  // MARK: The way to the terminal

  /// The bytes that ncurses has written, with what the stand-ins in them stand for.
  func expanding(_ bytes: [UInt8]) -> [UInt8] {
    // Plane 16 begins with this byte in UTF-8, and nothing else on a screen does.
    guard bytes.withUnsafeBytes({ $0.baseAddress.flatMap { memchr($0, 0xF4, bytes.count) } }) != nil else {
      return bytes
    }
    var expanded: [UInt8] = []
    expanded.reserveCapacity(bytes.count * 2)
    var rest = bytes[...]
    while let place = rest.firstIndex(of: 0xF4) {
      expanded += rest[..<place]
      let length = min(4, rest.endIndex - place)
      expanded += expansion(of: rest[place..<(place + length)])
      rest = rest[(place + length)...]
    }
    return expanded + rest
  }

  private func expansion(of bytes: ArraySlice<UInt8>) -> [UInt8] {
    guard let scalar = String(decoding: bytes, as: UTF8.self).unicodeScalars.first else { return [] }
    if scalar == StandIn.further { return Array("\u{1B}[C".utf8) }
    guard let cluster = clusters[scalar] else { return Array(bytes) }
    // Marks that ncurses has no room for change no column.
    if cluster.columns == 1, !StandIn.isSpacingMark(cluster.text) { return Array(cluster.text.utf8) }
    let blanks = String(repeating: " ", count: cluster.columns)
    // Saved each time: to some programs that play terminals, such as pyte, saved places are a stack.
    return Array("\u{1B}7\(blanks)\u{1B}8\u{1B}7\(cluster.text)\u{1B}8\u{1B}[C".utf8)
  }
}
