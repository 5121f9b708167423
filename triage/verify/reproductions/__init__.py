"""One module a failure: how it is made to happen, and what is tried against it. See `triage.verify.reproduction`."""
