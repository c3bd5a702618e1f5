import FoundationEssentials
public import OnDemandResources
import PaneKit
public import Pictures
import QwinkleConfig
import QwinkleModel
import QwinkleService
import Terminal
public import Timekeeping

/// A picture that a screen wants to show.
struct PictureWish: Hashable {
  /// The picture's URL.
  var address: String
  /// The tag of its request, shared with related pictures.
  var tag: ResourceTag
  var order: PictureOrder
}

/// Loading state of a picture.
enum PictureState: Hashable {
  /// Not requested.
  case none
  /// From 0 to 1; nil if the progress isn't known.
  case loading(Double?)
  case shown(Picture)
  /// The reason in a few words, such as `too many pixels`.
  case failed(String)

  var isLoading: Bool { if case .loading = self { true } else { false } }
}

/// The pictures of one account. Fetches them when they become visible and decodes each once. Above a memory limit,
/// removes invisible pictures, oldest first.
@MainActor
public final class PictureShelf {
  /// The terminal's display capabilities.
  struct Rendering: Hashable {
    var form = PictureOrder.Form.cells
    var colors: Int
    var symbols: PictureOrder.Symbols
    var cell = CellSize.common
  }

  /// The pictures that a screen shows.
  private final class Looking {
    weak var viewer: AnyObject?
    var wishes: [PictureWish] = []
    var requests: [ResourceTag: ResourceRequest] = [:]
    var didChange: @MainActor () -> Void

    init(_ viewer: AnyObject, didChange: @escaping @MainActor () -> Void) {
      self.viewer = viewer
      self.didChange = didChange
    }
  }

  /// Memory limit for decoded pictures, in bytes.
  private static let mostBytes = 12 << 20
  /// Number of stored failures above which the failures of invisible pictures are removed.
  static let mostFailures = 200

  public let resources: ResourceManager
  /// The directory that `~` expands to when a picture is saved; nil for the environment's home.
  let home: String?
  private let decoder: PictureDecoder
  private let ledger: ActivityLedger
  private var looking: [ObjectIdentifier: Looking] = [:]
  /// The screen that lists downloads. While it exists, downloads continue after their viewer has released them.
  private weak var downloadList: AnyObject?
  /// Downloads whose viewer has released them.
  private var leftRunning: [ResourceRequest] = []
  private var drawn: [PictureWish: (picture: Picture, number: Int)] = [:]
  private(set) var failures: [PictureWish: String] = [:]
  private var blurs: [BlurKey: Picture] = [:]
  private var decoding: Set<PictureWish> = []
  private var drawnBytes = 0
  private var drawnCount = 0
  private var trusted: Set<String> = []
  private let didTrust: @MainActor (String) -> Void

  /// - Parameters:
  ///   - resources: Provides the files.
  ///   - decoder: Decodes the files.
  ///   - home: The home directory for saved pictures; nil for the environment's home.
  ///   - didTrust: Called once for each host that serves avatars of local accounts.
  public init(
    resources: ResourceManager, decoder: PictureDecoder, ledger: ActivityLedger, home: String? = nil,
    didTrust: @escaping @MainActor (_ host: String) -> Void = { _ in }
  ) {
    self.didTrust = didTrust
    self.home = home
    self.resources = resources
    resources.standardPreservationPriority = { $0.priority(by: Preservation([])) }
    self.decoder = decoder
    self.ledger = ledger
  }

  func state(of wish: PictureWish) -> PictureState {
    if let entry = drawn[wish] { return .shown(entry.picture) }
    if let failure = failures[wish] { return .failed(failure) }
    let requests = looking.values.compactMap { $0.requests[wish.tag] }
    guard let request = requests.first else { return .none }
    switch request.state {
    case .loading, .paused: return .loading(request.progress.fraction)
    case .inUse: return .loading(1)
    case .failed(let error): return .failed(error.sentence)
    case .idle, .ended: return .none
    }
  }

  /// Sets the pictures that `viewer` shows. Fetches missing pictures in order, and releases the viewer's other
  /// pictures.
  ///
  /// - Parameters:
  ///   - owner: The screen's name for ``ResourceStatus/owners``.
  ///   - isByKey: Whether the user pressed a key to load these pictures.
  func look(
    at wishes: [PictureWish], for viewer: AnyObject, owner: String = "", isByKey: Bool = false,
    didChange: @escaping @MainActor () -> Void
  ) {
    let identifier = ObjectIdentifier(viewer)
    let entry = looking[identifier] ?? Looking(viewer, didChange: didChange)
    entry.didChange = didChange
    looking[identifier] = entry
    entry.wishes = wishes
    let tags = Set(wishes.map(\.tag))
    for (tag, request) in entry.requests where !tags.contains(tag) {
      request.end()
      entry.requests[tag] = nil
    }
    for (place, wish) in wishes.enumerated() {
      if let request = entry.requests[wish.tag] {
        if request.state == .inUse { decode(wish, of: request) }
        continue
      }
      resources.setResources(wishes.filter { $0.tag == wish.tag }.map(\.address), for: wish.tag)
      let priority = isByKey ? ResourceRequest.urgent : max(0.1, 0.9 - 0.01 * Double(place))
      let request = resources.request([wish.tag], loadingPriority: priority, isByKey: isByKey, owner: owner)
      entry.requests[wish.tag] = request
      request.didChange = { [weak entry] _ in entry?.didChange() }
      request.begin { [weak self, weak entry, weak request] error in
        guard error == nil, let self, let entry, let request else { return }
        for wish in entry.wishes where wish.tag == request.tags.first { decode(wish, of: request) }
      }
    }
    looking = looking.filter { $0.value.viewer != nil }
  }

