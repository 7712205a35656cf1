import Core

/// What stands in for the thumbnail of a made-up video: a drawing in a colour of its own.
struct SamplePicture {
  private let hue: Int

  init(of video: VideoID) {
    let bytes = Array(video.description.utf8)
    hue = Int(Fingerprint.of(bytes.span.bytes) % 360)
  }

  /// A `data:` URL of an SVG image.
  var address: String {
    let (sky, hill) = ("hsl(\(hue) 45%25 62%25)", "hsl(\((hue + 40) % 360) 40%25 38%25)")
    return "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 9'%3E"
      + "%3Crect width='16' height='9' fill='\(sky)'/%3E%3Ccircle cx='\(3 + hue % 10)' cy='3' r='1.4' fill='%23fff8'/%3E"
      + "%3Cpath d='M0 9V7l4-3 4 4 4-5 4 4v2z' fill='\(hill)'/%3E%3C/svg%3E"
  }

  /// At the top of each document.
  static let note: HTML = #"""
    <div class="banner" role="note"><p><strong>Sample data.</strong> The channels are real, their videos are made up and cannot be played. All of it is gone when the demo ends.</p></div>
    """#
}
