import FoundationEssentials
import Testing
import Timekeeping

@Suite struct ClockZoneTests {
  private func parts(_ seconds: Double, offset: Int = 0) -> [Int] {
    let time = ClockZone { _ in offset }.localTime(of: Date(timeIntervalSince1970: seconds))
    return [time.year, time.month, time.day, time.hour, time.minute]
  }

  @Test(arguments: [
    (0, [1970, 1, 1, 0, 0]), (-1, [1969, 12, 31, 23, 59]), (951_782_400, [2000, 2, 29, 0, 0]),
    (1_709_164_800, [2024, 2, 29, 0, 0]), (1_740_787_199, [2025, 2, 28, 23, 59]), (-2_203_891_200, [1900, 3, 1, 0, 0]),
    (4_107_542_399, [2100, 2, 28, 23, 59]), (-62_135_596_800, [1, 1, 1, 0, 0]),
  ])
  func `a moment is converted to its calendar date`(seconds: Int, expected: [Int]) {
    #expect(parts(Double(seconds)) == expected)
  }

  @Test func `the time zone determines the day`() {
    #expect(parts(1_767_225_599, offset: 3600) == [2026, 1, 1, 0, 59])
    #expect(parts(1_767_225_600, offset: -12_600) == [2025, 12, 31, 20, 30])
  }

  @Test func `extreme moments yield a valid date`() {
    for seconds in [Double.infinity, -.infinity, 1e300, -1e300] {
      let time = parts(seconds)
      #expect((1...12).contains(time[1]) && (1...31).contains(time[2]) && (0...23).contains(time[3]))
    }
  }
}
