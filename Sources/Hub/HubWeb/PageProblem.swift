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

  /// What a browser gets at an address without a view.
  package static let nowhere = HubProblem(
    404, "There is nothing at this address: it is mistyped, or what it named is gone. The search above finds videos.")

  /// The document that says why a request fails; a redirect to the login if that is why.
  package static func response(for problem: HubProblem, _ settings: PageSettings) -> RouteResponse {
    if problem.status == 401 { return redirect(to: PagePath(["login"])) }
    let title =
      problem.status == 404 ? "Not found" : problem.isOfDisabledUser ? "Disabled" : "That did not work"
    let frame = frame(settings, .problem, title)
    let view = ProblemView(
      text: PageWords.sentence(problem.detail), video: nil,
      next: problem.isOfDisabledUser ? .logIn : problem.status >= 500 ? .retry : .views)
    var response = document(frame, view.html(in: frame))
    response.status = problem.status
    response.headers += problem.headers
    return response
  }

  /// The frame of a view without anything from the log.
  package static func frame(_ settings: PageSettings, _ view: PageView, _ title: String) -> PageFrame {
    PageFrame(
      settings: settings, view: view, title: title, path: PagePath([]), notice: nil,
      now: LocalTime(Clock.now(), offset: Clock.offset))
  }

  /// A document with the headers of all of them.
  package static func document(_ frame: PageFrame, _ content: HTML) -> RouteResponse {
    var response = RouteResponse(200, type, frame.document(content))
    response.headers = frame.settings.headers
    return response
  }

  /// The response after a form (303).
  package static func redirect(to path: PagePath) -> RouteResponse { redirect(303, path) }

  /// The response to another spelling of a path (308).
  package static func moved(to path: PagePath) -> RouteResponse { redirect(308, path) }

  private static func redirect(_ status: Int, _ path: PagePath) -> RouteResponse {
    var response = RouteResponse(status, type, [])
    response.headers = [("Location", path.description)]
    return response
  }
}
