"""Reports for people and for machines: terminal, JUnit XML, Markdown and HTML."""
