"""What results say as a page, and the page as HTML, Markdown or LaTeX.

cells.py reads columns of tables. ladders.py tells which rows are one curve, orders.py what an observed order says,
work.py which run reaches an error first. study.py is a result as the sections see it. findings.py writes sentences,
figures.py and panels.py make figures. sections.py puts the page of page.py together, write.py writes it.
"""
