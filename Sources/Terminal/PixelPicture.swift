/// A picture in pixels, for terminals that show them: see ``TerminalDriver/place(_:)``. Each is itself, whatever others
/// look like.
public final class PixelPicture: Hashable, Sendable {
  public enum Format: Hashable, Sendable {
    /// A PNG file.
    case png
    /// What stands between the beginning and the end of a DCS string: see ``SixelText``.
    case sixel
  }

  /// In cells.
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
