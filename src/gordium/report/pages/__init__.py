"""Pages and tables: HTML, Markdown, LaTeX."""
