import Foundation
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleStore
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

/// A random run of one or two programs that share an account's files, with a virtual clock and a ``FickleServer``.
@MainActor
final class OutboxRun {
  /// A program. Releasing it ends it like a kill.
  @MainActor
  private final class Program {
    let account: Account
    let store: OutgoingStore
    var isOnline = true

    init(folder: String, server: FickleServer, clock: VirtualClock, ledger: ActivityLedger) {
      let service = DownloadService(
        configuration: .init(serverURL: "https://fickle", token: "token"), ledger: ledger, transport: { server })
      store = OutgoingStore(directory: folder, ledger: ledger, clock: clock)
      account = Account(service: service, cache: nil, outgoing: store, clock: clock, isSignedIn: true)
      account.outbox.jitter = { 0.5 }
      account.identity.identify()
      account.outbox.start()
    }
  }

  /// An entry that the user wrote.
  private struct Written {
    var entry: Entry
    var id: String
    var isSaved = false
    var isDiscarded = false
    var program: Int
  }

  private let clock = VirtualClock()
  private let ledger = ActivityLedger()
  private let server: FickleServer
  private let folder: String
  private var dice: SplitMix
  private var programs: [Program?]
  private var written: [Written] = []
  /// Reactions that the user set, by key.
  private var wanted: [String: Bool] = [:]
  private(set) var log: [String] = []

  /// Number of entries that the user wrote.
  var writtenCount: Int { written.count }

