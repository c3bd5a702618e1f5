import FoundationEssentials
import QwinkleModel
import QwinkleWire

/// The time to decode a page of 40 qwinks, including all checks, compared with the time to encode the same page.
struct DecodeBench: Bench {
  func run() {
    let page = WireEncoder.qwinks(BenchQwinks.make(40))
    let writing = median(50) { _ = WireEncoder.qwinks(BenchQwinks.make(40)) }
    let reading = median(50) { _ = try? WireDecoder.qwinks(from: page, link: nil) }
    report("decoding 40 qwinks (\(page.count / 1024) KB)", reading, "encoding them", writing)
  }
}

/// Qwinks like those of a real timeline.
enum BenchQwinks {
  /// Returns the row of the qwink with this number.
  static func rowID(_ number: Int) -> Qwink.RowID { Qwink.RowID(status: id(number), booster: nil) }

  private static func id(_ number: Int) -> Qwink.ID { Qwink.ID("\(1000 + number)") }

  static func make(_ count: Int, from first: Int = 0) -> [Qwink] {
    (first..<(first + count)).map { number in
      Qwink(
        id: id(number),
        author: Qwinker(
          id: Qwinker.ID("\(number % 7)"), userName: "user\(number % 7)", displayName: "User \(number % 7)"),
        createdAt: Date(timeIntervalSince1970: 1_767_225_600 + Double(number)),
        text: RichText([
          RichText.Paragraph([
            .init("Number \(number): the chard survives, the basil does not. "),
            .init("#garden", kind: .tag(name: "garden")),
          ])
        ]), favouritesCount: number)
    }
  }
}
