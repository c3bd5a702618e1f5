/// Properties of a cluster that layout and editing often need, packed into two bytes. Unicode lookups would take a
/// hundred times as long.
public struct ClusterMeasure: Hashable, Sendable {
  /// The lower byte contains the columns, the upper byte the other properties.
  private let bits: UInt16

  /// From 1 to ``RenderedGrapheme/maximumColumns``.
  public var columns: Int { Int(bits & 0xFF) }
  /// Whether the cluster ends a line.
  public var isNewline: Bool { kind == .newline }
  /// Whether the cluster is a letter or a digit. Only available for clusters measured for editing.
  public var isPartOfWord: Bool { bits & 0x2000 != 0 }
  /// Whether the cluster is any kind of space. Only available for clusters measured for editing.
  public var isWhitespace: Bool { bits & 0x4000 != 0 }

  var kind: BreakKind { BreakKind(rawValue: UInt8(bits >> 8 & 0x1F)) ?? .word }

  init(columns: Int, kind: BreakKind, isPartOfWord: Bool = false, isWhitespace: Bool = false) {
    bits =
      UInt16(UInt8(clamping: columns)) | UInt16(kind.rawValue) << 8 | (isPartOfWord ? 0x2000 : 0)
      | (isWhitespace ? 0x4000 : 0)
  }

  /// Measures a cluster for editing.
  public init(_ cluster: Character, form: TextForm) {
    self.init(
      columns: DisplayWidth.columns(ofCluster: cluster, form: form), kind: BreakKind(cluster),
      isPartOfWord: cluster.isLetter || cluster.isNumber, isWhitespace: cluster.isWhitespace)
  }

  /// Measures clusters for editing. Caches the measures of repeated characters.
  public static func measures(of clusters: [Character], form: TextForm) -> [ClusterMeasure] {
    guard clusters.count > 64 else { return clusters.map { ClusterMeasure($0, form: form) } }
    var known = [(scalar: UInt32, measure: ClusterMeasure)](
      repeating: (0, ClusterMeasure("\0", form: form)), count: 4096)
    return clusters.map { cluster in
      let scalars = cluster.unicodeScalars
      guard let first = scalars.first?.value, scalars.index(after: scalars.startIndex) == scalars.endIndex else {
        return ClusterMeasure(cluster, form: form)
      }
      let place = Int(first & 4095)
      if known[place].scalar == first { return known[place].measure }
      let measure = ClusterMeasure(cluster, form: form)
      known[place] = (first, measure)
      return measure
    }
  }

  /// Measures of the ASCII characters, indexed by code. They are the same in every form.
  public static let ofASCII: [ClusterMeasure] = (UInt8(0)..<128).map {
    ClusterMeasure(Character(Unicode.Scalar($0)), form: .unicode)
  }
}
