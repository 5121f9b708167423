"""For each check of lint, a change to the good rule that it is there to find."""

from __future__ import annotations

# code, what to change, what it becomes, the line of the finding, words of its message
BAD: list[tuple[str, str, str, str, str]] = [
    (
        "L001",
        "    no_use:\n      - id: larger-gpu",
        "    no_use:\n      - id: larger-gpus",
        "- id: larger-gpus",
        "did you mean larger-gpu?",
    ),
    (
        "L001",
        "    confidence: 0.7",
        "    confidence: 0.7\n    cases: [a-case]",
        "cases: [a-case]",
        "no case a-case",
    ),
    (
        "L001",
        "    confidence: 0.7",
        "    confidence: 0.7\n    yields_to: [memory.gpu-oom.toy-smaller]",
        "yields_to: [memory.gpu-oom.toy-smaller]",
        "no diagnosis or family",
    ),
    (
        "L001",
        "cause: activations, facts",
        "cause: activation, facts",
        "expect: {family: memory.gpu-oom, cause: activa",
        "did you mean activations",
    ),
    (
        "L001",
        '        when: "requested_bytes > 64 GiB"\n',
        '        when: "requested_bytes > 64 GiB"\n        leads_to: [no.where]\n',
        "leads_to: [no.where]",
        "no.where",
    ),
    (
        "L001",
        "examples:\n",
        "rules:\n"
        "  - id: late\n"
        "    when: [{diagnosis: {id: memory.gpu-oom.toy-tiny}}]\n"
        "    assert: [{attribute: {diagnosis: memory.gpu-oom.toy-plain, gpu: 0}}]\n"
        "examples:\n",
        "when: [{diagnosis: {id: memory.gpu-oom.toy-tin",
        "no diagnosis memory.gpu-oom.toy-tiny",
    ),
    (
        "L010",
        '      - test: "req',
        '      - test: "requested_bytes < 1 GiB and requested_bytes > 2 GiB"\n      - test: "req',
        '- test: "requested_bytes < 1 GiB and requested',
        "excludes",
    ),
    (
        "L010",
        '      - test: "req',
        '      - test: "1 > 2"\n      - test: "req',
        '- test: "1 > 2"',
        "never true",
    ),
    (
        "L010",
        '      - test: "req',
        '      - setting: {name: A}\n      - not: {setting: {name: A}}\n      - test: "req',
        "- not: {setting: {name: A}}",
        "excludes",
    ),
    (
        "L010",
        '      - test: "req',
        '      - test: "capacity_bytes < requested_bytes"\n      - test: "requested_bytes <= capacity_bytes"\n      - test: "req',
        '- test: "requested_bytes <= capacity_bytes"',
        "excl",
    ),
    (
        "L010",
        '      - test: "req',
        "      - setting: {value: $x}\n      - test: \"x in ['a', 'b']\"\n      - test: \"x == 'c'\"\n      - test: \"req",
        "- test: \"x == 'c'\"",
        "excludes",
    ),
    (
        "L011",
        '      - test: "req',
        '      - test: "2 > 1"\n      - test: "req',
        '- test: "2 > 1"',
        "always true",
    ),
    (
        "L011",
        '      - test: "req',
        '      - test: "requested_bytes > 5 GiB"\n      - test: "requested_bytes > 3 GiB"\n      - test: "req',
        '- test: "requested_bytes > 3 GiB"',
        "follows",
    ),
    (
        "L011",
        '      - test: "req',
        '      - count: {as: n, of: [{setting: {name: A}}]}\n      - test: n >= 0\n      - test: "req',
        "- test: n >= 0",
        "follows",
    ),
    (
        "L011",
        '      - test: "req',
        '      - not: {remark: {topic: nobody-says-this}}\n      - test: "req',
        "- not: {remark: {topic: nobody-says-this}}",
        "negation says nothing",
    ),
    (
        "L011",
        '      - test: "req',
        '      - setting: {name: A}\n      - exists: {setting: {name: A}}\n      - test: "req',
        "- exists: {setting: {name: A}}",
        "repeats",
    ),
    (
        "L012",
        '      - test: "req',
        '      - remark: {topic: nobody-says-this}\n      - test: "req',
        "- remark: {topic: nobody-says-this}",
        "nothing gives 'remark(topic='nobody-says-this')'",
    ),
    (
        "L012",
        '      - test: "req',
        '      - test: "free_bytes > 1"\n      - test: "req',
        '- test: "free_bytes > 1"',
        "nothing binds free_bytes",
    ),
    (
        "L012",
        '      - test: "req',
        '      - signal: {failure: memory.gpu-oom/toy, signature: gone}\n      - test: "req',
        "- signal: {failure: memory.gpu-oom/toy, signat",
        "signature='gone'",
    ),
    (
        "L012",
        '        when: "requested_bytes > 64 GiB"',
        '        when: "free_bytes > 64 GiB"',
        'when: "free_bytes > 64 GiB"',
        "nothing binds free_bytes",
    ),
    (
        "L013",
        'en: "Asked for {requested_bytes|bytes}."',
        'en: ["Asked for {requested_bytes|bytes}.", "Had {free_bytes|bytes}."]',
        'summary: {en: ["Asked for {requested_bytes|byt',
        "nothing binds free_bytes",
    ),
    (
        "L013",
        "        detail: {en:",
        '        commands: ["run --free {free_bytes}"]\n        detail: {en:',
        'commands: ["run --free {free_bytes}"]',
        "run --free",
    ),
    (
        "L014",
        "  - id: exhausted\n",
        "  - id: refused-at\n"
        "    text: 'toy arena refused %{SIZE:requested_bytes} of %{SIZE:capacity_bytes} at %{HEX}'\n"
        "  - id: exhausted\n",
        "- id: refused-at",
        "refused matches first",
    ),
    (
        "L014",
        "  - id: toy-plain\n    confidence: 0.7",
        "  - id: toy-pieces\n"
        "    cause: fragmentation\n"
        "    on: refused\n"
        "    yields_to: [memory.gpu-oom.toy-plain]\n"
        "    fixes: [reduce-batch-or-sequence]\n"
        "  - id: toy-plain\n"
        "    confidence: 0.7",
        "- id: toy-pieces",
        "toy-plain fires and takes precedence",
    ),
    (
        "L014",
        "  - id: toy-plain\n    confidence: 0.7",
        "  - id: toy-pieces\n"
        "    cause: fragmentation\n"
        "    on: refused\n"
        "    confidence: 0.6\n"
        "    fixes: [reduce-batch-or-sequence]\n"
        "  - id: toy-plain\n"
        "    on: refused\n"
        "    confidence: 0.7",
        "- id: toy-plain",
        "toy-pieces fires and takes precedence",
    ),
    (
        "L015",
        "    text: 'toy arena exhausted after %{SIZE:allocated_bytes}'",
        "    text: ['toy arena exhausted after %{SIZE:allocated_bytes}', "
        "'toy arena refused %{SIZE:requested_bytes} of %{SIZE:capacity_bytes}']",
        "- id: exhausted",
        "toy.yaml, signature refused",
    ),
    (
        "L015",
        "  - id: toy-plain\n    confidence: 0.7",
        "  - id: toy-bare\n    confidence: 0.7\n    fixes: [larger-gpu]\n  - id: toy-plain\n    confidence: 0.7",
        "- id: toy-plain",
        "the same rule as memory.gpu-oom.toy-bare",
    ),
    (
        "L016",
        "    confidence: 0.9",
        '    confidence: "0.7 + 0.6"',
        'confidence: "0.7 + 0.6"',
        "no probability",
    ),
    (
        "L016",
        "    confidence: 0.9",
        '    confidence: "if(has(free_bytes), 0.5, 0.5) * free_bytes"',
        'confidence: "if(has(free_bytes), 0.5, 0.5) * f',
        "nothing binds free_bytes",
    ),
    (
        "L020",
        "    text: 'toy arena exhausted after %{SIZE:allocated_bytes}'",
        "    pattern: 'error [0-9]+'",
        "pattern: 'error [0-9]+'",
        "'error'",
    ),
    (
        "L021",
        "    text: 'toy arena exhausted after %{SIZE:allocated_bytes}'",
        "    text: ['toy arena exhausted after %{SIZE:allocated_bytes}', 'toy arena %{SIZE:allocated_bytes}']",
        "- id: toy-plain",
        "diagnosed in line 1 of healthy/training.log",
    ),
    (
        "L022",
        "    text: 'toy arena exhausted after %{SIZE:allocated_bytes}'",
        "    pattern: 'toy arena exhausted after %{SIZE:allocated_bytes}.*'",
        "pattern: 'toy arena exhausted after %{SIZE:all",
        "gap",
    ),
    (
        "L022",
        "    text: 'toy arena exhausted after %{SIZE:allocated_bytes}'",
        "    text: '%{ANY}toy arena exhausted after %{SIZE:allocated_bytes}'",
        "text: '%{ANY}toy arena exhausted after %{SIZE:",
        "gap",
    ),
    (
        "L023",
        "    text: 'toy arena exhausted after %{SIZE:allocated_bytes}'",
        "    pattern: '(?:toy arena|ARENA) exhausted after %{SIZE:allocated_bytes}'\n    literal: toy arena",
        "literal: toy arena",
        "matches without 'toy arena'",
    ),
    (
        "L023",
        "    text: 'toy arena exhausted after %{SIZE:allocated_bytes}'",
        '    text: "toy arena\\nwas exhausted after %{SIZE:allocated_bytes}"\n    span: 2\n    literal: was exhausted',
        "literal: was exhausted",
        "has 'was exhausted' on a later line",
    ),
    (
        "L030",
        "zh: 显存池大小不变。",
        "zh: the arena keeps its size",
        "why: {en: The arena keeps its size., zh: the a",
        "holds no Chinese",
    ),
    (
        "L030",
        "en: The arena keeps its size.",
        "en: 显存池大小不变。",
        "why: {en: 显存池大小不变。, zh: 显存池大小不变。}",
        "holds Chinese",
    ),
    (
        "L030",
        "en: The arena keeps its size.",
        'en: ""',
        'why: {en: "", zh: 显存池大小不变。}',
        "the text in en is empty",
    ),
    (
        "L031",
        'zh: "申请 {requested_bytes|bytes}。"',
        'zh: "申请显存。"',
        'summary: {en: "Asked for {requested_bytes|byte',
        "requested_bytes",
    ),
    (
        "L040",
        'text: "ERROR toy arena exhausted after 7 GiB"',
        'text: "ERROR arena exhausted"',
        "- name: the wording before 2.0",
        "is matched by nothing",
    ),
    (
        "L040",
        "    expect: {family: memory.gpu-oom}\n",
        "    expect: {family: memory.gpu-oom, signature: refused}\n",
        "expect: {family: memory.gpu-oom, signature: re",
        "not by refused",
    ),
    (
        "L041",
        'text: "the toy arena refused nothing today"',
        'text: "all is well"',
        "- name: a report of use",
        "holds nothing that",
    ),
    (
        "L042",
        'text: "ERROR toy arena exhausted after 7 GiB"',
        'text: "ERROR toy arena refused 1 GiB of 7.5 GiB"',
        "examples:",
        "exhausted",
    ),
    (
        "L043",
        'text: "ERROR toy arena exhausted after 7 GiB"',
        'text: "ERROR toy arena refused 7 GiB of 7.5 GiB"',
        "- name: the wording before 2.0",
        "the text is that of",
    ),
    (
        "L050",
        '        detail: {en: "More than {requested_bytes|bytes}.", zh: "需要超过 {requested_bytes|bytes}。"}',
        '        detail: {en: " ", zh: "需要"}',
        "- id: larger-gpu",
        "neither detail nor command",
    ),
    (
        "L051",
        "    confidence: 0.7\n    fixes: [reduce-batch-or-sequence]",
        "    confidence: 0.7",
        "- id: toy-plain",
        "no fix",
    ),
    (
        "L060",
        'references:\n  - {url: "https://example.org/toy/arena.c", note: the messages}\n',
        "",
        "failure: memory.gpu-oom/toy",
        "cites nothing",
    ),
    (
        "L070",
        "    text: 'toy arena exhausted after %{SIZE:allocated_bytes}'\n    versions: {toy: \"<2.0\"}",
        "    text: 'toy arena refused %{SIZE:requested_bytes} out of %{SIZE:capacity_bytes}'\n    versions: {toy: \"<2.5\"}",
        'versions: {toy: "<2.5"}',
        "overlap",
    ),
    (
        "L071",
        '{toy: "<2.0"}',
        '{toy: ">=2.0,<1.0"}',
        'versions: {toy: ">=2.0,<1.0"}',
        "no toy is",
    ),
    (
        "L080",
        '  - name: a report of use\n    near_miss: true\n    text: "the toy arena refused nothing today"\n    expect: none\n',
        "",
        "failure: memory.gpu-oom/toy",
        "without a near miss",
    ),
    (
        "L081",
        "status: stable",
        "status: deprecated",
        "status: deprecated",
        "is deprecated",
    ),
    (
        "L090",
        "status: stable",
        "status: stable\nallow: [{code: L012, because: it was needed once}]",
        "allow: [{code: L012, because: it was needed on",
        "L012 is not found here",
    ),
    (
        "L091",
        "status: stable",
        "status: stable\nallow: [{code: L999, because: it was needed once}]",
        "allow: [{code: L999, because: it was needed on",
        "no check L999",
    ),
    (
        "L092",
        "# yaml-language-server: $schema=rule.schema.json\n",
        "# a comment\n",
        "failure: memory.gpu-oom/toy",
        "no modeline",
    ),
]
