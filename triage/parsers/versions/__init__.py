"""Versions of packages, CUDA, drivers and systems, in every way in which texts tell them."""
