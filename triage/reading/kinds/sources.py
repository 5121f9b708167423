"""Source code that stands in a text without fences: its lines get the role 'code'.

A statement that raises, prints, compares or documents an error is no error.
"""

from __future__ import annotations

from collections.abc import Callable

from triage.reading.lazy import Pattern
from triage.reading.log import NO_PREFIX, Line, as_document
from triage.reading.prose import ERROR_LINE

_GREP = Pattern(r"[\w./-]{1,300}\.(?:py|pyx|cpp|cc|cu|cuh|c|h|hpp|go|rs|sh|md|rst|yaml|yml)[:-][0-9]{1,7}[:-] ?")
# Statements that speak of an error: sure signs of source wherever they stand.
_SURE = Pattern(
    r"@?(?:REM|rem)(?:\s|$)|\s*assert (?:not )?\w[\w.]{0,60}\([rfbu]{0,2}[\"'`]"
    r"|\s*assert [\w.()\[\]]{1,80} [!=]= [rfbu]{0,2}[\"'].{1,500}[\"']"
    r"|\w{1,60} = r\".{1,1000}\"\s*$| {4,}\"[^\"]{1,500}(?:\$\(.{1,60})?\"\){1,4};?\s*$"
    r"|\s+.{1,200} => \w{1,30}!?\(.{0,200}\".{1,400}\"\)?\)?,?\s*$"
    r"|\s+(?:.{1,80} = \w+\()?(?:\w+\.)*[A-Z]\w+(?:Error|Exception)\(\"[^\"]{1,400}\"\)\)?,?\s*$"
    r"|\s*@test(?:_\w{1,20})? \w|\s*(?:[\w.:>()-]{1,60} )?<< \".{0,500}(?:\"|\w\)?);?\s*$"  # Julia, a stream of C++
    r"|\s+[\w.:>()-]{1,80}\(.{0,300}\".{1,1000}\);\s*$"
    r"|.{0,300}(?:\|\||&&) \w{2,20} [\"'].{1,300}[\"'](?: [;}]+)?\s*$"  # a shell's
    r"|\s+\{\w{1,30}: \".{1,1000}\},\s*$"  # a case of a table of tests
    r"|\s+\{[\"'].{1,200}[\"'], .{1,200}\},\s*$|\t+[\"`].{1,1000}[\"`],\s*$|\s+[\w:.]{1,80} => [a-z]?[\"'].{1,500}[\"'][\w.()]*,\s*$"
    r"|\s*(?:\$ )?(?:sudo )?(?:python3?|bash|sh|curl|logger|echo|printf|\./\S+|--[\w-]{2,40}(?= |=)) ?.{0,300}"
    r"[\"'][^\"']{0,200}(?:NVRM|Xid|[Ee]rror|out of memory)[^\"']{0,600}[\"'](?: \\|\s)*(?: ?[>|&].*)?$"  # what is typed
    r"|\s*(?:[*/!]{1,3} )?[\\@](?:retval|returns?|param(?:\[\w+\])?)\s"  # what Doxygen reads
    r"|\s*write ?\(\*,.{0,20}[\"'].{1,200}\)\s*$"  # Fortran
    r"|\s*(?:if|elif|while) .{1,400}; then\s*$|\s+(?:if|elif|while) (?:not )?\w+(?:\.\w+)+\(.{0,400}:\s*$"
    r"|\s*Write-(?:Host|Error|Warning|Output|Verbose|Information) .{0,40}[\"'].{1,400}[\"'].*$"  # of PowerShell
    r"|\s*(?:if|for|while) .{1,300}; (?:then|do) .{1,400}; (?:fi|done)\s*$"  # of a shell, in one line
    r"|\s+(?:==|!=) [rfbu]{0,2}[\"'].{1,500}[\"']\s*$|(?:\t| {4,})[a-z_]\w{0,60}\((?:\w+=[^,=]{1,200}, ){1,8}\w+=[^,=]{1,200}\),?\s*$"
    r"|\s*\w{1,40}\.add_(?:argument|option)\(|\t+\w+:\s+[\"`].*[\"`],?\s*$|\t+\w+:\s+\w+\.[\w.]+,\s*$"
    r"|(?:\t| {2,})# \S|\s*>>> #|\s*(?:#|//) ?(?:FIXME|TODO|HACK|XXX)\b|\s*@(?:error|warn|info|debug|test\w*) \""
    r"|\s*(?:else ?if|elif|if)\b.{0,200}(?:==|!=) ?[\w.:]{0,40}"
    r"(?:CUFFT_|[A-Z]{2,16}_(?:ERROR|STATUS)_|roc\w{2,8}_status_|cudaError|hipError|nccl)\w"
    r"|\s*if\s*\(.{1,200}\)\s*throw\s|\t+\w+:\s+(?:\[\]string\{|\w+\.[\w.]+,\s+//)"
    r"|(?:\t| {4,})[a-z_][\w.]{0,60}(?:\[\w{0,20}\])? [+:]?= [rfbu]{0,2}[\"'`].{1,2000}[\"'`]\)?\s*$|(?:\t"
    r"| {4,})[rfbuc]{1,2}[\"'].{1,2000}[\"'][,)]{0,3}\s*$"
    r"|\s+(?:(?:or|and|assert) )?[\"'].{1,300}[\"'] (?:not )?in \w"
    r"|\s*echo (?:-[en] )?[\"'].*[\"'](?: ?>.*)?$|\s*(?:list|set|option|target_\w+|add_\w+|find_\w+) ?\([A-Z$\w].*\) +# "
    r"|(?:\t|    )\s*(?:[\w., ]{1,80} :?= ?)?(?:\w{1,60}\.){0,4}"
    r"(?:[a-z]\w{0,60}|(?:Error|Fatal|Warn|Info|Debug|Print)(?:f|w|ln)?|Warning|[A-Z]\w{2,60}(?:Error"
    r"|Exception)(?=\([rfbu]{0,2}\"))\([rfbu]{0,2}[\"`']"
    r".{1,2000}[\"`')]\)?[;,]?(?: \{)?\s*$|\s*(?:export|setenv|ENV|RUN|#SBATCH|#PBS|module) .* # "
    r"|\s*(?:EXPECT|ASSERT)_[A-Z_]{2,30}\(.{1,300}\);\s*$|\s+(?:assert|require)\.\w{2,40}\(t, .{1,1000}\)\s*$"
    r"|\s*#\[error\(|\s*throw [\"'].{1,300}[\"']\s*$|\s+\.(?:expect|context)\(\".{1,300}\"\)[;,?)]*\s*$"
    r"|\s*[\w.]{1,60}\([^()\"']{0,200}\) {2,}# \w|(?:    .{0,200}|\s*)\bthrow new [\w.]{1,60}\("
    r"|.{1,300}\\n\\\s*$"  # Rust, PowerShell, a string of C that goes on
    r"|\s*(?:(?:raise|throw)\s+(?:new )?[\w.:]{1,200}\("
    r"|except\b.{0,300}:\s*(?:#.*)?$|(?:el"
    r"|else )?if .{0,300}[\"'].{1,300}[\"'].{0,20} (?:not )?in \w"
    r"|case [\w:]{1,200}:|return [\w:]{1,200};|return f?\".{0,500}\";|#\s{0,4}(?:define|include|pragma|ifdef|ifndef)\b|(?://|/\*)"
    r"|#\s?.{1,300}[,)]\s{1,8}#\s?\S"  # what was commented out, with a comment of its own
    r"|(?:\w{1,60}(?:\.|::|->)){0,4}(?:f?printf|fputs|puts|snprintf|WARN|INFO|TRACE|LOG\w{0,20}|TORCH_\w{1,30}|AT_\w{1,30}|print"
    r"|println!?|eprintln!|panic!?"
    r"|warn(?:ing)?|error|info|debug|exception|raises|assert\w{0,30}|EXPECT_\w{1,30}|CHECK\w{0,30}|REQUIRE|Errorf|Sprintf|Fatalf?|log"
    r"|emplace_\w{1,10}"
    r"|append|push_back|match|search|compile)\(.{0,300}[\"'].{0,2000}(?:[),;\\({+]|\.)\s*\\?\s*$)"
)
# Sure signs by what stands amid them: tried only where one of these does, see `_kind`.
_MARKED = Pattern(
    r".{0,200}\"[A-Z]{2,16}_STATUS_\w+\"\.as_bytes\(\)|\s+.{0,80} = C\.[A-Z]{2,16}_(?:STATUS|ERROR)_\w+(?: +//.*)?$"
    r"|\s+\w{1,60}: +-?(?:0x)?[0-9a-fA-F]{1,10} +# ?[A-Z]{2,4}_\w*ERROR_\w+\s*$"  # Rust, Go, a remark in YAML
    r"|\s+:raises? [\w.]{1,60}: \S"  # what Sphinx reads
    r"|.{0,200}//!<|.{0,200}\bthrow\([\w.]{1,60}\([\"'\w]|.{0,80} in \((?:[A-Z]{2,16}_STATUS_\w+|(?:\w+\.)?(?:cuda|hip)Error\w+),?"
    r"|\s+[\w.]{0,30}[A-Z]{2,16}_STATUS_\w+[,);]{1,3}\s*$"
    r"|\s*(?:\|\||&&) .{1,120}(?:==|!=) ?[\w.:]{0,40}CUDA_ERROR_\w+|\s*[\"']CUDA_ERROR_\w+[\"'] ?: ?[\"'].{1,200}[\"'],?\s*$"
    r"|.{0,200}(?:==|!=) ?[\w.:]{0,40}CU\w{2,8}_STATUS_\w+\)? (?:\|\||&&)"
    r"|\s+.{1,200} \? \w+ : (?:CUDA_ERROR_|cudaError|hipError)\w+[,;)]{1,3}\s*$|\s+.{0,200}[(,] ?CUDA_ERROR_\w+\){1,4};?\s*$"
)
_MARKS = ("_STATUS_", "_ERROR_", ":raise", " in (", " : hipError", " : cudaError", "//!<", "throw(")
_DEFINITION = Pattern(r"\s*(?:async def|def|class) \w+.*:\s*$")
# What titles of issues join to one line: the statement that raised, and what was printed.
_RAISED = Pattern(r"\s*raise (\w{1,80})\(.{0,300}[\s)'\"]\1: \S")
_STATEMENT = Pattern(
    r"\s*(?:import [\w., ]+$|from [\w.]+ import .|(?:async )?def \w+\(|class \w+.*[:{]\s*$|return\b|assert [^:]+$"
    r"|@\w[\w.]*(?:\(.*)?$|func .+\{\s*$"
    r"|fn \w+.*\{\s*$"
    r"|package \w+;?\s*$|(?:static|const|constexpr|inline|virtual|public|private|template|struct|enum|namespace|using|typedef|extern"
    r"|switch|let|var|val) ?[\w<({].*"
    r"|(?:for|while|if|with|elif|else if|catch|try) ?.*[:{]\s*(?:#.*|//.*)?$|(?:else|try|finally|do):?\s*\{?\s*$|\}?\s*else\b.*"
    r"|.*[\w)\]\"'}]\s*;\s*(?://.*)?\\?\s*$"
    r"|[A-Za-z_][\w.]*(?:\[[^\]]*\])?(?:: ?[\w\[\], .|]+)? [-+*/|:]?= \S.*|[A-Za-z_][\w.:>-]*\(.*\)?[,;]?\s*$|[A-Z_]+ *= .*)"
)
_OPENED = Pattern(
    r"\s*(?:export |local |const |let |var |static |readonly )?(?!(?:msg|message|err|error|std(?:err|out)|exception|log|output|detail)\b)"
    r"[A-Za-z_][\w.]{0,60}(?:: ?\w{1,20})? ?\+?= ?[rfbu$]{0,2}(\"\"\"|'''|\"|'|`)(.{0,2000})$"
)
_LONGEST_LITERAL = 60  # lines
_DEEP = 1000
_STRING_PAIR = Pattern(r"\s+[\"'][\w -]{1,60}[\"']\s?: ?[rfbu]{0,2}[\"'].{0,1000}[\"'],?\s*$")
_OPENS_BRACKET = Pattern(
    r"(\s*)(?:const |let |var |static )?[A-Za-z_][\w.]{0,80}(?:\[[^\]]{0,60}\])?(?:: ?[\w\[\], .|]{1,60})? [+:]?= [\w.]{0,40}[\[{(]\s*$"
)
_TOLD_IN = Pattern(
    r"\s+[\"']?(?:error|message|msg|reason|detail|stderr|stdout|output|log|traceback|exception)\w{0,12}[\"']?\s?[:=] ?"
    r"[rfbu]{0,2}[\"'].{1,1000}[\"'],?\s*$",
    2,
)
_ARGUMENT = Pattern(r"\s+[&*]{0,2}[a-z_][\w.]{0,60}(?:\(\))?,\s*$")  # a name by itself, as no JSON holds one
_CALLED = Pattern(r"\s+[\w.:<>]{2,120}!?\($")
_LITERAL_ARGUMENT = Pattern(r"\s+\"[^\"]{1,400}\",\s*$")
_ELEMENT = Pattern(r"\s+(?:\"(?:[^\"\\]|\\.){1,300}\"|'[^'\\]{1,300}'),?\s*(?:#.*|//.*|\\\s*)?$")
_PAIR = Pattern(
    r"\s+[(\[](?:\"[^\"\\]{1,80}\"|'[^'\\]{1,80}'|[\w.]{1,60})"
    r"(?:, ?(?:\"[^\"\\]{1,80}\"|'[^'\\]{1,80}'|[\w.]{1,60}|[(\[][^()\[\]]{1,200}[)\]])){1,5}[)\]],?\s*$"
)
_ROW = Pattern(r"\s+\{-?\w{1,40}(?:, ?\"[^\"]{1,200}\"){1,4}\},?\s*$")  # of a table of codes: {98, "EADDRINUSE", "address already in use"},
# How a file of source begins, and the share of its lines that are statements, or fit to some.
_BEGINS = Pattern(r"/\*|//|#!|#include\b|#pragma\b|#ifndef\b|package \w+;?\s*$|# (?:Copyright|SPDX|-\*-)")
_FEWEST_STATEMENTS, _STATED, _FITS = 20, 0.25, 0.6
_FEWEST_ENDS, _ENDED = 4, 0.04  # lines that end a block, and their share
_LICENSED = Pattern(r"# (?:Copyright \(?|SPDX-License-Identifier: )")
_HEAD = 40  # lines in which a file names who owns it
_FEWEST_REMARKS = 4
_BRACKETS = frozenset(("(", ")", "),", "[", "]", "],", "{", "}", "},"))
_FEWEST_ELEMENTS = 3
_PART = Pattern(r"\s*(?:#|\*|[rbfu]{0,2}[\"']|[)\]}]|\w+ ?=|.*[,(\[{\\:+|&]\s*$|.*\*/\s*$|(?:pass|break|continue|raise)\s*$|end$)")
# The sentence between a block of code and what it printed.
_LEADS = Pattern(
    r"(?:[A-Z][a-z']*(?: [\w',./-]+){2,}"
    r"|[a-z]+(?: [\w',./-]+){2,} (?:errors?|output|messages?|results?|exceptions?|traceback)(?: message)?):\s*$"
)
_NONE, _SPACE, _INSIDE, _STATE, _CERTAIN = range(5)
_STARTS = frozenset("#/@}\\=!*")
_LITERALS = frozenset((">>", 'f"', "f'", 'r"', "r'", 'c"', "--", "./", "$ "))
_ENDS = (";", "{", "):", ");", "\\", "else:", "try:", "finally:")
_WORDS = frozenset((
    "raise", "throw", "assert", "except", "elseif", "if", "elif", "else", "case", "return", "import", "from", "def", "async", "class",
    "func", "fn", "package", "static",
    "const", "constexpr", "inline", "virtual", "public", "private", "template", "struct", "enum", "namespace", "using", "typedef",
    "extern", "switch", "let", "var", "val", "for", "while", "with", "catch", "try", "finally", "do",
    "export", "setenv", "python", "python3", "bash", "sh", "curl", "logger", "sudo", "REM", "@REM", "rem", "write", "ENV", "RUN", "printf",
    "fprintf", "print", "WARN", "echo", "list", "set", "option",
))  # fmt: skip
_WORTH = (
    "Write-",
    ",  # ",
    "    # ",
    "elseif ",
    "throw(",
    "raise ",
    "except ",
    "return ",
    "throw ",
    "case ",
    "#include",
    "#define",
    "printf(",
    "def ",
    "import ",
    ");\n",
    "func ",
    "in str(",
    '" in ',
    "' in ",
    '="',
    "add_argument(",
    "assert ",
    "\t\t",
    "export ",
    "ENV ",
    "RUN ",
    "fn ",
    "//",
    '"""',
    "print(",
    "echo ",
    "REM ",
    "\nrem ",
    '(f"',
    '",\n',
    "',\n",
    '"),\n',
    ' += "',
    '"},',
    '")\n',
    '", ',
    '== "',
    "retval ",
    ":raise",
    "_status_",
    "write(*",
    '"NVRM',
    '    c"',
    "if torch.",
    " => ",
    "; then",
    " : CUDA_ERROR_",
    "== CUDA_ERROR_",
    "#[error(",
    "_STATUS_",
    "_ERROR_",
    '"))\n',
    ">>> #",
    "# FIXME",
    "# TODO",
    ' = r"',
    ": hipError",
    ": cudaError",
    '<< "',
    "@test ",
    "  # ",
    " || fail",
    ' := "',
    "end\n",
)


