import Core
import HubCore
import HubPage
import Platform
import Terminal

extension HubCall {
  /// What documents of the page have in common.
  package var page: PageSettings {
    get {
      guard let addresses else { return .youTube }
      var settings = PageSettings(
        embedOrigin: addresses.embedOrigin, thumbnailOrigin: addresses.thumbnailOrigin, base: addresses.base)
      settings.isSample = addresses.isSample
      return settings
    }
    set {
      var addresses = Addresses(
        embedOrigin: newValue.embedOrigin, thumbnailOrigin: newValue.thumbnailOrigin, base: newValue.base)
      addresses.isSample = newValue.isSample
      self.addresses = addresses
    }
  }
}

/// Problems and redirects as browsers take them.
package enum PageProblem {
  static let type = "text/html; charset=utf-8"

  /// The document that says why a request fails; a redirect to the login if that is why.
  package static func answer(_ problem: HubProblem, _ settings: PageSettings) -> HubAnswer {
    if problem.status == 401 { return redirect(to: PagePath(["login"])) }
    let title =
      problem.status == 404 ? "Not found" : problem.isOfDisabledUser ? "Disabled" : "That did not work"
    let frame = frame(settings, .problem, title)
    let view = ProblemView(words: problem.detail, video: nil, offersLogIn: problem.isOfDisabledUser)
    var answer = document(frame, view.html(in: frame))
    answer.status = problem.status
    answer.headers += problem.headers
    return answer
  }

  /// The frame of a view without anything from the log.
  package static func frame(_ settings: PageSettings, _ view: PageView, _ title: String) -> PageFrame {
    PageFrame(
      settings: settings, view: view, title: title, path: PagePath([]), notice: nil,
      now: LocalTime(Clock.now(), offset: Clock.offset))
  }

  /// A document with the headers of all of them.
  package static func document(_ frame: PageFrame, _ content: HTML) -> HubAnswer {
    var answer = HubAnswer(200, type, frame.document(content))
    answer.headers = frame.settings.headers
    return answer
  }

  /// The answer after a form (303).
  package static func redirect(to path: PagePath) -> HubAnswer { redirect(303, path) }

  /// The answer to another spelling of a path (308).
  package static func moved(to path: PagePath) -> HubAnswer { redirect(308, path) }

  private static func redirect(_ status: Int, _ path: PagePath) -> HubAnswer {
    var answer = HubAnswer(status, type, [])
    answer.headers = [("Location", path.description)]
    return answer
  }
}