  init(seed: UInt64, programs count: Int) {
    dice = SplitMix(seed: seed)
    server = FickleServer(seed: seed, clock: clock)
    let root = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    folder = "\(root)/qwinkle-outbox-\(UUID().uuidString)"
    programs = Array(repeating: nil, count: count)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Performs `steps` random steps, ends all faults, and returns the problems that remain.
  func play(steps: Int) async -> [String] {
    // Another client has posted some of the texts before. The posts are older than any late response can be. Otherwise
    // the client couldn't distinguish two equal qwinks.
    for text in ["ok", "Good morning"] where Bool.random(using: &dice) {
      server.write(Entry(text: text, idempotencyKey: ""))
    }
    clock.advance(by: .seconds(40))
    for index in programs.indices { start(index) }
    await settle()
    for _ in 0..<steps { await step() }
    await finish()
    return problems()
  }

  private func start(_ index: Int) {
    programs[index] = Program(folder: folder, server: server, clock: clock, ledger: ledger)
  }

  private func kill(_ index: Int) {
    guard let store = programs[index]?.store else { return }
    log.append("kill \(index)")
    programs[index] = nil
    store.abandon()
    let kept = Set(((try? OutgoingStore.items(in: folder)) ?? []).map(\.id))
    // Unsaved entries are lost and were never sent.
    written.removeAll { $0.program == index && !$0.isSaved && !kept.contains($0.id) }
    for place in written.indices where written[place].program == index { written[place].isSaved = true }
  }

  private func settle() async {
    await ledger.settleWithMainQueue()
  }

  private func pass(_ seconds: Int) async {
    await clock.advance(by: .seconds(seconds)) { await settle() }
  }

  // MARK: Steps

  private func step() async {
    let index = Int.random(in: programs.indices, using: &dice)
    let kind = Int.random(in: 0..<20, using: &dice)
    // A killed program must not be retained here.
    if (5..<7).contains(kind), programs[index] != nil { return kill(index) }
    guard let program = programs[index] else { return start(index) }
    let outbox = program.account.outbox
    switch kind {
    case 0..<5: write(program, index)
    case 7..<12: await pass(Int.random(in: 0...40, using: &dice))
    case 12: await pass(Int.random(in: 60...400, using: &dice))
    case 13: server.setDown(Bool.random(using: &dice))
    case 14: program.account.timelines.refresh(.home)
    case 15: if let item = outbox.items.randomElement(using: &dice) { outbox.hold(item.id) }
    case 16: if let item = outbox.items.randomElement(using: &dice) { outbox.release(item.id) }
    case 17: if let item = outbox.items.randomElement(using: &dice) { outbox.sendNow(item.id) }
    case 18:
      react(program)
      // An unsaved reaction may be lost.
      await settle()
    default:
      if Int.random(in: 0..<3, using: &dice) == 0 { discard(program) }
      await settle()
    }
    if Bool.random(using: &dice) { await settle() }
  }

  private func write(_ program: Program, _ index: Int) {
    let texts = ["ok", "ok", "Good morning", "Number \(written.count)", FickleServer.refused]
    let parent: Qwink.ID? = [nil, nil, "p1", "p2"].randomElement(using: &dice) ?? nil
    let entry = Entry(
      text: texts.randomElement(using: &dice) ?? "",
      visibility: [.public, .unlisted].randomElement(using: &dice) ?? .public,
      contentWarning: Int.random(in: 0..<4, using: &dice) == 0 ? "cw" : "", inReplyTo: parent,
      idempotencyKey: UUID().uuidString)
    let outgoing = OutgoingEntry(
      purpose: parent.map { "reply/\($0.rawValue)" } ?? "new", entry: entry, sent: entry, writtenAt: clock.now)
    log.append("write \(entry.text) \(outgoing.thread)")
    written.append(Written(entry: entry, id: outgoing.id, program: index))
    program.account.outbox.send(OutboxItem(outgoing), isAttended: Bool.random(using: &dice)) { [weak self] error in
      guard error == nil, let index = self?.written.firstIndex(where: { $0.id == outgoing.id }) else { return }
      self?.written[index].isSaved = true
    }
  }

  private func react(_ program: Program) {
    let reaction = Reaction.allCases.randomElement(using: &dice) ?? .boost
    let id = ["r1", "r2"].randomElement(using: &dice) ?? "r1"
    let key = "\(reaction.rawValue)/\(id)"
    let isPending = program.account.outbox.items.last { $0.purpose == key }?.change?.isOn
    let isOn = !(isPending ?? server.isOn(key))
    wanted[key] = isOn
    log.append("\(key) \(isOn)")
    let qwink = Qwink.sample(id: Qwink.ID(id)).setting(reaction, to: !isOn)
    program.account.reactions.react(to: qwink, with: reaction, isOn: isOn)
  }

  /// Discards an entry that has certainly not been sent.
  private func discard(_ program: Program) {
    let outbox = program.account.outbox
    guard let item = outbox.items.first(where: { $0.state == .queued && $0.entry?.attempts.isEmpty == true }),
      outbox.mayChange(item.id), let index = written.firstIndex(where: { $0.id == item.id }), written[index].isSaved
    else { return }
    log.append("discard \(item.id)")
    written[index].isDiscarded = true
    outbox.discard(item.id) { [weak self] error in
      // The entry is still in the outbox, held, and is sent in the end.
      self?.log.append("not discarded: \(error)")
      self?.written[index].isDiscarded = false
    }
  }

  // MARK: The end

  private func finish() async {
    await settle()
    server.heal()
    for index in programs.indices {
      if Bool.random(using: &dice) { kill(index) }
      if programs[index] == nil { start(index) }
    }
    await settle()
    // Each program releases the items that it holds.
    for program in programs.compactMap(\.self) {
      for item in program.account.outbox.items where item.isHeld { program.account.outbox.release(item.id) }
    }
    for _ in 0..<12 {
      await pass(600)
      for program in programs.compactMap(\.self) {
        program.account.timelines.refresh(.home)
        await settle()
        for item in program.account.outbox.items where item.isHeld { program.account.outbox.release(item.id) }
      }
    }
  }

  /// Returns the parts of an entry that readers see.
  private func face(_ text: String, _ parent: String?, _ visibility: Visibility, _ warning: String) -> String {
    "\(text) | \(parent ?? "-") | \(visibility) | \(warning)"
  }

  private func problems() -> [String] {
    var problems: [String] = []
    var counts: [String: Int] = [:]
    for qwink in server.written {
      let face = face(qwink.text.plainText, qwink.inReplyTo?.rawValue, qwink.visibility, qwink.contentWarning)
      counts[face, default: 0] += 1
    }
    let said = ["ok", "Good morning"].filter { text in foreign.contains(text) }
    for text in said { counts[face(text, nil, .public, ""), default: 0] -= 1 }
    var expected: [String: Int] = [:]
    for one in written where !one.entry.text.contains(FickleServer.refused) && !one.isDiscarded {
      let face = face(one.entry.text, one.entry.inReplyTo, one.entry.visibility, one.entry.contentWarning)
      expected[face, default: 0] += 1
    }
    let failed = left.filter { $0.state == .failed || $0.state == .draft }
    for item in failed {
      guard let entry = item.entry?.entry, !entry.text.contains(FickleServer.refused) else { continue }
      problems.append("failed or draft without refusal: \(entry.text) \(item.state) \(item.reason ?? "")")
    }
    for face in Set(counts.keys).union(expected.keys) where counts[face, default: 0] != expected[face, default: 0] {
      problems.append("\(face): written \(expected[face, default: 0]), on the server \(counts[face, default: 0])")
    }
    for item in left where item.state != .failed && item.state != .draft {
      problems.append("left: \(item.kind) \(item.state) \(item.purpose) \(item.reason ?? "") held \(item.isHeld)")
    }
    let refused = written.filter { $0.entry.text.contains(FickleServer.refused) && !$0.isDiscarded }
    let visible = Set(failed.map(\.id))
    for one in refused where !visible.contains(one.id) { problems.append("not visibly failed: \(one.id)") }
    if programs.count == 1 {
      for (key, isOn) in wanted where server.isOn(key) != isOn { problems.append("\(key) should be \(isOn)") }
    }
    return problems
  }

  private var left: [OutboxItem] {
    for program in programs.compactMap(\.self) { program.store.flush() }
    let items = (try? OutgoingStore.items(in: folder)) ?? []
    let entries = (try? OutgoingStore.entries(in: folder)) ?? []
    let drafts = entries.filter { entry in !items.contains { $0.id == entry.id } }
    return items
      + drafts.map { entry in
        var item = OutboxItem(entry)
        item.state = .draft
        return item
      }
  }

  private var foreign: Set<String> { server.foreign }
}