def may_hold_code(has: Callable[[str], bool]) -> bool:
    """Whether a look at every line is worth it: `has` tells whether a string occurs in the input at all."""
    return any(map(has, _WORTH))


def mark_code(lines: list[Line]) -> None:
    """Give the role 'code' to statements that name errors, to runs of lines that only source can be, and to whole files."""
    _literals(lines)
    _elements(lines)
    _arguments(lines)
    _held(lines)
    _cut_at_its_beginning(lines)
    run: list[Line] = []
    comments: list[Line] = []  # right above a run
    statements = spoken = fitting = total = held = kind = 0
    quoted = ""
    led = False  # whether a sentence stands between the code and what it printed
    for line in lines:
        if line.text and not line.text.isspace():
            spoken += 1
        kind = _kind(line, bool(run), quoted)
        if kind == _NONE:
            if run:
                led = led or (statements > 1 and _LEADS.match(line.text) is not None)
                _close(run, statements, held)
                run, statements, held = [], 0, 0
            quoted = ""
            comments = [*comments, line] if line.text.startswith(("# ", "// ")) and line.prefix is NO_PREFIX else []
            continue
        run += [*comments, line]
        held += len(comments)
        comments = []
        if kind == _SPACE:
            continue
        fitting += 1
        if kind >= _STATE:
            statements += 1
            total += 1
        if kind == _CERTAIN and line.role in ("output", "prose"):
            line.role = "code"
        held += bool(quoted)
        if '"' in line.text or "'" in line.text or "/*" in line.text or quoted:
            opened = quoted
            quoted = _quoted(line.text, quoted)
            if quoted and not opened and len(run) > 1 and _DEFINITION.match(run[-2].text):
                statements += 1  # a docstring
    _close(run, statements, held)
    whole = total >= 8 and total >= 0.2 * spoken and fitting >= 0.9 * spoken
    stated = kind != _NONE and total >= max(_FEWEST_STATEMENTS, _STATED * spoken) and fitting >= _FITS * spoken
    if (whole and not led) or (stated and _is_file(lines)) or _ends_its_blocks(lines):
        _set(lines)


