"""Which rules must be done before which: the strongly connected components of rules and templates, in order.

A rule depends on the templates it asks for, a template on the rules that give it. Rules of one component are
recursive and are evaluated together; within a component nothing may be negated or aggregated over.
"""

from __future__ import annotations

from triage.engine.errors import StratificationError
from triage.engine.rules import templates_read
from triage.engine.values import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TypeAlias

    from triage.engine.rules import RuleData

    Node: TypeAlias = int | str  # the position of a rule, or a template


class Strata:
    """`rules`: the stratum of each rule, from 0. `components`: the recursive component of each rule, -1 where it is in none.
    `templates`: the templates that rules give or ask for, each after those that it depends on.
    """

    __slots__ = ("components", "rules", "templates")

    def __init__(self, rules: list[RuleData]) -> None:
        """Raises StratificationError."""
        needs, strict = _dependencies(rules)
        self.rules = [0] * len(rules)
        self.components = [-1] * len(rules)
        self.templates: list[str] = []
        levels: dict[Node, int] = {}
        for number, component in enumerate(_components(needs)):
            members = set(component)
            for node in component:
                if isinstance(node, int) and not strict[node].isdisjoint(members):
                    raise _refusal(rules, needs, members, node, min(template for template in strict[node] if template in members))
            level = max((levels[need] for node in component for need in needs[node] if need not in members), default=0)
            level += any(isinstance(node, int) for node in component)
            for node in component:
                levels[node] = level
                if isinstance(node, int):
                    self.rules[node] = level - 1
                    self.components[node] = number if len(component) > 1 else -1
                else:
                    self.templates.append(node)


def _dependencies(rules: list[RuleData]) -> tuple[dict[Node, list[Node]], list[set[str]]]:
    """What every node depends on, in a fixed order, and what each rule negates or aggregates over."""
    needs: dict[Node, list[Node]] = {}
    strict: list[set[str]] = []
    for position, rule in enumerate(rules):
        read = list(templates_read(rule["when"]))
        strict.append({template for template, positive in read if not positive})
        needs[position] = sorted({template for template, _ in read})
        for template in needs[position]:
            needs.setdefault(template, [])
        for template in sorted({head[0] for head in rule["then"]}):
            needs.setdefault(template, []).append(position)
    return needs, strict


def _components(needs: dict[Node, list[Node]]) -> list[list[Node]]:
    """Tarjan's algorithm without recursion: strongly connected components, each after those that it depends on."""
    index: dict[Node, int] = {}
    low: dict[Node, int] = {}
    stack: list[Node] = []
    on_stack: set[Node] = set()
    found: list[list[Node]] = []
    for root in needs:
        if root in index:
            continue
        work = [(root, iter(needs[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, successors = work[-1]
            for successor in successors:
                if successor not in index:
                    index[successor] = low[successor] = len(index)
                    stack.append(successor)
                    on_stack.add(successor)
                    work.append((successor, iter(needs[successor])))
                    break
                if successor in on_stack:
                    low[node] = min(low[node], index[successor])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[node])
                if low[node] == index[node]:
                    component = []
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        component.append(member)
                        if member == node:
                            break
                    found.append(component)
    return found


def _refusal(rules: list[RuleData], needs: dict[Node, list[Node]], members: set[Node], rule: int, template: str) -> StratificationError:
    """The error that shows the shortest way from a template back to the rule that negates it."""
    came_from: dict[Node, Node] = {}
    queue: list[Node] = [template]
    for node in queue:
        for need in needs[node]:
            if need in members and need not in came_from:
                came_from[need] = node
                queue.append(need)
    path: list[Node] = [rule]
    while path[-1] != template or len(path) == 1:
        path.append(came_from[path[-1]])
    # From the rule to what it gives, to the rule that uses it … to the template, and back.
    names = [rules[node]["name"] if isinstance(node, int) else node for node in path]
    chain = " → ".join(f"rule {name}" if place % 2 == 0 else name for place, name in enumerate(names))
    first = names[0]
    return StratificationError(
        f"rule {first} negates or aggregates over {template}, which depends on the rule itself: {chain} → rule {first}",
        (*names, first),
    )
