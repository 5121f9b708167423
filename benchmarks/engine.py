"""The engine against other rule engines, and against itself as rules and facts grow.

    python benchmarks/engine.py [--quick]

Compares with clipspy, durable_rules and experta where they are installed: on small workloads all of them, on the triage workload (all
shipped rules, the facts of the shipped examples) clipspy, the others having no stratified negation. Every engine gets the same facts as
Python values, derives the same facts and has them counted. A case is what one log costs: making and asserting its facts, running, counting.
"warm" keeps the compiled rules from case to case, "fresh" builds the rules for every case. This engine keeps all
justifications throughout; the others keep none.
"""

from __future__ import annotations

import collections
import collections.abc
import contextlib
import gc
import itertools
import json
import math
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from triage.engine import Fact, Program, compile_program

NUMBERS = itertools.count()  # names of rule sets and sessions, which durable_rules keeps for the whole process
QUICK = "--quick" in sys.argv
Given = list[tuple[str, dict[str, Any]]]

# A workload: the patterns of each rule and the template it gives, in a form that every engine's rules are made from.
# Pattern: (template, {slot: constant or "$variable"}); head the same.
Pattern = tuple[str, dict[str, Any]]
Rules = list[tuple[list[Pattern], Pattern]]


def seconds(action: Callable[[], object], at_least: float = 0.2, rounds: int = 7) -> float:
    """Median over rounds of the time that one call takes."""
    action()
    start = time.perf_counter()
    action()
    once = max(time.perf_counter() - start, 1e-7)
    rounds, at_least = (3, 0.05) if QUICK else (rounds, at_least)
    calls = max(1, round(at_least / rounds / once))
    gc.collect()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(calls):
            action()
        times.append((time.perf_counter() - start) / calls)
    return statistics.median(times)


# Workloads


def chain(every: bool) -> tuple[Rules, Given, int]:
    """Three rules one after the other over ten facts: for one of the facts, or for every fact."""
    first: dict[str, Any] = {"name": "$n", "value": "$v"} if every else {"name": "r3", "value": "$v"}
    name = "$n" if every else "r3"
    rules: Rules = [
        ([("reading", first)], ("stage1", {"name": name, "value": "$v"})),
        ([("stage1", {"name": name, "value": "$v"})], ("stage2", {"name": name, "value": "$v"})),
        ([("stage2", {"name": name, "value": "$v"})], ("stage3", {"name": name, "value": "$v"})),
    ]
    facts: Given = [("reading", {"name": f"r{number}", "value": number}) for number in range(10)]
    return rules, facts, 30 if every else 3


