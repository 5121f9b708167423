"""Many and huge logs: which failures each of them reports, how often, and from which line to which.

`scanner.scan` yields an `Outcome` for every log that `sources.find_sources` names, in their order however many processes read them, as
soon as it is known.
"""
