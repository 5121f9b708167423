"""The reference as a site: Markdown pages and the configuration with which MkDocs builds them."""

from triage.workshop.docs.site import write_site

__all__ = ["write_site"]
