"""Swift source read as text: the code without comments and literals, the literals, the types and the functions of a file."""
import re
from bisect import bisect_right
from functools import cache

# A regex literal begins behind a bracket or a space, and not with one.
REGEX = r"(?<=[(\[ ])/(?![\s/*])(?:\\.|[^/\\\n])+/(?=[)\].,\s])"
PLAIN = re.compile(rf'{REGEX}|//[^\n]*|/\*|(?P<hashes>#*)(?P<quotes>"""|")')
INTERPOLATED = re.compile(PLAIN.pattern + "|[()]")
MODIFIERS = r"(?:@\w+(?:\([^)\n]*\))? |(?:package|public|open|final|indirect|nonisolated|internal)(?:\([^)\n]*\))? )*"
TYPE = re.compile(rf"^{MODIFIERS}(?:struct|class|enum|protocol|actor|typealias) (\w+)", re.M)
ANY_TYPE = re.compile(r"\b(?:struct|class|enum|protocol|actor|typealias|associatedtype) (\w+)")
REFERENCE = re.compile(r"(?<![\w.])[A-Z]\w*")
FUNCTION = re.compile(
    r"(?<![.\w`])(?:func\s+(?P<name>`?\w+`?|[^\s(\w]+)|(?P<other>init|subscript)[?!]?(?=\s*[(<])|(?P<deinit>deinit)\b"
    r"|var\s+(?P<property>`?\w+`?)\s*:(?=[^={}\n]*\{))")
# What follows a requirement of a protocol, which has no body.
NEXT_DECLARATION = re.compile(r"\n\s*(?:@|(?:func|var|let|init|subscript|mutating|static|associatedtype|case)\b)")


@cache
def string_part(quotes, hashes):
    return re.compile(re.escape(quotes + hashes) + "|" + re.escape("\\" + hashes) + r"(?s:.)")


class Source:
    """The text of a file: `code` has the same lines, with spaces for comments and for the text of literals."""

    def __init__(self, text):
        self.text, self.pieces = text, []
        # By offset: literals, interpolations left out.
        self.literals = []
        self.read(0, False)
        self.code = "".join(self.pieces)
        self.starts = [0] + [match.end() for match in re.finditer("\n", text)]

    def line(self, offset):
        return bisect_right(self.starts, offset)

    @property
    def lines(self):
        return self.text.count("\n")

    def hide(self, start, end):
        self.pieces.append(re.sub(r"[^\n]", " ", self.text[start:end]))
        return end

    def read(self, at, is_interpolated):
        """Reads code, up to the parenthesis that ends an interpolation; returns its offset."""
        depth, tokens = 0, INTERPOLATED if is_interpolated else PLAIN
        while match := tokens.search(self.text, at):
            self.pieces.append(self.text[at:match.start()])
            at = match.end()
            token = match.group()
            if token == "/*":
                at = self.hide(match.start(), self.comment_end(at))
            elif token.startswith("/"):
                self.hide(match.start(), at)
            elif token in "()":
                if token == ")" and depth == 0:
                    return match.start()
                depth += 1 if token == "(" else -1
                self.pieces.append(token)
            else:
                self.hide(match.start(), at)
                at = self.read_string(match.start(), at, match["quotes"], match["hashes"])
        self.pieces.append(self.text[at:])
        return len(self.text)

    def comment_end(self, at):
        depth = 1
        while depth and (match := re.compile(r"/\*|\*/").search(self.text, at)):
            depth += 1 if match.group() == "/*" else -1
            at = match.end()
        return at if depth == 0 else len(self.text)

    def read_string(self, start, at, quotes, hashes):
        """Reads a literal from behind its opening quotes; returns the offset behind the closing ones."""
        parts = []
        while match := string_part(quotes, hashes).search(self.text, at):
            parts.append(self.text[at:match.start()])
            if match.group() == quotes + hashes:
                break
            if match.group().endswith("("):
                self.hide(at, match.end() - 1)
                self.pieces.append("(")
                at = self.read(match.end(), True) + 1
                self.pieces.append(")")
            else:
                parts.append(match.group())
                at = self.hide(at, match.end())
        self.literals.append((start, "".join(parts)))
        return self.hide(at, match.end() if match else len(self.text))

    def types(self):
        """The types at the top of the file that other files can see."""
        return set(TYPE.findall(self.code))

    def references(self):
        """The names of types that stand in the code and are not declared in it."""
        return set(REFERENCE.findall(self.code)) - set(ANY_TYPE.findall(self.code))

    def functions(self):
        """Name, first line and length in lines of each function, initializer, subscript and computed property."""
        for match in FUNCTION.finditer(self.code):
            name = match["name"] or match["other"] or match["deinit"] or match["property"]
            opening = self.body(match.end())
            if opening is None:
                continue
            first = self.line(match.start())
            yield name, first, self.line(self.closing(opening, "{}")) - first + 1

    def body(self, at):
        """The offset of the brace that opens a declaration's body; None for a requirement of a protocol."""
        parameters = re.compile(r"\s*(?:<[^({]*>)?\s*\(").match(self.code, at)
        if parameters:
            at = self.closing(parameters.end() - 1, "()") + 1
        head = re.compile(r"[^{};]*\{").match(self.code, at)
        if not head or NEXT_DECLARATION.search(head.group()):
            return None
        return head.end() - 1

    def closing(self, at, pair):
        """The offset of the bracket that closes the one at an offset."""
        depth = 0
        for match in re.compile("[" + re.escape(pair) + "]").finditer(self.code, at):
            depth += 1 if match.group() == pair[0] else -1
            if depth == 0:
                return match.start()
        return len(self.code) - 1
