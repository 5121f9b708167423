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
    """`yaml.CSafeLoader` without the surprises of YAML 1.1. A key that stands twice in a mapping is an error: one of them would be lost."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        if len(mapping) < len(node.value):
            keys: set[str] = set()
            for key, _ in node.value:
                if key.value in keys:
                    raise yaml.constructor.ConstructorError(None, None, f"the key {key.value} stands here twice", key.start_mark)
                keys.add(key.value)
        return mapping


RuleLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag.endswith((":null", ":merge"))]
    for first, resolvers in _Base.yaml_implicit_resolvers.items()
}
RuleLoader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z"), list("tTfF"))
RuleLoader.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"[-+]?[0-9]+\Z"), list("-+0123456789"))
RuleLoader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?\Z"), list("-+.0123456789")
)
