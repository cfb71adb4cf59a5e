"""Pictures of boards for the documents: any scene, drawn as SVG. None asks which game it is."""

from __future__ import annotations
