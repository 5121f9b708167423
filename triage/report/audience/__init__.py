"""Who reads a report, and how advice is put into that reader's words: one module for each thing that decides about them."""
