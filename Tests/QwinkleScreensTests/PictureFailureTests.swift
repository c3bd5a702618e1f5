import OnDemandResources
import Pictures
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct PictureFailureTests {
  @Test func `the number of remembered picture failures is limited`() throws {
    let bench = try Bench()
    let shelf = PictureFiles([]).shelf(for: bench)
    let error = try #require(PictureError.allCases.first)
    func wish(_ number: Int) -> PictureWish {
      PictureWish(
        address: "https://tilde.example/\(number).png", tag: ResourceTag("\(number)"),
        order: PictureOrder(room: Size(rows: 2, columns: 4)))
    }
    for number in 0..<5 * PictureShelf.mostFailures { shelf.note(error, of: wish(number)) }
    #expect(shelf.failures.count <= PictureShelf.mostFailures)
    shelf.note(error, of: wish(-1))
    #expect(shelf.state(of: wish(-1)) == .failed(error.sentence))
  }
}
