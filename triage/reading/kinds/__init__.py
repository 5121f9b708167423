"""The kinds of text that name failures and report none: a module for each, and the order in which a text is asked for them."""
