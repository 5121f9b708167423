"""The YAML loader for rule files: safe, and with the plain scalars of YAML 1.2's core schema.

YAML 1.1, which PyYAML follows, reads `on` and `no` as booleans, `1:30` as ninety and `2024-01-01` as a date; in a rule all
of these are words.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class RuleLoader(_Base):  # type: ignore[misc]
    """`yaml.CSafeLoader` without the surprises of YAML 1.1."""


RuleLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag.endswith((":null", ":merge"))]
    for first, resolvers in _Base.yaml_implicit_resolvers.items()
}
RuleLoader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z"), list("tTfF"))
RuleLoader.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"[-+]?[0-9]+\Z"), list("-+0123456789"))
RuleLoader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?\Z"), list("-+.0123456789")
)
