"""Readers of the agent's and the command's output, written from the formats' own documents: they
share nothing with src/. Each is strict, and takes whole files alone. others/ has the rules of
programs that others use.
"""
