/// A user as the page shows one: a circle with the first letter, and the name.
package struct Person: Sendable {
  /// The number in addresses, which stays when the name changes.
  package var number: Int
  package var name: String
  package var shownName: String
  /// The name of the colour, as the style sheet has it.
  package var color: String

  package init(number: Int, name: String, shownName: String, color: String) {
    (self.number, self.name, self.shownName, self.color) = (number, name, shownName, color)
  }

  /// The circle; decoration beside the name.
  var circle: HTML {
    #"<span class="person c-\#(color)" aria-hidden="true">\#(String(shownName.prefix(1)).uppercased())</span>"#
  }

  /// The name shown, and the one to log in with if that is another.
  var names: HTML {
    #"<bdi>\#(shownName)</bdi>\#(#" <span class="quiet">(\#(name))</span>"#, if: shownName != name)"#
  }
}

extension Fields {
  /// A field for a password, which is never filled in again.
  static func password(_ name: String, _ label: String, _ kind: String, hint: String? = nil, isRequired: Bool = true)
    -> HTML
  {
    #"""
    <div class="field"><label for="f-\#(name)">\#(label)</label><input id="f-\#(name)" name="\#(name)" type="password"\#(" required", if: isRequired) autocomplete="\#(kind)"\#(#" aria-describedby="h-\#(name)""#, if: hint != nil)>\#(hint.map { #"<small id="h-\#(name)">\#($0)</small>"# as HTML })</div>
    """#
  }
}
