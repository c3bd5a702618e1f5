import QwinkleAccount
import QwinkleModel
import QwinkleScreens
import QwinkleService
import QwinkleWire
import Timekeeping

/// The output of another server's timeline. Its qwinks have their URLs as ids, because commands accept a URL but not an
/// id of another server.
@MainActor
struct RemoteTimelineOutput {
  private let timeline: RemoteTimeline
  private let hidden: HiddenQwinks
  private let others: OtherServers?

  /// - Parameter others: The connection to other servers; nil if requests to them aren't allowed.
  init(_ timeline: RemoteTimeline, hidden: HiddenQwinks, _ others: OtherServers?) {
    self.timeline = timeline
    self.hidden = hidden
    self.others = others
  }

  /// Prints the timeline without the qwinks that the user of `server`, the user's own server, hides.
  func print(
    _ list: ListOptions, range: TimeRange, for server: AccountConnection, _ style: PlainStyle
  ) async throws {
    guard let pages = RemotePages(of: timeline, by: others) else { throw RemoteTimelineError.notAllowed(timeline) }
    let rules: HiddenRules
    do throws(DownloadError) {
      rules = try await server.hiddenRules()
    } catch {
      throw RemoteTimelineError.notChecked(error)
    }
    await pages.prepare()
    let place = timeline.name.filterPlace
    let qwinks = PagedList<Qwink>(
      first: pages.newest, page: pages.page, id: { $0.rowID }, time: { $0.listedAt }, range: range,
      isShown: { qwink in
        guard let applied = rules.applied(to: qwink, at: style.now) else { return false }
        return !Disclosure(of: applied, in: place, at: style.now).isHidden
          && !hidden.contains(qwink, me: nil)
      })
    let shown = { (qwink: Qwink) in (rules.applied(to: qwink, at: style.now) ?? qwink).namedByAddress }
    do {
      try await list.print(qwinks, from: pages.server, none: "No posts.") {
        WireEncoder.qwinks($0.map(shown))
      } text: {
        PlainTranslations().text(shown($0), in: place, style)
      }
    } catch let error as DownloadError {
      throw RemoteTimelineError(error, of: timeline)
    }
  }
}

extension AccountConnection {
  /// Whether a timeline is of this server.
  func isOwn(_ timeline: RemoteTimeline) async -> Bool {
    guard let address = timeline.address, !isEmbedded else { return false }
    if isOwn(address, domain: nil) { return true }
    return isOwn(address, domain: try? await answer(to: .serverInfo).domain)
  }
}
