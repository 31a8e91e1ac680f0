"""From a text in YAML to a Model, with every mistake and its line."""
