/// A pixel picture, for terminals that show pictures: see ``TerminalDriver/place(_:)``. Compared by identity.
public final class PixelPicture: Hashable, Sendable {
  public enum Format: Hashable, Sendable {
    /// A PNG file.
    case png
    /// The content of a DCS string: see ``SixelText``.
    case sixel
  }

  /// Size in cells.
  public let size: Size
  public let format: Format
  public let bytes: [UInt8]

  public init(size: Size, png: [UInt8]) {
    self.size = size
    format = .png
    bytes = png
  }

  public init(size: Size, sixel: [UInt8]) {
    self.size = size
    format = .sixel
    bytes = sixel
  }

  public static func == (one: PixelPicture, other: PixelPicture) -> Bool { one === other }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
