import Terminal

/// Reduces colours to the ones that a terminal supports.
struct ColorReduction {
  /// A colour number. If `isBrightened`, the text must also be bold to look as bright as intended.
  struct Reduced: Hashable {
    var number: Int32
    var isBrightened = false

    /// The terminal's default colour.
    static let standard = Reduced(number: -1)
  }

  /// Number of colours: 0, 8, 16, 256 or 1 << 24.
  let colors: Int
  /// The first number that is an RGB value. Lower numbers are colours of the palette.
  let firstExact: Int

  /// Common values of the palette. The user may have changed them.
  private static let palette: [(red: Int, green: Int, blue: Int)] = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
    (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255),
    (255, 255, 255),
  ]

  private static let cubeLevels = [0, 95, 135, 175, 215, 255]

  var isMonochrome: Bool { colors == 0 }

  func reduced(_ color: TerminalColor) -> Reduced {
    switch color {
    case .standard: .standard
    case _ where colors == 0: .standard
    case .palette(let index): reducedPalette(Int(min(index, 15)))
    case .rgb(let red, let green, let blue): reducedRGB((Int(red), Int(green), Int(blue)))
    }
  }

  /// Returns the terminal's number of one of its 256 colours.
  private func number(ofPalette index: Int) -> Int32 {
    guard index >= firstExact else { return Int32(index) }
    return number(of: index < 16 ? Self.palette[index] : Self.cubeColor(index))
  }

  /// Returns the number of an RGB value. The darkest shades of blue have the numbers of palette colours, so they become
  /// the next shade.
  private func number(of color: (red: Int, green: Int, blue: Int)) -> Int32 {
    let number = color.red << 16 | color.green << 8 | color.blue
    return Int32(number == 0 ? 0 : max(firstExact, number))
  }

  /// Returns the value of a colour of the cube (16–231) or the greys (232–255).
  private static func cubeColor(_ index: Int) -> (red: Int, green: Int, blue: Int) {
    if index >= 232 {
      let grey = 8 + 10 * (index - 232)
      return (grey, grey, grey)
    }
    let place = index - 16
    return (cubeLevels[place / 36], cubeLevels[place / 6 % 6], cubeLevels[place % 6])
  }

  private func reducedPalette(_ index: Int) -> Reduced {
    switch colors {
    case ..<16 where index == 8:
      // Grey would be bold black, which is unreadable on black unless the terminal brightens bold text. The default
      // colour is always readable.
      return .standard
    case ..<16 where index >= 8:
      return Reduced(number: Int32(index - 8), isBrightened: true)
    default:
      return Reduced(number: number(ofPalette: index))
    }
  }

  private func reducedRGB(_ color: (red: Int, green: Int, blue: Int)) -> Reduced {
    switch colors {
    case ColorSupport.exact...:
      return Reduced(number: number(of: color))
    case 256...:
      return Reduced(number: number(ofPalette: nearestOf256(to: color)))
    default:
      let nearest = (0..<16).min { distance(Self.palette[$0], color) < distance(Self.palette[$1], color) } ?? 7
      return reducedPalette(nearest)
    }
  }

  /// Returns the nearest colour of the cube (16–231) or the greys (232–255). Never returns one of the first 16 colours,
  /// because the user may have changed them.
  private func nearestOf256(to color: (red: Int, green: Int, blue: Int)) -> Int {
    func level(_ value: Int) -> Int { value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40 }
    let (red, green, blue) = (level(color.red), level(color.green), level(color.blue))
    let cube = (red: Self.cubeLevels[red], green: Self.cubeLevels[green], blue: Self.cubeLevels[blue])
    let grey = min(23, max(0, ((color.red + color.green + color.blue) / 3 - 3) / 10))
    let greyValue = 8 + 10 * grey
    if distance((greyValue, greyValue, greyValue), color) < distance(cube, color) { return 232 + grey }
    return 16 + 36 * red + 6 * green + blue
  }

  private func distance(
    _ one: (red: Int, green: Int, blue: Int), _ other: (red: Int, green: Int, blue: Int)
  ) -> Int {
    let (red, green, blue) = (one.red - other.red, one.green - other.green, one.blue - other.blue)
    return 2 * red * red + 4 * green * green + 3 * blue * blue
  }
}
