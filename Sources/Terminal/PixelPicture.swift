/// A picture in pixels, for terminals that show them: see ``TerminalDriver/place(_:)``. Each is itself, whatever others
/// look like.
public final class PixelPicture: Hashable, Sendable {
  /// In cells.
  public let size: Size
  /// A PNG file.
  public let png: [UInt8]

  public init(size: Size, png: [UInt8]) {
    self.size = size
    self.png = png
  }

  public static func == (one: PixelPicture, other: PixelPicture) -> Bool { one === other }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
