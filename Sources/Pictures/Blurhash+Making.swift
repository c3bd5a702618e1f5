import LibC

/// Encodes pixels as a blurhash: <https://github.com/woltapp/blurhash>, Algorithm.md.
extension Blurhash {
  /// Maximum number of pixels on the longer side of the picture to encode. Larger pictures are scaled down first: a
  /// blurhash can't represent more detail.
  static let mostPixels = 32
  /// Components in each direction, as on Mastodon.
  private static let waves = 4

  /// Returns the hash of pixels of four bytes each: red, green, blue, alpha. Transparent pixels count as white.
  static func text(of pixels: [UInt8], width: Int, height: Int) -> String {
    var factors: [Color] = []
    for row in 0..<waves {
      for column in 0..<waves { factors.append(factor(column, row, pixels, width, height)) }
    }
    let most = factors.dropFirst().map { max(abs($0.red), abs($0.green), abs($0.blue)) }.max() ?? 0
    let step = min(82, max(0, Int((most * 166 - 0.5).rounded(.down))))
    let scale = Double(step + 1) / 166
    let average = factors[0]
    var text = digits(waves - 1 + (waves - 1) * 9, count: 1) + digits(step, count: 1)
    text += digits(Int(byte(average.red)) << 16 | Int(byte(average.green)) << 8 | Int(byte(average.blue)), count: 4)
    for factor in factors.dropFirst() {
      let parts = [factor.red, factor.green, factor.blue].map { part($0 / scale) }
      text += digits(parts[0] * 361 + parts[1] * 19 + parts[2], count: 2)
    }
    return text
  }

  private static func factor(_ column: Int, _ row: Int, _ pixels: [UInt8], _ width: Int, _ height: Int) -> Color {
    var sum = Color(red: 0, green: 0, blue: 0)
    for y in 0..<height {
      for x in 0..<width {
        let wave =
          cos(.pi * Double(column * x) / Double(width)) * cos(.pi * Double(row * y) / Double(height))
        let place = 4 * (y * width + x)
        let opacity = Int(pixels[place + 3])
        func level(_ part: Int) -> Double {
          wave * linear((Int(pixels[place + part]) * opacity + 255 * (255 - opacity)) / 255)
        }
        sum.red += level(0)
        sum.green += level(1)
        sum.blue += level(2)
      }
    }
    let scale = (column == 0 && row == 0 ? 1 : 2) / Double(width * height)
    return Color(red: sum.red * scale, green: sum.green * scale, blue: sum.blue * scale)
  }

  /// Quantizes a value from -1 to 1 to one of 19 steps, which are finer near 0.
  private static func part(_ value: Double) -> Int {
    let root = abs(value).squareRoot() * (value < 0 ? -1 : 1)
    return min(18, max(0, Int((root * 9 + 9.5).rounded(.down))))
  }

  private static func byte(_ linear: Double) -> UInt8 {
    let value = min(max(linear, 0), 1)
    let level = value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
    return UInt8((level * 255).rounded())
  }

  private static func digits(_ value: Int, count: Int) -> String {
    var value = value
    var text: [UInt8] = []
    for _ in 0..<count {
      text.append(digits[value % 83])
      value /= 83
    }
    return String(decoding: text.reversed(), as: UTF8.self)
  }
}
