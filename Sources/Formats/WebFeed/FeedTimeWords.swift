/// The words in dates of feeds.
enum FeedTimeWords {
  /// Whether `am` or `pm`, in English and Korean.
  static let halves: [String: Bool] = ["am": false, "pm": true, "오전": false, "오후": true]

  /// Zones by their abbreviation, in seconds east of UTC: those of RFC 822, of Europe, and others that are clear. `IST`, `CST`
  /// and `BST` are those of India, America and Britain.
  static let zones: [String: Int] = {
    var zones: [String: Int] = [:]
    let hours: [(Double, String)] = [
      (0, "z ut utc gmt wet"), (1, "cet met mez bst west"), (2, "cest mest mesz eet sast cat"), (3, "eest msk eat trt"),
      (4, "msd gst"), (5, "pkt"), (5.5, "ist"), (7, "wib ict"), (8, "awst hkt sgt pht"), (9, "jst kst"), (9.5, "acst"),
      (10, "aest"), (10.5, "acdt"), (11, "aedt"), (12, "nzst"), (13, "nzdt"),
      (-3.5, "nst"), (-2.5, "ndt"), (-3, "adt brt art clst"), (-4, "ast at edt clt"), (-5, "est et cdt"),
      (-6, "cst ct mdt"),
      (-7, "mst mt pdt"), (-8, "pst pt akdt"), (-9, "akst"), (-10, "hst"),
    ]
    for (offset, names) in hours {
      for name in names.split(separator: " ") { zones[String(name)] = Int(offset * 3600) }
    }
    return zones
  }()

  /// The month that a word in lower case names, or begins, in one of several languages; nil if it names none.
  static func month(_ word: String) -> Int? {
    if let month = months[word] { return month }
    // `sept`, `augu`: the beginning of an English name.
    guard word.utf8.count >= 3, word.utf8.allSatisfy(\.isLetter) else { return nil }
    return english.firstIndex { $0.hasPrefix(word) }.map { $0 + 1 }
  }

  private static let english = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ]

  /// Names and abbreviations. Sources: feeds, and the lists of miniflux and feedparser.
  private static let months: [String: Int] = {
    var months: [String: Int] = [:]
    let rows = [
      "jan januar jänner janvier janv enero ene gennaio gen janeiro januari stycznia января январь янв ιαν január januári 1月",
      "feb februar feber février févr fév fevrier febrero febbraio febr fevereiro fev februari lutego luty февраля февр фев φεβ február februári",
      "mar märz mär mrz maerz mars marzo março marco maart mrt marca marzec марта март мар μάρ μαρ március márc",
      "apr avril avr abril abr aprile april kwietnia апреля апр απρ április ápr",
      "may mai mayo maggio mag maio mei maja мая май μάι μαϊ μαι május máj",
      "jun juni juin junio giugno giu junho czerwca июня июнь июн ιούν ιον június jún",
      "jul juli juillet juil julio luglio lug julho lipca июля июль июл ιούλ ιολ július júl",
      "aug august août aout agosto ago augustus sierpnia августа авг αύγ αυγ augusztus",
      "sep sept september septembre septiembre settembre set setembro września wrzesnia сентября сент сен σεπ szeptember szept",
      "oct okt oktober octobre octubre ottobre ott outubro out października pazdziernika октября окт οκτ október",
      "nov november novembre noviembre novembro listopada ноября нояб ноя νοέ νοε",
      "dec dez dezember décembre decembre déc diciembre dic dicembre dezembro grudnia декабря дек δεκ",
    ]
    for (index, row) in rows.enumerated() {
      for name in row.split(separator: " ") { months[String(name)] = index + 1 }
    }
    return months
  }()
}
