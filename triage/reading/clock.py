"""Time stamps of loggers, as seconds.

Year, zone and even the date are often missing, so the result only orders and measures within one text. The year is
left out of account: the same log mixes stamps with and without it ("2025-03-09 09:32:18" of Python's logging beside
"I0309 09:32:18" of glog), and these must stay comparable; a run over New Year's Eve is the price. So is the zone, which few tell:
`zone` gives it, for logs whose clocks are known to differ.
"""

from __future__ import annotations

_MONTHS = {"Jan": 1, "Feb": 2, "Mar": 3, "Apr": 4, "May": 5, "Jun": 6, "Jul": 7, "Aug": 8, "Sep": 9, "Oct": 10, "Nov": 11, "Dec": 12}
_DAYS_BEFORE = (0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335)  # of a leap year, so that 29 February has its place


def _day_of_year(month: int, day: int) -> int:
    return _DAYS_BEFORE[month - 1] + day if 1 <= month <= 12 else day


def _date_days(date: str) -> int:
    """Days before this date: '2025-03-09', '2025/03/09', '2025-03-09,', '17/06/09', '09/11/2023', '03-09', '0309', '309'."""
    parts = date.rstrip(",").replace("/", "-").split("-")
    if len(parts) == 1:
        return _day_of_year(int(date[:-2] or 0), int(date[-2:]))
    if len(parts) == 2 or len(parts[2]) == 4:
        return _day_of_year(int(parts[0]), int(parts[1]))
    return _day_of_year(int(parts[1]), int(parts[2]))


def _clock_seconds(clock: str) -> float:
    """'09:32:18,348', '09:32:18.348Z', '09:32:18+00:00' → seconds since midnight."""
    clock = clock.rstrip("Z").replace(",", ".")
    for sign in "+-":
        clock = clock.partition(sign)[0]
    total = 0.0
    for part in clock.split(":"):
        total = total * 60 + float(part)
    return total


def zone(stamp: str) -> int | None:
    """Seconds by which the clock of a time stamp is ahead of UTC, where the stamp says so: '2025-03-09T09:32:18Z', '… 09:32:18+01:00'."""
    if stamp.endswith("Z"):
        return 0
    tail = stamp[-6:].replace(":", "")[-5:]
    if len(stamp) < 19 or tail[:1] not in ("+", "-") or not tail[1:].isdecimal() or len(tail) != 5:
        return None
    ahead = int(tail[1:3]) * 3600 + int(tail[3:]) * 60
    return -ahead if tail[0] == "-" else ahead


def seconds(stamp: str) -> float | None:
    """Seconds of a time stamp as loggers print them; None when it is none.

    Known forms: '2025-03-09 09:32:18,348', '2025-03-09T09:32:18.348Z', '09/11/2023-16:02:52', '03-09 09:32:18',
    '0309 09:32:18.123', 'Nov 20 09:33:52', 'Tue Sep  1 22:14:07 2026', '10:33:11', '12345.678901' (seconds since boot).
    """
    fields = stamp.replace("T", " ", 1).split() if stamp[:1].isdigit() else stamp.split()
    try:
        if len(fields) >= 4 and fields[1] in _MONTHS:
            fields = fields[1:4]
        if len(fields) == 3 and fields[0] in _MONTHS:
            return _day_of_year(_MONTHS[fields[0]], int(fields[1])) * 86400.0 + _clock_seconds(fields[2])
        if len(fields) == 1 and len(stamp) > 11 and stamp[10] == "-":
            fields = [stamp[:10], stamp[11:]]
        if len(fields) == 2:
            return _date_days(fields[0]) * 86400.0 + _clock_seconds(fields[1])
        return _clock_seconds(fields[0]) if len(fields) == 1 else None
    except ValueError:
        return None
