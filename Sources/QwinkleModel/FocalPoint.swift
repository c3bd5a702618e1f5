import SafeText

/// The most important point of a picture. It stays visible if the picture is cropped.
/// <https://docs.joinmastodon.org/api/guidelines/#focal-points>
public struct FocalPoint: Hashable, Sendable {
  /// From -1, the left edge, to 1, the right edge.
  public let x: Double
  /// From -1, the bottom edge, to 1, the top edge.
  public let y: Double

  /// Returns nil if a coordinate isn't between -1 and 1.
  public init?(x: Double, y: Double) {
    guard (-1...1).contains(x), (-1...1).contains(y) else { return nil }
    self.x = x
    self.y = y
  }

  /// Parses a text such as `0.5,-0.25`. Spaces around the numbers are ignored.
  public init?(typed text: String) {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0.trimmed()) }
    guard numbers.count == 2, let x = numbers[0], let y = numbers[1] else { return nil }
    self.init(x: x, y: y)
  }

  /// The text for servers and users, such as `0.5,-0.25`.
  public var text: String { "\(x),\(y)" }
}
