"""Yucatan: rule files, drawing and witnesses."""
