import LibC
import Terminal

/// Assigns a ``Substitute`` to each cluster on the screen that ncurses has open.
///
/// In the output, most substitutes are replaced with bytes that erase the cluster's columns, write the cluster, and
/// place the cursor one column after the cluster's start. Therefore the cursor's position doesn't depend on how far the
/// terminal itself moves the cursor for the cluster. This works for any cluster that the terminal draws within the
/// cluster's columns. A cluster of one column needs only its text, unless it begins with a spacing mark.
///
/// Only the substitute for the first column draws the cluster. ``CellGrid`` contains either all columns of a cluster or
/// none, so whenever another column of a cluster appears, its first column is drawn too.
struct SubstituteTable {
  private struct Cluster: Hashable {
    let text: String
    let columns: Int
  }

  /// Number of clusters to add before invisible ones are removed.
  private static let slack = 256

  private var substitutes: [Cluster: Unicode.Scalar] = [:]
  private var clusters: [Unicode.Scalar: Cluster] = [:]
  private var free: [Unicode.Scalar] = []
  private var next = Substitute.first.lowerBound
  private var limit = slack

  /// Number of clusters with a substitute.
  var count: Int { clusters.count }

  /// Returns the substitute for a cell's text, or nil if all are in use.
  mutating func substitute(for text: String, columns: Int) -> Unicode.Scalar? {
    let cluster = Cluster(text: text, columns: columns)
    if let known = substitutes[cluster] { return known }
    guard let scalar = free.popLast() ?? unused() else { return nil }
    substitutes[cluster] = scalar
    clusters[scalar] = cluster
    return scalar
  }

  /// Returns the text and the columns that a substitute replaces, or nil for other scalars.
  func cluster(of scalar: Unicode.Scalar) -> (text: String, columns: Int)? {
    clusters[scalar].map { ($0.text, $0.columns) }
  }

  /// If there are many clusters, removes all except the ones in `shown`. Call this between two frames: within a frame,
  /// ncurses would not draw a reused substitute, because it looks the same as the old one.
  mutating func recycle(shown: CellGrid) {
    guard clusters.count > limit else { return }
    var remaining: Set<Cluster> = []
    for row in 0..<shown.size.rows {
      for cell in shown.row(row) where cell.text.utf8.count > 2 {
        let cluster = Cluster(text: cell.text, columns: Int(cell.columns))
        if substitutes[cluster] != nil { remaining.insert(cluster) }
      }
    }
    for (cluster, scalar) in substitutes where !remaining.contains(cluster) {
      substitutes[cluster] = nil
      clusters[scalar] = nil
      free.append(scalar)
    }
    limit = clusters.count + Self.slack
  }

  private mutating func unused() -> Unicode.Scalar? {
    guard next <= Substitute.first.upperBound, let scalar = Unicode.Scalar(next) else { return nil }
    next += 1
    return scalar
  }

  // MARK: Output

  /// Returns the output of ncurses with each substitute replaced by its cluster.
  func expanding(_ bytes: [UInt8]) -> [UInt8] {
    // In UTF-8, only characters of plane 16 begin with this byte: substitutes, and kitty's picture placeholders.
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
    if scalar == Substitute.further { return Array("\u{1B}[C".utf8) }
    guard let cluster = clusters[scalar] else { return Array(bytes) }
    // Marks beyond the number that ncurses supports don't change the width of the cluster.
    if cluster.columns == 1, !Substitute.isSpacingMark(cluster.text) { return Array(cluster.text.utf8) }
    let blanks = String(repeating: " ", count: cluster.columns)
    // The position is saved twice, because some terminal emulators, such as pyte, discard a saved position after
    // restoring it.
    return Array("\u{1B}7\(blanks)\u{1B}8\u{1B}7\(cluster.text)\u{1B}8\u{1B}[C".utf8)
  }
}
