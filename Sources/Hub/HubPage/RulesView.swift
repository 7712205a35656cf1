/// The rules, and a form for another.
package struct RulesView: Sendable {
  package struct Line: Sendable {
    package var id: String
    package var text: String
    /// `hides 12`.
    package var effect: String

    package init(id: String, text: String, effect: String) { (self.id, self.text, self.effect) = (id, text, effect) }
  }

  /// What a rule that is not added would do.
  package struct Preview: Sendable {
    package var text: String
    package var list: VideoList

    package init(text: String, list: VideoList) { (self.text, self.list) = (text, list) }
  }

  package var rules: [Line]
  /// The values of the form.
  package var form: [String: String]
  package var preview: Preview?
  package var tags: [String]
  /// What the form was filled in from, or why it was refused; nil for neither.
  package var remark: (text: String, isProblem: Bool)?

  package init(
    rules: [Line], form: [String: String], preview: Preview?, tags: [String], remark: (text: String, isProblem: Bool)?
  ) {
    (self.rules, self.form, self.preview, self.tags, self.remark) = (rules, form, preview, tags, remark)
  }

  package func html(in frame: PageFrame) -> HTML {
    let lines: [HTML] = rules.map { rule in
      #"""
      <li><span class="name" dir="auto">\#(rule.text)</span><span class="badge">\#(rule.effect)</span><form method="post" action="/rules"><input type="hidden" name="rule" value="\#(rule.id)"><button name="action" value="remove" aria-label="Remove this rule">Remove</button></form></li>

      """#
    }
    return #"""
      <div class="heading"><h1>Rules</h1><p class="summary">What they hide comes back when they go.</p></div>
      <ul class="rows">\#(lines)</ul>
      \#(#"<p class="quiet">No rules yet: everything that your channels publish is listed, but for Shorts and what is still to come.</p>"#, if: rules.isEmpty)
      <section class="panel aside" aria-labelledby="new-rule"><h2 id="new-rule">New rule</h2>\#(remarkLine)\#(editor)</section>
      \#(preview.map { shown($0, frame) })
      """#
  }

  private func shown(_ preview: Preview, _ frame: PageFrame) -> HTML {
    #"""
    <section class="panel" aria-labelledby="preview"><h2 id="preview">\#(preview.text)</h2>\#(preview.list.html(in: frame))</section>
    """#
  }

  private var remarkLine: HTML {
    guard let remark else { return "" }
    return remark.isProblem
      ? #"<p class="notice problem" role="alert">\#(remark.text)</p>"#
      : #"<p class="hint" dir="auto">\#(remark.text)</p>"#
  }

  private func value(_ name: String) -> String { form[name] ?? "" }

  private var editor: HTML {
    let either: [(String, String)] = [("", "either way"), ("true", "only these"), ("false", "only others")]
    let fields: [(String, String)] = [("", "title or description"), ("title", "title"), ("description", "description")]
    return #"""
      <p class="hint">A video must meet every condition given. “Always show” overrides “hide”.</p>
      <form method="post" action="/rules">
      <div class="fields">
      \#(Fields.select("verdict", "What it does", [("block", "hide"), ("allow", "always show")], chosen: value("verdict"), hint: nil))
      \#(Fields.text("contains", "Contains all of these words", value: value("contains"), hint: nil))
      \#(Fields.text("pattern", "Matches a pattern", value: value("matches"), hint: #"Such as \bteaser\b|#shorts"#))
      \#(Fields.select("in", "In the", fields, chosen: value("in"), hint: nil))
      \#(Fields.text("minDuration", "At least this long", value: value("minDuration"), hint: nil, placeholder: "10m"))
      \#(Fields.text("maxDuration", "At most this long", value: value("maxDuration"), hint: nil, placeholder: "2m"))
      \#(Fields.text("olderThan", "Published longer ago than", value: value("olderThan"), hint: nil, placeholder: "90d"))
      \#(Fields.text("tag", "Of channels with the tag", value: value("tag"), hint: tags.isEmpty ? nil : "Known: \(tags.prefix(12).joined(separator: ", "))."))
      \#(Fields.text("channel", "Of the channel", value: value("channel"), hint: nil, placeholder: "title, @handle or ID"))
      \#(Fields.select("short", "Shorts", either, chosen: value("short"), hint: nil))
      \#(Fields.select("live", "Streams and premieres", either, chosen: value("live"), hint: nil))
      </div>
      <div class="buttons"><button name="action" value="preview">Preview</button><button class="main" name="action" value="add">Add rule</button></div>
      </form>
      """#
  }
}
