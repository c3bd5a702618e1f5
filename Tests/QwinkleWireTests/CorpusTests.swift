import FoundationEssentials
import QwinkleModel
import QwinkleWire
import Testing

@Suite struct CorpusTests {
  @Test func `everything that servers really answered is read`() throws {
    var rows: [String] = []
    var unread: [String: Int] = [:]
    for corpus in Corpus.all {
      var counts: [Corpus.Kind: (answers: Int, items: Int, failing: [String])] = [:]
      for (answer, body, kind, words) in try corpus.good() {
        guard let kind else {
          unread["\(corpus.server) \(words)", default: 0] += 1
          continue
        }
        var count = counts[kind] ?? (0, 0, [])
        count.answers += 1
        do {
          let (items, damaged) = try Self.read(body, as: kind, link: answer.link)
          count.items += items
          if damaged > 0 { count.failing.append("\(answer.file): \(damaged) damaged") }
        } catch {
          count.failing.append("\(answer.file): \(error)")
        }
        counts[kind] = count
      }
      for kind in Corpus.Kind.allCases {
        guard let count = counts[kind] else { continue }
        rows.append("\(corpus.server) \(kind.rawValue) \(count.answers) (\(count.items) items) \(count.failing.count)")
        #expect(count.failing.isEmpty, "\(corpus.server) \(kind.rawValue)")
      }
    }
    let kinds = unread.sorted { $0.key < $1.key }.map { "  \($0.value) \($0.key)" }
    print((["server kind count failing"] + rows + ["not yet read:"] + kinds).joined(separator: "\n"))
  }

  @Test func `what was read is written and read again as it was`() throws {
    for corpus in Corpus.all {
      for (answer, body, kind, _) in try corpus.good() {
        switch kind {
        case .timeline:
          let items = try WireDecoder.qwinks(from: body, link: nil).items
          let again = try WireDecoder.qwinks(from: WireEncoder.qwinks(items), link: nil).items
          for (first, second) in zip(items, again) {
            #expect(first == second, "\(corpus.server) \(answer.file)")
          }
        case .account:
          let account = try WireDecoder.qwinker(from: body)
          #expect(try WireDecoder.qwinker(from: WireEncoder.qwinker(account)) == account, "\(answer.file)")
        case .instance:
          let info = try WireDecoder.serverInfo(from: body)
          #expect(try WireDecoder.serverInfo(from: WireEncoder.serverInfoV1(info)) == info)
          #expect(try WireDecoder.serverInfo(from: WireEncoder.serverInfoV2(info)) == info)
        default: break
        }
      }
    }
  }

  @Test func `no text of any server holds markup or control characters`() throws {
    for corpus in Corpus.all {
      for (answer, body, kind, _) in try corpus.good() where kind == .timeline {
        for qwink in try WireDecoder.qwinks(from: body, link: nil).items {
          let text = qwink.text.plainText
          for markup in ["<p>", "</p>", "<br", "<span", "</a>", "&amp;", "&#39;"] {
            #expect(!text.contains(markup), "\(corpus.server) \(answer.file): \(text)")
          }
          #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
        }
      }
    }
  }

  /// How many items `body` holds, and how many of them could not be read.
  private static func read(_ body: [UInt8], as kind: Corpus.Kind, link: String?) throws -> (Int, Int) {
    switch kind {
    case .timeline:
      let page = try WireDecoder.qwinks(from: body, link: link)
      #expect(page.sources.count == page.items.count)
      return (page.items.count, page.damagedCount)
    case .accounts:
      let page = try WireDecoder.qwinkers(from: body, link: link)
      return (page.items.count, page.damagedCount)
    case .status:
      _ = try WireDecoder.qwink(from: body)
      return (1, 0)
    case .account:
      _ = try WireDecoder.qwinker(from: body)
      return (1, 0)
    case .instance:
      let info = try WireDecoder.serverInfo(from: body)
      #expect(!info.title.isEmpty && !info.domain.isEmpty && !info.version.isEmpty)
      return (1, 0)
    case .context:
      let thread = try WireDecoder.thread(from: body)
      return (thread.ancestors.count + thread.descendants.count, 0)
    }
  }
}