  /// Returns the bytes of a picture's file, or nil if `viewer` doesn't show the picture or the file isn't loaded.
  func file(of wish: PictureWish, for viewer: AnyObject) async -> [UInt8]? {
    await looking[ObjectIdentifier(viewer)]?.requests[wish.tag]?.bytes(of: wish.address)
  }

  /// Decodes a local file. Returns nil if it can't be drawn.
  func picture(from bytes: [UInt8], _ order: PictureOrder) async -> Picture? {
    let activity = ledger.begin("decoding a picture")
    defer { activity.end() }
    return try? await decoder.picture(from: bytes, order)
  }

  /// Performs a longer task. The program doesn't quit before the task ends.
  func perform(_ what: String, _ body: @escaping @MainActor () async -> Void) {
    ledger.task(what, body)
  }

  /// Releases all pictures of `viewer`. While a screen lists downloads, pending downloads continue; see
  /// ``keepDownloads(for:)``.
  func lookAway(_ viewer: AnyObject) {
    guard let entry = looking.removeValue(forKey: ObjectIdentifier(viewer)) else { return }
    for request in entry.requests.values {
      let isPending = request.state == .loading || request.state == .paused
      if isPending, downloadList != nil { leaveRunning(request) } else { request.end() }
    }
    if looking.isEmpty { decoder.rest() }
  }

  /// Continues pending downloads while `screen` lists them, so that the user can pause and cancel them there. Call this
  /// before `screen` covers the screen whose pictures are loading.
  func keepDownloads(for screen: AnyObject) { downloadList = screen }

  /// Cancels the downloads left running for `screen`.
  func endDownloads(for screen: AnyObject) {
    guard downloadList === screen else { return }
    downloadList = nil
    let requests = leftRunning
    leftRunning = []
    for request in requests { request.end() }
  }

  /// Retains `request` until it has loaded or failed. Its files stay on disk, but aren't in use.
  private func leaveRunning(_ request: ResourceRequest) {
    leftRunning.append(request)
    request.didChange = { [weak self] request in
      guard request.state != .loading, request.state != .paused else { return }
      self?.leftRunning.removeAll { $0 === request }
      request.end()
    }
  }

  private struct BlurKey: Hashable {
    var hash: Blurhash
    var size: Size
  }

  /// Returns a placeholder for a picture that isn't loaded, or nil if the server sent no blurhash.
  func blurred(_ hash: Blurhash?, _ size: Size) -> Picture? {
    guard let hash else { return nil }
    let key = BlurKey(hash: hash, size: size)
    if let made = blurs[key] { return made }
    if blurs.count > 200 { blurs = [:] }
    let made = hash.picture(size)
    blurs[key] = made
    return made
  }

  /// Allows automatic downloads from the host of `address`, the avatar of a local account.
  func trust(hostOf address: String) {
    guard let host = MediaRules.host(of: address), trusted.insert(host).inserted else { return }
    didTrust(host)
  }

  /// Forgets failures, so that the pictures are retried.
  func forgetFailures() { failures = [:] }

  // MARK: Decoding

  private func decode(_ wish: PictureWish, of request: ResourceRequest) {
    guard drawn[wish] == nil, failures[wish] == nil, decoding.insert(wish).inserted else { return }
    ledger.task("decoding a picture") { [weak self, decoder] in
      if let bytes = await request.bytes(of: wish.address) {
        do throws(PictureError) {
          let picture = try await decoder.picture(from: bytes, wish.order)
          self?.keep(picture, of: wish)
        } catch {
          self?.note(error, of: wish)
        }
      }
      self?.decoding.remove(wish)
      self?.tell(wish)
    }
  }

  private func keep(_ picture: Picture, of wish: PictureWish) {
    drawnCount += 1
    drawn[wish] = (picture, drawnCount)
    drawnBytes += picture.byteCount
    guard drawnBytes > Self.mostBytes else { return }
    // Visible pictures are never removed.
    let seen = Set(looking.values.flatMap(\.wishes))
    for (wish, entry) in drawn.sorted(by: { $0.value.number < $1.value.number }) where drawnBytes > Self.mostBytes / 2 {
      guard !seen.contains(wish) else { continue }
      drawn[wish] = nil
      drawnBytes -= entry.picture.byteCount
    }
  }

  /// Forgets decoded pictures that aren't visible. Their files are still cached on disk.
  public func releaseMemory() {
    let seen = Set(looking.values.flatMap(\.wishes))
    drawn = drawn.filter { seen.contains($0.key) }
    drawnBytes = drawn.values.reduce(0) { $0 + $1.picture.byteCount }
    blurs = [:]
  }

  /// Records why a picture can't be drawn.
  func note(_ error: PictureError, of wish: PictureWish) {
    failures[wish] = error.sentence
    guard failures.count > Self.mostFailures else { return }
    let seen = Set(looking.values.flatMap(\.wishes))
    failures = failures.filter { seen.contains($0.key) }
  }

  private func tell(_ wish: PictureWish) {
    for entry in looking.values where entry.wishes.contains(wish) { entry.didChange() }
  }
}
