# For Nix; not tried. Dependencies are those that `magnum status -v` lists. No licence is chosen yet.
{
  description = "Mail as files: IMAP mirror, search, sending";
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";
  outputs = { self, nixpkgs }:
    let
      pkgs = nixpkgs.legacyPackages.x86_64-linux;
      # Loaded or run once they are needed.
      libraries = with pkgs; [ openssl expat libidn2 libpsl zlib ];
      programs = with pkgs; [ curl less xdg-utils mailcap openssh ];
    in {
      packages.x86_64-linux.default = pkgs.stdenv.mkDerivation {
        pname = "magnum";
        version = "0.9.0";
        # Made by `make dist`; it builds without a network.
        src = ./magnum-0.9.0.tar.gz;
        nativeBuildInputs = with pkgs; [ swift swiftpm pkg-config makeWrapper ];
        buildInputs = [ pkgs.xapian ] ++ libraries;
        buildPhase = "make build";
        installPhase = ''
          make install PREFIX=$out
          for name in magnum magnum-sync magnum-send magnum-search; do
            wrapProgram $out/bin/$name \
              --prefix LD_LIBRARY_PATH : ${pkgs.lib.makeLibraryPath libraries} \
              --suffix PATH : ${pkgs.lib.makeBinPath programs}
          done
        '';
      };
    };
}