def _ends_its_blocks(lines: list[Line]) -> bool:
    """Whether a text is source of a language that ends its blocks with a word, such as Julia, and no program printed anything in it."""
    said = [line for line in lines if line.role in ("output", "prose") and line.text.strip()]
    ends = sum(line.text.strip() in ("end", "end;") for line in said)
    if ends < _FEWEST_ENDS or ends < _ENDED * len(said):
        return False
    return all(line.prefix is NO_PREFIX for line in lines) and not any(ERROR_LINE.match(line.text) for line in said)


def _is_file(lines: list[Line]) -> bool:
    """Whether a text begins as a file of source does, and no program printed anything in it."""
    return _BEGINS.match(lines[0].text) is not None and all(line.prefix is NO_PREFIX for line in lines)


def _literals(lines: list[Line]) -> None:
    """Mark what an assignment holds as a string over several lines: an error that a program keeps to compare with, or a test."""
    index = 0
    while index < len(lines):
        line = lines[index]
        index += 1
        if "=" not in line.text[:80] or line.prefix is not NO_PREFIX or line.role not in ("output", "prose"):
            continue
        match = _OPENED.match(line.text)
        if match is None or match[1] in match[2] or (match[2].endswith("\\") and len(match[1]) == 1):
            continue
        for last in range(index, min(index + _LONGEST_LITERAL, len(lines))):
            if lines[last].text.replace("\\" + match[1], "").rstrip(");, ").endswith(match[1]):
                _set(lines[index - 1 : last + 1])
                if match[2] == "\\":  # what begins so in the next line is a string of Python's, whatever its lines look like
                    as_document(lines[index : last + 1])
                index = last + 1
                break


