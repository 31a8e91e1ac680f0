"""A mistake in a text: a sentence, and the line that it is about."""


class Fault(Exception):
    def __init__(self, line, sentence):
        super().__init__(sentence)
        self.line = line
        self.sentence = sentence

    def said_of(self, path):
        return f"{path}, line {self.line}: {self.sentence}"
