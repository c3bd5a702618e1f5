import FoundationEssentials
import Terminal

/// Pictures in the terminal's memory, or about to be sent there (kitty's graphics protocol).
struct PlacedPictures {
  private struct Entry {
    let picture: PixelPicture
    let placement: PicturePlacement
    var isSent = false
    /// Number of the latest use. Higher numbers are more recent.
    var usedAt: Int
  }

  /// Limits for the pictures that the terminal stores. Visible pictures are not deleted even if a limit is exceeded.
  private static let mostPictures = 120
  private static let mostBytes = 24 << 20
  /// Maximum length of data in a command of the protocol.
  private static let pieceLength = 4096

  private var entries: [PixelPicture: Entry] = [:]
  private var unsent: [PixelPicture] = []
  private var nextIndex = 0
  private var uses = 0

  var count: Int { entries.count }

  /// Returns the placement of a picture. If the terminal doesn't have the picture, it is sent before the next frame.
  /// Returns nil if the picture isn't a PNG, or is empty or too large.
  mutating func place(_ picture: PixelPicture) -> PicturePlacement? {
    guard picture.size.rows > 0, picture.size.columns > 0, picture.size.rows <= PicturePlacement.largestSide,
      picture.size.columns <= PicturePlacement.largestSide, picture.format == .png, !picture.bytes.isEmpty
    else { return nil }
    uses += 1
    if let entry = entries[picture] {
      entries[picture]?.usedAt = uses
      return entry.placement
    }
    let taken = Set(entries.values.map(\.placement))
    var placement: PicturePlacement
    repeat {
      placement = PicturePlacement(index: nextIndex)
      nextIndex += 1
    } while taken.contains(placement)
    entries[picture] = Entry(picture: picture, placement: placement, usedAt: uses)
    unsent.append(picture)
    return placement
  }

  /// Returns the commands that send all unsent pictures, and marks these pictures as sent.
  mutating func takeUnsent() -> [UInt8] {
    guard !unsent.isEmpty else { return [] }
    var bytes: [UInt8] = []
    for picture in unsent {
      guard let entry = entries[picture], !entry.isSent else { continue }
      bytes += Self.sending(entry)
      entries[picture]?.isSent = true
    }
    unsent = []
    return bytes
  }

  /// Returns commands that delete pictures from the terminal if a limit is exceeded. Visible pictures remain, and the
  /// least recently used are deleted first. Call this between two frames.
  mutating func forgetSurplus(shown: CellGrid) -> [UInt8] {
    var surplus = entries.count - Self.mostPictures
    var byteCount = entries.keys.reduce(0) { $0 + $1.bytes.count }
    guard surplus > 0 || byteCount > Self.mostBytes else { return [] }
    let visible = Self.placements(in: shown)
    var bytes: [UInt8] = []
    for entry in entries.values.sorted(by: { $0.usedAt < $1.usedAt }) where !visible.contains(entry.placement) {
      // Delete down to half of the limits, so that this happens rarely.
      guard surplus > -Self.mostPictures / 2 || byteCount > Self.mostBytes / 2 else { break }
      guard entry.isSent else { continue }
      bytes += Self.forgetting(entry.placement)
      entries[entry.picture] = nil
      surplus -= 1
      byteCount -= entry.picture.bytes.count
    }
    return bytes
  }

  /// Returns commands that delete all pictures from the terminal. Visible pictures will be sent again.
  mutating func forgetAll(shown: CellGrid?) -> [UInt8] {
    let bytes = entries.values.filter(\.isSent).flatMap { Self.forgetting($0.placement) }
    sendAgain(shown: shown)
    return bytes
  }

  /// Schedules all visible pictures to be sent again, and forgets the other pictures that were sent, because another
  /// program may have used the terminal.
  mutating func sendAgain(shown: CellGrid?) {
    guard !entries.isEmpty else { return }
    let visible = shown.map(Self.placements) ?? []
    entries = entries.filter { visible.contains($0.value.placement) || !$0.value.isSent }
    unsent = entries.values.sorted { $0.usedAt < $1.usedAt }.map(\.picture)
    for picture in unsent { entries[picture]?.isSent = false }
  }

  private static func placements(in grid: CellGrid) -> Set<PicturePlacement> {
    var found: Set<PicturePlacement> = []
    for row in 0..<grid.size.rows {
      for cell in grid.row(row) {
        if let placement = PicturePlacement(cell) { found.insert(placement) }
      }
    }
    return found
  }

  // MARK: The protocol

  /// Returns commands that send a PNG with a virtual placement (`U=1`), without replies (`q=2`).
  private static func sending(_ entry: Entry) -> [UInt8] {
    let encoded = Array(Data(entry.picture.bytes).base64EncodedData())
    var bytes: [UInt8] = []
    bytes.reserveCapacity(encoded.count + encoded.count / 100 + 100)
    var start = 0
    while start < encoded.count {
      let end = min(start + pieceLength, encoded.count)
      let more = end < encoded.count ? 1 : 0
      let size = entry.picture.size
      let keys =
        start == 0
        ? "a=T,U=1,f=100,i=\(entry.placement.identifier),c=\(size.columns),r=\(size.rows),q=2,m=\(more)"
        : "m=\(more),q=2"
      bytes += Array("\u{1B}_G\(keys);".utf8) + encoded[start..<end] + Array("\u{1B}\\".utf8)
      start = end
    }
    return bytes
  }

  private static func forgetting(_ placement: PicturePlacement) -> [UInt8] {
    Array("\u{1B}_Ga=d,d=I,i=\(placement.identifier),q=2\u{1B}\\".utf8)
  }
}