def _elements(lines: list[Line]) -> None:
    """Mark lists of strings, one a line: the words that a program looks for in messages. What JSON holds was printed."""
    if _is_json(lines):
        return
    run: list[Line] = []
    for line in lines:
        if line.text[:1].isspace() and line.prefix is NO_PREFIX and _is_element(line.text):
            run.append(line)
            continue
        if run and (line.text.strip() in _BRACKETS or (line.text[:1].isspace() and line.text.lstrip().startswith(("# ", "// ")))):
            continue
        if len(run) >= _FEWEST_ELEMENTS:
            _set(run)
        run = []
    if len(run) >= _FEWEST_ELEMENTS:
        _set(run)


def _arguments(lines: list[Line]) -> None:
    """Mark strings that stand among the arguments of a call, one a line."""
    for above, line, below in zip(lines, lines[1:], lines[2:], strict=False):
        if line.text[:1].isspace() and line.text.rstrip().endswith('",') and _LITERAL_ARGUMENT.match(line.text):
            called = _CALLED.match(above.text) or _ARGUMENT.match(above.text)
            if called and (_ARGUMENT.match(below.text) or below.text.strip() in _BRACKETS):
                _set([line])


def _held(lines: list[Line]) -> None:
    """Mark what an assignment that opens a bracket holds as the text of an error, up to the bracket that closes it."""
    index = 0
    while index < len(lines):
        opened = _OPENS_BRACKET.match(lines[index].text) if lines[index].text.rstrip()[-1:] in ("[", "{", "(") else None
        index += 1
        if opened is None or lines[index - 1].prefix is not NO_PREFIX:
            continue
        depth = len(opened[1])
        last = index
        while last < len(lines) and (not lines[last].text.strip() or _depth(lines[last].text) > depth):
            last += 1
        if last < len(lines) and last - index <= _LONGEST_LITERAL and lines[last].text[depth:].startswith(("]", "}", ")")):
            _set([line for line in lines[index:last] if _TOLD_IN.match(line.text)])
            index = last


