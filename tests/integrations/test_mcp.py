"""Coding agents are given the same explanations, by a real client over standard input and output."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp.server.mcpserver")
import mcp

import triage

RAISED = "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 15.90 GiB total capacity; 14.00 GiB already allocated; "
RAISED += "500.00 MiB free; 14.80 GiB reserved in total by PyTorch)"


def _ask(*calls: tuple[str, dict[str, Any]]) -> list[tuple[bool, str]]:
    """For each call of a tool whether it failed, and what it answered."""

    async def asked() -> list[tuple[bool, str]]:
        process = mcp.StdioServerParameters(command=sys.executable, args=["-m", "triage", "mcp"])
        async with mcp.stdio_client(process) as streams, mcp.ClientSession(*streams) as session:
            await session.initialize()
            assert {tool.name for tool in (await session.list_tools()).tools} == {"explain_text", "explain_logs", "known_cases"}
            results = [await session.call_tool(tool, arguments) for tool, arguments in calls]
            return [(result.is_error, "".join(part.text for part in result.content)) for result in results]

    return asyncio.run(asked())


def test_what_agents_are_answered(tmp_path: Path) -> None:
    first, second = tmp_path / "rank0.log", tmp_path / "rank1.log"
    first.write_text("epoch 1\n", encoding="utf-8")
    second.write_text(f"epoch 1\n{RAISED}\n", encoding="utf-8")
    text, healthy, job, absent, cases = _ask(
        ("explain_text", {"text": RAISED}),
        ("explain_text", {"text": "epoch 1 done", "lang": "zh"}),
        ("explain_logs", {"paths": [str(first), str(second)]}),
        ("explain_logs", {"paths": [str(tmp_path / "none.log")]}),
        ("known_cases", {"query": "memit out of memroy", "limit": 2}),
    )
    assert text == (False, triage.explain(RAISED).to_markdown("en"))
    assert healthy == (False, triage.explain("epoch 1 done").to_markdown("zh"))
    assert not job[0]
    assert "rank1.log" in job[1]
    assert absent[0]
    assert "none.log: No such file or directory" in absent[1]
    assert not cases[0]
    assert "easyedit" in cases[1]
