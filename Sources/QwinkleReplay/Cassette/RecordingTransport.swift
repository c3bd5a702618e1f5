public import QwinkleWire
import Synchronization
public import Timekeeping

/// A transport that records the exchanges of another transport. Tokens, cookies, codes and passwords are never stored.
/// A private recording doesn't store user-written text either.
public final class RecordingTransport: Transport {
  /// The exchanges of one or several transports, in the order in which they began.
  private final class Exchanges: Sendable {
    let state: Mutex<State>
    let file: CassetteFileWriter?

    init(isPrivate: Bool, file: CassetteFileWriter?) {
      state = Mutex(State(scrubber: Scrubber(isPrivate: isPrivate)))
      self.file = file
    }
  }

  private struct State {
    /// The entries in the order in which the exchanges began. An entry is nil while its exchange is in progress.
    var entries: [Cassette.Entry?] = []
    var scrubber: Scrubber

    var cassette: Cassette {
      // Remove each secret from all entries, because a secret found in one exchange may appear in the text of another.
      let sweep = SecretSweep(scrubber.secrets)
      return Cassette(entries: entries.compactMap { $0.map(sweep.swept) }, isPrivate: scrubber.isPrivate)
    }
  }

  private let transport: any Transport
  private let clock: any ProgramClock
  private let exchanges: Exchanges

  /// Creates a transport that sends requests through `transport` and reads times from `clock`. If `isPrivate` is true,
  /// user-written text is replaced. Each exchange is written to `file` when it ends.
  public init(
    _ transport: any Transport, clock: any ProgramClock, isPrivate: Bool = false, file: CassetteFileWriter? = nil
  ) {
    self.transport = transport
    self.clock = clock
    exchanges = Exchanges(isPrivate: isPrivate, file: file)
  }

  /// Creates a transport that records to the same cassette as `other`.
  public init(_ transport: any Transport, sharing other: RecordingTransport) {
    self.transport = transport
    clock = other.clock
    exchanges = other.exchanges
  }

  /// The completed exchanges of this transport, and of all transports that share its cassette.
  public var cassette: Cassette {
    exchanges.state.withLock { $0 }.cassette
  }

  @concurrent public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let (start, uptime) = (clock.now.har, clock.uptime)
    let index = exchanges.state.withLock { state in
      state.entries.append(nil)
      return state.entries.count - 1
    }
    var entry = Cassette.Entry(startedDateTime: start, time: 0, request: Cassette.Request(request))
    do throws(TransportError) {
      let response = try await transport.send(request)
      entry.response = Cassette.Response(response)
      keep(entry, at: index, since: uptime)
      return response
    } catch {
      entry.failure = Cassette.Failure(error)
      keep(entry, at: index, since: uptime)
      throw error
    }
  }

  @concurrent public func shutDown() async {
    await transport.shutDown()
  }

  private func keep(_ entry: Cassette.Entry, at index: Int, since uptime: Duration) {
    var entry = entry
    entry.time = (clock.uptime - uptime).milliseconds
    exchanges.state.withLock { state in
      let known = state.scrubber.secrets
      let scrubbed = state.scrubber.scrubbed(entry)
      state.entries[index] = scrubbed
      guard let file = exchanges.file else { return }
      if state.scrubber.secrets == known {
        file.append(SecretSweep(known).swept(scrubbed))
      } else {
        // Write all entries again, because earlier entries may contain the secret that was just found.
        file.replace(with: state.cassette.entries)
      }
    }
  }
}
