"""`triage mcp`: explanations for coding agents."""

from __future__ import annotations

import click

from triage.cli.errors import CommandError


@click.command("mcp")
def command() -> None:
    """Serve explanations to coding agents over the Model Context Protocol, on standard input and output.

    Agents find three tools: explain_text, explain_logs (files of this machine) and known_cases. Needs the extra `mcp`.

    \b
    Example, and what stands in a client's configuration:
      triage mcp < /dev/null
      {"mcpServers": {"triage": {"command": "triage", "args": ["mcp"]}}}
    """
    try:
        from triage.integrations.mcp_server import server
    except ImportError:
        raise CommandError("triage mcp needs the MCP SDK: pip install 'gpu-triage[mcp]'") from None
    server().run("stdio")
