"""Readers of the text format with the rules of programs that others use on it.

They search and split the file as those programs do, and raise Refused where those fail.
Nothing here knows of this agent; readers/hprof_text.py is the strict judge of its files.
"""


class Refused(Exception):
    """The program would fail on this file; says where."""
