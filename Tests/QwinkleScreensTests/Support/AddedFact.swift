import FoundationEssentials
import QwinkleModel
import QwinkleTesting

/// A fact that a recorded qwink may lack.
enum AddedFact: String, CaseIterable, Sendable {
  case boost, warning, filter, warningUnderFilter, quote, withheldQuote, coveredQuote, picture, undescribedPicture
  case sensitivePicture, openPoll, endedPoll, votedPoll, card, unlisted, followers, direct, unclearAudience, edited
  case counts, quotes, ownReactions, uncountedReactions, bookmarked, pinned, mutedThread

  func set(on qwink: inout Qwink, at now: Date) {
    let ben = Qwinker.sample("ben", displayName: "Ben Ames")
    let picture = Attachment(id: "1", kind: .image, url: "https://files.example/1.png", altText: "A kiosk\nat night")
    let options = [Poll.Option(title: "Tea", votesCount: 3), Poll.Option(title: "Coffee", votesCount: 4)]
    let end = now.addingTimeInterval(3600)
    switch self {
    case .boost: qwink.booster = ben
    case .warning: qwink.contentWarning = "Film spoilers"
    case .filter: qwink.filterMatches = [FilterMatch(id: "1", title: "Boats", hides: false, contexts: [])]
    case .warningUnderFilter:
      AddedFact.warning.set(on: &qwink, at: now)
      AddedFact.filter.set(on: &qwink, at: now)
    case .quote: qwink.quote = Qwink.Quote(id: "9", author: ben, text: RichText(plain: "Tea at four?\n\nOr five?"))
    case .withheldQuote: qwink.quote = Qwink.Quote(id: "9", state: .revoked)
    case .coveredQuote:
      AddedFact.quote.set(on: &qwink, at: now)
      qwink.quote?.contentWarning = "Hot drinks"
    case .picture: qwink.attachments.append(picture)
    case .undescribedPicture: qwink.attachments.append(Attachment(id: "2", kind: .video))
    case .sensitivePicture:
      AddedFact.picture.set(on: &qwink, at: now)
      qwink.isSensitive = true
    case .openPoll: qwink.poll = Poll(id: "1", options: options, expiresAt: end, votesCount: 7)
    case .endedPoll: qwink.poll = Poll(id: "1", options: options, expiresAt: now, votesCount: 7)
    case .votedPoll:
      qwink.poll = Poll(id: "1", options: options, expiresAt: end, votesCount: 7, hasVoted: true, ownVotes: [1])
    case .card: qwink.card = Qwink.Card(url: "https://example.org/tea", title: "Teapots", summary: "All of them")
    case .unlisted: qwink.visibility = .unlisted
    case .followers: qwink.visibility = .private
    case .direct: qwink.visibility = .direct
    case .unclearAudience: qwink.isAudienceUnclear = true
    case .edited: qwink.editedAt = now
    case .counts: (qwink.repliesCount, qwink.boostsCount, qwink.favouritesCount) = (1, 2, 1234)
    case .quotes: qwink.quotesCount = 3
    case .ownReactions:
      AddedFact.counts.set(on: &qwink, at: now)
      (qwink.isBoosted, qwink.isFavourite) = (true, true)
    case .uncountedReactions:
      (qwink.boostsCount, qwink.favouritesCount) = (0, 0)
      (qwink.isBoosted, qwink.isFavourite) = (true, true)
    case .bookmarked: qwink.isBookmarked = true
    case .pinned: qwink.isPinned = true
    case .mutedThread: qwink.isThreadMuted = true
    }
  }
}
