# Nix. Untested: never evaluated or built; checked with nix-instantiate --parse of Nix 2.8.
# Nixpkgs may have an older Swift than Qwinkle needs (6.2), and `swift build` downloads packages, which Nix allows only
# with --option sandbox false.
{
  description = "Terminal client for Mastodon and other servers with its client API";
  inputs.nixpkgs.url = "nixpkgs/nixos-unstable";
  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" ];
      each = function: nixpkgs.lib.genAttrs systems (system: function nixpkgs.legacyPackages.${system});
    in {
      packages = each (pkgs: {
        default = pkgs.swift.stdenv.mkDerivation {
          pname = "qwinkle";
          version = "0.1.0";
          src = ../..;
          nativeBuildInputs = [ pkgs.swift pkgs.swiftpm pkgs.clang pkgs.lld ];
          buildInputs = [ pkgs.ncurses pkgs.sqlite pkgs.zlib pkgs.libidn2 pkgs.libsodium pkgs.gd pkgs.chafa ];
          buildPhase = "make build";
          installPhase = "make install PREFIX=$out";
        };
      });
    };
}
