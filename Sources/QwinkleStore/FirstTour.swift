import FoundationEssentials

/// Records whether the tour for new users was shown, as a file in the state folder.
public struct FirstTour {
  private static let name = "toured"

  private let directory: String

  /// Creates a value that stores its record in `directory`, the state folder.
  public init(directory: String) {
    self.directory = directory
  }

  /// Whether the tour should be shown. False if the folder has a record of the tour, or a saved screen from an earlier
  /// run.
  public var isDue: Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return !names.contains { $0 == Self.name || $0.hasPrefix("screen-") }
  }

  /// Records that the tour was shown.
  public func noteShown() {
    try? PrivateFolder(path: directory).replace(Self.name, with: [])
  }
}
