"""The modes of a Model: contacts, frictions, and the events between them."""
