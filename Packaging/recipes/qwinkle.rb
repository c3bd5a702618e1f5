# Homebrew on Linux. Untested: never built, without the source's checksum; checked with ruby -wc of Ruby 3.1.
class Qwinkle < Formula
  desc "Terminal client for Mastodon and other servers with its client API"
  homepage "https://qwinkle.example"
  url "https://qwinkle.example/releases/qwinkle-0.1.0-source.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "lld" => :build
  depends_on "swift" => :build
  depends_on "chafa"
  depends_on "gd"
  depends_on "libidn2"
  depends_on "libsodium"
  depends_on :linux
  depends_on "ncurses"
  depends_on "sqlite"
  depends_on "zlib"

  def install
    system "make", "build"
    system "make", "install", "PREFIX=#{prefix}"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/qwinkle --version")
    system bin/"qwinkle", "post", "Frost on the allotment."
    assert_match "Frost", shell_output("#{bin}/qwinkle timeline public")
  end
end
