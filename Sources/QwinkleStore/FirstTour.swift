import FoundationEssentials

/// Whether the tour of the first start was shown. A file of the state's folder notes it.
public struct FirstTour {
  private static let name = "toured"

  private let directory: String

  /// `directory` is the folder of the state.
  public init(directory: String) {
    self.directory = directory
  }

  /// Whether neither the tour nor a screen was ever shown here.
  public var isDue: Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return !names.contains { $0 == Self.name || $0.hasPrefix("screen-") }
  }

  /// The tour is not shown again.
  public func noteShown() {
    try? PrivateFolder(path: directory).replace(Self.name, with: [])
  }
}