def _cut_at_its_beginning(lines: list[Line]) -> None:
    """Mark the pairs of a dictionary whose beginning was cut off, above a definition or a statement that only source has."""
    depth = _DEEP
    for index, line in enumerate(lines[:_LONGEST_LITERAL]):
        if not line.text.strip():
            continue
        if line.prefix is not NO_PREFIX:
            return
        if line.text.strip() in _BRACKETS and _depth(line.text) < depth:
            below = next((near.text for near in lines[index + 1 : index + 6] if near.text.strip()), "")
            if _DEFINITION.match(below) or below.lstrip().startswith(("assert ", "@", "return ")):
                _set([near for near in lines[:index] if _STRING_PAIR.match(near.text)])
                return
        depth = min(depth, _depth(line.text))


def _depth(text: str) -> int:
    return len(text) - len(text.lstrip())


def _is_json(lines: list[Line]) -> bool:
    """Whether a text is a JSON object or array, spread over its lines."""
    said = [line.text.strip() for line in lines if line.text.strip()]
    return len(said) > 1 and said[0] in ("{", "[", "[{") and said[-1] in ("}", "]", "}]")


def _is_element(text: str) -> bool:
    pattern = {"'": _ELEMENT, '"': _ELEMENT, "(": _PAIR, "[": _PAIR, "{": _ROW}.get(text.lstrip()[:1])
    return pattern is not None and pattern.match(text) is not None


