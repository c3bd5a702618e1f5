import Foundation
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleStore
import Timekeeping

/// Sending a command's text.
extension Writer {
  /// Completes a text with data from the server, then posts it or saves it as an edit. If `patience` is given, retries
  /// after temporary failures for that long. Each retry of a post that may have arrived first checks whether it has.
  func send(
    _ start: Draft, with extras: ExtrasOptions?, patience: Duration? = nil
  ) async throws(AppError) -> Qwink {
    var draft = start
    let end = account.clock.uptime + (patience ?? .zero)
    var backoff = RetryBackoff(first: .seconds(1), limit: RetryBackoff.shortLimit)
    while true {
      do throws(Failure) {
        try await complete(&draft, with: extras)
        return try await post(&draft)
      } catch {
        let left = end - account.clock.uptime
        guard error.mayPass, left > .zero, (error.retryAfter ?? .zero) <= left else { throw error.error }
        backoff.noteFailure()
        let wait = error.retryAfter.map { backoff.wait(named: $0) } ?? backoff.wait()
        _ = await ClockWait(on: account.clock).wait(for: min(wait, left))
        guard await drafts.takeAgain(&draft) else { throw error.error }
      }
    }
  }

  /// Tries once to send the draft. If an earlier attempt may have arrived, checks that first.
  private func post(_ draft: inout Draft) async throws(Failure) -> Qwink {
    if looks(draft), account.identity.me == nil {
      do throws(DownloadError) {
        account.identity.setMe(try await connection.answer(to: .ownAccount).qwinker)
      } catch {
        throw failure("\(EntryProblem.unchecked) \(error.sentence)", error, of: draft)
      }
    }
    let attempt = await account.posts.sendOnce(draft.outgoing, as: draft.outgoing.entry)
    draft.outgoing = attempt.entry
    draft.isSaved = attempt.isSaved
    draft.isReleased = true
    switch attempt.outcome {
    case .posted(let qwink): return qwink
    case .queued(let item, let error?) where item.state == .uncertain && !error.mayHaveArrived:
      // An earlier attempt may have arrived, and checking whether it has was not possible.
      throw failure("\(error.summary) \(EntryProblem.unchecked)", error, of: draft)
    case .failed(let error), .queued(_, let error?): throw failure(error, of: draft)
    case .notLookedFor(let error):
      throw failure("\(error?.summary ?? "") \(EntryProblem.unchecked)", error, of: draft)
    case .arrivedBefore:
      throw Failure(error: draft.error("An earlier text was posted after all; this one was not sent."))
    case .queued(_, nil): throw Failure(error: draft.error("Not posted: another Qwinkle is sending it."))
    }
  }

  /// Whether the next attempt must check first if an earlier one has arrived. An edit can be repeated without harm.
  private func looks(_ draft: Draft) -> Bool { draft.outgoing.isDoubtful && !draft.isEdit }

  private func failure(_ error: DownloadError, of draft: Draft) -> Failure {
    guard error.mayHaveArrived else { return failure("\(draft.notSent) \(error.sentence)", error, of: draft) }
    let doubt = draft.isEdit ? "It may have been saved." : "It may have been posted."
    return failure("\(error.summary) \(doubt)", error, of: draft)
  }

  private func failure(_ what: String, _ error: DownloadError?, of draft: Draft) -> Failure {
    let next = looks(draft) ? "The same command checks before it sends it again." : Self.again
    return Failure(
      error: draft.error(what, next: next), mayPass: error.map { $0.mayPass && !$0.needsSignIn } ?? false,
      retryAfter: error?.retryAfter)
  }

  // MARK: Scheduling

  /// Schedules a text on the server, to be published at `date`.
  func schedule(_ start: Draft, with extras: ExtrasOptions, at date: Date) async throws(AppError) -> Scheduling {
    var draft = start
    do throws(Failure) {
      try await complete(&draft, with: extras)
    } catch {
      throw error.error
    }
    do throws(SchedulingError) {
      let altTexts = draft.outgoing.given?.files.map(\.altText) ?? []
      let scheduling = try await account.schedule(draft.outgoing.entry, at: date, altTexts: altTexts)
      await drafts.forget(draft)
      return scheduling
    } catch {
      throw draft.error(error.sentence(listedBy: "qwinkle scheduled"))
    }
  }
}
