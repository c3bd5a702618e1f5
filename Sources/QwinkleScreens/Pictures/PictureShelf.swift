import FoundationEssentials
public import OnDemandResources
import PaneKit
public import Pictures
import QwinkleModel
import QwinkleService
import Terminal
public import Timekeeping

/// A picture that a screen wants to show.
struct PictureWish: Hashable {
  /// Its URL.
  var address: String
  /// What it is asked for by, with what belongs to it.
  var tag: ResourceTag
  var order: PictureOrder
}

/// How far a picture has come.
enum PictureState: Hashable {
  /// Nothing is done for it.
  case none
  /// From 0 to 1; nil if it isn't known.
  case loading(Double?)
  case shown(Picture)
  /// Why there is none, in a few words.
  case failed(String)

  var isLoading: Bool { if case .loading = self { true } else { false } }
}

/// The pictures of one account: fetched as they come into sight, decoded once, and forgotten when they are long out of
/// sight.
@MainActor
public final class PictureShelf {
  /// How the terminal shows pictures.
  struct Means: Hashable {
    var form = PictureOrder.Form.cells
    var colors: Int
    var symbols: PictureOrder.Symbols
    var cell = CellSize.common
  }

  /// What a screen looks at.
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

  /// Memory for decoded pictures.
  private static let mostBytes = 12 << 20
  /// Number of stored failures above which the failures of invisible pictures are removed.
  static let mostFailures = 200

  public let resources: ResourceManager
  /// What `~` stands for where pictures are saved; nil: the environment's home.
  let home: String?
  private let decoder: PictureDecoder
  private let ledger: ActivityLedger
  private var looking: [ObjectIdentifier: Looking] = [:]
  /// The screen that lists downloads. While it exists, a viewer that looks away leaves its downloads running.
  private weak var downloadList: AnyObject?
  /// Downloads whose viewer has looked away.
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
  ///   - resources: where the files come from.
  ///   - decoder: turns them into cells.
  ///   - home: the home directory, below which pictures are saved; nil: that of the environment.
  ///   - didTrust: told of hosts that the server serves its own avatars from.
  public init(
    resources: ResourceManager, decoder: PictureDecoder, ledger: ActivityLedger, home: String? = nil,
    didTrust: @escaping @MainActor (_ host: String) -> Void = { _ in }
  ) {
    self.didTrust = didTrust
    self.home = home
    self.resources = resources
    resources.standardPreservationPriority = \.preservationPriority
    self.decoder = decoder
    self.ledger = ledger
  }

  /// How far a picture has come.
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

  /// Has `viewer` look at these and at nothing else: fetches what is missing, those first that come first.
  ///
  /// - Parameter isByKey: whether a user asked for just these.
  func look(
    at wishes: [PictureWish], for viewer: AnyObject, isByKey: Bool = false, didChange: @escaping @MainActor () -> Void
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
      let request = resources.request([wish.tag], loadingPriority: priority, isByKey: isByKey)
      entry.requests[wish.tag] = request
      request.didChange = { [weak entry] _ in entry?.didChange() }
      request.begin { [weak self, weak entry, weak request] error in
        guard error == nil, let self, let entry, let request else { return }
        for wish in entry.wishes where wish.tag == request.tags.first { decode(wish, of: request) }
      }
    }
    looking = looking.filter { $0.value.viewer != nil }
  }

  /// The whole file of what `viewer` looks at; nil if it isn't here.
  func file(of wish: PictureWish, for viewer: AnyObject) async -> [UInt8]? {
    await looking[ObjectIdentifier(viewer)]?.requests[wish.tag]?.bytes(of: wish.address)
  }

  /// The picture in a file of this machine; nil if it can't be drawn.
  func picture(from bytes: [UInt8], _ order: PictureOrder) async -> Picture? {
    let activity = ledger.begin("decoding a picture")
    defer { activity.end() }
    return try? await decoder.picture(from: bytes, order)
  }

  /// Does something that takes a while, and that the program doesn't end before.
  func perform(_ what: String, _ body: @escaping @MainActor () async -> Void) {
    ledger.task(what, body)
  }

  /// Has `viewer` look at nothing.
  func lookAway(_ viewer: AnyObject) {
    guard let entry = looking.removeValue(forKey: ObjectIdentifier(viewer)) else { return }
    for request in entry.requests.values {
      let isPending = request.state == .loading || request.state == .paused
      if isPending, downloadList != nil { leaveRunning(request) } else { request.end() }
    }
    if looking.isEmpty { decoder.rest() }
  }

  /// Leaves downloads running while `screen` lists them, so that the user can pause and cancel them there. Call it
  /// before the screen covers the list whose pictures load.
  func keepDownloads(for screen: AnyObject) { downloadList = screen }

  /// Ends the downloads that were left running for `screen`.
  func endDownloads(for screen: AnyObject) {
    guard downloadList === screen else { return }
    downloadList = nil
    let requests = leftRunning
    leftRunning = []
    for request in requests { request.end() }
  }

  /// Keeps `request` until it has loaded or failed. Its files stay on disk, and are not in use.
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

  /// What stands for a picture that isn't here; nil if the server has not said how it looks.
  func blurred(_ hash: Blurhash?, _ size: Size) -> Picture? {
    guard let hash else { return nil }
    let key = BlurKey(hash: hash, size: size)
    if let made = blurs[key] { return made }
    if blurs.count > 200 { blurs = [:] }
    let made = hash.picture(size)
    blurs[key] = made
    return made
  }

  /// A host that the server serves its own avatars from.
  func trust(hostOf address: String) {
    guard let host = MediaRules.host(of: address), trusted.insert(host).inserted else { return }
    didTrust(host)
  }

  /// Forgets what failed, so that it is tried again.
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
    // Not what is in sight.
    let seen = Set(looking.values.flatMap(\.wishes))
    for (wish, entry) in drawn.sorted(by: { $0.value.number < $1.value.number }) where drawnBytes > Self.mostBytes / 2 {
      guard !seen.contains(wish) else { continue }
      drawn[wish] = nil
      drawnBytes -= entry.picture.byteCount
    }
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
