import SlowFold
import TestSupport
import Testing

@testable import Core

@Suite("The table of preferences")
struct PreferenceTableTests {
  @Test("Every preference has one row, whose default is a value of it as it is stored")
  func rows() {
    #expect(Preference.table.map(\.preference) == Preference.allCases)
    for row in Preference.table {
      #expect(row.values.canonical(row.standard) == row.standard, "\(row.preference)")
      #expect(row.values.canonical("") == nil && row.values.canonical("no such value") == nil, "\(row.preference)")
      #expect(!row.title.isEmpty && row.summary.hasSuffix(".") && !row.values.text.isEmpty, "\(row.preference)")
      if case .choice(let choices) = row.values {
        for choice in choices { #expect(row.values.canonical(choice) == choice) }
      }
    }
  }

  @Test("A threshold is a share or seconds before the end")
  func thresholds() {
    let known: [(String, Double, Double)] = [
      ("90%", 600, 540), ("1%", 100, 1), ("100%", 60, 60), ("30s", 600, 570), ("0s", 600, 600), ("3600s", 60, 60),
    ]
    for (text, duration, position) in known {
      #expect(WatchedThreshold(text)?.position(in: duration) == position, "\(text)")
      #expect(WatchedThreshold(text)?.description == text)
    }
    for text in ["", "%", "s", "0%", "101%", "-5%", "3601s", "90", "90 %", "9.5%", "٩%", "99999999999999999999%"] {
      #expect(WatchedThreshold(text) == nil, "\(text)")
    }
  }

  @Test("A speed is stored in canonical form")
  func speeds() {
    let known = [
      ("1", "1"), ("1.0", "1"), ("1.50", "1.5"), ("0.25", "0.25"), ("4", "4"), ("04", "4"), ("1.05", "1.05"),
    ]
    for (text, form) in known { #expect(PlaybackSpeed(text)?.description == form, "\(text)") }
    for text in ["", ".", "1.", ".5", "0.24", "4.01", "1.555", "1,5", "-1", "fast", "1.5x", "1e1"] {
      #expect(PlaybackSpeed(text) == nil, "\(text)")
    }
  }

  @Test("The name of a zone never leaves its folder")
  func zones() {
    for text in ["local", "UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+3"] {
      #expect(PreferenceValues.timeZone.canonical(text) == text)
    }
    for text in ["../etc/passwd", "/etc/passwd", "Europe/", "", "Europe/..", "a\0b", "Europe Berlin"] {
      #expect(PreferenceValues.timeZone.canonical(text) == nil, "\(text)")
    }
  }

  @Test("Dates have three forms")
  func dates() {
    let forms = DateForm.allCases.map { $0.text(ofISO: "2026-11-02") }
    #expect(forms == ["2026-11-02", "02.11.2026", "11/02/2026"])
  }
}

@Suite("Preferences in the fold")
struct PreferenceFoldTests {
  private let channel = SubscriptionID.channel(Sample.channel(1))

  private func set(_ second: Int64, _ name: String, _ value: String?, of channel: SubscriptionID? = nil) -> Event {
    Sample.event(second, .preferenceSet(PreferenceSet(name: name, value: value, channel: channel)))
  }

  @Test("The latest event of a name and channel counts, in any order; unset is the default")
  func registers() {
    let events = [
      set(1, "theme", "dark"), set(2, "theme", "light"), set(3, "speed", "1.5"), set(4, "speed", "2", of: channel),
      set(5, "order", "oldest"), set(6, "order", nil),
    ]
    for order in [events, events.reversed(), events + events] {
      let preferences = SlowFold(order).state.preferences
      #expect(preferences.value(.theme) == "light" && preferences.value(.order) == nil)
      #expect(preferences.value(.speed) == "1.5" && preferences.value(.speed, of: channel) == "2")
      #expect(preferences.channels(with: .speed) == [channel])
    }
  }

  @Test("Names and values of newer programs are kept, and count for nothing")
  func unknown() {
    let events = [set(1, "theme", "sepia"), set(2, "sidebar", "left"), set(3, "theme", "dark", of: channel)]
    let preferences = SlowFold(events).state.preferences
    #expect(preferences.value(.theme) == nil && preferences.value(.theme, of: channel) == nil)
    #expect(preferences.text(events.compactMap(\.key)[0]) == "sepia")
    #expect(preferences.text(events.compactMap(\.key)[1]) == "left")
  }

  @Test("An undo brings back the value before, or none, unless a later event wrote another")
  func undo() {
    let events = [set(1, "theme", "dark"), set(2, "theme", "light"), set(3, "density", "compact")]
    func undone(_ number: Int) -> [EventBody] {
      var others = events
      let taken = others.remove(at: number)
      return Undo.bodies(takingBack: [taken], from: SlowFold(events).decided, to: SlowFold(others).decided)
    }
    #expect(undone(0).isEmpty)
    #expect(undone(1) == [.preferenceSet(PreferenceSet(name: "theme", value: "dark"))])
    #expect(undone(2) == [.preferenceSet(PreferenceSet(name: "density", value: nil))])
  }
}

extension Event {
  fileprivate var key: PreferenceRegisters.Key? {
    if case .preferenceSet(let set) = body { set.key } else { nil }
  }
}
