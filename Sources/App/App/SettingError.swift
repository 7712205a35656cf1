import Messages
import Platform

/// Why a setting, or a URL that a user gave instead, cannot be used.
package enum SettingError: ReportableError {
  /// A line of a settings file.
  case notASetting(path: String, line: Int)
  /// An address of a hub, by the name that the user knows it by.
  case hubAddress(name: String, value: String)
  /// A server. Without its value if that has a user name, and so perhaps a password.
  case server(name: String, value: String?)
  /// The proxy, whose value may have a password; these schemes are known.
  case proxy(schemes: [String])
  /// The file of certificates cannot be read, or has none.
  case unreadableCertificates(Failure)
  case noCertificate(path: String)
  case ipVersion(String)
  /// A timeout, by its name without the prefix.
  case timeout(name: String, value: String)
  case emptyHome
  case unknownHome
  /// The time limit of the program for new videos.
  case hookLimit(String)
  /// The line of the program for new videos has a quote without its end.
  case hookQuote
  case apiKey
  case apiBudget(String)
  case enrichment(String)
  /// Queries to the Data API are requested without a key.
  case noAPIKey
  case noGoogleClient

  package var failure: Failure { UserMessages.failure(self) }
}
