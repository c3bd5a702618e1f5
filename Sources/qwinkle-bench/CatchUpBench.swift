import Foundation
import QwinkleModel

/// The time to make the rows of each view of a catch-up with 3,000 posts, compared with 300. A view that is switched on
/// a key press has 50 ms.
struct CatchUpBench: Bench {
  private static let sizes = (many: 3000, few: 300)

  func run() {
    let (many, few) = (Self.posts(Self.sizes.many), Self.posts(Self.sizes.few))
    for view in CatchUpView.allCases {
      report(
        "catch-up of 3,000 posts, \(view.rawValue)", median(21) { _ = many.rows(view) }, "of 300",
        median(21) { _ = few.rows(view) })
    }
    let limited = (
      median(21) { _ = many.rows(.time, matching: "chard 7") }, median(21) { _ = few.rows(.time, matching: "chard 7") }
    )
    report("catch-up of 3,000 posts, limited", limited.0, "of 300", limited.1)
  }

  /// A third of the posts are replies, a tenth are boosts, and a fifth share one of twenty links.
  private static func posts(_ count: Int) -> CatchUpPosts {
    CatchUpPosts(
      zip(1..., BenchQwinks.make(count)).map { number, made in
        var qwink = made
        if number % 3 == 0 { qwink.inReplyTo = BenchQwinks.rowID(number - 3).status }
        if number % 5 == 0 {
          let link = "https://page\(number % 20).example/read"
          qwink.text = RichText([RichText.Paragraph([.init("Read this: "), .init(link, kind: .link(url: link))])])
        }
        if number % 10 == 0 {
          qwink.booster = Qwinker(id: "b", userName: "ben", displayName: "Ben")
          qwink.boostedAt = qwink.createdAt
        }
        return CatchUpItem(qwink)
      }.reversed())
  }
}
