import OnDemandResources
import PaneKit
import QwinkleConfig
import QwinkleModel
import QwinkleService
import QwinkleStore
import SafeText
import Timekeeping

/// Themes and keymaps from the web. They are fetched once, cached on disk, and protected from eviction while in use.
@MainActor
final class WebTexts {
  /// Maximum size of a file.
  static let mostBytes = 256 << 10
  /// Delay before fetching, so that fetching doesn't slow down the first screen.
  private static let startDelay = Duration.milliseconds(100)

  /// A file used by an option.
  private struct Use {
    var address: String
    var request: ResourceRequest
    var timer: ProgramTimer?
  }

  let resources: ResourceManager
  private let clock: any ProgramClock
  private var uses: [ConfigKey: Use] = [:]
  /// Called when a file is available or could not be fetched.
  var didFetch: (@MainActor (ConfigKey, ResourceError?) -> Void)?

  /// - Parameter files: The cached files.
  /// - Parameter media: Fetches the files, under the rules for addresses that strangers choose.
  init(_ files: ResourceFiles, media: MediaService, clock: any ProgramClock, ledger: ActivityLedger) {
    self.clock = clock
    resources = ResourceManager(
      index: files, fetcher: MediaFetcher(media, kind: .text), clock: clock, ledger: ledger,
      limits: ResourceLimits(onDisk: 16 * Self.mostBytes, inUse: 4 * Self.mostBytes, single: Self.mostBytes))
  }

  /// Uses the file at `address` for an option. After a short delay, fetches the file if it isn't cached. Then calls
  /// ``didFetch``, for a cached file too. Does nothing if the option uses this file already.
  func use(_ address: String, for key: ConfigKey) {
    guard uses[key]?.address != address else { return }
    release(key)
    let tag = ResourceTag("\(key.name) \(address)")
    resources.setResources([address], for: tag)
    // Setting the option counts as requesting the file by key, so it is fetched even on a metered connection.
    let request = resources.request([tag], isByKey: true)
    uses[key] = Use(address: address, request: request)
    uses[key]?.timer = clock.schedule(after: Self.startDelay) { [weak self] in
      request.begin { self?.didFetch?(key, $0) }
    }
  }

  /// Stops using a file for an option.
  func release(_ key: ConfigKey) { uses.removeValue(forKey: key)?.request.end() }

  /// Returns the name of a file in messages: the end of its address.
  static func name(of address: String) -> String {
    let path = address.prefix { $0 != "?" && $0 != "#" }.dropFirst("https://".count)
    return path.split(separator: "/").last.map { SafeText.line(String($0)) } ?? address
  }

  /// A message about a file that could not be fetched.
  static func sentence(_ key: ConfigKey, _ address: String, _ error: ResourceError) -> String {
    let reason = error == .refusedType ? "not a text file" : error.sentence
    return "Can't load the \(key.name) from \(name(of: address)): \(reason)."
  }
}
