"""What results say as a page, and the page as HTML, Markdown or LaTeX.

cells reads columns of tables, ladders.py and orders.py tell which rows are one curve and what an observed order says,
findings.py says it in sentences, figures.py draws, sections.py puts the page of page.py together, write.py writes it.
"""
