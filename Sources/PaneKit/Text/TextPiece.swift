import Terminal

/// A sequence of grapheme clusters with their measures. Segmenting and measuring text takes most of the time of
/// handling a key, so edits reuse both.
struct TextPiece: Hashable, Sendable {
  private(set) var clusters: [Character] = []
  private(set) var measures: [ClusterMeasure] = []
  /// The text form in which the clusters were measured.
  private(set) var form = TextForm.unicode

  init() {}

  init(_ text: String, _ form: TextForm) {
    self.form = form
    var text = text
    // Each ASCII byte is a cluster, except a carriage return, which may be half of one.
    let isPlain = text.withUTF8 { bytes in bytes.allSatisfy { $0 < 0x80 && $0 != 0x0D } }
    if isPlain {
      clusters = text.withUTF8 { bytes in bytes.map { Self.ofASCII[Int($0)] } }
      measures = text.withUTF8 { bytes in bytes.map { ClusterMeasure.ofASCII[Int($0)] } }
    } else {
      clusters = Array(text)
      measures = ClusterMeasure.measures(of: clusters, form: form)
    }
  }

  private init(clusters: [Character], measures: [ClusterMeasure], form: TextForm) {
    self.clusters = clusters
    self.measures = measures
    self.form = form
  }

  var count: Int { clusters.count }
  var isEmpty: Bool { clusters.isEmpty }
  var text: String { String(clusters) }

  subscript(range: Range<Int>) -> TextPiece {
    TextPiece(clusters: Array(clusters[range]), measures: Array(measures[range]), form: form)
  }

  /// Returns the same clusters measured in `form`.
  func measured(in form: TextForm) -> TextPiece {
    var piece = self
    piece.measure(in: form)
    return piece
  }

  mutating func measure(in form: TextForm) {
    guard form != self.form else { return }
    self.form = form
    measures = ClusterMeasure.measures(of: clusters, form: form)
  }

  mutating func replaceSubrange(_ range: Range<Int>, with piece: TextPiece) {
    clusters.replaceSubrange(range, with: piece.clusters)
    measures.replaceSubrange(range, with: piece.measures)
  }

  /// Appends `other`. Clusters may merge or change at the seam. Returns the number of clusters up to the seam,
  /// including a cluster that spans it.
  mutating func append(_ other: TextPiece) -> Int {
    guard !other.isEmpty else { return count }
    guard let last = clusters.last else {
      self = other
      return 0
    }
    // The last cluster can change boundaries in `other`, but only up to the first cluster that starts with a base
    // character.
    let meeting = (other.clusters.firstIndex(where: \.beginsWithBase) ?? other.count - 1) + 1
    let seam = TextPiece(String(last) + String(other.clusters[..<meeting]), form)
    clusters.removeLast()
    measures.removeLast()
    var place = count
    var bytes = 0
    for cluster in seam.clusters where bytes < last.utf8.count {
      bytes += cluster.utf8.count
      place += 1
    }
    clusters += seam.clusters
    measures += seam.measures
    clusters += other.clusters[meeting...]
    measures += other.measures[meeting...]
    return place
  }

  private static let ofASCII = (UInt8(0)..<128).map { Character(Unicode.Scalar($0)) }
}

extension Character {
  /// Whether the boundary after this cluster is independent of the text before the cluster.
  var beginsWithBase: Bool {
    guard let first = unicodeScalars.first else { return false }
    if first.isASCII { return true }
    if (0x1F1E6...0x1F1FF).contains(first.value) { return false }
    let properties = first.properties
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark, .format: return false
    default: return !properties.isGraphemeExtend && !properties.isEmojiModifier
    }
  }
}