def join(size: int) -> tuple[Rules, Given, int]:
    """Half the facts on either side of an equality join, each with one partner."""
    rules: Rules = [([("left", {"key": "$k", "value": "$v"}), ("right", {"key": "$k", "value": "$w"})], ("pair", {"a": "$v", "b": "$w"}))]
    facts: Given = [(side, {"key": number, "value": number + 1}) for number in range(size // 2) for side in ("left", "right")]
    return rules, facts, size // 2


def many(count: int) -> tuple[Rules, Given, int]:
    """Many rules over few templates, each asking for its own signature; a case touches ten facts and five rules."""
    rules: Rules = [
        ([("signal", {"signature": f"s{number}", "line": "$l"}), ("version", {"package": "torch", "version": "$v"})],
         ("candidate", {"id": f"c{number}", "line": "$l", "version": "$v"}))
        for number in range(count)
    ]  # fmt: skip
    facts: Given = [("signal", {"signature": f"s{number * 17}", "line": number}) for number in range(5)]
    facts += [("version", {"package": package, "version": 2}) for package in ("torch", "numpy", "cuda", "driver", "python")]
    return rules, facts, 5


# Engines: each function gives the case to time, warm and fresh, as functions answering how many facts were derived.

Case = Callable[[], int]


def own_rules(rules: Rules) -> list[dict[str, Any]]:
    def terms(slots: dict[str, Any]) -> dict[str, list[Any]]:
        return {slot: ["var", value[1:]] if str(value).startswith("$") else ["const", value] for slot, value in slots.items()}

    return [
        {
            "name": f"rule-{number}",
            "when": [["match", template, terms(slots), False] for template, slots in patterns],
            "then": [[head[0], terms(head[1])]],
        }
        for number, (patterns, head) in enumerate(rules)
    ]


def own(rules: Rules, facts: Given) -> tuple[Case, Case]:
    templates = {template for template, _ in facts}
    data = compile_program(own_rules(rules), templates)
    program = Program(data)

    def warm() -> int:
        return len(program.run([Fact(template, slots) for template, slots in facts])) - len(facts)

    def fresh() -> int:
        return len(Program(data).run([Fact(template, slots) for template, slots in facts])) - len(facts)

    return warm, fresh


def clipspy(rules: Rules, facts: Given) -> tuple[Case, Case]:
    import clips

    slots: dict[str, set[str]] = {}
    for patterns, head in rules:
        for template, terms in [*patterns, head]:
            slots.setdefault(template, set()).update(terms)
    for template, terms in facts:
        slots.setdefault(template, set()).update(terms)
    builds = [f"(deftemplate {template} {' '.join(f'(slot {slot})' for slot in sorted(names))})" for template, names in slots.items()]

    def text(template: str, terms: dict[str, Any]) -> str:
        def term(value: Any) -> str:
            return f"?{value[1:]}" if str(value).startswith("$") else json.dumps(value)

        return f"({template} {' '.join(f'({slot} {term(value)})' for slot, value in terms.items())})"

    for number, (patterns, head) in enumerate(rules):
        builds.append(f"(defrule rule-{number} {' '.join(text(*pattern) for pattern in patterns)} => (assert {text(*head)}))")

    def build() -> Any:
        environment = clips.Environment()
        for construct in builds:
            environment.build(construct)
        return environment

    def case(environment: Any) -> int:
        environment.reset()
        templates = {template: environment.find_template(template) for template in slots}
        for template, terms in facts:
            templates[template].assert_fact(**terms)
        environment.run()
        return sum(1 for _ in environment.facts()) - len(facts)

    kept = build()
    return lambda: case(kept), lambda: case(build())


def durable(rules: Rules, facts: Given) -> tuple[Case, Case]:
    from durable import lang
    from durable.engine import MessageNotHandledException

    derived: list[str] = []

    def rule(patterns: list[Pattern], head: Pattern) -> None:
        captures, source = [], {}
        for place, (template, terms) in enumerate(patterns):
            test = lang.m.template == template
            for slot, value in terms.items():
                if not str(value).startswith("$"):
                    test = test & (getattr(lang.m, slot) == value)
                elif value in source:
                    earlier, name = source[value]
                    test = test & (getattr(lang.m, slot) == getattr(getattr(lang.c, earlier), name))
                else:
                    source[value] = (f"f{place}", slot)
            captures.append(getattr(lang.c, f"f{place}") << test)

        def act(c: Any) -> None:
            found = {slot: _read(c, source, value) for slot, value in head[1].items()}
            derived.append(head[0])
            c.assert_fact({"template": head[0], **found})

        lang.when_all(*captures)(act)

    def build() -> str:
        name = f"rules{next(NUMBERS)}"
        with lang.ruleset(name):
            for patterns, head in rules:
                rule(patterns, head)
        return name

    def case(name: str) -> int:
        session = str(next(NUMBERS))
        for template, terms in facts:
            with contextlib.suppress(MessageNotHandledException):  # raised for every fact that no rule asks for
                lang.assert_fact(name, {"template": template, "sid": session, **terms})
        count = len(derived)
        derived.clear()
        return count

    kept = build()
    return lambda: case(kept), lambda: case(build())


def _read(c: Any, source: dict[str, tuple[str, str]], value: Any) -> Any:
    if str(value).startswith("$"):
        capture, slot = source[value]
        return getattr(getattr(c, capture), slot)
    return value


def experta(rules: Rules, facts: Given) -> tuple[Case, Case]:
    for name in ("Mapping", "MutableMapping", "Iterable", "Sequence", "Callable", "Hashable"):
        if not hasattr(collections, name):  # experta asks for them where Python 3.9 had them
            setattr(collections, name, getattr(collections.abc, name))
    import experta as package

    templates = {template for patterns, head in rules for template, _ in [*patterns, head]} | {template for template, _ in facts}
    kinds = {template: type(template, (package.Fact,), {}) for template in sorted(templates)}

    def pattern(template: str, terms: dict[str, Any]) -> Any:
        bound = {slot: getattr(package.MATCH, value[1:]) if str(value).startswith("$") else value for slot, value in terms.items()}
        return kinds[template](**bound)

    def rule(patterns: list[Pattern], head: Pattern) -> Any:
        def act(self: Any, **bound: Any) -> None:
            self.declare(kinds[head[0]](**{slot: bound.get(str(value)[1:], value) for slot, value in head[1].items()}))

        return package.Rule(*[pattern(*one) for one in patterns])(act)

    def build() -> Any:
        return type("Engine", (package.KnowledgeEngine,), {f"rule{n}": rule(*one) for n, one in enumerate(rules)})()

    def case(engine: Any) -> int:
        engine.reset()
        for template, terms in facts:
            engine.declare(kinds[template](**terms))
        engine.run()
        return len(engine.facts) - 1 - len(facts)  # without its initial fact

    kept = build()
    return lambda: case(kept), lambda: case(build())


OTHERS: dict[str, Callable[[Rules, Given], tuple[Case, Case]]] = {"clipspy": clipspy, "durable_rules": durable, "experta": experta}
SLOW = {"durable_rules", "experta"}  # left out where one case takes them seconds


def available() -> dict[str, Callable[[Rules, Given], tuple[Case, Case]]]:
    """The other engines that work here, tried on a small case; the reason is printed where one does not."""
    found = {}
    rules, facts, expected = chain(False)
    for name, make in OTHERS.items():
        try:
            warm, fresh = make(rules, facts)
            if warm() != expected or fresh() != expected:
                print(f"{name}: skipped, it derives other facts: {warm()}, not {expected}")
                continue
            found[name] = make
        except Exception as error:  # whatever keeps an optional peer from working
            print(f"{name}: skipped, {type(error).__name__}: {error}")
    return found


def against_others() -> None:
    workloads = {
        "chain of 3 rules, 10 facts, 3 firings": chain(False),
        "chain of 3 rules, 10 facts, 30 firings": chain(True),
        **{f"join, {size} facts": join(size) for size in (10, 100, 1000)},
        "200 rules, 10 facts, 5 firings": many(200),
    }
    mine = {}
    for title, (rules, facts, expected) in workloads.items():  # before other engines fill the heap
        case, _ = own(rules, facts)
        assert case() == expected, (title, case())
        mine[title] = seconds(case)
    others = available()
    print(f"\n{'microseconds a case':<42}{'this engine':>12}" + "".join(f"{name + kind:>22}" for name in others for kind in ("", " fresh")))
    for title, (rules, facts, _) in workloads.items():
        cells = []
        for name, make in others.items():
            if name in SLOW and (len(facts) > 100 or len(rules) > 100):
                cells += [f"{'-':>22}"] * 2
                continue
            for one in make(rules, facts):
                taken = seconds(one)
                cells.append(f"{taken * 1e6:>12.0f} ({taken / mine[title]:6.2f}x)")
        print(f"{title:<42}{mine[title] * 1e6:>12.0f}{''.join(cells)}")


def against_rule_count() -> None:
    print("\nrules in the program, one case of ten facts and five firings")
    base: dict[str, float] = {}
    for count in (200, 1000, 5000):
        warm, fresh = own(*many(count)[:2])
        taken = {"warm": seconds(warm), "first run": seconds(fresh)}
        base = base or taken
        cells = "".join(f"  {kind} {value * 1e6:7.0f} µs ({value / base[kind]:.2f}x)" for kind, value in taken.items())
        print(f"{count:>6} rules{cells}")


def loading() -> None:
    print("\nloading")
    counts, compiling, reading = (200, 1000, 5000), [], []
    for count in counts:
        rules = own_rules(many(count)[0])
        facts = [Fact(template, slots) for template, slots in many(count)[1]]
        text = json.dumps(compile_program(rules, ["signal", "version"]))
        compiling.append(seconds(lambda rules=rules: compile_program(rules, ["signal", "version"]), rounds=3))
        reading.append(seconds(lambda text=text, facts=facts: Program(json.loads(text)).run(facts), rounds=3))
        print(
            f"{count:>6} rules  compiled in {compiling[-1] * 1e3:8.1f} ms  "
            f"read and run in {reading[-1] * 1e3:7.2f} ms ({len(text) / 1e3:.0f} kB)"
        )
    print(f"fitted exponent: compiling {exponent(counts, compiling):.2f}, reading {exponent(counts, reading):.2f}")


def exponent(sizes: Iterable[int], times: Iterable[float]) -> float:
    """The slope of a straight line through logarithms: 1 is linear, 2 quadratic."""
    return statistics.linear_regression([math.log(size) for size in sizes], [math.log(taken) for taken in times]).slope


def shipped() -> None:
    """The triage workload: the shipped rules over the facts of the shipped examples, one example a case."""
    from triage.engine.program import read_rule
    from triage.pipeline import Triage
    from triage.rulebook.loader import load_rules

    texts = [example.text for source in load_rules([Path(__file__).parents[1] / "rules"]) for example in source.model.examples]
    triage = Triage([])
    models = [triage.explain(text)._model for text in texts[:: 50 if QUICK else 8]]
    cases = [[(fact.template, dict(fact.slots)) for fact in model.facts() if model.is_given(fact)] for model in models]
    program = triage.book.program
    times = [case_seconds(Program(program), case) for case in cases]
    print(f"\ntriage workload: {len(program['rules'])} shipped rules, {len(cases)} shipped examples, microseconds a case")
    print(f"  this engine, all rules: median {statistics.median(times) * 1e6:.0f}, slowest {max(times) * 1e6:.0f}")
    rules = [
        (read_rule(name, data), stratum) for name, data, stratum in zip(program["names"], program["rules"], program["strata"], strict=True)
    ]
    try:
        shipped_in_clips(rules, cases, list(program["inputs"]))
    except ImportError as error:
        print(f"  clipspy: skipped, {error}")


def case_seconds(program: Program, case: Given) -> float:
    return seconds(lambda: program.run([Fact(template, slots) for template, slots in case]), at_least=0.02, rounds=5)


def shipped_in_clips(rules: list[tuple[dict[str, Any], int]], cases: list[Given], inputs: list[str]) -> None:
    """The same for both engines: the rules that CLIPS can hold, and the cases whose facts it can. Both must derive the same facts."""
    import clips
    from clips_rules import Translator, UntranslatableError, encoded

    translator = Translator(rules, [(template, slots) for case in cases for template, slots in case])
    constructs = translator.constructs()

    def build() -> Any:
        environment = clips.Environment()
        for construct in constructs:
            environment.build(construct)
        return environment

    def run(environment: Any, case: Given) -> int:
        environment.reset()
        templates = {template: environment.find_template(translator.names[template]) for template in {template for template, _ in case}}
        for template, slots in case:
            templates[template].assert_fact(**slots)
        environment.run()
        return sum(1 for _ in environment.facts())

    data = compile_program(translator.kept, inputs)
    program, environment = Program(data), build()
    names = {name: template for template, name in translator.names.items()}
    own, warm, fresh, differing = [], [], [], 0
    held: list[tuple[Given, Given]] = []
    for case in cases:
        try:
            given = [(template, {slot: encoded(value) for slot, value in slots.items()}) for template, slots in case]
        except UntranslatableError:
            continue
        run(environment, given)
        found = {(names[fact.template.name], shown(fact)) for fact in environment.facts() if fact.template.name in names}
        model = program.run([Fact(template, slots) for template, slots in case])
        expected = {(fact.template, shown((slot, encoded(value)) for slot, value in fact.slots.items())) for fact in model.facts()}
        differing += found != expected
        if found != expected and "--differences" in sys.argv:
            print(sorted(found ^ expected))
        fresh.append(seconds(lambda case=case: Program(data).run([Fact(name, slots) for name, slots in case]), at_least=0.0, rounds=3))
        held.append((case, given))
    with tempfile.TemporaryDirectory() as directory:
        image = str(Path(directory) / "rules.bin")
        environment.save(image, binary=True)
        loading = seconds(lambda: clips.Environment().load(image, binary=True), at_least=0.0, rounds=3)
        for case, given in held:  # a run of CLIPS takes longer the more runs its environment has seen: each case gets a new one
            environment = clips.Environment()
            environment.load(image, binary=True)
            differing += run(environment, given) != len(program.run([Fact(template, slots) for template, slots in case]))
            own.append(first_runs(lambda case=case: program.run([Fact(template, slots) for template, slots in case])))
            warm.append(first_runs(lambda given=given, environment=environment: run(environment, given)))
    building = seconds(build, at_least=0.0, rounds=3)
    print(f"  {len(translator.kept)} rules that CLIPS can hold, {len(held)} cases; {differing} in which the engines derive different facts")
    compared = {
        "warm": (own, warm),
        "fresh": (fresh, [building + taken for taken in warm]),
        "fresh, clipspy from a binary image": (fresh, [loading + taken for taken in warm]),
    }
    for title, (mine, theirs) in compared.items():
        ratio = statistics.median(other / taken for other, taken in zip(theirs, mine, strict=True))
        print(
            f"  {title + ':':<36}this engine {statistics.median(mine) * 1e6:>9.0f}   clipspy {statistics.median(theirs) * 1e6:>9.0f}"
            f"   times as fast, median over the cases: {ratio:.1f}"
        )


def first_runs(action: Callable[[], object], count: int = 9) -> float:
    """Median over few single calls, after two that are not counted."""
    times = []
    for _ in range(count + 2):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return statistics.median(times[2:])


def shown(slots: Iterable[tuple[str, Any]]) -> tuple[tuple[str, str], ...]:
    """The slots of a fact that are known, in one form for both engines: CLIPS keeps a whole number that it computed as a float."""
    known = [(slot, int(value) if isinstance(value, float) and value.is_integer() else value) for slot, value in slots]
    return tuple(sorted((slot, str(value).upper()) for slot, value in known if str(value) != "nil"))


if __name__ == "__main__":
    against_others()
    against_rule_count()
    loading()
    shipped()
