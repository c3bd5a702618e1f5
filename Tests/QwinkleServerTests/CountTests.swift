import GRDB
import QwinkleModel
import TerminalTesting
import Testing

@testable import QwinkleServer

/// Stored counts, which triggers update.
@Suite(.bounded) struct CountTests {
  @Test func `the counts of accounts, posts and tags stay exact through random changes`() async throws {
    try await withService { harness in
      for name in ["a", "b", "c", "d"] { _ = try harness.service.addQwinker(named: name) }
      try harness.service.write { session in
        let people = try session.numbers("SELECT id FROM accounts")
        let tags = ["tea", "garden"]
        var random = SplitMix(seed: 11)
        for step in 0..<400 {
          let account = people[Int(random.next() % UInt64(people.count))]
          let tag = tags[Int(random.next() % 2)]
          let post = try session.numbers("SELECT id FROM statuses WHERE account_id = ? ORDER BY random()", [account])
            .first
          switch random.next() % 8 {
          case 0, 1, 2:
            let visibility: Visibility = random.next() % 3 == 0 ? .private : .public
            _ = try session.addStatus(
              NewStatus(account: account, source: "#\(tag) \(step)", visibility: visibility))
          case 3:
            // A suspended account can't delete its posts.
            if let post { _ = try? session.viewed(by: account).deleteStatus(post) }
          case 4: if let post { try session.setTags(of: post, from: "#\(tag) #other") }
          case 5:
            try session.run(
              "INSERT OR IGNORE INTO featured_tags (id, account_id, tag, name) VALUES (?, ?, ?, ?)",
              [session.nextID(), account, tag, tag])
          case 6: try session.run("INSERT OR IGNORE INTO suspensions VALUES (?, 0)", [account])
          default:
            try session.run("DELETE FROM suspensions WHERE account_id = ?", [account])
            if step % 3 == 0 {
              try session.run(
                "UPDATE accounts SET last_status_at = ? WHERE id = ?", [Int64(step % 7) * 86_400_000, account])
            }
          }
          try expectExact(session, step)
        }
        for account in people {
          try session.run("DELETE FROM accounts WHERE id = ?", [account])
          try expectExact(session, 0)
        }
      }
    }
  }

  private func expectExact(_ session: Transaction, _ step: Int) throws {
    let kept = try session.rows("SELECT day, accounts, posts FROM account_days WHERE accounts > 0 ORDER BY day")
    let counted = try session.rows(
      """
      SELECT coalesce(last_status_at / 86400000, 0) AS day, count(*), sum(statuses_count) FROM accounts
      WHERE id NOT IN (SELECT account_id FROM suspensions) GROUP BY 1 ORDER BY 1
      """)
    #expect(
      kept.map { [$0[0], $0[1], $0[2]] as [Int64] } == counted.map { [$0[0], $0[1], $0[2]] as [Int64] }, "\(step)")
    let wrong = try session.numbers(
      """
      SELECT id FROM featured_tags f WHERE uses <> (SELECT count(*) FROM statuses s JOIN status_tags t
        ON t.status_id = s.id WHERE s.account_id = f.account_id AND t.tag = f.tag AND s.visibility = 0)
      """)
    #expect(wrong.isEmpty, "\(step)")
  }
}
