# Homebrew's formula for a tap. .ci/recipes/fill replaces the words in capitals.
class Bcstage < Formula
  desc "Exact betweenness centrality of edge tables, on every core and OpenCL device"
  homepage "HOME"
  version "VERSION"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "URL/bcstage-darwin-arm64.tar.gz"
      sha256 "SHA256:bcstage-darwin-arm64.tar.gz"
    end
    on_intel do
      url "URL/bcstage-darwin-amd64.tar.gz"
      sha256 "SHA256:bcstage-darwin-amd64.tar.gz"
    end
  end

  on_linux do
    on_arm do
      url "URL/bcstage-linux-arm64.tar.gz"
      sha256 "SHA256:bcstage-linux-arm64.tar.gz"
    end
    on_intel do
      url "URL/bcstage-linux-amd64.tar.gz"
      sha256 "SHA256:bcstage-linux-amd64.tar.gz"
    end
  end

  def install
    bin.install "bcstage"
    man1.install "bcstage.1"
    bash_completion.install "completion/bcstage.bash" => "bcstage"
    zsh_completion.install "completion/_bcstage"
    fish_completion.install "completion/bcstage.fish"
    doc.install "CHANGELOG.md", "THIRD-PARTY.txt", "stats.schema.json"
  end

  test do
    (testpath/"edges.csv").write "src,dst\n1,2\n2,3\n"
    assert_equal "vertex,betweenness_centrality\n1,0\n2,1\n3,0\n", shell_output("#{bin}/bcstage edges.csv --format csv")
    assert_match version.to_s, shell_output("#{bin}/bcstage version")
  end
end
