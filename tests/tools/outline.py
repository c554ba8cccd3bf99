# SPDX-License-Identifier: MIT
"""The types and functions of C++ files in this code base's style, found lexically: no compiler is needed.

Shape:  outline(text) reads declarations at the level of namespaces and classes and skips the bodies of functions.
Limits: what macros expand to is not seen; branches of #if are all read; a brace behind an identifier without a blank
        initialises a member (`index_{0}`), one behind a blank opens a body.
"""
import re
from dataclasses import dataclass

LITERAL_OR_COMMENT = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<tag>[^(\s]*)\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'',
    re.DOTALL)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.MULTILINE | re.DOTALL)
TYPE = re.compile(r"^(?:template\s*<.*>\s*)?(?:typedef\s+)?(class|struct|union|enum(?:\s+(?:class|struct))?)\b"
                  r"(?:\s*\[\[.*?\]\]|\s*alignas\s*\([^)]*\))*"
                  r"\s*([\w:]*(?:\s*<[^{]*?>)?)\s*(?:final\b)?\s*(?::(?!:).*)?$", re.DOTALL)
NAMESPACE = re.compile(r"^(?:inline\s+)?namespace\b\s*([\w:]*)$")
NOT_FUNCTIONS = {"if", "for", "while", "switch", "return", "alignas", "decltype", "static_assert", "sizeof", "noexcept",
                 "requires", "REHEARSE_ASSERT"}
ANONYMOUS = "(anonymous)"


@dataclass(frozen=True)
class Type:
    kind: str   # class, struct, union, enum
    scope: str  # the namespaces around it, joined by ::
    name: str   # with the classes around it
    line: int
    lines: int


@dataclass(frozen=True)
class Function:
    scope: str  # the namespaces around it
    owner: str  # the class whose member it is; empty: none
    name: str
    line: int
    lines: int
    has_body: bool


def blank(text):
    """Comments, literals and directives become blanks; line breaks stay."""
    def keep_lines(match):
        return re.sub(r"[^\n]", " ", match.group(0))

    return DIRECTIVE.sub(keep_lines, LITERAL_OR_COMMENT.sub(keep_lines, text))


def without_templates(text):
    """Without template arguments, so that no parenthesis is left but those of parameters."""
    text = re.sub(r"operator\s*(<=>|<<=?|>>=?|<=|>=|<|>|->)", "operator_", text)
    text = text.replace("->", "  ")
    before = None
    while before != text:
        before, text = text, re.sub(r"<[^<>;{}]*>", " ", text)
    return text


def function_name(head):
    """(owner, name) of what a head declares, or None if that is no function."""
    text = without_templates(head)
    text = re.sub(r"\[\[.*?\]\]|\b(?:alignas|noexcept|explicit|requires)\s*\([^)]*\)|__attribute__\s*\(\(.*?\)\)", " ",
                  text)
    text = re.sub(r"operator\s*\(\s*\)", "operator_call", text)
    text = re.sub(r"operator\s*[-+*/%^&|~!=,\[\]]+", "operator_", text)
    match = re.search(r"((?:\w+\s*::\s*)*~?\w+)\s*\(", text)
    if match is None or "=" in text[:match.start()]:
        return None
    if re.match(r"\s*(using|typedef|friend|return|throw|goto|delete|co_return)\b", text):
        return None
    if re.match(r"\s*\*", text[match.end():]):  # a pointer to a function
        return None
    path = re.sub(r"\s", "", match.group(1)).split("::")
    if path[-1] in NOT_FUNCTIONS:
        return None
    return "::".join(path[:-1]), path[-1]


def closing(text, opened):
    """The place of the brace that closes the one at `opened`."""
    depth = 0
    for match in re.compile(r"[{}]").finditer(text, opened):
        depth += 1 if match.group(0) == "{" else -1
        if depth == 0:
            return match.start()
    return len(text) - 1


def outline(text):
    """The types and functions of a file, in the order of their ends."""
    code = blank(text)
    types, functions = [], []
    line_starts = [0] + [match.end() for match in re.finditer("\n", code)]

    def line_of(place):
        low, high = 0, len(line_starts)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if line_starts[middle] <= place else (low, middle)
        return low + 1

    def read(begin, end, spaces, classes):
        at = head_begin = begin
        while at < end:
            character = code[at]
            if character == ";":
                note_function(head_begin, at, at, spaces, classes, has_body=False)
                at = head_begin = at + 1
            elif character == "(":
                at = end_of_parentheses(at)
            elif character == "{":
                close = closing(code, at)
                head = clean(code[head_begin:at])
                if (match := NAMESPACE.match(head)) is not None:
                    inner = match.group(1).split("::") if match.group(1) else [ANONYMOUS]
                    read(at + 1, close, spaces + inner, classes)
                    head_begin = close + 1
                elif re.match(r"^extern\s*$", head):
                    read(at + 1, close, spaces, classes)
                    head_begin = close + 1
                elif (match := TYPE.match(head)) is not None:
                    name = re.sub(r"\s+", "", match.group(2))
                    first = line_of(first_place(head_begin, at))
                    types.append(Type(match.group(1).split()[0], "::".join(spaces), "::".join(classes + [name]) if name
                                      else "", first, line_of(close) - first + 1))
                    if not match.group(1).startswith("enum"):
                        read(at + 1, close, spaces, classes + [name or "?"])
                    head_begin = code.find(";", close) + 1 or end
                    at = head_begin
                    continue
                elif is_body(head_begin, at) and note_function(head_begin, at, close, spaces, classes, has_body=True):
                    head_begin = close + 1
                at = close + 1
            else:
                at += 1

    def end_of_parentheses(at):
        depth = 0
        for match in re.compile(r"[()]").finditer(code, at):
            depth += 1 if match.group(0) == "(" else -1
            if depth == 0:
                return match.end()
        return len(code)

    def is_body(head_begin, at):
        """Not the value of a variable or of a member in a constructor's list."""
        before = code[head_begin:at]
        return before.endswith((" ", "\n", ")")) and not before.rstrip().endswith(("=", ",", "return"))

    def first_place(begin, end):
        return begin + len(code[begin:end]) - len(strip_labels(code[begin:end]))

    def note_function(begin, end, last, spaces, classes, has_body):
        head = strip_labels(code[begin:end])
        found = function_name(head)
        if found is None or re.search(r"=\s*(delete|default)\s*$", head):
            return False
        owner, name = found
        first = line_of(end - len(head))
        functions.append(Function("::".join(spaces), "::".join(classes + ([owner] if owner else [])), name, first,
                                  line_of(last) - first + 1, has_body))
        return True

    read(0, len(code), [], [])
    return types, functions


def strip_labels(head):
    """Without leading blanks and access specifiers."""
    return re.sub(r"^(?:\s|(?:public|protected|private)\s*:(?!:))+", "", head)


def clean(head):
    return strip_labels(head).strip()
