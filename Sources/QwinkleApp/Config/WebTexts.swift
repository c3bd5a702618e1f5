import OnDemandResources
import PaneKit
import QwinkleConfig
import QwinkleModel
import QwinkleService
import QwinkleStore
import SafeText
import Timekeeping

/// Themes and keymaps from the web: fetched once, kept on disk, and held while they are used.
@MainActor
final class WebTexts {
  /// The longest file that is taken.
  static let mostBytes = 256 << 10
  /// A fetch must not slow the first screen down.
  private static let startDelay = Duration.milliseconds(100)

  /// What an option uses.
  private struct Use {
    var address: String
    var request: ResourceRequest
    var timer: ProgramTimer?
  }

  let resources: ResourceManager
  private let clock: any ProgramClock
  private var uses: [ConfigKey: Use] = [:]
  /// Told when what an option names is here, or why it is not.
  var didFetch: (@MainActor (ConfigKey, ResourceError?) -> Void)?

  /// - Parameters:
  ///   - files: what is kept.
  ///   - media: fetches, by the rules for addresses that strangers choose.
  init(_ files: ResourceFiles, media: MediaService, clock: any ProgramClock, ledger: ActivityLedger) {
    self.clock = clock
    resources = ResourceManager(
      index: files, fetcher: MediaFetcher(media, kind: .text), clock: clock, ledger: ledger,
      limits: ResourceLimits(onDisk: 16 * Self.mostBytes, inUse: 4 * Self.mostBytes, single: Self.mostBytes))
  }

  /// Has an option use the file at `address`: fetches it if it isn't kept, and tells when it is here.
  func use(_ address: String, for key: ConfigKey) {
    guard uses[key]?.address != address else { return }
    release(key)
    let tag = ResourceTag("\(key.name) \(address)")
    resources.setResources([address], for: tag)
    resources.setPreservationPriority(1, for: tag)
    // The user asked for it by setting the option.
    let request = resources.request([tag], isByKey: true)
    uses[key] = Use(address: address, request: request)
    uses[key]?.timer = clock.schedule(after: Self.startDelay) { [weak self] in
      request.begin { self?.didFetch?(key, $0) }
    }
  }

  /// An option uses none any more.
  func release(_ key: ConfigKey) { uses.removeValue(forKey: key)?.request.end() }

  /// What a file is called in messages: the end of its address.
  static func name(of address: String) -> String {
    let path = address.prefix { $0 != "?" && $0 != "#" }.dropFirst("https://".count)
    return path.split(separator: "/").last.map { SafeText.line(String($0)) } ?? address
  }

  /// Why a file could not be fetched.
  static func sentence(_ key: ConfigKey, _ address: String, _ error: ResourceError) -> String {
    let reason = error == .refusedType ? "not a text file" : error.sentence
    return "No \(key.name) from \(name(of: address)): \(reason)."
  }
}
