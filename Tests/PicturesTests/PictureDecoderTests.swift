import Foundation
import Pictures
import Terminal
import TerminalTesting
import Testing

@Suite(.bounded) struct PictureDecoderTests {
  private static let room = Size(rows: 8, columns: 24)

  @Test(arguments: PictureHeader.Format.allCases)
  func `each format is decoded into cells with its colours`(format: PictureHeader.Format) async throws {
    let decoder = SamplePictures.decoder()
    let picture = try await decoder.picture(from: try SamplePictures.bytes(format), PictureOrder(room: Self.room))
    #expect(picture.size == Size(rows: 8, columns: 24))
    #expect(picture.cells.count == 8 * 24)
    // Dark at the upper left, red at the upper right, yellow at the lower right.
    func color(_ row: Int, _ column: Int) -> (red: Int, green: Int) {
      guard case .rgb(let red, let green, _) = picture.cells[row * 24 + column].style.background else {
        return (-1, -1)
      }
      return (Int(red), Int(green))
    }
    #expect(color(0, 0).red < 80 && color(0, 0).green < 80)
    #expect(color(0, 23).red > 180 && color(0, 23).green < 90)
    #expect(color(7, 23).red > 180 && color(7, 23).green > 160)
  }

  @Test(arguments: [16, 256, 1 << 24]) func `a picture uses only colours of the terminal`(colors: Int) async throws {
    let decoder = SamplePictures.decoder()
    let picture = try await decoder.picture(
      from: try SamplePictures.bytes(.png), PictureOrder(room: Self.room, colors: colors))
    let used = Set(picture.cells.flatMap { [$0.style.foreground, $0.style.background] })
    #expect(used.count > 3)
    if colors == 16 { #expect(used.count <= 17) }
    if colors == 256 { #expect(used.count <= 241) }
  }

  @Test func `an avatar fills its area`() async throws {
    let decoder = SamplePictures.decoder()
    let order = PictureOrder(room: Size(rows: 2, columns: 4), fills: true)
    let picture = try await decoder.picture(from: try SamplePictures.bytes(.jpeg), order)
    #expect(picture.size == Size(rows: 2, columns: 4))
  }

  @Test func `pixels are returned as a PNG`() async throws {
    let decoder = SamplePictures.decoder()
    let picture = try await decoder.picture(
      from: try SamplePictures.bytes(.webp), PictureOrder(.pixels, room: Self.room))
    #expect(picture.pixels.flatMap { PictureHeader($0.bytes) } == PictureHeader(format: .png, width: 192, height: 128))
  }

  @Test func `the number of pixels matches the terminal's cell size`() async throws {
    let decoder = SamplePictures.decoder()
    let order = PictureOrder(.pixels, room: Self.room, cell: try #require(CellSize(width: 10, height: 20)))
    let picture = try await decoder.picture(from: try SamplePictures.bytes(.png), order)
    #expect(picture.pixels.flatMap { PictureHeader($0.bytes) } == PictureHeader(format: .png, width: 240, height: 160))
    // The number is limited if the terminal claims huge cells.
    let huge = PictureOrder(
      .pixels, room: Size(rows: 200, columns: 400), cell: try #require(CellSize(width: 128, height: 256)))
    let largest = try await decoder.picture(from: try SamplePictures.bytes(.png), huge)
    let header = try #require(largest.pixels.flatMap { PictureHeader($0.bytes) })
    #expect(header.width * header.height <= 3200 * 3200)
  }

  @Test(arguments: [(8, 16), (10, 21), (7, 15)])
  func `sixels match the cell size up to a thousand pixels`(width: Int, height: Int) async throws {
    let decoder = SamplePictures.decoder()
    let cell = try #require(CellSize(width: width, height: height))
    let picture = try await decoder.picture(
      from: try SamplePictures.bytes(.jpeg), PictureOrder(.sixel, room: Self.room, cell: cell))
    let pixels = try #require(picture.pixels)
    let sides = try #require(SixelText.size(of: pixels.bytes[...]))
    #expect(sides.width == picture.size.columns * width)
    // Sixels are six pixels high.
    #expect((0..<6).contains(picture.size.rows * height - sides.height))
    #expect(pixels.format == .sixel && picture.cells.isEmpty)

    let vast = PictureOrder(.sixel, room: Size(rows: 200, columns: 400), cell: cell)
    let largest = try await decoder.picture(from: try SamplePictures.bytes(.jpeg), vast)
    let most = try #require(largest.pixels.flatMap { SixelText.size(of: $0.bytes[...]) })
    #expect((900...1000).contains(max(most.width, most.height)))
    #expect(decoder.startCount == 1)
  }

  @Test func `a picture passed as a file has at most a million pixels`() async throws {
    let order = PictureOrder(.file, room: Size(rows: 200, columns: 400))
    let picture = try await SamplePictures.decoder().picture(from: try SamplePictures.bytes(.png), order)
    let header = try #require(picture.pixels.flatMap { PictureHeader($0.bytes) })
    #expect(header.format == .png && header.width * header.height <= 1_000_000)
  }

  @Test func `one child decodes many pictures`() async throws {
    let decoder = SamplePictures.decoder()
    #expect(decoder.process == nil)
    for _ in 0..<20 {
      _ = try await decoder.picture(from: try SamplePictures.bytes(.png), PictureOrder(room: Self.room))
    }
    #expect(decoder.startCount == 1)
  }

  @Test func `a child that dies is replaced`() async throws {
    let decoder = SamplePictures.decoder()
    let bytes = try SamplePictures.bytes(.png)
    _ = try await decoder.picture(from: bytes, PictureOrder(room: Self.room))
    kill(try #require(decoder.process), SIGKILL)
    _ = try? await decoder.picture(from: bytes, PictureOrder(room: Self.room))
    let picture = try await decoder.picture(from: bytes, PictureOrder(room: Self.room))
    #expect(picture.size == Self.room)
    #expect(decoder.startCount == 2)
  }

  @Test func `decoding fails as unavailable if the program is missing`() async throws {
    let decoder = PictureDecoder(command: ["/nonexistent/qwinkle", PictureChild.argument])
    await #expect(throws: PictureError.unavailable) {
      _ = try await decoder.picture(from: try SamplePictures.bytes(.png), PictureOrder(room: Self.room))
    }
  }

  // MARK: Confinement

  @Test func `the child cannot open files or sockets, start processes or use 200 MB`() async throws {
    let confinement = try await SamplePictures.decoder().confinement()
    #expect(confinement.decodes && confinement.draws)
    #expect(confinement.hasLimits)
    #expect(!confinement.opensFiles)
    #expect(!confinement.takesMemory)
    #expect(confinement.hasFilter)
    #expect(!confinement.makesSockets)
    #expect(!confinement.startsProcesses)
  }

  @Test func `the child has no descriptors except two pipes and the null device`() async throws {
    // A high descriptor, as in a program with many connections.
    let high = fcntl(STDERR_FILENO, F_DUPFD, 5000)
    defer { close(high) }
    let decoder = SamplePictures.decoder()
    _ = try await decoder.confinement()
    let process = try #require(decoder.process)
    let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").sorted()
    #expect(files == ["0", "1", "2"])
    let targets = try files.map {
      try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\($0)")
    }
    #expect(targets[0].hasPrefix("pipe:") && targets[1].hasPrefix("pipe:") && targets[2] == "/dev/null")
  }
}
