"""Tools for people who write rules: tests of examples, lint, documentation."""
