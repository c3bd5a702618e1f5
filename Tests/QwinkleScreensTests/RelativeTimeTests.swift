import FoundationEssentials
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount
@testable import QwinkleScreens

@Suite(.bounded) struct RelativeTimeTests {
  /// 15 June 2026, 12:00:00 UTC.
  private let now = Date(timeIntervalSince1970: 1_781_524_800)

  private func short(_ secondsAgo: Double, zone: ClockZone = .gmt) -> String {
    RelativeTime.short(now.addingTimeInterval(-secondsAgo), at: now, in: zone)
  }

  @Test func `times of the last minute and of the future are shown as now`() {
    #expect(short(0) == "now")
    #expect(short(59.9) == "now")
    #expect(short(-3600 * 24 * 900) == "now")
  }

  @Test func `minutes, hours and days are rounded down`() {
    #expect(short(60) == "1m")
    #expect(short(119) == "1m")
    #expect(short(3599) == "59m")
    #expect(short(3600) == "1h")
    #expect(short(86_399) == "23h")
    #expect(short(86_400) == "1d")
    #expect(short(604_799) == "6d")
  }

  @Test func `a date is shown after a week and its year after the end of the year`() {
    #expect(short(604_800) == "8 Jun")
    #expect(short(86_400 * 165) == "1 Jan")
    #expect(short(86_400 * 166) == "Dec 2025")
    #expect(short(86_400 * 1200) == "Mar 2023")
  }

  @Test func `the date is in the reader's time zone`() {
    let east = ClockZone { _ in 13 * 3600 }
    let west = ClockZone { _ in -13 * 3600 }
    #expect(short(604_800, zone: east) == "9 Jun")
    #expect(short(604_800, zone: west) == "7 Jun")
  }

  @Test func `times are shown as clock times or in full if the user chose that`() {
    var zone = ClockZone.gmt
    zone.form = .clock
    #expect(short(60, zone: zone) == "11:59" && short(3600 * 13, zone: zone) == "Sun 23:00")
    #expect(short(86_400 * 3, zone: zone) == "Fri 12:00" && short(86_400 * 8, zone: zone) == "7 Jun")
    #expect(short(-120, zone: zone) == "12:02")
    zone.form = .iso
    #expect(short(60, zone: zone) == "2026-06-15 11:59" && RelativeTime.full(now, in: zone) == "2026-06-15 12:00")
  }

  @Test func `a full date has day, month, year and time`() {
    let zone = ClockZone { _ in 5 * 3600 + 45 * 60 }
    #expect(RelativeTime.full(now, in: .gmt) == "15 Jun 2026, 12:00")
    #expect(RelativeTime.full(now, in: zone) == "15 Jun 2026, 17:45")
    #expect(RelativeTime.full(Date(timeIntervalSince1970: -1), in: .gmt) == "31 Dec 1969, 23:59")
    #expect(RelativeTime.full(Date(timeIntervalSince1970: 951_782_400), in: .gmt) == "29 Feb 2000, 00:00")
    #expect(RelativeTime.full(Date(timeIntervalSince1970: 4_107_542_400), in: .gmt) == "1 Mar 2100, 00:00")
  }

  @Test func `a time of day wraps at midnight`() {
    let west = ClockZone { _ in -3600 }
    #expect(RelativeTime.clock(Date(timeIntervalSince1970: 0), in: .gmt) == "00:00")
    #expect(RelativeTime.clock(Date(timeIntervalSince1970: 0), in: west) == "23:00")
    #expect(RelativeTime.clock(Date(timeIntervalSince1970: 86_399.9), in: .gmt) == "23:59")
    #expect(RelativeTime.clock(Date(timeIntervalSince1970: 33_845), in: .gmt) == "09:24")
  }

  @Test func `very distant dates are formatted`() {
    for seconds in [-1e11, -1e10, 0, 1e10, 1e11] {
      let date = Date(timeIntervalSince1970: seconds)
      #expect(!RelativeTime.full(date, in: .gmt).isEmpty)
      #expect(!RelativeTime.short(date, at: now, in: .gmt).isEmpty)
      #expect(RelativeTime.clock(date, in: .gmt).count == 5)
    }
  }
}
