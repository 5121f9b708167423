"""The words with which people say that all was well, for every expression that looks for it."""

from __future__ import annotations

# "it works fine", "trains perfectly", "runs without any errors"
WELL = (
    r"(?:fine|well|ok|okay|good|great|perfectly|properly|correctly|normally|successful(?:ly)?|as expected"
    r"|without (?:any )?(?:problems?|issues?|errors?))"
)