def mark_remarks(lines: list[Line]) -> None:
    """Mark what a file of settings remarks in several lines: headings do not follow each other, nor begin with a small letter.

    In a file that names who owns it, every remark counts.
    """
    run: list[Line] = []
    licensed = any(_LICENSED.match(line.text) for line in lines[:_HEAD])
    fewest = _FEWEST_REMARKS - lines[0].text.startswith(("import ", "from "))  # no heading stands in a program
    for index, line in enumerate(lines):
        if line.text.startswith("# ") and line.prefix is NO_PREFIX:
            run.append(line)
            if index + 1 < len(lines):
                continue
        if (licensed and run) or (len(run) >= fewest and 2 * sum(_goes_on(remark) for remark in run) >= len(run)):
            _set(run)
        run = []


def _goes_on(remark: Line) -> bool:
    """Whether a remark goes on with the sentence of the line before."""
    return remark.text[2:3].islower() or remark.text[2:3] == "`"


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _kind(line: Line, running: bool, quoted: str) -> int:
    """How much a line looks like source; `running` tells whether the line before it did."""
    text = line.text
    if line.role not in ("output", "prose", "code", "source") or line.prefix is not NO_PREFIX or len(text) > 2000:
        return _NONE
    body = text.strip()
    if quoted:
        return _CERTAIN if body[:1] == "\\" and _SURE.match(text) else _INSIDE
    if not body:
        return _SPACE if running else _NONE
    if body[:2] == "**" and body[-2:] == "**" and body[2:3].isalpha():  # bold in Markdown
        return _NONE
    if body.startswith("Traceback (most recent call last)"):  # what every log of Python holds need not cost a pattern
        return _NONE
    if line.role == "source":
        return _INSIDE if running else _NONE
    found = _GREP.match(text) if body is text and _has_digit(text.partition(" ")[0]) else None
    if found:
        text = text[found.end() :]
        body = text.lstrip()
    if any(map(body.__contains__, _MARKS)) and _MARKED.match(text):
        return _CERTAIN
    if (
        body[:1] in _STARTS
        or text[:1] == "\t"
        or body.partition(" ")[0].partition("(")[0].rstrip(":") in _WORDS
        or body.endswith(_ENDS)
        or (body[:1] == "{" and body.endswith("},"))
        or '("' in body
        or '" in ' in body
        or '= "' in body
        or body[:2] in _LITERALS
        or " => " in body
        or body.endswith("),")
        or " << " in body
        or ' = r"' in body
        or body[:3] == "<< "
        or body.startswith(("assert.", "require.", "Write-"))
        or "  # " in body
        or ('Error("' in body and body[-1:] in "),")
        or " throw new " in body
        or ((" || " in body or " && " in body) and body[-1:] in "\"'}")
        or "('" in body
        or '(f"' in body
    ):
        if _SURE.match(text) and (found or text[:1].isspace() or not ERROR_LINE.match(text)):
            return _NONE if _RAISED.match(text) else _CERTAIN
        if not (found or ERROR_LINE.match(text)) and _STATEMENT.match(text):
            return _STATE
    elif not found and (" = " in body or (running and text[:1].isspace() and body.endswith(")"))) and _STATEMENT.match(text):
        return _STATE
    if not running or found or not _PART.match(text) or ERROR_LINE.match(text) or _LEADS.match(text):
        return _NONE
    return _INSIDE


def _quoted(text: str, quoted: str) -> str:
    """What ends the comment or string over several lines that is open behind a line; '' where none is."""
    if quoted:
        return "" if quoted in text else quoted
    for mark in ('"""', "'''"):
        if text.count(mark) % 2:
            return mark
    return "*/" if "/*" in text and "*/" not in text.rpartition("/*")[2] else ""


def _close(run: list[Line], statements: int, held: int) -> None:
    """Mark a run of lines that only source can be; `held` of them stand inside a comment or string."""
    spoken = sum(1 for line in run if line.text.strip())
    if spoken >= 4 and statements >= 2 and statements >= 0.25 * (spoken - held):
        _set(run)


def _set(lines: list[Line]) -> None:
    for line in lines:
        if line.role in ("output", "prose") and line.prefix is NO_PREFIX:
            line.role = "code"
