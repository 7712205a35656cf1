import Testing

@testable import Core

@Test(
  "RFC 3339 times are parsed in every form seen",
  arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2026-07-01T14:00:35+00:00", 1_782_914_435),
    ("2017-12-15T14:28:16.109921364+00:00", 1_513_348_096), ("2000-02-29T23:59:59-01:30", 951_874_199),
    ("1969-12-31T23:59:59Z", -1), ("2016-12-31T23:59:60Z", 1_483_228_799),
  ] as [(String, Int64)])
func readRFC3339(text: String, seconds: Int64) {
  #expect(Timestamp(rfc3339: text)?.seconds == seconds)
}

@Test(
  "Texts that are not RFC 3339 times are rejected",
  arguments: [
    "", "2026-07-01", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-07-01T24:00:00Z", "2026-07-01T00:00:00",
    "2026-07-01T00:00:00.Z", "2026-07-01T00:00:00Zx", "2026-07-01T00:00:00+0000", "٢٠٢٦-07-01T00:00:00Z",
  ])
func refuseRFC3339(text: String) { #expect(Timestamp(rfc3339: text) == nil) }

@Test("Every written time survives a round trip")
func timestampRoundTrip() {
  for seconds in stride(from: Int64(-62_135_596_800), through: 253_402_300_799, by: 86_399 * 997) {
    let time = Timestamp(seconds: seconds)
    #expect(Timestamp(rfc3339: time.rfc3339) == time)
  }
}

@Test("A time far away is clamped to the range")
func saturation() {
  #expect(Timestamp(seconds: .max).adding(seconds: 1).seconds == .max)
  #expect(Timestamp(seconds: .min).seconds(since: Timestamp(seconds: 1)) == .min)
}
