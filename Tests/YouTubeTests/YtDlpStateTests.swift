import Core
import Testing

@testable import YouTube

@Suite("When yt-dlp lists a channel")
struct YtDlpStateTests {
  private let start = Timestamp(seconds: 1_800_000_000)
  private let channel = ChannelID("UCsXVk37bltHxD1rDPwtNM8Q")

  private func isDue(
    _ state: YtDlpState, found: Int64, published: Int64 = 0, isEnriched: Bool = false, at seconds: Int64
  ) throws -> Bool {
    let video = try #require(VideoID("dQw4w9WgXcQ"))
    return state.isDue(
      EnrichmentCandidate(
        video: video, channel: channel, found: start.adding(seconds: found),
        published: start.adding(seconds: published), isEnriched: isEnriched), at: start.adding(seconds: seconds))
  }

  @Test("At first, for what was found since, hourly for streams, and daily for a week for what a list lacked")
  func due() throws {
    var state = YtDlpState()
    #expect(try isDue(state, found: 0, at: 0))
    state.listed[try #require(channel)] = start
    #expect(try isDue(state, found: 60, at: 60) && !isDue(state, found: -60, at: 60))
    #expect(try !isDue(state, found: -60, isEnriched: true, at: 3599))
    #expect(try isDue(state, found: -60, isEnriched: true, at: 3600))
    #expect(try !isDue(state, found: -60, at: 86_399) && isDue(state, found: -60, at: 86_400))
    #expect(try !isDue(state, found: -60, published: -8 * 86_400, at: 86_400))
  }

  @Test("A failure rests for an hour")
  func rest() throws {
    var state = YtDlpState()
    state.failed[try #require(channel)] = start
    #expect(try !isDue(state, found: 60, at: 3599) && isDue(state, found: 60, at: 3600))
  }

  @Test("A stream without a mark that has a length is over, and keeps its times")
  func ended() throws {
    let (id, channel) = (try #require(VideoID("dQw4w9WgXcQ")), try #require(channel))
    var video = Video(id: id)
    let event = EventID(reading: 5, device: DeviceID(letters: 0x6161_6161_6161_6161))
    video.live = .upcoming
    video.enriched = LWWRegister(
      VideoEnriched(video: id, duration: nil, live: .upcoming, scheduled: start), by: event)
    let line = #"{"id":"dQw4w9WgXcQ","duration":90}"#
    let facts = PlaylistDump.read(Array(line.utf8), about: [id: video], of: channel).facts
    #expect(facts == [VideoEnriched(video: id, duration: 90, live: .ended, scheduled: start)])
  }
}
