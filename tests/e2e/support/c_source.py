"""Calls and string literals of a C file, as much of the language as its messages need."""

import re
from dataclasses import dataclass, field
from pathlib import Path

DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.)*", re.MULTILINE | re.DOTALL)
TOKEN = re.compile(r"""/\*.*?\*/|//[^\n]*|(?P<string>"(?:[^"\\\n]|\\.)*")|'(?:[^'\\\n]|\\.)+'|"""
                   r"(?P<word>\w+)|(?P<sign>\.\.\.|[^\s\w])", re.DOTALL)
ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
MACRO_TEXT = "\0"  # of a macro among adjacent literals, as PRIu64


@dataclass
class Literal:
    """A string literal, adjacent ones joined; call is the innermost one that it is in."""

    path: str
    function: str
    call: str
    text: str

    @property
    def place(self):
        return self.path, self.function


@dataclass
class Call:
    path: str
    function: str
    name: str
    # Of each argument: its literals, those of calls in it too.
    arguments: list = field(default_factory=lambda: [[]])

    @property
    def place(self):
        return self.path, self.function


def unescape(literal):
    def character(match):
        if match[1][0] in "01234567":
            return chr(int(match[1], 8))
        return ESCAPES.get(match[1], match[1])
    return re.sub(r"\\([0-7]{1,3}|.)", character, literal[1:-1])


def tokens_of(text):
    """Pairs of a kind and a text. Adjacent literals, and macros among them, are one literal."""
    tokens = [(match.lastgroup, match.group()) for match in TOKEN.finditer(DIRECTIVE.sub("", text))
              if match.lastgroup]
    at = 0
    while at < len(tokens):
        end = at
        while end < len(tokens) and (tokens[end][0] == "string" or
                                     (tokens[end][0] == "word" and tokens[end][1].isupper()) or
                                     re.match(r"PRI[a-z]", tokens[end][1])):
            end += 1
        if any(kind == "string" for kind, _ in tokens[at:end]):
            yield "string", "".join(unescape(token) if kind == "string" else MACRO_TEXT
                                    for kind, token in tokens[at:end])
            at = end
        else:
            yield tokens[at]
            at += 1


class Reader:
    def __init__(self, path):
        self.path = path
        self.function = ""   # or the variable, of an initializer
        self.candidate = ""  # named before the brace or the sign = that may come
        self.open = []       # each bracket: its sign, and the call that it begins
        self.calls = []
        self.literals = []
        self.words = set()   # pairs of a function and a word in it

    def innermost_calls(self):
        return [call for _, call in reversed(self.open) if call is not None]

    def begin(self, sign, before):
        call = None
        if not self.open and sign in "([" and before != "_Static_assert":
            self.candidate = before
        elif not self.open and sign == "{":
            self.function = self.candidate
        elif sign == "(" and re.fullmatch(r"[A-Za-z_]\w*", before):
            call = Call(self.path, self.function, before)
            self.calls.append(call)
        self.open.append((sign, call))

    def end(self, sign):
        self.open.pop()
        if not self.open and sign == "}":
            self.function = self.candidate = ""

    def sign(self, sign, before):
        if sign in "([{":
            self.begin(sign, before)
        elif sign in ")]}":
            self.end(sign)
        elif sign == "," and self.open and self.open[-1][1] is not None:
            self.open[-1][1].arguments.append([])
        elif sign == "=" and not self.open:
            self.function = self.candidate = before if before != "]" else self.candidate
        elif sign == ";" and not self.open:
            self.function = self.candidate = ""

    def string(self, text):
        calls = self.innermost_calls()
        self.literals.append(Literal(self.path, self.function, calls[0].name if calls else "", text))
        for call in calls:
            call.arguments[-1].append(text)

    def read(self, text):
        before = ""
        for kind, token in tokens_of(text):
            if kind == "string":
                self.string(token)
            elif kind == "sign":
                self.sign(token, before)
            else:
                self.words.add((self.function, token))
            before = token
        return self


def read_c(root, path):
    return Reader(str(Path(path).relative_to(root))).read(Path(path).read_text())
