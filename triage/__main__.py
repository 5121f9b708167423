"""`python -m triage`: the command line without the console script."""

from triage.cli import main

main()
