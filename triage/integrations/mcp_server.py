"""What coding agents ask over the Model Context Protocol: the same explanations, on this machine's logs.

Nothing of a log is executed or acts as markup in an answer; that it is a stranger's text is for whoever reads it to remember.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

import triage

_INSTRUCTIONS = (
    "Explains failures of GPU programs: out of memory, CUDA, NCCL, cuDNN, versions, drivers, hardware. Ask it before guessing at a "
    "traceback, a rank's log or a kernel log; answers say what failed first, why, what to do in which order, and what would be no use."
)
Lang = Annotated[Literal["en", "zh"], Field(description="Language of the answer")]


def server() -> MCPServer:
    """The server with its tools, not running yet."""
    made = MCPServer("triage", title="triage", instructions=_INSTRUCTIONS, version=triage.__version__, log_level="WARNING")
    made.add_tool(explain_text, name="explain_text", structured_output=False)
    made.add_tool(explain_logs, name="explain_logs", structured_output=False)
    made.add_tool(known_cases, name="known_cases", structured_output=False)
    return made


def explain_text(text: Annotated[str, Field(description="A traceback, a log or an issue, as it stands")], lang: Lang = "en") -> str:
    """Explain a failure of a GPU program from its text."""
    return triage.explain(text).to_markdown(lang)


def explain_logs(
    paths: Annotated[list[str], Field(min_length=1, description="Logs of one job, its ranks' or the kernel's; gzip, bzip2 and xz too")],
    lang: Lang = "en",
) -> str:
    """Explain why a job failed from its logs on this machine, of any size: which rank failed first, and what followed from that."""
    try:
        return triage.explain_job({path: Path(path).expanduser() for path in paths}).to_markdown(lang)
    except OSError as error:
        raise ToolError(f"{error.filename or paths[0]}: {error.strerror or error}") from error


def known_cases(
    query: Annotated[str, Field(description="Words of the symptom, also misspelt")],
    limit: Annotated[int, Field(ge=1, le=20)] = 5,
    lang: Lang = "en",
) -> str:
    """Search real cases of GPU failures and how they were solved."""
    from triage.render.cases import render_case
    from triage.rulebook.store import load_rulebook

    found = load_rulebook().search_cases(query, limit)
    return "\n".join(render_case(case, lang=lang) for case, _ in found) or "No known case speaks of these words."
